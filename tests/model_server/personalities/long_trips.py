"""The agent of TRIP-Bench: looks a trip up with the tools, and answers each message with a plan by the clock.

Signs: the system prompt shows the form of a plan, with `trip_plan` and `daily_schedule`; a message that tells what is
wrong with an answer begins as Caravan's prompt for repairs does.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, Final

from benchmark.repairing import PROMPTS
from benchmark.suites.tripbench.frame import Frame
from benchmark.suites.tripbench.wording import read_requests, read_trip
from tests.model_server.personalities.forms import in_form
from tests.model_server.personalities.long_trip_days import write_days
from tests.model_server.personalities.lookups import Lookups
from tests.model_server.request import text_of
from tests.model_server.scene import Scene
from tests.model_server.wire import Answer

Plan = dict[str, Any]
_SIGNS: Final = ('"trip_plan"', '"daily_schedule"')
_FILTERS: Final[Mapping[str, tuple[str, str]]] = {
    "hotel.star": ("search_hotels", "stars"),
    "hotel.review_count": ("search_hotels", "review_count"),
    "hotel.good_rate": ("search_hotels", "good_remarks_rate"),
    "restaurant.rating": ("search_restaurants", "stars"),
    "restaurant.review_count": ("search_restaurants", "review_count"),
    "restaurant.subrating_food": ("search_restaurants", "product_rating"),
    "restaurant.subrating_environment": ("search_restaurants", "environment_rating"),
    "restaurant.subrating_service": ("search_restaurants", "service_rating"),
}
"""The wishes that a search can filter by: the tool, and its argument. The others it leaves to luck."""
_SENTENCES: Final = {
    "trip": (
        "请告诉我从哪里出发、去哪里、哪天出发、住几晚、一共几个人？",
        "Where from, where to, when, and how many of you?",
    ),
    "plan": ("行程如下。", "Here is the trip."),
    "unchanged": ("行程不变。", "The plan stays as it is."),
    "vague": ("您对{}的要求，能说得具体些吗？", "Could you tell me exactly what you want of the {}?"),
    "lack": ("找不到符合要求的{}。", "No {} meets your wishes."),
}
_DOMAINS: Final = {
    "hotel": "酒店",
    "restaurant": "餐厅",
    "attraction": "景点",
    "transport": "火车和航班",
    "general": "行程",
}
_HUGE: Final = 5_000_000
_FEEDBACK: Final = tuple(
    PROMPTS.fill(language, "feedback", faults="").splitlines()[0] for language in ("en", "zh")
)
_CLAIM: Final = "It is right as it is."
MENDING_OPTION: Final = (
    "mends",
    "TRIP-Bench's: how often it has to be told what is wrong before it writes a plan again (1)",
)


def is_asked(scene: Scene) -> bool:
    """Whether the request is for this agent."""
    return all(sign in scene.request.system for sign in _SIGNS)


def answer(scene: Scene) -> Answer:
    """The next lookups, else a reply; its plan is written as the option `plan` of the model's name has it."""
    if rounds := _count_feedback(scene):
        return in_form(scene, Answer(_mend(scene, rounds)))
    talk = _Talk(scene)
    if talk.frame is None:
        return in_form(scene, Answer(talk.sentence("trip")))
    reply = talk.reply(talk.frame)
    if scene.may_call and (calls := talk.lookups.open_calls()):
        return in_form(scene, Answer("", tuple(calls)))
    return in_form(scene, Answer(reply))


def _count_feedback(scene: Scene) -> int:
    """How often it was told what is wrong with its last answer."""
    return sum(message["role"] == "user" and _is_feedback(message) for message in scene.request.messages)


def _is_feedback(message: Mapping[str, Any]) -> bool:
    return text_of(message).startswith(_FEEDBACK)


def _mend(scene: Scene, rounds: int) -> str:
    """A plan as if the answer had not been given, once it was told often enough."""
    if rounds < scene.request.name.number("mends", 1):
        return _CLAIM
    messages = scene.request.messages
    first = next(at for at, message in enumerate(messages) if _is_feedback(message))
    talk = _Talk(Scene(replace(scene.request, messages=messages[: first - 1])))
    return talk.sentence("trip") if talk.frame is None else talk.reply(talk.frame)


