"""The versions of a plan in a session: what the agent withdrew, what it proposed, and what each one changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchmark.core.events import DraftWithdrawn, Event, EventBody, PlanProposed
from benchmark.core.view import AGENT
from benchmark.plans.changes import Change, ChangeKind, PlacedEntry, changes_between, placed_entries
from benchmark.plans.view import PlanView
from webapp.plans.days import money
from webapp.plans.pair import UNCOMPARED_KINDS
from webapp.plans.times import time_words
from webapp.wording.lists import join_items
from webapp.wording.models import withdrawal_words

_CHANGES: dict[ChangeKind, Promise] = {
    "added": gettext_lazy("%(name)s is new, %(new_time)s."),
    "dropped": gettext_lazy("%(name)s was dropped, %(old_time)s."),
    "moved": gettext_lazy("%(name)s came here from day %(old_day)s, to %(new_time)s."),
    "retimed": gettext_lazy("%(name)s was moved from %(old_time)s to %(new_time)s."),
    "dearer": gettext_lazy("%(name)s costs more: %(new_cost)s instead of %(old_cost)s."),
    "cheaper": gettext_lazy("%(name)s costs less: %(new_cost)s instead of %(old_cost)s."),
}
_COUNTS: dict[ChangeKind, Promise] = {
    "added": gettext_lazy("%(n)s new"),
    "dropped": gettext_lazy("%(n)s dropped"),
    "moved": gettext_lazy("%(n)s on another day"),
    "retimed": gettext_lazy("%(n)s at another time"),
    "dearer": gettext_lazy("%(n)s dearer"),
    "cheaper": gettext_lazy("%(n)s cheaper"),
}


class VersionChange(NamedTuple):
    """One difference in words. kind: as `benchmark.plans.changes` has it."""

    kind: ChangeKind
    words: str


class DayChanges(NamedTuple):
    """What differs on a day. label: of the day in the version, or of a day that is dropped."""

    label: str
    changes: Sequence[VersionChange]


@dataclass(frozen=True)
class PlanVersion:
    """One version. seq: of the event that holds it. outcome: what became of it. days, entries: how many it has.

    summary: how many differences from the version before there are of each kind; day_changes: each of them.
    minor_changes: how many more there are, of ways and rests.
    """

    number: int
    seq: int
    outcome: str
    proposed: bool
    days: int
    entries: int
    summary: str = ""
    day_changes: Sequence[DayChanges] = ()
    minor_changes: int = 0


class _FoundPlan(NamedTuple):
    """A plan, and the event that holds it."""

    event: Event
    plan: Any


def plan_versions(
    events: Iterable[Event],
    find: Callable[[str, Any | None], Any | None],
    view_of: Callable[[Any], PlanView],
) -> list[PlanVersion]:
    """All versions, the first one first.

    find: the plan in words that the agent withdrew, from the plan before. view_of: of a plan.
    """
    found = list(_plans(events, find))
    views = [view_of(each.plan) for each in found]
    changes: list[list[Change]] = [[], *(changes_between(*views) for views in pairwise(views))]
    return [
        _version(number, each.event, view, own)
        for number, (each, view, own) in enumerate(zip(found, views, changes, strict=False), 1)
    ]


def _plans(events: Iterable[Event], find: Callable[[str, Any | None], Any | None]) -> Iterator[_FoundPlan]:
    before = None
    for event in events:
        plan = None
        if isinstance(event.body, PlanProposed):
            plan = event.body.plan
        elif isinstance(event.body, DraftWithdrawn) and event.body.speaker == AGENT:
            plan = find(event.body.content, before)
        if plan is not None:
            before = plan
            yield _FoundPlan(event, plan)


def _version(number: int, event: Event, view: PlanView, changes: Sequence[Change]) -> PlanVersion:
    shown = [change for change in changes if _is_shown(_place(change))]
    counts = Counter(change.kind for change in shown)
    return PlanVersion(
        number,
        event.seq,
        _outcome(event.body),
        isinstance(event.body, PlanProposed),
        len(view.days),
        sum(map(_is_shown, placed_entries(view))),
        join_items(str(words) % {"n": counts[kind]} for kind, words in _COUNTS.items() if counts[kind]),
        _by_day(shown),
        len(changes) - len(shown),
    )


def _outcome(body: EventBody) -> str:
    if isinstance(body, DraftWithdrawn):
        return _("It was withdrawn: %(why)s.") % {"why": withdrawal_words(body.why)}
    return _("It was proposed.")


def _by_day(changes: Iterable[Change]) -> list[DayChanges]:
    days = groupby(sorted(changes, key=_day), key=_day)
    return [DayChanges(label, [_words(change) for change in own]) for (_at, label), own in days]


def _place(change: Change) -> PlacedEntry:
    placed = change.after or change.before
    assert placed is not None
    return placed


def _is_shown(placed: PlacedEntry) -> bool:
    return placed.entry.kind not in UNCOMPARED_KINDS


def _day(change: Change) -> tuple[int, str]:
    placed = _place(change)
    return placed.day, placed.label


def _words(change: Change) -> VersionChange:
    facts = {
        "name": _place(change).entry.label,
        **_facts(change.before, "old"),
        **_facts(change.after, "new"),
    }
    return VersionChange(change.kind, str(_CHANGES[change.kind]) % facts)


def _facts(placed: PlacedEntry | None, which: str) -> dict[str, str]:
    if placed is None:
        return {}
    entry = placed.entry
    return {
        f"{which}_day": placed.label,
        f"{which}_time": time_words(entry.when),
        f"{which}_cost": money(entry.cost),
    }
