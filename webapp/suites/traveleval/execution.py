"""A plan beside what becomes of it: two lanes a day, and a line an entry."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchmark.plans.view import Day, Entry, Kind, Ref, When
from benchmark.suites.traveleval.scoring.execution import (
    Outcome,
    Period,
    Step,
    clock_words,
    execute_with_options,
)
from webapp.plans.lanes import Bar, HourMark, bars, span_of
from webapp.plans.mapping import places_of
from webapp.plans.reading import SessionPlan
from webapp.sessions.reading import Reading

_KINDS: dict[str, Kind] = {"attraction": "visit", "meal": "meal", "leg": "leg"}
OUTCOMES: dict[Outcome, Promise] = {
    "done": gettext_lazy("done"),
    "shortened": gettext_lazy("shortened"),
    "skipped": gettext_lazy("skipped"),
    "missed": gettext_lazy("missed"),
    "not_reached": gettext_lazy("not reached"),
    "untimed": gettext_lazy("left out: its times can't be read"),
}
CAUSES: dict[str, Promise] = {
    "queue": gettext_lazy("a queue before it took longer than planned"),
    "way": gettext_lazy("the plan leaves too little time for what comes before"),
    "closed": gettext_lazy("the opening hours"),
    "leg": gettext_lazy("the journey ended before"),
}


@dataclass(frozen=True)
class ShownStep:
    """An entry as a line. late, queue: in minutes, 0 for none. tone: good, bad or nothing."""

    day: int
    label: str
    plan: str
    real: str
    late: int
    queue: int
    outcome: str
    cause: str
    tone: str


@dataclass
class ShownDay:
    """A day: its lines, and what `plans/lanes.html` needs."""

    label: int
    steps: list[ShownStep]
    lanes: list[tuple[str, list[Bar]]] = field(default_factory=list)
    hours: list[HourMark] = field(default_factory=list)


def context(reading: Reading, _traveller: str) -> dict[str, Any]:
    """The days of the plan at this moment; `days` is None before there is one, or where the world is not here."""
    shown, tables = SessionPlan(reading), places_of(reading.session)
    if shown.plan is None or tables is None:
        return {"days": None, "has_plan": shown.plan is not None}
    done = execute_with_options(shown.plan, shown.setting.task, tables, shown.setting.options)
    lanes = [_("planned"), _("executed")]
    days = sorted({step.day for step in done.steps})
    first = done.first_break
    return {
        "days": [_day(day, [step for step in done.steps if step.day == day], lanes) for day in days],
        "users": (),  # the lanes are nobody's: their colours go by their order
        "counts": [(str(words), done.count(key)) for key, words in OUTCOMES.items() if done.count(key)],
        "first_break": _shown_step(first) if first else None,
        "short_rooms": done.short_rooms,
        "unread": [".".join(map(str, at)) or _("the whole plan") for at in done.unread_parts],
    }


def _day(day: int, steps: Sequence[Step], lanes: Sequence[str]) -> ShownDay:
    shown = ShownDay(day, [_shown_step(step) for step in steps])
    plan, real = (Day((), "", entries=tuple(_entries(steps, executed=own))) for own in (False, True))
    span = span_of(Day((), "", entries=plan.entries + real.entries))
    if span is not None:
        bad = {(step.at, lanes[1]) for step in steps if step.is_broken}
        shown.lanes = [
            (name, bars(own, name, span, bad)) for name, own in zip(lanes, (plan, real), strict=True)
        ]
        shown.hours = span.marks()
    return shown


def _entries(steps: Iterable[Step], *, executed: bool) -> Iterable[Entry]:
    for step in steps:
        period = step.real if executed else step.plan
        if period is not None:
            midnight = (step.day - 1) * 24
            start, end = (round((hour - midnight) * 60) for hour in period)
            when = When(start, end, text=_clocks(period, step.day))
            yield Entry(_KINDS.get(step.kind, "other"), step.at, step.label, when, Ref(step.label))


def _shown_step(step: Step) -> ShownStep:
    return ShownStep(
        step.day,
        step.label or "–",
        _clocks(step.plan, step.day),
        _clocks(step.real, step.day),
        round(step.late * 60),
        round(step.queue * 60),
        str(OUTCOMES[step.outcome]),
        str(CAUSES.get(step.cause, "")),
        _tone(step),
    )


def _tone(step: Step) -> str:
    if step.outcome == "untimed":
        return ""
    return "bad" if step.is_broken else "good"


def _clocks(period: Period | None, day: int) -> str:
    """`09:00–11:30`; hours of a later day with how many days later."""
    return "–" if period is None else "–".join(_clock(hour, day) for hour in period)


def _clock(hour: float, day: int) -> str:
    own, clock = clock_words(hour)
    return f"{clock} +{own - day}" if own > day else clock
