"""What a traveller asks for, read from their words and their situation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple

from benchmark.suites.travelbench.agent import lexicon
from benchmark.suites.travelbench.agent.cities import cities_in, city_here
from benchmark.suites.travelbench.agent.days import day_meant, days_meant, month_meant, part_of_day
from benchmark.suites.travelbench.agent.names import anchor_in, ends_in, subject_in, two_anchors
from benchmark.suites.travelbench.conversation.views import RequestView
from benchmark.suites.travelbench.tasks.context import DESTINATION, point, sections
from benchmark.text import guarded
from benchmark.text.lengths import LONGEST_REPLY
from benchmark.text.numerals import chinese, english

_PRICE = guarded.compile(
    r"(?P<zh>[\d一二两三四五六七八九十百千]+)\s*(?:元|块|以内|以下|左右|上下)"
    r"|(?:up to|under|below|at most|within|max(?:imum)?)\s*(?P<en>\d+)",
    guarded.IGNORECASE,
)
_ABOUT = guarded.compile(r"左右|上下")
LODGINGS = frozenset({"酒店", "民宿", "青年旅舍"})
SIGHTS = frozenset({"景点", "园林", "博物馆", "寺", "老街", "公园", "动物园", "主题公园", "步行街", "商场"})
"""Kinds of place that people look at; no price that was named is meant of them."""
_SIGHT, _MEAL = ("景点", "sights"), ("餐厅", "restaurants")
_FIRST = frozenset({"早茶"})
"""What a day begins with, wherever it is spoken of, as it ends where people sleep."""
_SLACK = 1.25
"""A price that is meant roughly may be so much higher."""


class Step(NamedTuple):
    """A part of a day ("" where none is named), and what is looked for in it, as tools call it and as it was said."""

    part: str
    seek: str
    search_words: str


@dataclass(frozen=True, slots=True)
class Request:
    """kind: the flow that answers it, "" for nothing that is understood. seek: the word to search for; search_words:
    the same as it was said.

    here: the user's "latitude,longitude"; city: their city's full path; bound_for: where they are being navigated;
    each "" where nobody knows. cities: full paths of those that were named. ends: of a way, "" for the user's place.
    anchor: beside what to look; between: the places to meet between; subject: what a fact is asked of. most: CNY.
    modes: of travel, as they are asked for. order: how the tools sort. days: all that were named; month: where one
    is named without a day. steps: the parts of a day that is to be ordered; length: how many
    days are. said: all that the user has said.
    """

    kind: str
    now: datetime
    seek: str = ""
    search_words: str = ""
    coordinates: str = ""
    city: str = ""
    bound_for: str = ""
    cities: tuple[str, ...] = ()
    day: date | None = None
    part: tuple[str, str] | None = None
    ends: tuple[str, str] = ("", "")
    anchor: str = ""
    meeting_points: tuple[str, ...] = ()
    subject: str = ""
    most: float | None = None
    modes: tuple[str, ...] = ()
    order: str = ""
    days: tuple[date, ...] = ()
    month: int | None = None
    steps: tuple[Step, ...] = ()
    length: int = 1
    words: str = ""

    @property
    def region(self) -> str:
        """Where to look: the last city that was named and is not the user's own, else theirs."""
        return next((city for city in reversed(self.cities) if city != self.city), self.city)

    @property
    def is_elsewhere(self) -> bool:
        """Whether a city was named that is not the user's."""
        return bool(self.cities) and self.city not in self.cities


def read_request(view: RequestView) -> Request:
    """What is asked, from all that the user has said; what came later tells the details before the query does."""
    said = [message.content[:LONGEST_REPLY] for message in view.messages if message.role != view.me]
    first, details = said[0] if said else view.query[:LONGEST_REPLY], "\n".join(reversed(said))
    spot, cities = point(view.context), tuple(cities_in(details))
    now = datetime.strptime(view.time, "%Y-%m-%d %H:%M")
    ends = ends_in(details)
    kind = next(filter(None, (_kind(words, cities, ends) for words in (first, details))), "")
    if kind == "tickets":
        kind = _means(details) or kind
    if kind == "discovery" and _steps(details):
        kind = "order"
    anchor = anchor_in(details)
    seek, sought = _seek(details.replace(anchor, "") if anchor else details)
    return Request(
        kind=kind,
        now=now,
        seek=seek,
        search_words=sought,
        coordinates=f"{spot[0]},{spot[1]}" if spot else "",
        city=city_here(view.context),
        bound_for=sections(view.context).get(DESTINATION, "").split("\n")[0].strip(),
        cities=cities,
        day=day_meant(details, now),
        part=part_of_day(details),
        ends=ends,
        anchor=anchor,
        meeting_points=two_anchors(details),
        subject=subject_in(details),
        most=_most(details),
        modes=tuple(mode for mode, words in lexicon.MODES.items() if says(words, details)),
        order=_order(details),
        days=days_meant(details, now),
        month=month_meant(details),
        steps=_steps(details),
        length=_length(details),
        words=details,
    )


