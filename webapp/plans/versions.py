"""The versions of a plan in a session: what the agent withdrew, what it proposed, and what each one changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchmark.core.events import DraftWithdrawn, Event, PlanProposed
from benchmark.core.view import AGENT
from benchmark.plans.changes import Change, PlacedEntry, changes_between
from benchmark.plans.view import PlanView
from webapp.plans.days import money
from webapp.plans.pair import UNCOMPARED_KINDS
from webapp.wording.models import draft_words

_CHANGES: dict[str, Promise] = {
    "added": gettext_lazy("added: %(name)s, day %(new_day)s, %(new_time)s"),
    "dropped": gettext_lazy("dropped: %(name)s, day %(old_day)s, %(old_time)s"),
    "moved": gettext_lazy("moved: %(name)s, from day %(old_day)s to day %(new_day)s"),
    "retimed": gettext_lazy("retimed: %(name)s, from %(old_time)s to %(new_time)s"),
    "dearer": gettext_lazy("dearer: %(name)s, %(new_cost)s instead of %(old_cost)s"),
    "cheaper": gettext_lazy("cheaper: %(name)s, %(new_cost)s instead of %(old_cost)s"),
}


@dataclass(frozen=True)
class PlanVersion:
    """One version. seq: of the event that holds it. title: what became of it. changes: from the version before."""

    seq: int
    title: str
    changes: Sequence[str]


def plan_versions(
    events: Iterable[Event],
    find: Callable[[str], Any | None],
    view_of: Callable[[Any], PlanView],
) -> list[PlanVersion]:
    """All versions, the first one first; none where there is but one.

    find: the plan in words that the agent withdrew. view_of: of a plan.
    """
    found = list(_plans(events, find))
    if len(found) < 2:
        return []
    views = [view_of(plan) for _seq, _title, plan in found]
    changes = [[], *(changes_between(*views) for views in pairwise(views))]
    return [
        PlanVersion(seq, title, [_change_words(change) for change in own if _is_shown(change)])
        for (seq, title, _plan), own in zip(found, changes, strict=True)
    ]


def _plans(events: Iterable[Event], find: Callable[[str], Any | None]) -> Iterator[tuple[int, str, Any]]:
    """The number of the event, what became of the plan, and the plan."""
    for event in events:
        if isinstance(event.body, PlanProposed):
            yield event.seq, _("proposed"), event.body.plan
        elif isinstance(event.body, DraftWithdrawn) and event.body.speaker == AGENT:
            plan = find(event.body.content)
            if plan is not None:
                yield event.seq, draft_words(event.body), plan


def _is_shown(change: Change) -> bool:
    placed = change.after or change.before
    return placed is not None and placed.entry.kind not in UNCOMPARED_KINDS


def _change_words(change: Change) -> str:
    placed = change.after or change.before
    assert placed is not None
    old, new = _facts(change.before), _facts(change.after)
    facts = {f"old_{key}": value for key, value in old.items()} | {
        f"new_{key}": value for key, value in new.items()
    }
    return str(_CHANGES[change.kind]) % {"name": placed.entry.label, **facts}


def _facts(placed: PlacedEntry | None) -> dict[str, str]:
    if placed is None:
        return {}
    return {"day": placed.label, "time": placed.entry.when.text, "cost": money(placed.entry.cost)}
