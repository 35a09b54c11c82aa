"""What the constraints find in a plan, in words: what is wrong, and what would mend it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from benchmark.plans.view import Mark
from benchmark.suites.tripscore.tasks.listing import MODES, WISHES
from benchmark.suites.tripscore.tasks.names import fold_name
from webapp.pages.plans import PlanPages, Sentence
from webapp.plans.times import PERIOD_WORDS
from webapp.suites.tripscore.adding import add_item
from webapp.wording.lists import join_items

_KEEP = _("choose another one, or another day or period")
FINDINGS: Mapping[str, tuple[Promise, Promise | str]] = {
    "no_plan": (
        _("the answer holds no JSON object"),
        _("write the plan as one JSON object in a fenced block"),
    ),
    "no_text": (_("%(field)s is missing or blank"), _("write a text there")),
    "no_list": (_("%(field)s is no list, or is empty"), _("write a list with something in it")),
    "no_object": (_("%(field)s is no object"), _("write an object there")),
    "day_number": (_("day %(day)d is numbered “%(found)s”"), _("number the days from 1")),
    "period": (
        _("“%(found)s” is no period"),
        _("write Morning, Afternoon or Evening"),
    ),
    "type": (_("“%(found)s” is no type"), _("write transportation, poi or hotel")),
    "id": (_("“%(found)s” is no id"), _("write a text or a whole number")),
    "repeated_id": (
        _("the id “%(found)s” is there twice in one list"),
        _("list each id once"),
    ),
    "unknown_id": (
        _("the data has no %(type)s with the id “%(id)s”"),
        _("use an id of the data under its type"),
    ),
    "other_name": (_("the data calls it “%(real)s”"), _("write the name of the data")),
    "known_external": (
        _("a sight from outside has the name of one in the data"),
        _("use the id of the data"),
    ),
    "other_link": (
        _("the description calls “%(real)s” “%(name)s”"),
        _("write the name of the data"),
    ),
    "other_time": (
        _("%(time)s is no departure or arrival of these legs"),
        _("write the times of the data"),
    ),
    "unlisted_link": (
        _("the description names “%(name)s”, which is not in the list beside it"),
        _("list it there, or leave it out"),
    ),
    "unlinked": (
        _("the description does not name it"),
        _("write it as **[name](id)**, from outside as **name**"),
    ),
    "day_count": (_("there are %(found)d days in place of %(wanted)d"), _("plan as many days as are asked")),
    "no_sight": (_("there is no sight in %(city)s"), _("add one")),
    "no_hotel": (_("night %(day)d has no hotel"), _("add a hotel, or a leg that arrives the next day")),
    "no_leg_from": (_("no leg leaves %(city)s"), _("add one of the data")),
    "no_leg_to": (_("no leg arrives in %(city)s"), _("add one of the data")),
    "period_goes_back": (_("this period comes after a later one"), _("put the periods in order")),
    "other_date": (_("it departs on %(date)s"), _("put it on that day, or choose another one")),
    "other_period": (_("it departs at %(time)s"), _("put it into the period of that time")),
    "departure_goes_back": (
        _("it departs at %(time)s, before the leg before it"),
        _("put the legs in the order of departure"),
    ),
    "after_hotel": (_("the day goes on after the hotel"), _("put the hotel last")),
    "elsewhere": (
        _("it is in %(city)s, where the traveller is not"),
        _("travel there first, or choose a place where the traveller is"),
    ),
    "closed": (_("it is not open long enough (open: %(hours)s)"), _KEEP),
    "arrives_late": (
        _("%(leg)s arrives only at %(time)s"),
        _("put the sight into a later period, or choose an earlier leg"),
    ),
    "leaves_early": (
        _("%(leg)s departs at %(time)s already, so that no sight comes before it"),
        _("put the sight after it, or choose a later leg"),
    ),
    "leaves_soon": (
        _("%(leg)s departs at %(time)s, which leaves no time"),
        _("leave the sight out, or choose a later leg"),
    ),
    "overlaps_leg": (
        _("it departs at %(time)s, before the leg before it arrives (%(arrives)s)"),
        _("choose a later one"),
    ),
    "first_leg": (_("the first leg does not leave %(city)s"), _("begin with a leg from there")),
    "last_leg": (_("the last leg does not return to %(city)s"), _("end with a leg to there")),
    "jump": (
        _("it does not leave %(arrived)s, where the leg before it arrived"),
        _("add a leg between the two cities"),
    ),
    "leg_twice": (_("the same leg was taken before"), _("take each leg once")),
    "round_leg": (_("it arrives where it departs"), _("leave it out")),
    "entered_again": (_("it enters %(city)s more often than asked"), _("enter each city as often as asked")),
    "no_hub": (
        _("it leads to %(city)s, which nobody asked for, and no leg goes on from there"),
        _("go on at once, or leave it out"),
    ),
    "order": (_("the cities are not in the order %(cities)s"), _("keep the order")),
    "density": (
        _("day %(day)d has %(hours).1f h of visits; %(low)g to %(high)g h are good"),
        _("add or leave out sights"),
    ),
    "switch": (_("the hotel changes from “%(before)s” near by"), _("stay in one hotel")),
    "empty_day": (_("day %(day)d is empty before the evening"), _("plan a sight by day")),
    "opens_late": (_("the day begins with a sight that opens late"), _("begin with another one")),
    "again": (_("it is visited %(times)d times"), _("visit each sight once")),
    "far": (_("it is %(km)g km from “%(before)s”, one of the longest ways"), _("put near sights together")),
    "stars": (_("it has %(star)g stars; wished is: %(wish)s"), _("choose a hotel of the wished class")),
    "pace": (
        _("day %(day)d has %(hours).1f h of visits; %(low)g to %(high)g h are wished (%(wish)s)"),
        _("add or leave out sights"),
    ),
    "other_kind": (_("it is of no wished kind (%(tags)s)"), _("choose a sight of a wished kind")),
    "effort": (_("day %(day)d is %(label)s; wished is: %(wish)s"), _("choose sights that ask as much")),
}
"""By the keys of marks."""


def wish_words(value: str) -> str:
    """What a preference or a tag is called; a tag of the data as it is."""
    known = WISHES.get(fold_name(value))
    return gettext(known) if known else value


def mode_words(mode: str) -> str:
    """How a leg is travelled; a mode of the data as it is."""
    known = MODES.get(fold_name(mode))
    return gettext(known) if known else mode


def words_of(mark: Mark) -> Sentence:
    """What a constraint finds, at its place."""
    text, mend = FINDINGS[mark.key]
    params = dict(mark.params)
    if "tags" in params:
        params["tags"] = join_items([wish_words(tag) for tag in params["tags"].split(", ")])
    params.update({key: wish_words(params[key]) for key in ("label", "wish") if key in params})
    place = "" if "%(day)" in str(text) else _place(params)
    return Sentence(at=mark.at, text=str(text) % params, mend=str(mend), place=place)


def _place(params: Mapping[str, Any]) -> str:
    """Day, period and item, as far as a finding is about one."""
    day = gettext("day %(day)s") % {"day": params["day"]} if "day" in params else ""
    return ", ".join(
        filter(None, (day, str(PERIOD_WORDS.get(params.get("period", ""), "")), params.get("name")))
    )


PLAN_PAGES = PlanPages(words=words_of, add=add_item)
