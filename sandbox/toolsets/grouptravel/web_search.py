"""web_search: what the world's facts and places say to a question."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated

from sandbox.tools.language import Language, Says
from sandbox.tools.results import OrNone, Partial, Text
from sandbox.tools.tool import Arguments, Result, Tool
from sandbox.toolsets.grouptravel.arguments import Words
from sandbox.toolsets.grouptravel.poi import hours_text
from sandbox.worlds import World
from sandbox.worlds.records import Place
from sandbox.worlds.text import normalise

FACTS, PLACES = 5, 3
_FILLER = re.compile(
    r"[\s,，。？?！!、；;：:]+|的|吗|呢|请问|门票|票价|价格|多少钱|开放时间|营业时间|几点|怎么样|怎么去|在哪里|在哪|地址|攻略|推荐|介绍|好玩"
)
_CONTAINED_FROM = 3
"""Shorter words are in too many names to mean one of them, unless it begins with them."""


class WebSearchArguments(Arguments):
    query: Annotated[Words, Says("要查询的问题或关键词", "A question, or keywords")]


class Answer(Result):
    """One thing that is known, and from where."""

    title: str
    text: str
    source: str


class WebSearchResult(Result):
    """Answers, best first; `note` says so where there are none."""

    query: str
    answers: tuple[Answer, ...]
    note: str


class PartialAnswer(Partial):
    """One thing that is known."""

    text: Text = None


class PartialAnswers(Partial):
    """Answers as they were told."""

    answers: list[Annotated[PartialAnswer | None, OrNone]] | None = None


def run(arguments: WebSearchArguments, world: World, language: Language) -> WebSearchResult:
    """Facts on the subject, then the places that the question names."""
    facts = world.facts(arguments.query, FACTS)
    answers = [Answer(title=fact.title, text=fact.text, source=world.source) for fact in facts]
    titles = {answer.title for answer in answers}
    answers.extend(
        Answer(title=place.name, text=describe_place(place, language), source=world.source)
        for place in _places_named(arguments.query, world)
        if place.name not in titles
    )
    return WebSearchResult(
        query=arguments.query,
        answers=tuple(answers),
        note=search_note(has_results=bool(answers)).to(language),
    )


def _places_named(query: str, world: World) -> Iterator[Place]:
    """The places of which the question, without its question words, gives the name."""
    for word in subjects(query)[: PLACES * 2]:
        spot = world.locate(word)
        place = world.place_named(spot.name, spot.city) if spot else None
        if place and (normalise(place.name).startswith(normalise(word)) or len(word) >= _CONTAINED_FROM):
            yield place


def subjects(query: str) -> list[str]:
    """What is left of a question without its question words."""
    return [word for word in dict.fromkeys(_FILLER.split(query)) if len(word) > 1]


def describe_place(place: Place, language: Language) -> str:
    """What is known of a place, in one line."""
    hours = hours_text(place.opening_hours, language)
    parts = (
        f"{place.city} {place.category}".strip(),
        place.address,
        place.description,
        hours and Says(f"开放时间：{hours}", f"Open: {hours}").to(language),
        place.price is not None
        and Says(f"人均 {place.price:g} 元", f"{place.price:g} CNY per person").to(language),
        place.rating is not None and Says(f"评分 {place.rating:g}", f"rating {place.rating:g}").to(language),
    )
    return Says("；", "; ").to(language).join(part.rstrip("。") for part in parts if part)


def search_note(*, has_results: bool) -> Says:
    """Where the answers come from, or that there are none."""
    if has_results:
        return Says("答案来自本环境的资料，不是互联网", "From this world's records, not from the web")
    return Says("本环境的资料中没有相关信息", "This world's records know nothing of it")


TOOL = Tool(
    "web_search",
    Says(
        "查询旅行常识、景点信息、城市交通等资料；查不到会说明",
        "Look up facts on travel, sights and cities; says so where nothing is known",
    ),
    WebSearchArguments,
    WebSearchResult,
    run,
    PartialAnswers,
)
