"""Names of models and agents in what annotators are shown, by which they could tell whose plan it is.

It shares nothing with what masks them (`benchmark.labelling.blinding`), so that it finds what a mask has missed.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from benchmark.text import guarded

_SEPARATORS = r"[\s\p{Pd}\u2212_.·/]"
_PART = guarded.compile(rf"{_SEPARATORS}+|(?<=\d)(?=\D)|(?<=\D)(?=\d)|(?<=\p{{Ll}})(?=\p{{Lu}})")
"""Between the parts of a name: separators, digits beside others, a small letter before a capital."""
_LATIN = r"\p{Latin}\p{Cyrillic}\p{Greek}"


@dataclass(frozen=True, slots=True)
class Leak:
    """A name in a text. start, end: where it stands there."""

    name: str
    start: int
    end: int


def leaks(text: str, names: Iterable[str]) -> list[Leak]:
    """Where a text says one of these names, in order; the longest where several begin together, none inside another.

    Case, compatible forms (NFKD), characters without room and how the parts of a name are separated do not count:
    “GPT-4o” is found in wide letters and as “gpt 4o”. A name stands alone: “Yi” is not found in “Yiwu”, but it is in
    “Yi-34B” and “Yi34”; Chinese needs no space around names.
    """
    wanted = {
        _expression(name): name for name in sorted(set(names), key=_length, reverse=True) if _parts(name)
    }
    if not wanted:
        return []
    folded, origins = _fold_text(text)
    expression = "|".join(f"({pattern})" for pattern in wanted)
    listed = list(wanted.values())
    return [
        Leak(listed[(match.lastindex or 1) - 1], origins[match.start()], origins[match.end() - 1] + 1)
        for match in guarded.finditer(expression, folded)
    ]


def _fold_text(text: str) -> tuple[str, list[int]]:
    """The text after NFKD and without case, and of which character of the text each of its characters is."""
    pieces = [
        "" if unicodedata.category(character) == "Cf" else unicodedata.normalize("NFKD", character).casefold()
        for character in text
    ]
    return "".join(pieces), [at for at, piece in enumerate(pieces) for _character in piece]


def _parts(name: str) -> list[str]:
    normal = unicodedata.normalize("NFKD", name)
    return [part.casefold() for part in _PART.split(normal) if part]


def _length(name: str) -> int:
    return sum(map(len, _parts(name)))


def _expression(name: str) -> str:
    parts = _parts(name)
    body = f"{_SEPARATORS}?".join(map(guarded.escape, parts))
    return f"{_not_within(parts[0][0], '<!')}{body}{_not_within(parts[-1][-1], '!')}" if parts else ""


def _not_within(edge: str, look: str) -> str:
    """No letter beside a letter and no digit beside a digit, at an end of the name."""
    if edge.isdecimal():
        return rf"(?{look}\d)"
    return rf"(?{look}[{_LATIN}])" if guarded.match(rf"[{_LATIN}]", edge) else ""
