"""How judgements are told."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from benchmark.judging.stability import Spread
from webapp.judging.selectors import JUDGE, META

_DIMENSIONS: dict[str, Promise] = {
    "hallucination": _("free of invention"),
    "tool_use_reasoning": _("use of tools"),
    "interaction_quality": _("conversation"),
    "conflict_coordination": _("conflicts"),
    "plan_humanization": _("humane plan"),
}
_FAULTS: dict[str, Promise] = {
    "no_json": _("the answer holds no JSON object"),
    "repaired": _("the answer's JSON was broken and had to be mended"),
    "cut_off": _("the answer reached its longest length"),
    "missing": _("is missing"),
    "wrong_type": _("is no whole number"),
    "out_of_range": _("is not between 1 and 5"),
    "no_rationale": _("has no rationale"),
    "no_citation": _("cites no turn"),
    "unknown_turn": _("cites turns that do not exist"),
}
_SEATS: dict[str, Promise] = {JUDGE: _("judge"), META: _("meta-judge")}
_BRACKETED = re.compile(r"[\[［【][\d\s,，、;；\-–~]+[\]］】]")
_PARTS = re.compile(r"(\d+)")


def dimension_words(name: str) -> str:
    """A dimension; an unknown one as it is."""
    return str(_DIMENSIONS.get(name, name))


def seat_words(seat: str) -> str:
    """Who was asked."""
    return str(_SEATS.get(seat, seat))


def fault_words(fault: Mapping[str, Any]) -> str:
    """What is wrong with an answer: `free of invention: is not between 1 and 5 (7)`."""
    words = str(_FAULTS.get(fault["kind"], fault["kind"]))
    detail = "" if fault["kind"] == "missing" else fault["detail"]
    told = f"{words} ({detail})" if detail else words
    return f"{dimension_words(fault['dimension'])}: {told}" if fault["dimension"] else told


def spread_words(found: Spread | None, places: int = 2) -> str:
    """`3.67 ± 0.58`; without the deviation where there is only one value, a dash for none."""
    if found is None:
        return "–"
    if found.std is None:
        return f"{found.mean:.{places}f}"
    return _now("%(mean)s ± %(std)s") % {"mean": f"{found.mean:.{places}f}", "std": f"{found.std:.{places}f}"}


@dataclass(frozen=True, slots=True)
class Piece:
    """Text, or a cited turn where `turn` is given. there: whether the turn exists."""

    text: str
    turn: int | None = None
    there: bool = True


def pieces(rationale: str, turns: list[int], unknown: list[int]) -> Iterator[Piece]:
    """A rationale with its citations taken out, and after it those that only the judge's list names."""
    end, named = 0, set[int]()
    for found in _BRACKETED.finditer(rationale):
        yield Piece(rationale[end : found.start()])
        for part in _PARTS.split(found.group()):
            cited = int(part) if part.isdecimal() and len(part) < 10 else None
            if cited in turns:
                named.add(cited)
                yield Piece(part, cited, cited not in unknown)
            else:
                yield Piece(part)
        end = found.end()
    yield Piece(rationale[end:])
    spanned = _spans(rationale)
    rest = [turn for turn in turns if turn not in named and turn not in spanned]
    for number, turn in enumerate(rest):
        yield Piece(" · " if number == 0 else ", ")
        yield Piece(str(turn), turn, turn not in unknown)


def _spans(rationale: str) -> set[int]:
    """The turns inside of ranges such as [12-14], whose ends are cited in the text."""
    found = re.findall(r"(\d{1,9})\s*[-–~]\s*(\d{1,9})", " ".join(_BRACKETED.findall(rationale)))
    return {turn for first, last in found for turn in range(int(first), min(int(last), int(first) + 200) + 1)}
