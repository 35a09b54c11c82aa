"""The versions of a plan in a session: what the agent withdrew, what it proposed, and what each one changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchmark.core.events import DraftWithdrawn, Event, PlanProposed
from benchmark.core.view import AGENT
from benchmark.plans.changes import Change, PlacedEntry, changes_between, placed_entries
from benchmark.plans.view import PlanView
from webapp.plans.days import money
from webapp.plans.pair import UNCOMPARED_KINDS
from webapp.wording.models import draft_words

_CHANGES: dict[str, Promise] = {
    "added": gettext_lazy("%(name)s was added to day %(new_day)s, %(new_time)s."),
    "dropped": gettext_lazy("%(name)s was dropped from day %(old_day)s, %(old_time)s."),
    "moved": gettext_lazy("%(name)s was moved from day %(old_day)s to day %(new_day)s, %(new_time)s."),
    "retimed": gettext_lazy("%(name)s on day %(new_day)s was moved from %(old_time)s to %(new_time)s."),
    "dearer": gettext_lazy("%(name)s on day %(new_day)s costs more: %(new_cost)s instead of %(old_cost)s."),
    "cheaper": gettext_lazy("%(name)s on day %(new_day)s costs less: %(new_cost)s instead of %(old_cost)s."),
}


@dataclass(frozen=True)
class VersionChange:
    """One difference in words. kind: as `benchmark.plans.changes` has it."""

    kind: str
    words: str


@dataclass(frozen=True)
class PlanVersion:
    """One version. seq: of the event that holds it. outcome: what became of it. days, entries: how many it has.

    changes: from the version before, by day. minor_changes: how many more there are, of ways and rests.
    """

    number: int
    seq: int
    at: datetime
    outcome: str
    proposed: bool
    days: int
    entries: int
    changes: Sequence[VersionChange] = ()
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
    outcome = draft_words(event.body) if isinstance(event.body, DraftWithdrawn) else _("It was proposed.")
    shown = sorted((change for change in changes if _is_shown(_place(change))), key=_day)
    return PlanVersion(
        number,
        event.seq,
        event.at,
        outcome,
        isinstance(event.body, PlanProposed),
        len(view.days),
        sum(_is_shown(placed) for placed in placed_entries(view)),
        [VersionChange(change.kind, _change_words(change)) for change in shown],
        len(changes) - len(shown),
    )


def _place(change: Change) -> PlacedEntry:
    placed = change.after or change.before
    assert placed is not None
    return placed


def _is_shown(placed: PlacedEntry) -> bool:
    return placed.entry.kind not in UNCOMPARED_KINDS


def _day(change: Change) -> int:
    return _place(change).day


def _change_words(change: Change) -> str:
    old, new = _facts(change.before), _facts(change.after)
    facts = {f"old_{key}": value for key, value in old.items()} | {
        f"new_{key}": value for key, value in new.items()
    }
    return str(_CHANGES[change.kind]) % {"name": _place(change).entry.label, **facts}


def _facts(placed: PlacedEntry | None) -> dict[str, str]:
    if placed is None:
        return {}
    return {"day": placed.label, "time": placed.entry.when.text, "cost": money(placed.entry.cost)}
