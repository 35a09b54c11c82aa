"""Reading what judges write: JSON in fences or prose, broken JSON as a last resort, every fault by its name."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

import json_repair

from benchmark.judging.verdict import (
    DIMENSIONS,
    HIGHEST,
    LOWEST,
    Calibration,
    Dimension,
    Fault,
    Judgement,
    Rating,
)
from benchmark.models.answers import storable

_DECODER = json.JSONDecoder()
_CITED = re.compile(r"[\[［【]([\d\s,，、;；\-–~]+)[\]］】]")
_RANGE = re.compile(r"(\d+)(?:\s*[-–~]\s*(\d+))?")
_MOST_DIGITS = 9
_WIDEST = 200
"""A longer range is cited by its two ends."""
_DETAIL = 120

Object = Mapping[str, Any]


def read_judgement(text: str, turns: Collection[int], *, cut_off: bool = False) -> Judgement:
    """A judge's answer. turns: the numbers that the transcript has; cut_off: the answer reached its limit."""
    found, faults = _object(text, lambda value: any(name in value for name in DIMENSIONS), cut_off)
    if found is None:
        return Judgement(text, faults=tuple(faults))
    ratings: dict[Dimension, Rating] = {}
    for name in DIMENSIONS:
        rating, own = _rating(name, found.get(name), turns)
        faults += own
        if rating is not None:
            ratings[name] = rating
    return Judgement(text, ratings, tuple(faults))


def read_calibration(text: str, turns: Collection[int], *, cut_off: bool = False) -> Calibration:
    """A meta-judge's answer; the arguments as in `read_judgement`."""
    found, faults = _object(text, lambda value: "score" in value, cut_off)
    if found is None:
        return Calibration(text, faults=tuple(faults))
    score, wrong = _score(found, "")
    reasoning = _text(found.get("reasoning"))
    if not reasoning:
        faults.append(Fault("no_rationale"))
    cited = _cited_in(reasoning)
    unknown = tuple(turn for turn in cited if turn not in turns)
    return Calibration(text, score, reasoning, cited, unknown, (*faults, *wrong, *_unknown("", unknown)))


def _object(text: str, suits: Callable[[Object], bool], cut_off: bool) -> tuple[Object | None, list[Fault]]:
    """The last object of a text that suits, on its own or as a value of another, and the faults on the way to it."""
    faults = [Fault("cut_off")] if cut_off else []
    whole = list(_objects(text))
    found = _last(whole, suits)
    if found is not None:
        return found, faults
    found = _last(_mended(text), suits)
    if found is not None:
        return found, [*faults, Fault("repaired")]
    return (whole[-1], faults) if whole else (None, [*faults, Fault("no_json")])


def _last(objects: Iterable[Object], suits: Callable[[Object], bool]) -> Object | None:
    found = list(objects)
    inside = (value for outer in found for value in outer.values() if isinstance(value, dict))
    suiting = [value for value in found if suits(value)] or [value for value in inside if suits(value)]
    return suiting[-1] if suiting else None


def _objects(text: str) -> Iterator[Object]:
    """The outermost JSON objects in a text, whatever stands around them."""
    at = text.find("{")
    while at >= 0:
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            yield value
        at = text.find("{", end)


def _mended(text: str) -> Iterator[Object]:
    start = text.find("{")
    if start < 0:
        return
    try:
        mended = json_repair.loads(text[start:])
    except (ValueError, RecursionError):
        return
    for value in mended if isinstance(mended, list) else [mended]:
        if isinstance(value, dict):
            yield value


def _rating(name: Dimension, written: Any, turns: Collection[int]) -> tuple[Rating | None, list[Fault]]:
    if written is None:
        return None, [Fault("missing", name)]
    if not isinstance(written, dict):
        return None, [Fault("wrong_type", name, _shown(written))]
    score, faults = _score(written, name)
    rationale = _text(written.get("rationale"))
    cited = tuple(dict.fromkeys([*_cited_in(rationale), *_listed(written.get("turns"))]))
    unknown = tuple(turn for turn in cited if turn not in turns)
    if not rationale:
        faults.append(Fault("no_rationale", name))
    if not cited:
        faults.append(Fault("no_citation", name))
    return Rating(score, rationale, cited, unknown), [*faults, *_unknown(name, unknown)]


def _unknown(name: str, turns: Iterable[int]) -> list[Fault]:
    listed = ", ".join(map(str, turns))
    return [Fault("unknown_turn", name, listed[:_DETAIL])] if listed else []


def _score(written: Object, name: str) -> tuple[int | None, list[Fault]]:
    """A score of 4.0 is a 4; text, true and halves are of the wrong type."""
    if "score" not in written:
        return None, [Fault("missing", name, "score")]
    score = written["score"]
    if isinstance(score, bool) or not isinstance(score, int | float) or score != score // 1:
        return None, [Fault("wrong_type", name, _shown(score))]
    if not LOWEST <= score <= HIGHEST:
        return None, [Fault("out_of_range", name, _shown(score))]
    return int(score), []


def _cited_in(text: str) -> tuple[int, ...]:
    """The turns that stand in square brackets: [12], [12, 31], [12-14]."""
    numbers = (
        _numbers(*found.groups()) for group in _CITED.findall(text) for found in _RANGE.finditer(group)
    )
    return tuple(dict.fromkeys(number for each in numbers for number in each))


def _numbers(first: str, last: str | None) -> Iterable[int]:
    ends = [int(end) for end in (first, last) if end and len(end) <= _MOST_DIGITS]
    if len(ends) == 2 and ends[0] < ends[1] <= ends[0] + _WIDEST:
        return range(ends[0], ends[1] + 1)
    return ends


def _listed(written: Any) -> list[int]:
    """The numbers of a list of turns; a number in text, or in brackets, is read as well."""
    items = written if isinstance(written, list) else [written]
    found: list[int] = []
    for item in items:
        if isinstance(item, int) and not isinstance(item, bool):
            found.append(item)
        elif isinstance(item, str):
            found += [
                int(digits) for digits in re.findall(r"\d+", item, re.ASCII) if len(digits) <= _MOST_DIGITS
            ]
    return found


def _text(value: Any) -> str:
    return storable(value).strip() if isinstance(value, str) else ""


def _shown(value: Any) -> str:
    return storable(json.dumps(value, ensure_ascii=False))[:_DETAIL]
