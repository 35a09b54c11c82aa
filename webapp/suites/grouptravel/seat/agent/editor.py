"""The plan that a person in the agent's seat puts together: checked as it grows, and posted like any plan."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from benchmark.plans.clock import calendar_day, hour_text, minutes
from benchmark.plans.view import CostLine
from benchmark.suites.grouptravel.agent.brief import read_brief
from benchmark.suites.grouptravel.events import TurnGranted
from benchmark.suites.grouptravel.itineraries import is_plan, last_plan, plan_in_message
from benchmark.suites.grouptravel.itineraries.plans import SCHEMA
from benchmark.suites.grouptravel.itineraries.reading import ATTRACTION, HOTEL, LEG, TRANSIT
from benchmark.suites.grouptravel.itineraries.view import activity_place, view_plan
from benchmark.suites.grouptravel.preferences import GLOBAL_FIELDS, number, read
from webapp.pages import Desk, DeskResult
from webapp.pages.plans import cell_id
from webapp.plans.days import DayPlan, day_plans
from webapp.plans.sentences import sentences_elsewhere
from webapp.plans.text import message_with
from webapp.suites.grouptravel.seat.agent import draft
from webapp.suites.grouptravel.seat.agent.checking import Check, check
from webapp.suites.grouptravel.seat.agent.draft import Item, Place, place_of
from webapp.suites.grouptravel.seat.agent.plan_form import FIELDS, WAYS, ItemForm, initial_of
from webapp.suites.grouptravel.wording.issues import IssueLine

CELL = "cell-"
_BUDGET = GLOBAL_FIELDS[0]


@dataclass(frozen=True)
class OpenItem:
    """The form of what is being added or changed. at: its place, "" for something new. day: where it is shown."""

    form: ItemForm
    at: str
    day: int


@dataclass(frozen=True)
class Row:
    """One activity or leg of a day, from `Stop`. at: its place."""

    stop: Any
    at: str


@dataclass(frozen=True)
class ShownDay:
    """A day of the draft: `DayPlan`, with the place of each of its rows."""

    at: int
    plan: DayPlan
    rows: Sequence[Row]

    @property
    def date(self) -> str:
        """As a date field takes it."""
        day = calendar_day(self.plan.date)
        return day.isoformat() if day else ""


@dataclass(frozen=True)
class RemovedPart:
    """What was taken out of the plan, and the plan with it as JSON, which brings it back."""

    name: str
    before: str


# What is shown.


def context(desk: Desk, asked: Mapping[str, str]) -> dict[str, Any]:
    """The draft with what is wrong with it, and a form where something is being added or changed."""
    plan = _draft(desk)
    check_result = check(desk, plan) if is_plan(plan) else None
    lines = list(check_result.issues) if check_result else []
    days = _days(plan, _users(desk), lines)
    return {
        "days": days,
        "elsewhere": sentences_elsewhere([day.plan for day in days], lines),
        "found": check_result,
        "begun": is_plan(plan),
        "costs": _costs(desk, check_result),
        "item": _open_item(desk, plan, asked),
        "raw": json.dumps(plan, ensure_ascii=False, indent=1),
        "schema": json.dumps(SCHEMA, ensure_ascii=False, indent=1),
        "ways": WAYS,
        "version": _version(plan),
        "may_post": _may_post(desk),
        "words": _("Here is our plan."),
    }


def _draft(desk: Desk) -> dict[str, Any]:
    """A copy of what is kept, or days without anything in them, as the request asks for."""
    if isinstance(desk.draft, dict):
        return deepcopy(desk.draft)
    opened = desk.fold.opening
    first = calendar_day(opened.time.strip()[:10])
    return draft.empty(first.isoformat() if first else "", _length(desk))


def _version(plan: dict[str, Any]) -> str:
    """By which a page knows whether the plan is still the one that it shows."""
    return sha256(json.dumps(plan).encode()).hexdigest()[:16]


def _length(desk: Desk) -> int:
    """How many days the request speaks of; 1 where that can't be read."""
    fold = replace(
        desk.fold, turn=desk.fold.turn or TurnGranted(speaker=desk.fold.me, kind="polled", place="lap")
    )
    try:
        return read_brief(fold.view()).days
    except ValueError:
        return 1


def _users(desk: Desk) -> list[str]:
    return [member.name for member in desk.fold.opening.travellers]


