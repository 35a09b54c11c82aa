"""A thing of the data put into a draft of a plan, where it belongs and named as the rules ask for."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from datetime import date
from typing import Any

from django.utils.translation import gettext as _

from benchmark.core.setting import Setting
from benchmark.suites.tripscore.scoring.trip import HOTEL, PERIOD_WINDOWS, PERIODS, TYPES, Lookup
from benchmark.suites.tripscore.tasks import Task
from benchmark.suites.tripscore.tasks.task import Leg
from webapp.plans.times import PERIOD_WORDS

Draft = dict[str, Any]


def add_item(
    draft: Draft | None, chosen: Mapping[str, str], setting: Setting[Task, None]
) -> tuple[Draft, str]:
    """The draft with the thing `add`, which is written as `poi:ID`, and where it stands.

    chosen: `day`, from 1, and `period` for a sight. A leg stands where it departs, a hotel in the evening.

    Raises:
        ValueError: the data has no such thing, or the draft has no place for it; the words say why.
    """
    task = setting.task
    kind, _colon, id_ = chosen["add"].partition(":")
    entry = Lookup(task.reference).entry(kind, id_) if kind in TYPES else None
    if entry is None:
        raise ValueError(_("The data has no such thing."))
    number, period = place_of(task, entry) or (_day_of(task, chosen), chosen.get("period") or PERIODS[0])
    period = PERIODS[-1] if kind == HOTEL else period
    if not 1 <= number <= task.query.days or period not in PERIODS:
        raise ValueError(_("The journey has no such day or period."))
    plan = deepcopy(draft) if draft is not None else _empty_plan(task)
    detail = _detail(_list(_day(plan, number, task), "scheduleDetail"), kind, period)
    items = _list(detail, "detailList")
    if any(isinstance(item, dict) and str(item.get("id")) == id_ for item in items):
        raise ValueError(_("It stands there already."))
    items.append({"type": kind, "id": id_, "name": entry.name})
    said = str(detail.get("description") or "").strip()
    between = ", " if task.language == "en" else "、"
    detail["description"] = between.join(filter(None, (said, mention(entry))))
    told = _("%(name)s stands on day %(day)d, %(period)s.")
    return plan, told % {"name": entry.name, "day": number, "period": PERIOD_WORDS[period]}


def mention(entry: Any) -> str:
    """How a description names it."""
    if not isinstance(entry, Leg):
        return f"**[{entry.name}]({entry.id})**"
    return " ".join(filter(None, (entry.name, f"{entry.from_city} → {entry.to_city}", leg_hours(entry))))


def leg_hours(leg: Leg) -> str:
    """When it departs and arrives; "" where that is not known."""
    return f"{leg.depart:%H:%M}–{leg.arrive:%H:%M}" if leg.times else ""


def day_number(task: Task, day: date) -> int:
    """Of a date, from 1; the journey may have no such day."""
    return (day - task.query.start_date).days + 1


def place_of(task: Task, entry: Any) -> tuple[int, str] | None:
    """Day and period of a leg; None for what can stand anywhere."""
    if not isinstance(entry, Leg) or entry.times is None:
        return None
    departs = entry.times[0]
    minute = departs.hour * 60 + departs.minute
    period = next(at for at, window in enumerate(PERIOD_WINDOWS) if minute < window.end)
    return day_number(task, departs.date()), PERIODS[period]


def _day_of(task: Task, chosen: Mapping[str, str]) -> int:
    given = chosen.get("day", "")
    return int(given) if given.isascii() and given.isdigit() and len(given) < 4 else 1


def _empty_plan(task: Task) -> Draft:
    return {
        "itineraryName": "",
        "recommendReason": "",
        "dayInfos": [_empty_day(number, task) for number in range(1, task.query.days + 1)],
        "tips": {"title": "", "info": ""},
    }


def _empty_day(number: int, task: Task) -> Draft:
    title = f"Day {number}" if task.language == "en" else f"第{number}天"
    return {"day": number, "scheduleTitle": title, "scheduleDetail": []}


def _list(owner: Draft, key: str) -> list[Any]:
    listed = owner.setdefault(key, [])
    if not isinstance(listed, list):
        raise ValueError(_("Nothing can be added: %(field)s is no list.") % {"field": key})
    return listed


def _day(plan: Draft, number: int, task: Task) -> Draft:
    days = _list(plan, "dayInfos")
    days += [_empty_day(at, task) for at in range(len(days) + 1, number + 1)]
    day = days[number - 1]
    if not isinstance(day, dict):
        raise ValueError(
            _("Nothing can be added: %(field)s is no object.") % {"field": f"dayInfos[{number - 1}]"}
        )
    return day


def _detail(details: list[Any], kind: str, period: str) -> Draft:
    """The last entry of the period if it holds this type alone, else a new one: a hotel ends its day."""
    before = [nth for nth, detail in enumerate(details) if _comes_before(detail, kind, period)]
    at = before[-1] + 1 if before else 0
    if at and details[at - 1]["period"] == period and _holds_only(details[at - 1], kind):
        last: Draft = details[at - 1]
        return last
    made: Draft = {"period": period, "description": "", "detailList": []}
    details.insert(at, made)
    return made


def _comes_before(detail: Any, kind: str, period: str) -> bool:
    own = detail.get("period") if isinstance(detail, dict) else None
    if own not in PERIODS or PERIODS.index(own) > PERIODS.index(period):
        return False
    return own != period or kind == HOTEL or not _holds_only(detail, HOTEL)


def _holds_only(detail: Draft, kind: str) -> bool:
    items = detail.get("detailList")
    return bool(items) and isinstance(items, list) and all(_type_of(item) == kind for item in items)


def _type_of(item: Any) -> Any:
    return item.get("type") if isinstance(item, dict) else None
