"""A person's own words as queries: which journey they ask for, with its data from a world."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ConfigDict

from benchmark.core.taskfiles import TaskFiles
from benchmark.metrics import gettext_noop as _
from benchmark.plans.clock import calendar_day
from benchmark.suites.tripscore.making.queries import why_dropped
from benchmark.suites.tripscore.making.reference import Limits, reference_of
from benchmark.suites.tripscore.tasks.task import REAL, Task
from benchmark.text import guarded
from sandbox.tools.language import Language
from sandbox.worlds import World

FEWEST_WORDS, FEWEST_CHARACTERS = 10, 15
"""Of a person's request: words, and characters where it has Chinese ones (ours)."""
MOST_DAYS: Final = 30
_CHINESE = guarded.compile(r"[\u3400-\u9fff]")
_DAYS = guarded.compile(r"(?<!第)(?<!第 )([0-9]{1,2}|[一二两三四五六七八九十])\s*(?:天|日游|-?\s*days?\b)")
_DIGITS: Final = {word: at for at, word in enumerate("一二三四五六七八九十", 1)} | {"两": 2}
_LATER: Final = {"后天": 2, "明天": 1, "今天": 0, "tomorrow": 1, "today": 0}
_START = guarded.compile(r"从\s*$|[Ff]rom\s+$")
_POSITION = guarded.compile(r"\*\*用户当前位置描述\*\*\n([^\n]+)")


def is_long_enough(words: str) -> bool:
    """Whether a request says enough to be planned by."""
    if _CHINESE.search(words):
        return len("".join(words.split())) >= FEWEST_CHARACTERS
    return len(words.split()) >= FEWEST_WORDS


class Intent(BaseModel):
    """A request as TravelBench's tasks have it."""

    model_config = ConfigDict(frozen=True, extra="ignore")
    trace_id: str
    time: str
    query: str
    primary_intent: str
    intent: str = ""
    context: str = ""
    user_profile: str = ""

    @property
    def task_id(self) -> str:
        """Numbers of several files are told apart by who talks."""
        return f"{'multi' if self.user_profile else 'single'}-{self.trace_id}"

    @property
    def key(self) -> str:
        """The same."""
        return self.task_id

    @property
    def language(self) -> Language:
        """Of what was said."""
        return "zh" if _CHINESE.search(self.query) else "en"

    @property
    def place(self) -> str:
        """Where the person is; "" where nobody says."""
        found = _POSITION.search(self.context)
        return found[1].strip() if found else ""


INTENT_FILES: Final = TaskFiles(Intent.model_validate)
_PLANNING: Final = "planning_and_decision.itinerary_planning."
"""Of intents; other requests to plan ask for a way or a choice alone."""


def planning_intents(path: Path) -> list[Intent]:
    """Those of a file that ask for a plan. Raises OSError, TaskFileError."""
    return [read.task for read in INTENT_FILES.whole(path) if read.task.primary_intent.startswith(_PLANNING)]


def city_named(pack: World, words: str) -> str | None:
    """The city of a world that somebody calls so, with or without 市; None for no such."""
    name = words.strip()
    known = [city.name for city in pack.cities()]
    return next((own for own in (name, f"{name}市") if name and own in known), None)


class NoQuery(ValueError):
    """A request of which no query comes; the message, a message id, says why."""


def real_query(
    pack: World, intent: Intent, told: Mapping[str, Any], usual_days: int, limits: Limits
) -> dict[str, Any]:
    """The query of a person's words. told: what a model says of them, nothing for what the words themselves tell.

    usual_days: where nobody tells how many, 0 for no query then. Raises NoQuery.
    """
    if not is_long_enough(intent.query):
        raise NoQuery(_("shorter than 10 words or 15 characters"))
    if told.get("impossible"):
        raise NoQuery(_("impossible, as a model says"))
    named = told.get("cities") if told else None
    cities: list[str | None] = []
    if isinstance(named, list):
        cities = [city_named(pack, str(name)) for name in named]
    departure = city_named(pack, str(told.get("departure_city") or ""))
    if not told:
        departure, said_cities = _cities_said(pack, intent)
        cities = [*said_cities]
    if not cities or None in cities:
        raise NoQuery(_("of cities that the world has not, or of none"))
    said = told.get("days") if told else _days_said(intent.query)
    days = said if isinstance(said, int) and not isinstance(said, bool) else usual_days
    if not 1 <= days <= MOST_DAYS:
        raise NoQuery(_("without a number of days from 1 to 30"))
    first = calendar_day(told.get("start_date")) or _day_said(intent)
    if first is None:
        raise NoQuery(_("without a day of departure"))
    raw = query_over(
        pack,
        {"departure_city": departure, "cities": cities, "days": days, "start_date": first.isoformat()},
        intent.query,
        limits,
    )
    named_raw = {"id": f"real-{intent.task_id}", **raw}
    if why := why_dropped(Task.model_validate(named_raw)):
        raise NoQuery(why)
    return {**named_raw, "source": {"primary_intent": intent.primary_intent}}


def query_over(pack: World, query: Mapping[str, Any], words: str, limits: Limits) -> dict[str, Any]:
    """A request with its data, as a task without an id. query: cities of the world, days, day of departure."""
    reference = reference_of(
        pack,
        query["departure_city"],
        query["cities"],
        date.fromisoformat(query["start_date"]),
        query["days"],
        limits,
    )
    return {"query": {"type": REAL, **query, "user_request": words}, "reference": reference}


def _cities_said(pack: World, intent: Intent) -> tuple[str | None, list[str]]:
    """Where it begins, and the cities in the order in which they are named."""
    text = intent.query
    found = {city.name: text.find(city.name.removesuffix("市")) for city in pack.cities()}
    named = sorted((name for name, at in found.items() if at >= 0), key=lambda name: found[name])
    home = next((name for name in named if _is_start(text, name, found[name])), None)
    home = home or next(
        (city.name for city in pack.cities() if city.name in intent.place and city.name not in named), None
    )
    return home, [name for name in named if name != home]


def _is_start(text: str, name: str, at: int) -> bool:
    after = text[at + len(name.removesuffix("市")) :].removeprefix("市")
    return bool(_START.search(text[:at])) or after.startswith("出发")


def _days_said(text: str) -> int | None:
    found = _DAYS.findall(text)
    return (int(found[-1]) if found[-1].isdigit() else _DIGITS[found[-1]]) if found else None


def _day_said(intent: Intent) -> date | None:
    """The day that the words name by how near it is, else the next one."""
    now = calendar_day(intent.time[:10])
    later = next((days for word, days in _LATER.items() if word in intent.query.casefold()), 1)
    return now + timedelta(days=later) if now else None


def real_queries(
    pack: World,
    intents: Sequence[Intent],
    answers: Mapping[str, Mapping[str, Any]],
    usual_days: int,
    limits: Limits,
) -> Iterator[tuple[Intent, dict[str, Any] | str]]:
    """The query of each request, or why there is none. answers: of the step `understand` by key."""
    for intent in intents:
        try:
            yield intent, real_query(pack, intent, answers.get(intent.key, {}), usual_days, limits)
        except NoQuery as why:
            yield intent, str(why)
