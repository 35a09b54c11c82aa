"""The head of a session page: what it is, how it stands, its figures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from benchmark.core.events import ModelCalled
from benchmark.core.state import SessionState
from benchmark.core.tool_use import tool_use, total
from benchmark.core.view import AGENT, SIMULATOR
from benchmark.metrics import summary_metrics
from benchmark.suites import metrics_of, suite_named
from webapp.pages import pages_of
from webapp.sessions.models import Mode, Status
from webapp.sessions.reading import Reading
from webapp.sessions.selectors import baseline, values_in
from webapp.wording.endings import ending_words
from webapp.wording.metrics import ShownValue, shown_values, value_digits
from webapp.wording.models import failure_words
from webapp.wording.numbers import number_words
from webapp.wording.options import telling_lines


@dataclass(frozen=True)
class Figure:
    """One number of the head. tone: good, bad or nothing; title: what there is no room for; note: another's value."""

    value: str
    label: str
    tone: str = ""
    title: str = ""
    note: str = ""


ADDED_FIGURES: list[Callable[[Reading], Sequence[Figure]]] = []
"""What apps above add after the scores."""


def options(reading: Reading) -> list[str]:
    """What was chosen, each option in a few words; those of users over models only where there are such.

    Those that tables do not tell of each run, and that have no words for a line, are told where they have another
    value than their default.
    """
    seats = reading.state.seats.values()
    over_models = any(body.model is not None and body.seat not in (AGENT, SIMULATOR) for body in seats)
    declared = [
        each for each in suite_named(reading.session.suite).options if over_models or not each.of_users
    ]
    return telling_lines(declared, reading.session.options)


def figures(reading: Reading) -> list[Figure]:
    """The values of the suite's rules, of groups the headlines alone, what other apps add, and the tool
    calls where there are tools.

    Scores belong to the end: before it there are none. Tool calls are those up to the moment.
    """
    metrics = summary_metrics(metrics_of(reading.session.suite))
    values = shown_values(metrics, values_in(reading.score) if reading.whole else {})
    scores = [
        Figure(value.value, value.name, value.tone, note=_reference_words(value, reading)) for value in values
    ]
    added = [figure for figures_of in ADDED_FIGURES for figure in figures_of(reading)]
    if not reading.whole:
        added = [replace(figure, value="–", tone="") for figure in added]
    tools = [_tool_figure(reading)] if suite_named(reading.session.suite).play.has_tools else []
    return [*scores, *added, *tools]


def _reference_words(shown_value: ShownValue, reading: Reading) -> str:
    """What the benchmark's first agent gets on the same task, beside its headline."""
    if not shown_value.metric.headline or reading.score is None:
        return ""
    reference = baseline(reading.session.suite, reading.session.task)
    if shown_value.metric.key not in reference.values:
        return ""
    value = value_digits(shown_value.metric, reference.values[shown_value.metric.key])
    return _("%(agent)s agent: %(value)s") % {"agent": reference.agent, "value": value}


def _tool_figure(reading: Reading) -> Figure:
    """Hits only where there is a cache that calls can hit."""
    use = total(tool_use(reading.events).values())
    own = total(tool_use(reading.session.own(reading.events)).values())
    before = number_words(use.calls - own.calls, 0)
    note = _("%(n)s before the fork") % {"n": before} if use.calls > own.calls else ""
    if reading.session.mode == Mode.WORLD:
        label = ngettext("tool call", "tool calls", use.calls)
    else:
        label = ngettext("tool calls, %(n)s hit", "tool calls, %(n)s hits", use.hits) % {"n": use.hits}
    return Figure(number_words(use.calls, 0), label, note=note)


def _crash(reading: Reading) -> str:
    """Why a crashed session got no answer from a model, "" where something else ended it."""
    calls = [event.body for event in reading.events[-3:] if isinstance(event.body, ModelCalled)]
    if reading.session.status != Status.CRASHED or not calls or calls[-1].answered:
        return ""
    return _("It crashed: %(why)s.") % {"why": failure_words(calls[-1].outcome)}


def status_line(reading: Reading) -> str:
    """Where the session stands, in one line."""
    session = reading.session
    if not reading.whole:
        return _waiting(reading)
    if session.ended:
        return _crash(reading) or ending_words(session.completion_reason, session.suite)
    if reading.state.final_event:
        return ending_words(reading.state.final_event.reason, session.suite)
    if session.stop_requested:
        return _("Stopping after the current step …")
    if session.paused:
        return _("Paused")
    if session.status == Status.QUEUED and reading.state.untaken:
        return gathering_words(reading.state)
    if reading.state.turn is None and session.status == Status.QUEUED:
        return _("Waiting for a worker …")
    return _waiting(reading)


def gathering_words(state: SessionState) -> str:
    """How many have come of those for whom a session waits before it begins."""
    all_ = len(state.attendance)
    return _("Waiting for people to join: %(here)s of %(all)s are present") % {
        "here": all_ - len(state.untaken),
        "all": all_,
    }


def _waiting(reading: Reading) -> str:
    """Whose turn it is, by the log alone."""
    turn, session = reading.state.turn, reading.session
    if own := pages_of(session.suite).session.standing(reading.state):
        return own
    if turn is None:
        return _("Waiting for the next turn …")
    return _("Round %(round)s · waiting for %(who)s: %(why)s") % {
        "round": turn.round + 1,
        "who": turn.speaker,
        "why": turn.kind,
    }