def says(pattern: str, words: str) -> bool:
    """Whether a pattern of the lexicon is in a text."""
    return guarded.search(pattern, words, guarded.IGNORECASE) is not None


def _kind(words: str, cities: Sequence[str], ends: tuple[str, str]) -> str:
    """The first flow whose words are there."""
    if says(lexicon.CAN_NOT, words):
        return "cannot"
    if says(lexicon.UNNAMED_PLACE, words):
        return "unnamed"
    travelling = "|".join((lexicon.TRAINS, lexicon.FLIGHTS, lexicon.TICKETS))
    if cities and says(travelling, words):
        return _means(words) or "tickets"
    if says(lexicon.WEATHER, words):
        return "weather"
    kinds = [kind for kind, pattern in _PLACES if says(pattern, words)]
    if "along" in kinds or "central" in kinds or "ranking" in kinds or "hours" in kinds:
        return kinds[0]
    if _steps(words):
        return "order"
    if says(lexicon.ROUTE, words) and any(ends):
        return "route"
    return "discovery" if _seek(words)[0] and says(lexicon.SEEK, words) else ""


_PLACES = (
    ("central", lexicon.CENTRAL),
    ("along", lexicon.ON_THE_WAY),
    ("ranking", lexicon.RANKING),
    ("hours", lexicon.HOURS),
)


def _means(words: str) -> str:
    """The one timetable that is asked for, "" for both or neither."""
    trains, flights = says(lexicon.TRAINS, words), says(lexicon.FLIGHTS, words)
    return "" if trains == flights else "trains" if trains else "flights"


def _seek(words: str) -> tuple[str, str]:
    """What is looked for, as places are called and as it was said; "" where nothing that is known by a word is."""
    words = guarded.sub(lexicon.AVERSION, " ", words, flags=guarded.IGNORECASE)
    for pattern, term in lexicon.KINDS:
        if match := guarded.search(pattern, words, guarded.IGNORECASE):
            return term, match[0]
    return "", ""


def _steps(words: str) -> tuple[Step, ...]:
    """The parts of a day in order, where several are spoken of and an order is wanted."""
    parts = sum(says(part, words) for part in lexicon.PARTS.values())
    if parts < 2 and not says(f"{lexicon.TO_ORDER}|{lexicon.ONE_AFTER}", words):
        return ()
    steps = _named_steps(words)
    planned = says(lexicon.DAYS, words) and says(lexicon.TO_ORDER, words)
    if planned and not any(step.part or step.seek in SIGHTS for step in steps):
        return usual_day(steps) or (steps if len(steps) > 1 else ())
    return steps if len(steps) > 1 else usual_day(steps) if planned else ()


def usual_day(named: Sequence[Step]) -> tuple[Step, ...]:
    """Two sights with a meal after each, for whoever plans days without saying what is in them, or names one thing;
    nothing where that is no sight, no food and no bed.
    """
    sight, meal, beds = _SIGHT, _MEAL, list[Step]()
    for step in named:
        if step.seek in SIGHTS:
            sight = step.seek, step.search_words
        elif step.seek in LODGINGS:
            beds.append(step)
        elif step.seek in lexicon.FOODS:
            meal = step.seek, step.search_words
        else:
            return ()
    day = (("morning", sight), ("noon", _MEAL), ("afternoon", _SIGHT), ("evening", meal))
    return (*(Step(part, *kind) for part, kind in day), *beds)


def _named_steps(words: str) -> tuple[Step, ...]:
    """What is named, each once, with the part of the day that it is named for; breakfast first, a bed last."""
    named: list[Step] = []
    for piece in guarded.split(lexicon.NEXT_STEP, words, flags=guarded.IGNORECASE):
        seek, sought = _seek(piece or "")
        if seek and all(seek != step.seek for step in named):
            part = next((name for name, pattern in lexicon.PARTS.items() if says(pattern, piece)), "")
            named.append(Step(part, seek, sought))
    labelled = any(step.part for step in named)
    steps = [step for step in named if step.part or step.seek != "景点" or not labelled]
    steps.sort(key=lambda step: (step.seek in LODGINGS, bool(step.part) or step.seek not in _FIRST))
    return tuple(steps)


def _length(words: str) -> int:
    """The most days that are spoken of: who plans a trip may name one of its days, too."""
    matches = guarded.finditer(lexicon.DAYS, words, guarded.IGNORECASE)
    numbers = (
        chinese.read_number(match["zh"]) if match["zh"] else english.read_number(match["en"])
        for match in matches
    )
    return max((int(number) for number in numbers if number), default=1)


def _most(words: str) -> float | None:
    match = _PRICE.search(words)
    if match is None:
        return None
    if match["en"]:
        return float(match["en"])
    number = float(match["zh"]) if match["zh"].isdecimal() else chinese.read_number(match["zh"])
    return number * _SLACK if number and _ABOUT.search(match[0]) else number


def _order(words: str) -> str:
    for pattern, order in (
        (lexicon.WELL_RATED, "rating:d"),
        (lexicon.NEAREST, "distance"),
        (lexicon.CHEAP, "price:a"),
    ):
        if says(pattern, words):
            return order
    return ""
