"""A constraint of the user that a plan does not meet, and why."""

from __future__ import annotations

from typing import Final

from benchmark.misses import Miss, ToolFailure
from benchmark.suites.tripbench.misses.reading import JudgedTurn, LostTrip
from benchmark.suites.tripbench.rubrics import read_rubric
from benchmark.suites.tripbench.rubrics.labels import domain_of
from benchmark.suites.tripbench.scoring.verdict import Constraint, Turn, judge_plan
from benchmark.suites.tripbench.tasks.task import Instruction
from benchmark.suites.tripbench.wording import constraint_words

_TOOLS: Final = {
    "attraction": ("search_attractions", "get_attraction_detail_with_products"),
    "hotel": ("search_hotels", "get_hotel_detail_with_products"),
    "restaurant": ("search_restaurants", "get_restaurant_detail_with_products"),
    "transport": (
        *("search_flights", "get_flight_detail_with_products"),
        *("search_trains", "get_train_detail_with_products"),
    ),
}
"""The tools that tell of what a constraint is said, by its domain; all of them tell of the whole trip."""
_ALL_TOOLS: Final = tuple(tool for tools in _TOOLS.values() for tool in tools)
_MOST_ITEMS: Final = 3


def wish_miss(session: LostTrip, turn: JudgedTurn, id_: str) -> Miss:
    """One of the user's constraints at a turn, without its points."""
    own = session.instruction(id_)
    first = session.first_turn_with(turn, id_)
    kept = [each for each in session.turns[first.number : turn.number] if each.user.get(id_)]
    tools = _TOOLS.get(domain_of(own.rubric), _ALL_TOOLS)
    failures = session.calls.failures_of(tools, first.request, turn.seq)
    cause = _cause(session, turn, own, kept_before=bool(kept), failures=failures, tools=tools)
    seqs = (first.request, turn.seq, *(each.seq for each in kept[-1:]))
    return Miss(
        "",
        own.rubric,
        cause,
        0.0,
        item=_words(session, turn, own),
        seqs=seqs,
        began=session.began(turn, id_),
        failures=failures,
    )


def _cause(
    session: LostTrip,
    turn: JudgedTurn,
    own: Instruction,
    *,
    kept_before: bool,
    failures: tuple[ToolFailure, ...],
    tools: tuple[str, ...],
) -> str:
    """The first that holds."""
    if own.fallback is not None or not _is_possible(session, turn, own):
        return "impossible"
    if own.is_vague and own.id not in turn.exact:
        return "vague"
    if kept_before:
        return "broken_later"
    if any(_is_met(session, turn, session.instruction(before)) for before in own.drops):
        return "stale"
    if session.calls.answer_of(tools, turn.seq) is None:
        return "tool_failed" if failures else "not_looked_up"
    last = failures[-1].seq if failures else 0
    if failures and session.calls.answer_of(tools, turn.seq, last) is None:
        return "tool_failed"
    return "dropped"


def _is_possible(session: LostTrip, turn: JudgedTurn, own: Instruction) -> bool:
    """Whether the world has anything that meets a constraint which is said of each item alone."""
    rubric = read_rubric(own.rubric, own.args)
    if rubric is None or rubric.depends_on_others:
        return True
    return bool(rubric.feasible_choices(session.candidates(session.frame_at(turn))))


def _is_met(session: LostTrip, turn: JudgedTurn, before: Instruction) -> bool:
    """Whether the plan of a turn meets a constraint that the user has replaced."""
    if not before.rubric:
        return False
    asked = Turn(
        session.world,
        session.frame_at(turn),
        session.parameters,
        [Constraint(before.id, before.rubric, before.args)],
        frozenset(session.task.repeatable),
        turn.reply.needs_plan,
    )
    return judge_plan(turn.reply.plan, turn.reply.before, asked).user.get(before.id) is True


def _words(session: LostTrip, turn: JudgedTurn, own: Instruction) -> str:
    """The constraint, and the items of the plan that go against it."""
    told = constraint_words(own.rubric, own.args, session.task.language, session.task.names)
    items = [
        session.name_of(str(item)) for mark in turn.marks(own.id) if (item := mark["params"].get("item"))
    ]
    named = [*dict.fromkeys(items)][:_MOST_ITEMS]
    return f"{told} ({', '.join(named)})" if named else told