class _Talk:
    """What was said so far, as the prompt shows it."""

    def __init__(self, scene: Scene) -> None:
        self.scene, self.lookups = scene, Lookups(scene)
        self.language: Any = "en" if scene.english else "zh"

    @cached_property
    def _parts(self) -> tuple[list[str], list[str]]:
        """What the traveller said before this agent's last plan, and since."""
        before: list[str] = []
        since: list[str] = []
        for message in self.scene.request.messages:
            if message["role"] == "user":
                since.append(text_of(message))
            elif message["role"] == "assistant" and _SIGNS[0] in text_of(message):
                before, since = [*before, *since], []
        return before, since

    @cached_property
    def frame(self) -> Frame | None:
        """The trip that was told of last."""
        before, since = self._parts
        return read_trip("\n".join((*before, *since)), self.language)

    def sentence(self, key: str, domain: str = "hotel") -> str:
        """In the language of the prompt."""
        name = domain if self.scene.english else _DOMAINS[domain]
        return _SENTENCES[key][self.scene.english].format(name)

    def reply(self, frame: Frame) -> str:
        """A plan, unless it is asked for nothing that it understands: then its days stay."""
        before, since = ("\n".join(part) for part in self._parts)
        news = [*read_requests(since, self.language, _no_id)]
        heard = [*read_requests(before, self.language, _no_id), *news]
        vague = [each.key.partition(".")[0] for each in news if each.act == "vague"]
        told = dict.fromkeys(self.sentence("vague", domain) for domain in vague)
        if before and not news and read_trip(since, self.language) is None:
            return self._message(self.sentence("unchanged"), frame, [])
        filters: dict[str, dict[str, Any]] = {}
        for reading in heard:
            tool, argument = _FILTERS.get(reading.key, ("", ""))
            least = reading.arguments.get("min")
            filters.setdefault(tool, {}).pop(argument, None)
            if tool and least is not None:
                filters[tool][argument] = least
        days, lacks = write_days(self.lookups, frame, filters, english=self.scene.english)
        told.update(dict.fromkeys(self.sentence("lack", domain) for domain in lacks))
        return self._message(" ".join((self.sentence("plan"), *told)), frame, days)

    def _message(self, prose: str, frame: Frame, days: list[Plan]) -> str:
        plan = {
            "start_date": frame.start_date.isoformat(),
            "end_date": frame.end_date.isoformat(),
            "number_of_people": frame.people,
            "daily_schedule": days,
        }
        write = _WAYS.get(self.scene.request.name.options.get("plan", ""), _fence)
        return f"{prose}\n\n{write({'trip_plan': plan})}"


def _no_id(name: str) -> str:
    """Sights are named by their names alone."""
    return name


# What of a plan arrives.


def _fence(plan: Plan) -> str:
    return f"```json\n{json.dumps(plan, ensure_ascii=False)}\n```"


def _tell(plan: Plan) -> str:
    """In prose."""
    return "\n".join(_lines(plan))


def _lines(plan: Plan) -> Iterator[str]:
    for day in plan["trip_plan"]["daily_schedule"]:
        yield f"{day['date']} {day['cities']}"
        yield from (f"- {own['time']} {own['description']}" for own in day["activities"])


def _two_plans(plan: Plan) -> str:
    """Another plan, which lacks its days' activities, before the one that is meant."""
    first = copy.deepcopy(plan)
    for day in first["trip_plan"]["daily_schedule"]:
        day["activities"] = []
    return f"{_fence(first)}\n\n{_fence(plan)}"


def _with_ghosts(plan: Plan) -> str:
    """Ids that don't exist."""
    for day in plan["trip_plan"]["daily_schedule"]:
        for own in day["activities"]:
            own.update({"id": "ghost-1"} if own["type"] == "Attraction" else {})
    return _fence(plan)


def _off_schema(plan: Plan) -> str:
    """An impossible date, a number in words, an object for a list."""
    plan["trip_plan"].update(start_date="2025-02-30", number_of_people="two")
    for day in plan["trip_plan"]["daily_schedule"]:
        day["activities"] = {"first": day["activities"]}
    return _fence(plan)


def _cut_off(plan: Plan) -> str:
    whole = _fence(plan)
    return whole[: len(whole) * 2 // 3]


def _huge(plan: Plan) -> str:
    for day in plan["trip_plan"]["daily_schedule"][:1]:
        day["activities"][0]["description"] = "x" * _HUGE
    return _fence(plan)


_WAYS: Final[Mapping[str, Callable[[Plan], str]]] = {
    "prose": _tell,
    "bare": lambda plan: json.dumps(plan, ensure_ascii=False),
    "twice": _two_plans,
    "ghosts": _with_ghosts,
    "off-schema": _off_schema,
    "cut-off": _cut_off,
    "huge": _huge,
}
WAYS: Final = ", ".join(_WAYS)
