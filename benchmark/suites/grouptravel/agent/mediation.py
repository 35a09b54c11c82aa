"""Which request to yield pays: the one whose item the plan would hold, with whoever yields taking part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from benchmark.core.actions import ToolCall
from benchmark.suites.grouptravel.agent.brief import Brief
from benchmark.suites.grouptravel.agent.conflicts import Proposal, proposals
from benchmark.suites.grouptravel.agent.dialogue.requests import Request
from benchmark.suites.grouptravel.agent.picture import Picture
from benchmark.suites.grouptravel.agent.summary import tables
from benchmark.suites.grouptravel.agent.understanding.belief import Belief
from benchmark.suites.grouptravel.view import View

_MOST_TRIALS = 3


def pledges(picture: Picture) -> list[Request]:
    """The items that travellers agreed to, unless they took it back."""
    agreed = [
        request for request, answer in picture.requests if answer == "agreed" and request.subject != "budget"
    ]
    return [request for request in agreed if not _refuses(picture.beliefs[request.user], request)]


def _copy(belief: Belief) -> Belief:
    items = {slot: list(held) for slot, held in belief.items.items()}
    return replace(belief, items=items, caps=dict(belief.caps))


def _granted(picture: Picture, brief: Brief, request: Request) -> Mapping[str, Any]:
    """The tables as if a request had been agreed to."""
    belief = _copy(picture.beliefs[request.user])
    if request.subject == "budget":
        belief.caps["avg_budget"] = request.value
    else:
        belief.drop(request.subject, request.city, request.item, liked=False)
    return tables(Picture(picture.beliefs | {request.user: belief}), brief)


def _refuses(belief: Belief, request: Request) -> bool:
    """Somebody may take a promise back."""
    return any(
        request.item in held and not slot.field.positive
        for slot, held in belief.items.items()
        if slot[:2] == (request.subject, request.city)
    )


def next_proposal(picture: Picture, brief: Brief, view: View) -> Proposal | None:
    """The most valuable request of which the plan makes use, None when none is left."""
    from benchmark.suites.grouptravel.agent.planning.pledges import Trial

    found = proposals(picture, brief, view.tool_log)[:_MOST_TRIALS]
    if not found:
        return None
    trial = Trial(brief, tuple(traveller.name for traveller in view.travellers), view.tool_log, view.seed)
    return next(
        (one for one in found if trial.uses(_granted(picture, brief, one.request), one.request, one.budget)),
        None,
    )


def calls_to_weigh(picture: Picture, brief: Brief, view: View) -> tuple[ToolCall, ...]:
    """What the planner would ask the tools, where a request is to be weighed."""
    from benchmark.suites.grouptravel.agent.planning.moves import calls_wanted

    if not proposals(picture, brief, view.tool_log):
        return ()
    users = tuple(traveller.name for traveller in view.travellers)
    return calls_wanted(brief, tables(picture, brief), users, view.tool_log, view.seed)
