"""One plan or two side by side, what only one of them has marked: for annotators, and for whoever compares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from django.utils.translation import gettext as _

from benchmark.plans.changes import EntryPair, changes_of, pair_entries, placed_entries
from benchmark.plans.view import CostLine, PlanView
from sandbox.worlds import World as Pack
from webapp.pages.plans import cell_id
from webapp.plans.days import DayPlan, Stop, day_plans
from webapp.plans.mapping import map_context, pack_of
from webapp.plans.reading import SessionPlan
from webapp.plans.times import time_words
from webapp.sessions.reading import Reading

UNCOMPARED_KINDS = ("move", "other")
"""Kinds of stops that tell little: nobody chooses between plans by them."""


@dataclass(frozen=True)
class ShownStop:
    """A line of a day. difference: how it differs from the other plan, in words; "" where both have it alike.

    new: the other plan has it nowhere.
    """

    stop: Stop
    difference: str = ""
    new: bool = False


@dataclass(frozen=True)
class ShownDay:
    """A day of a plan, and its stops with what differs."""

    plan: DayPlan
    stops: Sequence[ShownStop]


@dataclass(frozen=True)
class ShownCost:
    """A line of costs. difference: how much less or more than in the other plan, in words."""

    cost: CostLine
    difference: str = ""
    less: bool = False


def plans_of(readings: Sequence[Reading], plain: bool = True) -> dict[str, Any]:
    """What `plans/pair.html` needs of one session or two. `planned` says whether a session has a plan.

    plain: without what costs too much marked.
    """
    users = readings[0].users if readings else []
    shown = [SessionPlan(reading) for reading in readings]
    views = [each.located_view for each in shown]
    others = views[::-1] if len(views) > 1 else [None] * len(views)
    return {
        "sides": [
            {
                "planned": True,
                "costs": shown_costs(view, other),
                "plain": plain,
                "map": unlinked_map(view, reading.users, pack_of(reading.session)),
            }
            if view
            else {"planned": False}
            for view, other, reading in zip(views, others, readings, strict=True)
        ],
        "days": paired_days(views, users),
        "cost_words": shown[0].pages.cost_words if shown else None,
        "users": users,
    }


def paired_days(views: Sequence[PlanView | None], users: Sequence[str]) -> list[tuple[ShownDay | None, ...]]:
    """The days of one plan or two, side by side; None where a plan has no such day."""
    differences = [_Difference.of(view, other) for view, other in zip(views, views[::-1], strict=True)]
    if len(views) < 2 or None in views:
        differences = [None] * len(views)
    columns = [
        [
            ShownDay(day, [_shown_stop(stop, difference) for stop in day.stops])
            for day in day_plans(view, users)
        ]
        if view
        else []
        for view, difference in zip(views, differences, strict=True)
    ]
    return list(zip_longest(*columns))


@dataclass(frozen=True)
class _Difference:
    """Of a plan from another one. pairs: by the cell of an entry here, the entry there and itself."""

    pairs: Mapping[str, EntryPair]

    @classmethod
    def of(cls, view: PlanView | None, other: PlanView | None) -> _Difference | None:
        if view is None or other is None:
            return None
        pairs = pair_entries(placed_entries(view), placed_entries(other))
        return cls({cell_id(own.entry.at): (own, there) for own, there in pairs})


def _shown_stop(stop: Stop, difference: _Difference | None) -> ShownStop:
    if difference is None or stop.kind in UNCOMPARED_KINDS:
        return ShownStop(stop)
    if (pair := difference.pairs.get(stop.cell)) is None:
        return ShownStop(stop, _("only here"), new=True)
    own, there = pair
    kinds = {change.kind for change in changes_of(own, there)}
    if "moved" in kinds:
        return ShownStop(stop, _("other plan: day %(day)s") % {"day": there.label})
    if "retimed" in kinds:
        return ShownStop(stop, _("other plan: %(time)s") % {"time": time_words(there.entry.when)})
    return ShownStop(stop)


def shown_costs(view: PlanView, other: PlanView | None) -> list[ShownCost]:
    """What a plan costs, each line beside the other plan's."""
    amounts = {line.label: line.amount for line in other.costs} if other else {}
    return [_shown_cost(line, amounts.get(line.label, line.amount)) for line in view.costs]


def _shown_cost(cost: CostLine, there: float) -> ShownCost:
    more = cost.amount - there
    if abs(more) < 0.5:  # half a yuan, which no figure shows
        return ShownCost(cost)
    words = _("¥%(n)s more") if more > 0 else _("¥%(n)s less")
    return ShownCost(cost, words % {"n": f"{abs(more):,.0f}"}, less=more < 0)


def unlinked_map(view: PlanView, users: Sequence[str], pack: Pack | None) -> dict[str, Any] | None:
    """The plan's places without ways to pages that annotators can't open; None without coordinates."""
    if pack is None or not view.days:
        return None
    shown = map_context(view, users, pack)
    return {"days": shown["days"], "map": shown["map"]} if shown["map"]["points"] else None
