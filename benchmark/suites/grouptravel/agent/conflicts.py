"""Where travellers' wishes clash, and whom it pays to ask to yield."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from benchmark.core.view import ToolEntry
from benchmark.suites.grouptravel.agent.brief import Brief
from benchmark.suites.grouptravel.agent.dialogue.requests import Request
from benchmark.suites.grouptravel.agent.picture import Picture
from benchmark.suites.grouptravel.agent.results import cheapest_round_trip
from benchmark.suites.grouptravel.agent.understanding.belief import Belief, Slot
from benchmark.suites.grouptravel.preferences import FIELD

MOST_REQUESTS_EACH = 2
MOST_REQUESTS = 5
_BUDGET_ROOM = 1.15


@dataclass(frozen=True, slots=True)
class Conflict:
    """An item that some want and others do not. fans and foes: names, in polling order.

    gain: the utility that is lost while the foes insist (2 for each firm refusal, 1 for each mild one), 0 where
    too few want the item for it to be planned against them. points: what it is to each of them, 2 or -2 where they
    insist, 1 or -1 where they would rather.
    """

    subject: str
    city: str | None
    item: str
    fans: tuple[str, ...]
    foes: tuple[str, ...]
    gain: int
    points: Mapping[str, int] = field(default_factory=dict, compare=False)


def find_conflicts(beliefs: dict[str, Belief]) -> list[Conflict]:
    """All clashes over items, those with the most to gain first."""
    sides: dict[tuple[str, str | None, str], dict[str, int]] = {}
    for user, belief in beliefs.items():
        for slot, items in belief.items.items():
            for item in items:
                stakes = sides.setdefault((slot.subject, slot.city, item), {})
                stakes[user] = max(stakes.get(user, 0), slot.field.points, key=abs)
    conflicts = [_conflict(key, stakes) for key, stakes in sides.items() if _clashes(stakes)]
    return sorted(conflicts, key=lambda conflict: -conflict.gain)


def _clashes(stakes: dict[str, int]) -> bool:
    return min(stakes.values()) < 0 < max(stakes.values())


def _conflict(key: tuple[str, str | None, str], stakes: dict[str, int]) -> Conflict:
    fans = tuple(user for user, stake in stakes.items() if stake > 0)
    foes = tuple(user for user, stake in stakes.items() if stake < 0)
    wanted = sum(stakes[user] for user in fans)
    lost = -sum(stakes[user] for user in foes)
    return Conflict(*key, fans, foes, lost if wanted >= 2 or wanted >= lost else 0, stakes)


@dataclass(frozen=True, slots=True)
class Proposal:
    """A request worth making, and on whose behalf.

    cap: the limit that is to be raised. floor: the cheapest round trip, where that alone breaks a budget.
    """

    request: Request
    others: tuple[str, ...] = ()
    floor: float = 0
    cap: float = 0


def proposals(picture: Picture, brief: Brief, tool_log: tuple[ToolEntry, ...]) -> list[Proposal]:
    """The requests that may still be made, the most valuable first.

    Each traveller is asked at most twice, about any one thing once. What nobody wants by now is no request.
    """
    if len(picture.requests) >= MOST_REQUESTS:
        return []
    made = {request for request, _ in picture.requests}
    all_proposals = [*_budget_proposals(picture, brief, tool_log), *_item_proposals(picture)]
    return [
        proposal
        for proposal in all_proposals
        if may_ask(proposal.request, picture) and proposal.request not in made
    ]


def may_ask(request: Request, picture: Picture) -> bool:
    """Whether a traveller was asked for less than two things."""
    return sum(made.user == request.user for made, _ in picture.requests) < MOST_REQUESTS_EACH


def _item_proposals(picture: Picture) -> list[Proposal]:
    """To ask the one who dislikes it: giving up a wish gains the group nothing, giving up a refusal does."""
    return [
        Proposal(Request(foe, conflict.subject, conflict.city, conflict.item), conflict.fans)
        for conflict in find_conflicts(picture.beliefs)
        if conflict.gain >= 2 and conflict.subject != "hotels"
        for foe in conflict.foes
        if conflict.subject != "transport" or _refuses(picture.beliefs[foe], conflict.item)
    ]


def _refuses(belief: Belief, mode: str) -> bool:
    """A mild dislike of a mode is not worth a request: to accept one mode may be taken as giving up another."""
    return mode in belief.items.get(Slot("transport", None, FIELD["transport.reject"]), ())


def _budget_proposals(picture: Picture, brief: Brief, tool_log: tuple[ToolEntry, ...]) -> list[Proposal]:
    floor = cheapest_round_trip(brief, tool_log)
    value = round(floor * _BUDGET_ROOM / 100 + 0.5) * 100
    caps = {user: belief.caps.get("avg_budget", 0) for user, belief in picture.beliefs.items()}
    return [
        Proposal(Request(user, "budget", None, "", value), (), floor, cap)
        for user, cap in caps.items()
        if 0 < cap < floor
    ]
