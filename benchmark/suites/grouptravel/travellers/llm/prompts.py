"""The prompts of the simulated traveller: plain files by language, loaded once (GroupTravelBench, A.5 and D.8).

`rules`, `self` and the `attitude_…` files are whole texts; the other files hold one text a line, as `key: text`.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from string import Template
from typing import Literal

FOLDER = Path(__file__).parent / "prompts"
Language = Literal["zh", "en"]


def language_of(code: str) -> Language:
    """The language of the prompts for a task's language code: Chinese where there is no other."""
    return "en" if code == "en" else "zh"


def prompt_version(language: str) -> str:
    """`NUMBER-DIGEST`: the number is raised by hand with the meaning, the digest changes with any byte."""
    return _version(language_of(language))


def text(language: Language, name: str, /, **fields: object) -> str:
    """The text of one file with its placeholders filled in.

    Raises:
        KeyError: a placeholder has no field.
    """
    return _whole(language, name).substitute(fields)


def line(language: Language, name: str, key: str, /, **fields: object) -> str:
    """The text of line `key` of one file with its placeholders filled in.

    Raises:
        KeyError: there is no such line, or a placeholder has no field.
    """
    return _lines(language, name)[key].substitute(fields)


def has_line(language: Language, name: str, key: str) -> bool:
    """Whether the file has a line `key`."""
    return key in _lines(language, name)


@cache
def _version(language: Language) -> str:
    digest = hashlib.sha256()
    for path in sorted((FOLDER / language).glob("*.txt")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return f"{(FOLDER / 'VERSION').read_text().strip()}-{digest.hexdigest()[:8]}"


@cache
def _whole(language: Language, name: str) -> Template:
    return Template(_read(language, name).rstrip("\n"))


@cache
def _lines(language: Language, name: str) -> dict[str, Template]:
    pairs = (written.partition(": ") for written in _read(language, name).splitlines())
    return {key: Template(content) for key, _, content in pairs}


def _read(language: Language, name: str) -> str:
    return (FOLDER / language / f"{name}.txt").read_text(encoding="utf-8")
