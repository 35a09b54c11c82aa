"""What to say next: the unknown that is worth most, or the request to yield that pays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any, Literal

from benchmark.core.actions import ToolCall
from benchmark.suites.grouptravel.agent.brief import Brief
from benchmark.suites.grouptravel.agent.conflicts import Proposal, may_ask, proposals
from benchmark.suites.grouptravel.agent.dialogue.questions import MOST_FIELDS, fields_of
from benchmark.suites.grouptravel.agent.dialogue.requests import CAPS, Request
from benchmark.suites.grouptravel.agent.lexicon.model import Subject
from benchmark.suites.grouptravel.agent.picture import Picture
from benchmark.suites.grouptravel.agent.summary import planning_tables, tables
from benchmark.suites.grouptravel.agent.understanding.belief import Belief
from benchmark.suites.grouptravel.agent.understanding.topics import (
    CITY_SUBJECTS,
    GLOBAL_SUBJECTS,
    Topic,
    all_topics,
)
from benchmark.suites.grouptravel.view import GroupView

if TYPE_CHECKING:
    from benchmark.suites.grouptravel.agent.planning.memory import PlanMemory

EXPECTED_ITEMS: Mapping[Subject, float] = {
    "budget": 2.0, "transport": 2.5, "intensity": 2.0, "hotels": 3.0, "sights": 1.9, "categories": 2.1, "food": 3.3,
}  # fmt: skip
"""Items a traveller holds on average under a topic (a city each for the last three), by the statistics of the
published tasks (paper, table 9); the budget counts double, because it binds the plan as a whole."""

_KNOWN_SHARE = 0.6
Stage = Literal["fresh", "partly", "again"]
STAGES: tuple[Stage, ...] = ("fresh", "partly", "again")
"""Topics in order: never asked; never asked, but much is known; asked without an answer."""
Haste = Literal["none", "some", "great"]
HASTES: tuple[Haste, ...] = ("none", "some", "great")
"""How short the time for questions is: not at all, so that topics of any kind are asked together, or so that one
limit of a day has to do."""
Bundle = tuple[str, tuple[Topic, ...]]
_MOST_TRIALS = 3


def utterances_left(view: GroupView) -> int:
    """How often the agent still speaks before the limit, this turn included: once in a lap, once in a convergence."""
    return max(0, view.max_turn - view.round)


def next_question(
    picture: Picture, cities: tuple[str, ...], only: str | None = None, *, left: int | None = None
) -> Bundle | None:
    """Whom to ask about what: at most three fields, of one city or of none. None when all has been asked.

    only: consider this traveller alone, who in haste is asked about nothing that others are not asked first. What is
    known well enough comes later, what was asked and not answered once more at the end. left: how many questions
    there is time for, None for all.
    """
    users = [user for user in picture.beliefs if only in (None, user)]
    haste = _haste(picture, cities, left)
    for stage in STAGES[:1] if only and haste != "none" else STAGES:
        bundles = list(
            chain.from_iterable(_bundles(user, picture.beliefs[user], cities, stage, haste) for user in users)
        )
        if bundles:
            best = max(bundles, key=lambda bundle: _value(bundle, picture.beliefs))
            return best if haste == "none" else _filled_up(best, picture.beliefs[best[0]], cities, haste)
    return None


def _filled_up(bundle: Bundle, belief: Belief, cities: tuple[str, ...], haste: Haste) -> Bundle:
    """The bundle with what is known in part where there is room, since there may be no other time to ask."""
    user, topics = bundle
    spare = [topic for topic in all_topics(cities) if _open(belief, topic, "partly", haste)]
    for topic in sorted(spare, key=lambda topic: -_worth(belief, topic)):
        named = {each.city for each in (*topics, topic) if each.city}
        if topic not in topics and len(named) < 2 and _fields(belief, [*topics, topic]) <= MOST_FIELDS:
            topics = (*topics, topic)
    return user, topics


def questions_needed(picture: Picture, cities: tuple[str, ...], haste: Haste = "none") -> int:
    """How many utterances it takes to ask everything that has not been asked yet."""
    return sum(
        len(_bundles(user, belief, cities, "fresh", haste)) for user, belief in picture.beliefs.items()
    )


def _haste(picture: Picture, cities: tuple[str, ...], left: int | None) -> Haste:
    """The least haste in which everything can be asked in `left` questions (None: in any number), else the most."""
    gentle = (haste for haste in HASTES if left is None or questions_needed(picture, cities, haste) <= left)
    return next(gentle, HASTES[-1])


def _open(belief: Belief, topic: Topic, stage: Stage, haste: Haste) -> bool:
    if topic in belief.open_ended or topic in belief.answered_topics:
        return False
    if topic.subject in {"budget", "intensity"} and belief.holds(topic):
        return False
    times = belief.times_asked.get(topic, 0)
    if stage == "again":
        return times == 1 and not belief.holds(topic)
    return times == 0 and belief.settles(topic, hurried=haste != "none") == (stage == "partly")


def _bundles(user: str, belief: Belief, cities: tuple[str, ...], stage: Stage, haste: Haste) -> list[Bundle]:
    """The traveller's open topics in groups of up to three fields: one a city, the best of the global ones, and the
    rest of these where there is room. In haste as few groups as there can be.
    """
    asked = ([Topic(s, city) for s in CITY_SUBJECTS] for city in cities)
    open_here = ([topic for topic in topics if _open(belief, topic, stage, haste)] for topics in asked)
    local = [group for group in open_here if group]
    whole = [topic for s in GLOBAL_SUBJECTS if _open(belief, topic := Topic(s), stage, haste)]
    whole.sort(key=lambda topic: -_worth(belief, topic))
    if haste == "none":
        groups = _usual_groups(belief, whole, local)
    else:
        groups = _fewest_groups(belief, whole, local)
    if haste == "great":
        groups = _with_half_a_day(belief, groups)
    return [(user, tuple(group)) for group in groups]


def _usual_groups(belief: Belief, whole: list[Topic], local: list[list[Topic]]) -> list[list[Topic]]:
    groups = _pack_topics(belief, whole, [])
    rest = groups.pop() if groups and _fields(belief, groups[-1]) < MOST_FIELDS else []
    return [*_pack_topics(belief, rest, local), *groups]


def _fewest_groups(belief: Belief, whole: list[Topic], local: list[list[Topic]]) -> list[list[Topic]]:
    """Any of the global topics may join a city; of equally many groups the best of them stay together."""
    packed = []
    for size in range(len(whole) + 1):
        for joining in combinations(reversed(whole), size):
            apart = [topic for topic in whole if topic not in joining]
            groups = _pack_topics(belief, [*joining], [[*group] for group in local])
            packed.append([*groups, *_pack_topics(belief, apart, [])])
    return min(packed, key=len)


def _with_half_a_day(belief: Belief, groups: list[list[Topic]]) -> list[list[Topic]]:
    """One of the two limits of a day where there is room for no more, in place of a question for both."""
    day = [Topic("intensity")]
    others = [group for group in groups if group != day]
    roomy = next((group for group in others if _fields(belief, group) < MOST_FIELDS), None)
    if roomy is None or day not in groups:
        return groups
    return [[*group, *day] if group is roomy else group for group in others]


def _pack_topics(belief: Belief, topics: list[Topic], groups: list[list[Topic]]) -> list[list[Topic]]:
    """The groups with each topic in the first that has room for it, else in a new one."""
    for topic in topics:
        room = (group for group in groups if _fields(belief, [*group, topic]) <= MOST_FIELDS)
        bundle = next(room, None)
        if bundle is None:
            groups = [*groups, [topic]]
        else:
            bundle.append(topic)
    return groups


def _fields(belief: Belief, topics: list[Topic]) -> int:
    return sum(fields_of(belief, topic) for topic in topics)


def _worth(belief: Belief, topic: Topic) -> float:
    """Items that the answer is expected to bring; fewer where some are known."""
    return EXPECTED_ITEMS[topic.subject] * (_KNOWN_SHARE if belief.holds(topic) else 1.0)


def _value(bundle: Bundle, beliefs: Mapping[str, Belief]) -> float:
    user, topics = bundle
    return sum(_worth(beliefs[user], topic) for topic in topics)


def pledges(picture: Picture) -> list[Request]:
    """The items that travellers agreed to, unless they took it back."""
    agreed = [
        request for request, answer in picture.requests if answer == "agreed" and request.subject not in CAPS
    ]
    return [request for request in agreed if not _refuses(picture.beliefs[request.user], request)]


def _copy(belief: Belief) -> Belief:
    items = {slot: list(held) for slot, held in belief.items.items()}
    return replace(belief, items=items, caps=dict(belief.caps))


def _tables_if_granted(picture: Picture, brief: Brief, request: Request) -> Mapping[str, Any]:
    """The tables as if a request had been agreed to."""
    belief = _copy(picture.beliefs[request.user])
    if request.subject in CAPS:
        belief.caps[CAPS[request.subject]] = request.value
    else:
        belief.drop(request.subject, request.city, request.item, liked=False)
    return planning_tables(Picture(picture.beliefs | {request.user: belief}), brief)


def _refuses(belief: Belief, request: Request) -> bool:
    """Somebody may take a promise back."""
    return any(
        request.item in held and not slot.field.positive
        for slot, held in belief.items.items()
        if slot[:2] == (request.subject, request.city)
    )


def next_proposal(picture: Picture, brief: Brief, view: GroupView, memory: PlanMemory) -> Proposal | None:
    """The most valuable request of which the plan makes use, None when none is left."""
    from benchmark.suites.grouptravel.agent.planning.moves import Trial

    candidates = proposals(picture, brief, view.tool_log)[:_MOST_TRIALS]
    if not candidates:
        return None
    users = tuple(traveller.name for traveller in view.travellers)
    trial = Trial(brief, users, view.tool_log, view.seed, memory)
    return next(
        (
            candidate
            for candidate in candidates
            if trial.uses(
                _tables_if_granted(picture, brief, candidate.request), candidate.request, candidate.cap
            )
        ),
        None,
    )


def next_broken(picture: Picture, brief: Brief, itinerary: Mapping[str, Any]) -> Proposal | None:
    """To ask for a higher limit where the plan breaks one; nobody is asked again after a refusal."""
    from benchmark.suites.grouptravel.agent.planning.limits import broken_limits

    made = [(request.user, request.subject) for request, answer in picture.requests if answer != "agreed"]
    candidates = (
        Proposal(Request(limit.user, limit.subject, None, "", limit.sufficient_cap), cap=limit.cap)
        for limit in broken_limits(itinerary, tables(picture, brief), picture.beliefs)
        if (limit.user, limit.subject) not in made
    )
    return next((candidate for candidate in candidates if may_ask(candidate.request, picture)), None)


def calls_to_weigh(
    picture: Picture, brief: Brief, view: GroupView, memory: PlanMemory
) -> tuple[ToolCall, ...]:
    """What the planner would ask the tools, where a request is to be weighed."""
    from benchmark.suites.grouptravel.agent.planning.moves import calls_wanted

    if not proposals(picture, brief, view.tool_log):
        return ()
    users = tuple(traveller.name for traveller in view.travellers)
    return calls_wanted(brief, planning_tables(picture, brief), users, view.tool_log, view.seed, memory)
