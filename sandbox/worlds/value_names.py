"""What people call the kinds of places and the ways to travel in each language: budget hotels for 经济型."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path


@cache
def value_names(language: str) -> Mapping[str, str]:
    """{value: name}, of the values that the language does not call as the tables do; no two share a name."""
    names: Mapping[str, str] = _all_names().get(language, {})
    return names


@cache
def _all_names() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