def _days(plan: dict[str, Any], users: list[str], lines: list[IssueLine]) -> list[ShownDay]:
    return [_shown_day(day) for day in day_plans(view_plan(plan, users), users, lines)]


def _shown_day(day: DayPlan) -> ShownDay:
    at = place_of(day.cell.removeprefix(CELL)).day
    return ShownDay(at, day, [Row(stop, stop.cell.removeprefix(CELL)) for stop in day.stops])


def _costs(desk: Desk, check_result: Check | None) -> list[CostLine]:
    """What each traveller pays, and the budget that the agent has noted for them."""
    totals = dict(check_result.costs) if check_result else dict.fromkeys(_users(desk), 0.0)
    known = desk.fold.table
    return [CostLine(user, total, number(read(known.get(user), _BUDGET))) for user, total in totals.items()]


def _may_post(desk: Desk) -> bool:
    turn = desk.fold.turn
    return desk.yours and turn is not None and turn.kind != "summary"


# The form of one thing.


def _open_item(desk: Desk, plan: dict[str, Any], asked: Mapping[str, str]) -> OpenItem | None:
    """The form that the address asks for: `edit` names what is there; `open` is the kind of something new."""
    users = _users(desk)
    try:
        if "edit" in asked:
            place = place_of(asked["edit"])
            initial = initial_of(draft.item_at(plan, place), users)
            return OpenItem(ItemForm(plan, users, initial=initial), asked["edit"], place.day)
    except ValueError:
        return None
    if "open" not in asked or not plan["days"]:
        return None
    initial = _initial_values(plan, users, asked)
    return OpenItem(ItemForm(plan, users, initial=initial), "", initial["day"])


def _initial_values(plan: dict[str, Any], users: list[str], asked: Mapping[str, str]) -> dict[str, Any]:
    """What the form of something new begins with: what the address tells, and what follows from the day."""
    kind = LEG if asked["open"] == "leg" else asked.get("type", ATTRACTION)
    kind = kind if kind in FIELDS else ATTRACTION
    told = {
        "city": asked.get("city", ""),
        "location": asked.get("location", ""),
        "origin": asked.get("origin", ""),
        "destination": asked.get("destination", ""),
        "way": asked.get("transport_mode", ""),
        "mode": asked.get("transport_mode", ""),
        "from_city": asked.get("from_city", ""),
        "to_city": asked.get("to_city", ""),
        "start": asked.get("start_time", ""),
        "end": asked.get("end_time", ""),
        "cost": asked.get("avg_cost", "").removesuffix(".0"),
    }
    at = _day_for(plan, asked)
    before = _last_of(plan, at)
    told["city"] = told["city"] or before.city
    if kind == TRANSIT:
        told["origin"] = told["origin"] or str(
            before.content.get("location") or before.content.get("to") or ""
        )
    if kind == HOTEL:
        told["end"] = told["end"] or "09:00"
    ended = minutes(before.content.get("end_time"))
    told["start"] = told["start"] or ("" if ended is None else hour_text(ended))
    return {**told, "type": kind, "day": at, "who": users}


def _day_for(plan: dict[str, Any], asked: Mapping[str, str]) -> int:
    """The day that the address names, or its date, or its city. near: the one that was worked on last."""
    days = list(enumerate(plan["days"]))
    near = [at for at, _day in days if asked.get("near") == str(at)]
    wanted = [at for at, _day in days if asked.get("day") == str(at)]
    dated = [at for at, day in days if asked.get("date") and day.get("date") == asked["date"]]
    city = asked.get("city") or None
    there = [
        at for at, day in days if city and any(city in _ends(segment) for segment in day["city_segments"])
    ]
    empty = [at for at, day in days if not day["city_segments"]]
    both = [at for at in near if at in there]
    return next(iter(wanted + dated + both + there[-1:] + near + empty), len(days) - 1)


def _ends(segment: Mapping[str, Any]) -> tuple[Any, Any]:
    return segment.get("city"), segment.get("to_city")


def _last_of(plan: dict[str, Any], at: int) -> Item:
    """What a day ends with so far, hotels aside; the city where the day before ended where it has nothing yet."""
    for day in reversed(range(at + 1)):
        for segment in reversed(plan["days"][day]["city_segments"]):
            city = segment.get("city") or segment.get("to_city") or ""
            parts = [segment] if segment.get("type") == LEG else segment["activities"]
            same = [part for part in parts if part.get("type") != HOTEL]
            return Item(day, str(city), same[-1] if same and day == at else {})
    return Item(at, "", {})


