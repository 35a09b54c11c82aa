"""The words that a person is shown, Chinese or English; what comes from the tables stays as written."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from benchmark.suites.grouptravel.travellers.scripted.language import DEFAULT
from benchmark.suites.grouptravel.travellers.scripted.language import language as scripted

_FOLDER = Path(__file__).parent / "languages"
LANGUAGES = tuple(sorted(file.stem for file in _FOLDER.glob("*.toml")))


def texts(code: str, part: str) -> Mapping[str, Any]:
    """One part of the texts of the language `code`, those of Chinese where the code has none."""
    part_of: Mapping[str, Any] = _load(_known_code(code))[part]
    return part_of


@lru_cache(maxsize=64)
def _known_code(code: str) -> str:
    return code if code.isalpha() and (_FOLDER / f"{code}.toml").is_file() else DEFAULT


@cache
def _load(code: str) -> Mapping[str, Any]:
    return tomllib.loads((_FOLDER / f"{code}.toml").read_text(encoding="utf-8"))


def join_names(names: Iterable[str], code: str) -> str:
    """Names as the language lists them, each whole, with its gloss before it where the language has one."""
    speech = scripted(code).speech
    lists, glosses = speech["lists"], speech["glosses"]
    told = [
        str(lists["gloss"].format(gloss=glosses[name], name=name)) if name in glosses else name
        for name in names
    ]
    before = lists["separator"].join(told[:-1])
    return str(lists["last"].join(part for part in (before, *told[-1:]) if part))
