"""What the rules find in a plan, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from benchmark.plans.view import CostLine, Mark
from benchmark.suites.tripbench.plan_view import view_plan
from benchmark.suites.tripbench.wording import constraint_words
from webapp.pages.kinds import Reading
from webapp.pages.plans import CostWords, PlanPages, Sentence
from webapp.plans.mapping import pack_of
from webapp.plans.reading import SessionPlan

WISH_KEYS: Final = ("unmet", "unknown_rubric")
FINDINGS: Final[Mapping[str, Promise]] = {
    "no_plan": _("the reply holds no plan"),
    "no_object": _("an object is missing"),
    "wrong_value": _("a value is not as it should be"),
    "key_missing": _("a field is missing"),
    "key_unknown": _("there is a field that no plan has"),
    "days_out_of_order": _("days are not in order"),
    "item_unknown": _("nothing has this id"),
    "item_elsewhere": _("it lies outside the destinations"),
    "product_unknown": _("it has no such product"),
    "no_days": _("there are no days"),
    "other_frame": _("it is not as the trip has it"),
    "date_missing": _("a date of the trip is missing"),
    "date_outside": _("a date is not of the trip"),
    "other_legs": _("the legs are not those of the trip"),
    "other_nights": _("the nights are in other cities"),
    "no_hotel": _("the night has no hotel"),
    "day_lacks": _("the day lacks something"),
    "overlap": _("it begins before the activity before it ends"),
    "gap": _("there is a long gap before it"),
    "day_start": _("the day begins at an unusual hour"),
    "day_end": _("the day ends at an unusual hour"),
    "duration": _("it is too short or too long"),
    "closed": _("it is closed then"),
    "leg_times": _("its times are not those of the service"),
    "leg_nights": _("it spends another number of nights on the way"),
    "no_check_in": _("no check-in for the flight comes just before it"),
    "check_in": _("the check-in for the flight has another length, or does not end at departure"),
    "check_in_for_train": _("trains have no check-in"),
    "train_buffer": _("the time at the station is too short or too long"),
    "transfer": _("the way there is missing, or takes another time"),
    "no_hotel_check_in": _("a new hotel has no check-in"),
    "day_ends_elsewhere": _("the day does not end with the way to the hotel"),
    "meal_far": _("a restaurant is far from what is before or after"),
    "zigzag": _("the day goes to and fro"),
    "repeated": _("it comes twice"),
    "beds": _("there are too few beds"),
    "tickets": _("the tickets are not for the party"),
    "seats": _("the menus are not for the party"),
    "menu_left_out": _("a menu for the party was left out"),
}
"""By the keys of marks, but for what users ask for."""


def page_language() -> str:
    """The one of the page, as tasks have it."""
    return "zh" if (get_language() or "").startswith("zh") else "en"


def wish_words(rubric: str, arguments: Any) -> str:
    """What a user asks for, in the language of the page."""
    given = arguments if isinstance(arguments, Mapping) else {}
    return constraint_words(rubric, given, page_language(), {})


def words_of(mark: Mark) -> Sentence:
    """What a rule finds, at its place, with what it expects."""
    told = mark.params
    if mark.key in WISH_KEYS:
        wish = wish_words(str(told["rubric"]), told["expected"])
        text = gettext("the user's wish is not met: %(wish)s") % {"wish": wish}
        text += _expected_words({"seen": told.get("seen")})
    else:
        text = str(FINDINGS[mark.key]) + _expected_words(told)
    day = gettext("day %(day)s") % {"day": told["day"]} if "day" in told else ""
    place = ", ".join(filter(None, (day, str(told.get("item", "")))))
    return Sentence(at=mark.at, text=text, place=place)


def _expected_words(told: Mapping[str, Any]) -> str:
    words = {key: str(told[key]) for key in ("expected", "seen") if told.get(key) is not None}
    if len(words) == 2:
        return gettext(" (expected: %(expected)s; found: %(seen)s)") % words
    if "expected" in words:
        return gettext(" (expected: %(expected)s)") % words
    return gettext(" (found: %(seen)s)") % words if words else ""


def _costs(reading: Reading) -> Sequence[CostLine]:
    """What the world's prices make of the plan."""
    shown = SessionPlan(reading)
    setting = replace(shown.setting, open_pack=lambda: pack_of(reading.session))
    return view_plan(shown.plan, setting).costs if shown.plan else ()


PLAN_PAGES = PlanPages(words=words_of, costs=_costs, cost_words=CostWords(_("Cost of the party")))
