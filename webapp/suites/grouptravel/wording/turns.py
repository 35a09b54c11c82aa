"""Whose turn it is, and why."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from benchmark.suites.grouptravel.conversation.state import SessionState
from benchmark.suites.grouptravel.events import TurnGranted

_WHY: dict[str, Promise] = {
    "polled": gettext_lazy("polled"),
    "mentioned": gettext_lazy("mentioned"),
    "final": gettext_lazy("the round limit is reached and the plan is due"),
    "opening": gettext_lazy("to sum up the opening"),
    "checkpoint": gettext_lazy("to sum up and mediate"),
    "summary": gettext_lazy("to note the inferred preferences"),
}
_PROBLEM: dict[str, Promise] = {
    "passed": gettext_lazy("passed although mentioned"),
    "no_plan": gettext_lazy("the answer held no plan"),
    "unsolicited": gettext_lazy("offered a compromise that nobody had asked for"),
    "unresolvable": gettext_lazy("named a field that is not in the table"),
    "over_quota": gettext_lazy("has no compromise left"),
    "not_allowed": gettext_lazy("never compromises"),
    "unknown_field": gettext_lazy("named a field that the schema does not have"),
}
_SECTIONS: dict[str, Promise] = {
    "opening": gettext_lazy("Opening"),
    "finish": gettext_lazy("After the plan"),
    "end": gettext_lazy("Final plan"),
}
_AFTER_SUMMARY: dict[str, Promise] = {
    "opening": gettext_lazy("Agent notes the inferred preferences after the opening"),
    "checkpoint": gettext_lazy("Agent notes the inferred preferences so far"),
    "finish": gettext_lazy("Agent notes the inferred preferences at the end"),
}


def turn_words(turn: TurnGranted) -> str:
    """One line: the round where one begins, who is asked and why."""
    if turn.kind == "summary":
        return str(_AFTER_SUMMARY.get(turn.leads_to) or _("Agent notes the inferred preferences"))
    said = _("turn to %(who)s: %(why)s") % {"who": turn.speaker, "why": why(turn)}
    if begins_round(turn):
        return _("round %(round)s · %(said)s") % {"round": turn.round + 1, "said": said}
    return said


def why(turn: TurnGranted) -> str:
    """Why this participant is asked now."""
    if turn.is_repeat:
        problem = problem_words(turn.problem)
        return _("asked again: %(problem)s") % {"problem": problem} if problem else _("asked again")
    return str(_WHY.get(turn.place if turn.kind == "convergence" else turn.kind, turn.kind))


def problem_words(problem: str) -> str:
    """Why an answer or a marker was refused."""
    return str(_PROBLEM.get(problem, problem))


def begins_round(turn: TurnGranted) -> bool:
    """Whether this is the first turn of a lap, or a convergence that takes a round of its own."""
    if turn.is_repeat:
        return False
    return turn.place == "checkpoint" or (turn.place == "lap" and turn.slot == len(turn.skipped))


def is_quiet(turn: TurnGranted) -> bool:
    """An ordinary slot of the lap: worth saying while it lasts, not afterwards."""
    return turn.place == "lap" and turn.speaker != "Agent" and not turn.is_repeat and not begins_round(turn)


def skipped_words(turn: TurnGranted) -> str:
    """Who lost the slot before this turn, "" where nobody did."""
    if not turn.skipped:
        return ""
    names = ", ".join(turn.skipped)
    return ngettext(
        "%(names)s has nothing new to answer", "%(names)s have nothing new to answer", len(turn.skipped)
    ) % {"names": names}


def standing(state: SessionState) -> str:
    """Whom the session waits for in which round, or what comes after the plan; "" between turns."""
    turn = state.turn
    if turn is None:
        planned = state.plan is not None
        return _("The plan is made. The agent notes the inferred preferences …") if planned else ""
    return _("Round %(round)s of %(limit)s · waiting for %(who)s: %(why)s") % {
        "round": turn.round + 1,
        "limit": state.opening.max_turn if state.opening else "–",
        "who": turn.speaker,
        "why": why(turn),
    }


def section(turn: TurnGranted) -> tuple[str, str] | None:
    """A lap or a convergence; a hidden turn belongs to what it leads to, a mention to what it interrupts."""
    if turn.place == "preempt":
        return None
    part, round_ = turn.leads_to or turn.place, turn.round + 1
    if part == "checkpoint":
        return f"{part} {round_}", _("%(round)s · summary") % {"round": round_}
    if part in ("opening", "finish", "end"):
        return part, str(_SECTIONS[part])
    return str(round_), str(round_)
