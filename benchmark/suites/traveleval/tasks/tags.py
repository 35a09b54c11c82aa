"""The tags of wishes (appendix C), with their English words."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from benchmark.suites.traveleval.tasks.query import CATEGORIES, Category

_DATA = json.loads((Path(__file__).parent / "data" / "tags.json").read_text("utf-8"))
TAG_SETS: Final[Mapping[Category, Mapping[str, str]]] = {name: _DATA["sets"][name] for name in CATEGORIES}
"""The English words of each tag of a category."""
REJECTABLE: Final = frozenset(_DATA["rejectable"])
"""What people may not want; nobody rejects air conditioning."""
VAGUE: Final = frozenset(_DATA["vague"])
"""What nobody asks for, such as other sights."""
CITY_WORDS: Final[Mapping[str, str]] = _DATA["cities"]
"""The English names of cities."""


def english_city(name: str) -> str:
    """The English name of a city, else the name itself."""
    return CITY_WORDS.get(name, name)
