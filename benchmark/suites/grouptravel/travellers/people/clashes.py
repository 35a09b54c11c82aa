"""What in a message of the agent goes against a strong wish of the person's: a must, a refusal, a cap."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from benchmark.core.view import AGENT, Message
from benchmark.suites.grouptravel.itineraries import plan_in_message
from benchmark.suites.grouptravel.scoring import Catalogue
from benchmark.suites.grouptravel.scoring.trip import Trip
from benchmark.suites.grouptravel.travellers.people.listening import listening
from benchmark.suites.grouptravel.travellers.people.plans import points_of, same_place, trip_of
from benchmark.suites.grouptravel.travellers.scripted.hearing import Hearing
from benchmark.suites.grouptravel.travellers.scripted.objections import proposals, violations
from benchmark.suites.grouptravel.travellers.scripted.wishes import Wish, figure
from benchmark.suites.grouptravel.view import GroupView

Why = Literal["refused", "left_out", "limit"]


@dataclass(frozen=True, slots=True)
class Clash:
    """One strong wish that is gone against.

    item: the name as it stands in the table, or the figure of the cap. path: full dotted path of the field; city: ""
    for one of the whole trip. kind: `refused` (it is proposed and refused), `left_out` (a must is dropped, or missing
    in a plan), `limit` (a cap is exceeded).
    """

    item: str
    path: str
    city: str
    kind: Why


def clashes(view: GroupView, content: str, catalogue: Catalogue | None = None) -> tuple[Clash, ...]:
    """What one message of the agent, prose or a plan, has against the person's card as it is now; () without a card.

    Of a plan what this person takes part in counts. Without a catalogue it is not known what a restaurant serves:
    then only restaurants' names tell of food that is refused, and food that must be is not looked for.
    """
    plan = plan_in_message(content)
    if plan is not None:
        return tuple(dict.fromkeys(_in_plan(plan, view, catalogue)))
    return tuple(dict.fromkeys(_in_prose(content, view)))


def _in_prose(content: str, view: GroupView) -> Iterator[Clash]:
    hearing = listening(replace(view, messages=(Message(0, AGENT, content),)))
    for proposal in proposals(_proposal_text(hearing), hearing):
        for wish, names in violations(proposal, hearing):
            yield from _clashes(wish, names)


def _proposal_text(hearing: Hearing) -> str:
    """The message without the sentences that ask this traveller something; one's opinion is asked of a proposal."""
    text = hearing.message
    if not hearing.own.search(text):
        return text
    for sentence in dict.fromkeys(hearing.questions):
        if hearing.kinds[sentence] != "opinion":
            text = text.replace(sentence, "")
    return text


def _in_plan(plan: Any, view: GroupView, catalogue: Catalogue | None) -> Iterator[Clash]:
    wishes = listening(view).wishes
    trip = trip_of(plan, view.me, (traveller.name for traveller in view.travellers), catalogue)
    points = points_of(view.me, wishes, trip)
    hit = {(point["path"], point["item"]) for point in points}
    exceeded = {point["path"] for point in points if point["tier"] == "cap"}
    for wish in wishes.all:
        if not wish.items:
            yield from _clashes(wish, ()) if wish.path in exceeded else ()
        elif wish.strong:
            visited = _visited_names(view.me, wish, trip)
            there = tuple(
                name for name in wish.items if (wish.path, name) in hit or _is_among(name, visited, wish.city)
            )
            missing = _missing(wish, there, catalogue) if wish.wanted else there
            yield from _clashes(wish, missing)


def _visited_names(me: str, wish: Wish, trip: Trip) -> list[str]:
    """The names of the sights of a wish's city that this traveller goes to, as the plan has them."""
    seen = trip.sights.get(wish.city) if wish.topic == "sights" else None
    return [outing.activity.location for outing in seen.outings if me in outing.who] if seen else []


def _is_among(name: str, visited: list[str], city: str) -> bool:
    return any(same_place(name, other, city) for other in visited)


def _missing(wish: Wish, there: tuple[str, ...], catalogue: Catalogue | None) -> tuple[str, ...]:
    """The names of a must that the plan lacks; of several modes of transport one is enough."""
    if wish.topic == "food" and catalogue is None:
        return ()
    if wish.topic == "transport" and there:
        return ()
    return tuple(name for name in wish.items if name not in there)


def _clashes(wish: Wish, names: tuple[str, ...]) -> Iterator[Clash]:
    if not wish.items:
        yield Clash(figure(wish.cap), wish.path, wish.city, "limit")
    for name in names:
        yield Clash(name, wish.path, wish.city, "left_out" if wish.wanted else "refused")