# What is done.


def act(desk: Desk, given: Any) -> DeskResult:
    """Change the draft, or post it.

    Raises:
        ValueError: it can't be done; the words say why.
    """
    verb, _colon, where = str(given.get("do", "")).partition(":")
    plan = _draft(desk)
    if verb == "raw":
        return DeskResult({"taken": True}, draft=draft.plan_in(str(given.get("raw", ""))))
    if verb == "post":
        return _post_plan(desk, plan, given, is_sure=where == "sure")
    if given.get("version") not in (None, _version(plan)):
        raise ValueError(_("The plan was changed in another window. This is its current state."))
    _set_dates(plan, given)
    if verb == "save":
        return _save_form(desk, plan, given)
    if verb == "undo":
        return DeskResult({"taken": True}, draft=draft.plan_in(str(given.get("before", ""))))
    before = deepcopy(plan)
    _change_plan(plan, verb, where)
    return DeskResult({"removed": _removed_part(desk, before, verb, where)}, draft=plan)


def _removed_part(desk: Desk, before: dict[str, Any], verb: str, where: str) -> RemovedPart | None:
    """What a change has taken out, None for nothing."""
    if verb not in ("remove", "remove-day"):
        return None
    rows = [row for day in _days(before, _users(desk), []) for row in day.rows]
    name = next((row.stop.name for row in rows if row.at == where), "")
    day = _("Day %(n)s") % {"n": place_of(where).day + 1}
    return RemovedPart(day if verb == "remove-day" else name, json.dumps(before, ensure_ascii=False))


def _set_dates(plan: dict[str, Any], given: Any) -> None:
    for at, day in enumerate(plan["days"]):
        text = str(given.get(f"date-{at}", ""))
        if text and text != day.get("date"):
            draft.date_day(plan, at, text)


def _change_plan(plan: dict[str, Any], verb: str, where: str) -> None:
    match verb:
        case "add-day":
            draft.add_day(plan)
        case "remove-day":
            draft.remove_day(plan, place_of(where).day)
        case "remove":
            draft.remove(plan, place_of(where))
        case "up" | "down":
            draft.move(plan, place_of(where), -1 if verb == "up" else 1)


def _save_form(desk: Desk, plan: dict[str, Any], given: Any) -> DeskResult:
    """What a form holds, taken in; it comes back where something is wrong with it."""
    at = str(given.get("at", ""))
    place: Place | None = place_of(at) if at else None
    old = draft.item_at(plan, place).content if place else None
    form = ItemForm(plan, _users(desk), given)
    if not form.is_valid():
        day = form.cleaned_data.get("day", place.day if place else 0)
        return DeskResult({"item": OpenItem(form, at, day)})
    item = form.item(old)
    draft.put(plan, item, place)
    return DeskResult({"saved": _cell_of(plan, item)}, draft=plan)


def _cell_of(plan: dict[str, Any], item: Item) -> str:
    """Where an item stands now."""
    for at, segment in enumerate(plan["days"][item.day]["city_segments"]):
        if segment is item.content:
            return cell_id(activity_place(item.day, at))
        for number_, activity in enumerate(draft.activities_of(segment)):
            if activity is item.content:
                return cell_id(activity_place(item.day, at, number_))
    return ""


def _post_plan(desk: Desk, plan: dict[str, Any], given: Any, *, is_sure: bool) -> DeskResult:
    if not _may_post(desk):
        raise ValueError(_("The plan can be posted when it is your turn to speak."))
    if not is_plan(plan):
        raise ValueError(_("The first day is still empty."))
    words = str(given.get("words", "")).strip()
    message = message_with(words, plan, plan_in_message, lambda text: last_plan([text]))
    issues = check(desk, plan).published
    if issues and not is_sure:
        return DeskResult({"unsure": _unsure_words(issues), "words": words})
    return DeskResult(send=message)


def _unsure_words(issues: int) -> str:
    words = ngettext(
        "%(n)s issue makes the plan invalid. Posting it ends the session.",
        "%(n)s issues make the plan invalid. Posting it ends the session.",
        issues,
    )
    return words % {"n": issues}
