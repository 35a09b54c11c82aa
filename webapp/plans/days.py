"""A plan day by day: its stops, lanes of those who travel, and what is said of each place beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from django.utils.translation import gettext as _

from benchmark.plans.view import Cost, Day, Entry, PlanView, lies_in
from webapp.pages.plans import Sentence, cell_id
from webapp.plans.lanes import Bar, HourMark, bars, span_of
from webapp.plans.times import time_words

UNPLACED_KINDS = ("move", "leg")
"""Kinds of entries that lead from one place to another, and have none of their own."""


@dataclass(frozen=True)
class Stop:
    """One line of a day. who: those who take part, () for everybody. kind: of the entry.

    place: what a tool should have returned, "" where there is no such; source: the tool result that names it.
    """

    kind: str
    time: str
    name: str
    who: tuple[str, ...]
    cost: str
    sentences: tuple[Sentence, ...]
    place: str = ""
    source: int | None = None
    cell: str = ""


@dataclass
class DayPlan:
    """A day. lanes: a traveller's name with the bars; hours: the marks of the time axis.

    sentences: those of no one stop, the first of a place with its id, which others lead to.
    """

    label: str
    date: str
    cities: Sequence[str]
    stops: list[Stop] = field(default_factory=list)
    lanes: list[tuple[str, list[Bar]]] = field(default_factory=list)
    hours: list[HourMark] = field(default_factory=list)
    sentences: list[tuple[str, Sentence]] = field(default_factory=list)
    cell: str = ""


def day_plans(view: PlanView, users: Sequence[str], sentences: Sequence[Sentence] = ()) -> list[DayPlan]:
    """All days of a plan, each of the sentences at its place. users: who has a lane."""
    return [
        _day_plan(day, users, [line for line in sentences if lies_in(line.at, day.at)]) for day in view.days
    ]


def _day_plan(day: Day, users: Sequence[str], sentences: Sequence[Sentence]) -> DayPlan:
    shown = DayPlan(day.label, day.date, day.cities, cell=cell_id(day.at))
    shown.stops = [_stop(entry, users, sentences) for entry in day.entries]
    shown.sentences = _sentences_of_no_stop(shown, sentences)
    span = span_of(day)
    if span:
        bad = {(line.at, user) for line in sentences for user in line.users or users}
        shown.lanes = [(user, bars(day, user, span, bad)) for user in users]
        shown.hours = span.marks()
    return shown


def _sentences_of_no_stop(day: DayPlan, sentences: Sequence[Sentence]) -> list[tuple[str, Sentence]]:
    placed = {id(line) for stop in day.stops for line in stop.sentences}
    taken = {day.cell, *(stop.cell for stop in day.stops)}
    lines_of_no_stop = []
    for line in sentences:
        if id(line) not in placed:
            lines_of_no_stop.append(("" if line.cell in taken else line.cell, line))
            taken.add(line.cell)
    return lines_of_no_stop


def _stop(entry: Entry, users: Sequence[str], sentences: Sequence[Sentence]) -> Stop:
    has_place = entry.place is not None and entry.kind not in UNPLACED_KINDS
    return Stop(
        entry.kind,
        time_words(entry.when),
        entry.label or (_("rest") if entry.kind == "other" else ""),
        tuple(user for user in users if user in entry.who),
        money(entry.cost),
        tuple(line for line in sentences if line.at == entry.at),
        entry.place.name if entry.place and has_place else "",
        cell=cell_id(entry.at),
    )


def money(cost: Cost | None) -> str:
    """A cost in words: `¥1,200`, `free`, or what the plan has written in a number's place; "" for none."""
    if cost is None:
        return ""
    if cost.amount is None:
        return cost.text
    try:
        return f"¥{round(cost.amount, 1):,.15g}" if cost.amount else _("free")
    except OverflowError:
        return f"¥{Decimal(cost.amount):.0e}"
