"""A constraint of feasibility or soundness that a plan violates, finding by finding, and why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from benchmark.misses import Miss, ToolFailure
from benchmark.plans.view import Mark
from benchmark.suites.tripbench.misses.reading import JudgedTurn, LostTrip
from benchmark.suites.tripbench.scoring.verdict import CONTENT, FRAME, ITEMS, NO_PLAN, STRUCTURE
from benchmark.suites.tripbench.users.findings import finding_words

_ROUTE: Final = ("get_route_estimate",)
_CAUSES: Final[Mapping[str, str]] = {
    STRUCTURE: "malformed",
    FRAME: "dropped",
    CONTENT: "left_out",
    "timeline": "inconsistent",
    "diversity": "inconsistent",
    "spatial_logic": "arranged",
    "local_transfers": "left_out",
}
"""Of findings that no tool result has to do with, by their constraint."""
_OF_MARKS: Final = {NO_PLAN.key: "no_plan", "no_days": "left_out", "item_unknown": "invented"}
"""Of findings of one kind alone."""
_TRANSFER: Final = "transfer"
"""The finding that a way takes another time than is estimated."""


class _Why(NamedTuple):
    cause: str
    seqs: tuple[int, ...] = ()
    failures: tuple[ToolFailure, ...] = ()


def fault_misses(session: LostTrip, turn: JudgedTurn, key: str) -> list[Miss]:
    """What is found against a constraint at a turn, without points; one miss at least."""
    began = session.began(turn, key)
    misses = []
    for mark in turn.marks(key) or [Mark((), "")._asdict()]:
        why = _why(session, turn, key, mark)
        seqs = (turn.seq, *why.seqs, *([turn.request] if why.cause == "dropped" else []))
        item = finding_words(key, Mark(**mark), session.task)
        misses.append(Miss("", key, why.cause, 0.0, item=item, seqs=seqs, began=began, failures=why.failures))
    return misses


def _why(session: LostTrip, turn: JudgedTurn, key: str, mark: Mapping[str, Any]) -> _Why:
    if mark["key"] in _OF_MARKS:
        return _Why(_OF_MARKS[mark["key"]])
    if mark["key"] == _TRANSFER:
        found = session.calls.answer_of(_ROUTE, turn.seq)
        failures = session.calls.failures_of(_ROUTE, 0, turn.seq)
        return _looked_up(found, () if found else failures)
    if key in _CAUSES:
        return _Why(_CAUSES[key])
    told = mark["params"]
    about = str(told.get("seen") if mark["key"] == "product_unknown" else told.get("item") or "")
    if not about:
        return _Why("inconsistent")
    why = _looked_up(
        session.calls.answer_with(about, turn.seq), session.calls.failures_about([about], turn.seq)
    )
    is_made_up = key == ITEMS and why.cause == "not_looked_up" and mark["key"] == "product_unknown"
    return _Why("invented") if is_made_up else why


def _looked_up(found: int | None, failures: tuple[ToolFailure, ...]) -> _Why:
    """The cause of what a look into the world would show. found: the tool result that does."""
    if failures:
        return _Why("tool_failed", failures=failures)
    return _Why("not_looked_up") if found is None else _Why("not_kept", (found,))
