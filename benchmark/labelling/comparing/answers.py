"""Reading what a model says of plans: JSON in fences or prose, mended where it is broken; every fault by its name.

Nothing is guessed: an answer that says two things counts as none.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from benchmark.judging.json_objects import JsonObject, objects_in, repair_objects, suiting
from benchmark.judging.verdict import Fault, FaultKind
from benchmark.models.answers import storable
from benchmark.text import guarded

LEAST_POINTS, MOST_POINTS = 0.0, 100.0
_POINTS = guarded.compile(
    r"\s*(-?\d{1,9}(?:\.\d{1,6})?)\s*(?:/\s*100|分|points?)?\s*[.。]?\s*", guarded.IGNORECASE
)
_CHOICE = guarded.compile(
    r"[\s\"'“”*`]*(?:the )?(?:plan|route|option|方案|路线|计划)?[\s:：]*([AB])[\s\"'“”*`.。]*",
    guarded.IGNORECASE,
)
_DETAIL = 120


@dataclass(frozen=True, slots=True)
class PlanPoints:
    """Points of one plan, 0 to 100; None where the answer has none that counts. faults: what is wrong with it."""

    points: float | None
    reasons: str = ""
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True, slots=True)
class PlanChoice:
    """The better of two plans, A or B as they were called; "" where the answer has no choice that counts.

    confidence: that it is the better one, 0.5 to 1; None where the answer has none.
    """

    choice: str
    confidence: float | None = None
    reasons: str = ""
    faults: tuple[Fault, ...] = ()


def read_points(text: str, *, cut_off: bool = False) -> PlanPoints:
    """An answer to `plan_request`. cut_off: it reached its limit of tokens."""
    answer = _read_value(text, "score", _points)
    faults = (*_cut(cut_off), *answer.faults)
    if answer.value is not None and not LEAST_POINTS <= answer.value <= MOST_POINTS:
        return PlanPoints(
            None, answer.reasons, (*faults, _fault("out_of_range", "score", f"{answer.value:g}"))
        )
    return PlanPoints(answer.value, answer.reasons, faults)


def read_choice(text: str, *, cut_off: bool = False) -> PlanChoice:
    """An answer to `pair_request`. cut_off: it reached its limit of tokens."""
    answer = _read_value(text, "choice", _choice)
    faults = (*_cut(cut_off), *answer.faults)
    if answer.value is None:
        return PlanChoice("", None, answer.reasons, faults)
    sure, own = _confidence(answer.whole)
    return PlanChoice(answer.value, sure, answer.reasons, (*faults, *own))


T = TypeVar("T", float, str)


@dataclass(frozen=True, slots=True)
class _ReadValue(Generic[T]):
    value: T | None
    whole: JsonObject
    reasons: str = ""
    faults: tuple[Fault, ...] = ()


def _read_value(text: str, key: str, read: Callable[[Any], T | None]) -> _ReadValue[T]:
    """What a text says under a key: its objects that have it must agree; a bare value does as well."""
    there = objects_in(text)
    whole: list[JsonObject] = list(suiting(there.whole, lambda each: key in each))
    broken: list[JsonObject] = repair_objects(there.broken_text) if there.broken_text else []
    repaired: list[JsonObject] = list(suiting(broken, lambda each: key in each))
    if whole or repaired:
        mark = () if whole else (Fault("repaired"),)
        return _agreed_value([*whole, *repaired], key, read, mark)
    if not there.whole and not there.broken_text and (bare := read(text.strip())) is not None:
        return _ReadValue(bare, JsonObject(()))
    fault = _fault("missing", key) if there.whole else Fault("no_json")
    return _ReadValue(None, JsonObject(()), "", (fault,))


def _agreed_value(
    objects: Sequence[JsonObject], key: str, read: Callable[[Any], T | None], mark: tuple[Fault, ...]
) -> _ReadValue[T]:
    first = objects[0]
    reasons = _text(first.get("reasons"))
    if any(key in each.repeated_keys for each in objects):
        return _ReadValue(None, first, reasons, (*mark, _fault("twice", key)))
    said = [read(each[key]) for each in objects]
    if any(value != said[0] for value in said):
        return _ReadValue(None, first, reasons, (*mark, Fault("ambiguous")))
    if said[0] is None:
        return _ReadValue(None, first, reasons, (*mark, _fault("wrong_type", key, _excerpt(first[key]))))
    return _ReadValue(said[0], first, reasons, mark)


def _points(value: Any) -> float | None:
    """72, 72.5, "72", "72/100" and "72 分" are points; true and words are none."""
    if isinstance(value, str):
        match = _POINTS.fullmatch(value)
        return float(match[1]) if match else None
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:
        return None
    return float(value) if abs(value) < 1e9 else None


def _choice(value: Any) -> str | None:
    """A, "b", "plan A" and "方案 B" are choices; more than that is none."""
    match = _CHOICE.fullmatch(value) if isinstance(value, str) else None
    return str(match[1]).upper() if match else None


def _confidence(answer: JsonObject) -> tuple[float | None, tuple[Fault, ...]]:
    """From 50 to 100, as a share of 1; a wrong one costs the confidence and not the choice."""
    if "confidence" not in answer:
        return None, ()
    written = answer["confidence"]
    text = written.strip().removesuffix("%") if isinstance(written, str) else written
    value = _points(text)
    if value is None or "confidence" in answer.repeated_keys:
        return None, (_fault("wrong_type", "confidence", _excerpt(written)),)
    if not 50 <= value <= MOST_POINTS:
        return None, (_fault("out_of_range", "confidence", _excerpt(written)),)
    return value / 100, ()


def _cut(cut_off: bool) -> tuple[Fault, ...]:
    return (Fault("cut_off"),) if cut_off else ()


def _fault(kind: FaultKind, key: str, detail: str = "") -> Fault:
    return Fault(kind, "", f"{key}: {detail}" if detail else key)


def _text(value: Any) -> str:
    return storable(value).strip() if isinstance(value, str) else ""


def _excerpt(value: Any) -> str:
    return storable(json.dumps(value, ensure_ascii=False))[:_DETAIL]
