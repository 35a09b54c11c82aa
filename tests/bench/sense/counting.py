"""What is counted in one session: by the record, the tables and the world, never by what the agent believed."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, pairwise
from typing import Any

from benchmark.core.view import AGENT, Message
from benchmark.plans.clock import minutes
from benchmark.suites.grouptravel.agent.dialogue.questions import topics_asked
from benchmark.suites.grouptravel.agent.dialogue.requests import CAPS, Request, read_request
from benchmark.suites.grouptravel.agent.glosses import as_the_data_says, called_names
from benchmark.suites.grouptravel.agent.planning.limits import broken_limits
from benchmark.suites.grouptravel.agent.understanding.topics import Topic
from benchmark.suites.grouptravel.tasks import Task
from sandbox.worlds.geo import distance_m
from sandbox.worlds.reader import World
from sandbox.worlds.records import Place

_FENCE = re.compile(r"```json\s*(\{.*\})\s*```", re.DOTALL)
_CITY_NAMES = re.compile(r"([A-Z][\w'’]+) \(([\u4e00-\u9fff]+市)\)")
_QUESTION = re.compile(r"[^。！!]*[?？]")
_ASK_FOR_MORE = re.compile("除了|除此之外|还有|没说到|没提到|besides what|else|what other")
_NESTED_M = 3_000.0
_DISLIKE_NAMES = ("avoid", "reject", "negative")
_FIELDS = {"sights": "attractions", "categories": "attractions", "food": "food"}
LENGTHS: tuple[tuple[str, str, int, int], ...] = (
    ("a theme park", r"欢乐谷$|迪士尼|环球(?:影城|度假区)|方特|欢乐世界$|世界之窗$", 240, 600),
    ("a safari park", r"野生动物(?:园|世界)$", 150, 480),
    ("the Great Wall", r"八达岭|慕田峪|司马台", 120, 360),
    ("a palace or imperial park", r"^故宫博物院$|^颐和园$|^圆明园$|^南京博物院$|国家博物馆$", 120, 360),
    ("an old town", r"古镇$|^周庄$|^同里$|^乌镇$", 120, 420),
    ("a gate, hall, bridge or statue", r"[门殿桥亭阁]$", 20, 100),
)
"""Kind of sight, names, fewest and most minutes that a traveller would find sensible."""


@dataclass
class Session:
    """One record beside its task and world."""

    task: Task
    record: dict[str, Any]
    world: World

    @cached_property
    def messages(self) -> list[tuple[str, str]]:
        """(role, text) in order."""
        return [
            (m["role"], m["content"]) for m in self.record["conversation_history"] if m["type"] == "message"
        ]

    @cached_property
    def messages_in_data(self) -> list[tuple[str, str]]:
        """The same, the agent's with the names that the tables have: 杭州市 for Hangzhou, 火锅 for hotpot."""
        called = called_names(tuple(_CITY_NAMES.findall(self.task.query)), self.task.language)
        said = (Message(seq, role, text) for seq, (role, text) in enumerate(self.messages))
        seen = as_the_data_says(said, called)
        return [(message.role, message.content) for message in seen]

    @cached_property
    def plan(self) -> dict[str, Any]:
        """The plan, {"days": []} where there is none."""
        found = (_FENCE.search(text) for role, text in reversed(self.messages) if role == AGENT)
        match = next((one for one in found if one), None)
        plan: dict[str, Any] = json.loads(match.group(1)) if match else {"days": []}
        return plan

    def blocks(self) -> Iterator[tuple[str, list[dict[str, Any]]]]:
        """(city, activities) of every block."""
        for day in self.plan["days"]:
            for segment in day["city_segments"]:
                if "activities" in segment:
                    yield segment["city"], segment["activities"]

    def visits(self, kind: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """(city, activity) of one type."""
        return ((city, one) for city, items in self.blocks() for one in items if one["type"] == kind)

    def table(self, user: str, effective: bool = False) -> dict[str, Any]:
        """A traveller's preference table."""
        tables = self.record["effective_preferences" if effective else "original_preferences"]
        table: dict[str, Any] = tables[user]["preference"]
        return table

    def place(self, city: str, name: str) -> Place | None:
        """The place of the world with this name."""
        return self.world.place_named(name, city)


@dataclass
class Counts:
    """Sums over sessions. cases: what was wrong, in words, by count."""

    sums: Counter[str] = field(default_factory=Counter)
    cases: list[str] = field(default_factory=list)

    def add(self, name: str, case: str = "") -> None:
        self.sums[name] += 1
        if case:
            self.cases.append(f"{name}: {case}")


def count(session: Session, counts: Counts) -> None:
    """Adds everything that is counted in a session."""
    counts.add("sessions")
    _concessions(session, counts)
    _questions(session, counts)
    _lengths(session, counts)
    _count_nested_sights(session, counts)
    _lookups(session, counts)
    _meals(session, counts)


# -- concessions -------------------------------------------------------------------------------------


def requests_of(session: Session) -> list[Request]:
    """Every request to yield that the agent put."""
    found = []
    for role, text in session.messages_in_data:
        mentioned = re.findall(r"@(User\d+)", text) if role == AGENT else []
        if mentioned:
            cities = tuple(session.task.metadata.cities)
            found.append(read_request(text, mentioned[-1], cities, session.task.language))
    return [request for request in found if request]


def _concessions(session: Session, counts: Counts) -> None:
    for request in requests_of(session):
        named = f"{session.task.task_id} {request.user} {request.subject} {request.city or ''} {request.item}"
        counts.add("concessions asked")
        if request.subject not in CAPS and not any(
            request.item in _liked_items(session.table(user), request) for user in session.task.users
        ):
            counts.add("concessions that nobody wants", named)
        if conceded(session, request):
            counts.add("concessions made")
            counts.add("concessions used") if used(session, request) else counts.add(
                "concessions not used", named
            )


def conceded(session: Session, request: Request) -> bool:
    """Whether the traveller's table has lost the refusal, or has a higher limit."""
    before, after = session.table(request.user), session.table(request.user, effective=True)
    if request.subject in CAPS:
        return _limit(before, request.subject) < _limit(after, request.subject)
    return request.item in _disliked_items(before, request) and request.item not in _disliked_items(
        after, request
    )


def used(session: Session, request: Request) -> bool:
    """Whether the plan holds what was conceded, with whoever conceded it taking part."""
    if request.subject in CAPS:
        broken = broken_limits(session.plan, {request.user: session.table(request.user)}, [request.user])
        return any(one.subject == request.subject for one in broken)
    if request.subject == "transport":
        legs = [s for day in session.plan["days"] for s in day["city_segments"] if "transport_mode" in s]
        return any(leg["transport_mode"] == request.item for leg in legs)
    kind = "food" if request.subject == "food" else "attraction"
    return any(
        city == request.city and _takes_part(request.user, one) and _is_of(session, city, one, request.item)
        for city, one in session.visits(kind)
    )


def _limit(table: dict[str, Any], subject: str) -> float:
    whole = table["global_constraints"]
    return float((whole if subject == "budget" else whole.get("intensity", {})).get(CAPS[subject]) or 0)


def _takes_part(user: str, activity: dict[str, Any]) -> bool:
    return activity["participants"] == ["All"] or user in activity["participants"]


def _is_of(session: Session, city: str, activity: dict[str, Any], item: str) -> bool:
    place = session.place(city, activity["location"])
    return item in activity["location"] or (place is not None and place.category == item)


def _liked_items(table: dict[str, Any], request: Request) -> list[str]:
    return [item for name, items in _lists(table, request) if not _dislikes(name) for item in items]


def _disliked_items(table: dict[str, Any], request: Request) -> list[str]:
    return [item for name, items in _lists(table, request) if _dislikes(name) for item in items]


def _dislikes(name: str) -> bool:
    return name.split("_")[0] in _DISLIKE_NAMES


def _lists(table: dict[str, Any], request: Request | Topic) -> Iterator[tuple[str, list[str]]]:
    """(name, items) of the lists that a request or a topic is about."""
    if request.city is None:
        name = {"transport": "transport", "hotels": "hotel_preference"}.get(request.subject, "")
        yield from (table["global_constraints"].get(name) or {}).items()
        return
    part = table["city_specific_preferences"].get(request.city, {}).get(_FIELDS[request.subject], {})
    yield from (part.get("category_pref", {}) if request.subject == "categories" else part).items()


# -- questions ---------------------------------------------------------------------------------------


def _questions(session: Session, counts: Counts) -> None:
    """A topic is asked again when it was asked before, or when a question ignores what was said under it."""
    asked: set[tuple[str, Topic]] = set()
    said: dict[str, str] = dict.fromkeys(session.task.users, "")
    for role, text in session.messages_in_data:
        if role in said:
            said[role] += text
            continue
        mentioned = re.findall(r"@(User\d+)", text)
        cities, language = tuple(session.task.metadata.cities), session.task.language
        if not mentioned or read_request(text, mentioned[-1], cities, language):
            continue
        user = mentioned[-1]
        topics = topics_asked(text, cities, language)
        known = [topic for topic in topics if _is_known(session.table(user), topic, said[user])]
        counts.sums["topics asked"] += len(topics)
        for topic in topics:
            if (user, topic) in asked:
                counts.add("topics asked twice", f"{session.task.task_id} {user} {topic}")
        if known and not _ASK_FOR_MORE.search(text[text.rindex("@") :]):
            counts.add("questions that ignore what was said", f"{session.task.task_id} {user} {known}")
        asked |= {(user, topic) for topic in topics}


def _is_known(table: dict[str, Any], topic: Topic, text: str) -> bool:
    """Whether the traveller has said something under the topic."""
    if topic.subject == "budget":
        return str(table["global_constraints"].get("avg_budget") or "?") in text
    if topic.subject == "intensity":
        return False
    elsewhere = json.dumps(
        [part for city, part in table["city_specific_preferences"].items() if city != topic.city],
        ensure_ascii=False,
    )
    items = [item for _, held in _lists(table, topic) if isinstance(held, list) for item in held]
    return any(_said_plainly(item, text) for item in items if not topic.city or f'"{item}"' not in elsewhere)


def _said_plainly(item: str, text: str) -> bool:
    """As an item of its own: 火锅 is not said with 牛肉火锅."""
    return bool(
        re.search(
            rf"(?<![\u4e00-\u9fff]){re.escape(item)}|(?:去|吃|坐|住|想)(?:看看|点)?{re.escape(item)}", text
        )
    )


# -- plans -------------------------------------------------------------------------------------------


def _minutes(activity: dict[str, Any]) -> int:
    return (minutes(activity["end_time"]) or 0) - (minutes(activity["start_time"]) or 0)


def _lengths(session: Session, counts: Counts) -> None:
    for _, one in session.visits("attraction"):
        counts.add("sights planned")
        for kind, names, least, most in LENGTHS:
            if re.search(names, one["location"]):
                counts.add(f"visits to {kind}")
                if not least <= _minutes(one) <= most:
                    case = f"{session.task.task_id} {one['location']} {_minutes(one)} min"
                    counts.add(f"visits to {kind}, odd length", case)
                break


def _count_nested_sights(session: Session, counts: Counts) -> None:
    """Pairs of planned sights of which one is inside the other, unless a must names it and it follows directly."""
    planned = [(city, one["location"]) for city, one in session.visits("attraction")]
    following = set(pairwise(planned))
    for a, b in combinations(dict.fromkeys(planned), 2):
        if a[0] == b[0] and is_inside(session.world, *a, b[1]):
            named = any(_is_named(session, name) for name in (a, b))
            if not (named and ((a, b) in following or (b, a) in following)):
                counts.add("nested sights planned apart", f"{session.task.task_id} {a[1]} / {b[1]}")


def _is_named(session: Session, sight: tuple[str, str]) -> bool:
    city, name = sight
    tables = (session.table(user)["city_specific_preferences"].get(city, {}) for user in session.task.users)
    return any(
        item in name for table in tables for item in table.get("attractions", {}).get("must_visit", ())
    )


def is_inside(world: World, city: str, one: str, other: str) -> bool:
    """Whether one of two sights lies in the other: by its name, or a hall or gate in the grounds of a palace."""
    places = [world.place_named(name, city) for name in (one, other)]
    if not places[0] or not places[1]:
        return False
    apart = distance_m((places[0].longitude, places[0].latitude), (places[1].longitude, places[1].latitude))
    short, long = sorted((one, other), key=len)
    halls = [name for name in (one, other) if re.search(r"[殿阁舫]$|^(?:午|神武|太和|乾清)门$", name)]
    grounds = [name for name in (one, other) if re.search(r"^故宫博物院$|^颐和园$|^天坛|殿$", name)]
    if any(hall != ground for hall in halls for ground in grounds) and apart < 1_000:
        return True
    return short in long and apart < _NESTED_M


def _meals(session: Session, counts: Counts) -> None:
    """Meals of one chain on several days, and cake or coffee for lunch or dinner."""
    chains: Counter[tuple[str, str]] = Counter()
    for city, one in session.visits("food"):
        counts.add("meals planned")
        chains[(re.split(r"[(（]", one["location"])[0], str(one["participants"]))] += 1
        place = session.place(city, one["location"])
        if place and place.category in {"面包甜点", "咖啡店", "甜品", "咖啡厅"} and one["start_time"] >= "17":
            counts.add("cake or coffee for dinner", f"{session.task.task_id} {one['location']}")
    for (name, _), times in chains.items():
        if times > 1:
            counts.add("chains eaten at more than once", f"{session.task.task_id} {name} {times} times")


# -- look-ups ----------------------------------------------------------------------------------------


def _lookups(session: Session, counts: Counts) -> None:
    """Questions about a sight of the traveller's own list, answered with a place of another kind or name."""
    for place, (role, text) in enumerate(session.messages_in_data):
        wanted = _sights_of(session, role) if role != AGENT else {}
        reply = next((t for r, t in session.messages_in_data[place + 1 :] if r == AGENT), "")
        for question in _QUESTION.findall(text) if f"@{AGENT}" in text else ():
            for name, city in wanted.items():
                if name in question:
                    counts.add("questions about a sight")
                    other = _other_place(session, city, name, reply)
                    if other:
                        counts.add("answered about another place", f"{session.task.task_id} {name}: {other}")


def _sights_of(session: Session, user: str) -> dict[str, str]:
    cities = session.table(user)["city_specific_preferences"]
    return {name: city for city, part in cities.items() for name in part["attractions"]["must_visit"]}


def _other_place(session: Session, city: str, name: str, reply: str) -> str:
    """A longer name around the one asked that the reply speaks of: a hotel's, or any where that place is known."""
    exact = session.place(city, name)
    for found in session.world.places(city):
        longer = name in found.name and found.name != name and found.name in reply
        if longer and (exact or found.kind != "attraction"):
            return found.name
    return ""
