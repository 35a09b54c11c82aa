"""The good agent: asks each traveller twice, mediates once, looks things up, and plans."""

from __future__ import annotations

import json
import re
from typing import Any

from tests.model_server.personalities.gathering import (
    Place,
    first_calls,
    offered_calls,
    places,
    second_calls,
)
from tests.model_server.personalities.itinerary import Planner
from tests.model_server.personalities.understanding import Table, believed_tables, budget, transport, wishes
from tests.model_server.personalities.wording import Words, words
from tests.model_server.scene import AGENT, Scene
from tests.model_server.wire import Answer, Call

_RAISE = 100
_MOST_FACTS = 3
_FILLING = re.compile(r"@\w+|请问|多少|怎么样|什么时候|几点|吗|呢|的|查一?下|[?？。，,.!！]", re.ASCII)


def good_agent(scene: Scene) -> Answer:
    """The next answer of an agent that does everything right."""
    if scene.task == "summary":
        return Answer(json.dumps(believed_tables(scene), ensure_ascii=False))
    if scene.task == "reflect":
        return Answer(_reflection(scene))
    if scene.task == "speak":
        return _answer_to_question(scene) or _next_question(scene) or look_up_and_plan(scene)
    return look_up_and_plan(scene)


def look_up_and_plan(scene: Scene) -> Answer:
    """Calls while there is something to look up and calls are allowed, then the plan."""
    tables = believed_tables(scene)
    calls = _wanted_calls(scene, tables) if scene.may_call else []
    if calls:
        return Answer(words(scene.english).searching, tuple(calls))
    return Answer(plan_text(scene, Planner(scene, tables).plan()))


def plan_text(scene: Scene, plan: dict[str, Any]) -> str:
    """A plan as it is said: a sentence and a fenced block."""
    block = json.dumps(plan, ensure_ascii=False)
    return f"{words(scene.english).plan}\n```json\n{block}\n```"


def question_to(scene: Scene, number: int) -> str:
    """The `number`th question of the round: everybody is asked the first one before anybody the second.

    The option `seed` says with whom the round begins.
    """
    said, group = words(scene.english), scene.travellers
    user = group[(number + int(scene.request.name.number("seed", 0))) % len(group)]
    cities = ("、", ", ")[scene.english].join(scene.cities)
    return said.questions[number // len(group) % len(said.questions)].format(user=user, cities=cities)


def _wanted_calls(scene: Scene, tables: dict[str, Table]) -> list[Call]:
    first = first_calls(scene, tables)
    if first:
        return first
    planner = Planner(scene, tables)
    chosen: list[Place] = [place for city in scene.cities for place in planner.sights(city)]
    return second_calls(scene, chosen)


def _next_question(scene: Scene) -> Answer | None:
    """The first question not asked yet, then one request to yield, then nothing."""
    said = words(scene.english)
    for number in range(len(scene.travellers) * len(said.questions)):
        question = question_to(scene, number)
        if not any(question in text for text in scene.agent_texts):
            return Answer(question)
    if any(said.yielding in text for text in scene.agent_texts):
        return None
    return Answer(_request(scene, believed_tables(scene), said))


def _request(scene: Scene, tables: dict[str, Table], said: Words) -> str:
    """Asks whoever insists on what another refuses to give it up, else the tightest budget for a little more."""
    for user, kind, item, other in _disputes(scene, tables):
        return said.yields[kind].format(user=user, other=other, item=item)
    budgets = {user: told for user in scene.travellers if (told := budget(tables.get(user, {})))}
    user = min(budgets, key=lambda name: budgets[name], default=scene.travellers[0])
    was = round(budgets.get(user, 1000))
    return said.yields["budget"].format(user=user, was=was, now=was + _RAISE)


def _disputes(scene: Scene, tables: dict[str, Table]) -> list[tuple[str, str, str, str]]:
    """Who insists, on what kind of thing, on what, and who refuses it."""
    wants, refuses = (
        {u: _strong(scene, t, 0) for u, t in tables.items()},
        {u: _strong(scene, t, 1) for u, t in tables.items()},
    )
    return [
        (user, kind, item, other)
        for user, wanted in wants.items()
        for kind, item in wanted
        for other, refused in refuses.items()
        if other != user and (kind, item) in refused
    ]


def _strong(scene: Scene, table: Table, side: int) -> list[tuple[str, str]]:
    """The strong wishes (side 0) or refusals (side 1) of a table, as kind and item."""
    own = {"": table}
    found = [("transport", item) for item in transport(table).get(("must", "reject")[side], ())]
    for city in scene.cities:
        sights = wishes(own, city, "attractions", ("must_visit", "reject_visit")[side])
        food = wishes(own, city, "food", ("must_eat", "reject_eat")[side])
        found += [("sight", item) for item in sights] + [("food", item) for item in food]
    return found


def _answer_to_question(scene: Scene) -> Answer | None:
    """Looks up what somebody has just asked, then says what was found."""
    if not scene.chat or scene.chat[-1].speaker == AGENT or scene.addressee != AGENT:
        return None
    asked = _FILLING.sub("", scene.chat[-1].text).strip()[:20]
    call = Call.of("search_poi", keywords=asked or scene.cities[0], city=scene.cities[0])
    if scene.may_call and offered_calls(scene, [call]):
        return Answer("", (call,))
    return Answer(_facts(scene))


def _facts(scene: Scene) -> str:
    said = words(scene.english)
    kinds = ("attraction", "restaurant", "hotel")
    found = [place for city in scene.cities for kind in kinds for place in places(scene, city, kind)]
    facts = [
        f"{p['name']} {p.get('price')} {p.get('opening_hours') or ''}".strip() for p in found[:_MOST_FACTS]
    ]
    return said.facts_found.format(facts="；".join(facts)) if facts else said.nothing


def _reflection(scene: Scene) -> str:
    if scene.english:
        return "The times were set without looking at opening hours and ways; the next plan checks both."
    return "问题出在排时间时没有对照开放时间和路程，下一份计划两样都要核对。"
