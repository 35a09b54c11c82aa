"""The tab of the agent's desk with the request, the rules in short and all data of the task, to be looked through."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from itertools import groupby
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchmark.plans.clock import hour_text
from benchmark.plans.hours import DAY
from benchmark.suites.tripscore.scoring.options import parameters_of, words_of
from benchmark.suites.tripscore.scoring.parameters import Parameters
from benchmark.suites.tripscore.scoring.trip import HOTEL, PERIODS, POI, TRANSPORT
from benchmark.suites.tripscore.tasks import Task
from benchmark.suites.tripscore.tasks.calendars import WHOLE_DAY
from benchmark.suites.tripscore.tasks.names import fold_name
from benchmark.suites.tripscore.tasks.task import Attraction, Hotel, Leg
from webapp.pages import Desk, DeskPart, DeskResult
from webapp.plans.times import PERIOD_WORDS
from webapp.sessions.setting import setting_of
from webapp.suites.tripscore import task as task_page
from webapp.suites.tripscore.adding import day_number, leg_hours, mention, place_of
from webapp.suites.tripscore.plans import mode_words, wish_words

LISTS = {
    POI: gettext_lazy("Sights"),
    HOTEL: gettext_lazy("Hotels"),
    TRANSPORT: gettext_lazy("Transport"),
}
MOST_SHOWN = 60
"""Things at once; who looks for others narrows the search."""
Thing = Attraction | Hotel | Leg


class ShownThing(NamedTuple):
    """key: what adds it to the plan. mention: how a description names it. where: of a leg, its day and period."""

    id: str
    name: str
    facts: list[str]
    key: str
    mention: str
    where: str


def context(desk: Desk, asked: Mapping[str, str]) -> dict[str, Any]:
    """The request, the rules, and what was looked for in one of the lists.

    asked: `list`, `city`, `day` and `q`, words that all stand in what is shown of a thing.
    """
    setting = setting_of(desk.session, desk.log[0].body)
    task: Task = setting.task
    parameters = parameters_of(setting.options)
    kind = asked.get("list", "") if asked.get("list") in LISTS else POI
    found = [_show_thing(thing, kind, task) for thing in _things(task, kind) if _fits(thing, task, asked)]
    words = fold_name(asked.get("q", "")).split()
    found = [
        one for one in found if all(word in fold_name(" ".join((*one[:2], *one.facts))) for word in words)
    ]
    return {
        **task_page.facts(task),
        "meant": dict(_meanings(task, parameters)),
        "parameters": parameters,
        "full": words_of(parameters.density_full),
        "transfer": words_of(parameters.density_transfer),
        "lists": [(key, label, key == kind) for key, label in LISTS.items()],
        "places": list(
            dict.fromkeys(city for key in LISTS for thing in _things(task, key) for city in _cities(thing))
        ),
        "days": range(1, task.query.days + 1),
        "periods": [(period, PERIOD_WORDS[period]) for period in PERIODS],
        "things": found[:MOST_SHOWN],
        "more": len(found) - MOST_SHOWN,
        "found": len(found),
    }


def _things(task: Task, kind: str) -> tuple[Thing, ...]:
    reference = task.reference
    lists: Mapping[str, tuple[Thing, ...]] = {
        POI: reference.attractions,
        HOTEL: reference.hotels,
        TRANSPORT: reference.transportation,
    }
    return lists[kind]


def _cities(thing: Thing) -> tuple[str, ...]:
    return (thing.from_city, thing.to_city) if isinstance(thing, Leg) else (thing.city,)


def _fits(thing: Thing, task: Task, asked: Mapping[str, str]) -> bool:
    """Whether it is in the city, and can be had on the day, that were asked for."""
    if asked.get("city") and asked["city"] not in _cities(thing):
        return False
    day = asked.get("day", "")
    if day not in map(str, range(1, task.query.days + 1)) or isinstance(thing, Hotel):
        return True
    if isinstance(thing, Leg):
        return thing.times is None or str(day_number(task, thing.times[0].date())) == day
    return any(str(number) == day and hours != _("closed") for number, hours in _hours(thing, task))


def _show_thing(thing: Thing, kind: str, task: Task) -> ShownThing:
    place = place_of(task, thing)
    where = _("day %(day)s") % {"day": place[0]} + f", {PERIOD_WORDS[place[1]]}" if place else ""
    facts = [fact for fact in _facts(thing, task) if fact]
    return ShownThing(thing.id, thing.name, facts, f"{kind}:{thing.id}", mention(thing), where)


def _facts(thing: Thing, task: Task) -> list[str]:
    if isinstance(thing, Leg):
        return [
            f"{thing.from_city} → {thing.to_city}",
            mode_words(thing.mode),
            leg_hours(thing),
            _later(thing),
        ]
    if isinstance(thing, Hotel):
        return [thing.city, _("stars unknown") if thing.star is None else f"{thing.star:g} ★"]
    stay = "" if thing.hours is None else _("%(hours)g h") % {"hours": thing.hours}
    return [thing.city, *map(wish_words, thing.tags), stay, _hours_words(thing, task)]


def _later(leg: Leg) -> str:
    """How many days after its departure it arrives."""
    later = (leg.times[1].date() - leg.times[0].date()).days if leg.times else 0
    return f"+{later}" if later else ""


def _hours(sight: Attraction, task: Task) -> Iterator[tuple[int, str]]:
    """When it is open on each day of the journey."""
    for number in range(1, task.query.days + 1):
        yield number, _open_words(sight, task.query.start_date + timedelta(days=number - 1))


def _open_words(sight: Attraction, day: date) -> str:
    windows = sight.openTimeCalendar.windows(day) if sight.openTimeCalendar else None
    if windows is None:
        return _("hours unknown")
    if windows == WHOLE_DAY:
        return _("open all day")
    return ", ".join(f"{hour_text(one.start)}–{hour_text(one.end % DAY)}" for one in windows) or _("closed")


def _hours_words(sight: Attraction, task: Task) -> str:
    """The days with the same hours together; without days where all have them."""
    runs: list[tuple[str, list[int]]] = [
        (hours, [day for day, _words in run])
        for hours, run in groupby(_hours(sight, task), lambda one: one[1])
    ]
    if len(runs) == 1:
        return runs[0][0]
    return "; ".join(f"{_day_words(days)}: {hours}" for hours, days in runs)


def _day_words(days: list[int]) -> str:
    shown = str(days[0]) if len(days) == 1 else f"{days[0]}–{days[-1]}"
    return _("day %(day)s") % {"day": shown}


def _meanings(task: Task, parameters: Parameters) -> Iterator[tuple[str, str]]:
    """What wishes mean in figures, by the labels of the request's facts."""
    wishes = task.query.preferences
    if wishes.pacing:
        yield (
            _("pace"),
            _("%(hours)s h of visits a day") % {"hours": words_of(parameters.span(wishes.pacing))},
        )
    if wishes.budget and (band := parameters.band(wishes.budget)):
        most = "" if band[1] is None else _(", below %(most)g") % {"most": band[1]}
        yield _("hotels"), _("from %(least)g ★") % {"least": band[0]} + most


def act(desk: Desk, given: Any) -> DeskResult:
    """Nothing: what is added goes to the tab of the plan."""
    return DeskResult()


PART = DeskPart("data", gettext_lazy("Data"), context, act)
