"""How names of places, cities and tags compare."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

LONGEST_KEPT = 100


def fold(text: str) -> str:
    """A text after NFKC and case folding, with single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


_keep = lru_cache(maxsize=16_384)(fold)


def fold_name(name: str) -> str:
    """As `fold`; names that come again and again are kept, as long as they are short."""
    return _keep(name) if len(name) <= LONGEST_KEPT else fold(name)
