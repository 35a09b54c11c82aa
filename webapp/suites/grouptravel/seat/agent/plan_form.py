"""The form of one thing in a plan: an activity, or a leg between cities."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from benchmark.plans.clock import hour_text, minutes
from benchmark.suites.grouptravel.itineraries.reading import (
    ALL,
    ATTRACTION,
    FOOD,
    HOTEL,
    LEG,
    REST,
    TRANSIT,
)
from benchmark.suites.grouptravel.preferences import TRANSPORT_MODES
from benchmark.suites.grouptravel.travellers.people.wording import join_names
from webapp.suites.grouptravel.seat.agent.draft import Item

KINDS = (
    (ATTRACTION, gettext_lazy("sight")),
    (FOOD, gettext_lazy("meal")),
    (TRANSIT, gettext_lazy("local transport")),
    (HOTEL, gettext_lazy("night in a hotel")),
    (REST, gettext_lazy("rest")),
    (LEG, gettext_lazy("leg between cities")),
)
FIELDS = {
    ATTRACTION: ("city", "location", "who", "cost"),
    FOOD: ("city", "location", "who", "cost"),
    TRANSIT: ("city", "origin", "destination", "way", "who", "cost"),
    HOTEL: ("city", "location", "cost"),
    REST: ("city", "who"),
    LEG: ("from_city", "to_city", "mode", "cost"),
}
"""What each kind has beside its day and times. Everything is needed, except the cost of local transport."""
KEYS = {
    "location": "location",
    "origin": "from",
    "destination": "to",
    "way": "transport_mode",
    "from_city": "from_city",
    "to_city": "to_city",
    "mode": "transport_mode",
    "cost": "avg_cost",
}
"""Of the published plan, by field."""
WAYS = ("步行", "公交地铁", "打车", "驾车", "骑行")
"""Modes of local transport that are offered; others can be written."""


def _text(label: Any, names: str = "") -> forms.CharField:
    widget = forms.TextInput({"list": names, "autocomplete": "off"})
    return forms.CharField(label=label, required=False, max_length=200, widget=widget)


def _time(label: Any) -> forms.TimeField:
    return forms.TimeField(label=label, widget=forms.TimeInput({"type": "time"}, format="%H:%M"))


def _transport_choices() -> list[tuple[str, str]]:
    """The modes between cities with the words of the page's language, as the beliefs beside it name them."""
    language = "zh" if (get_language() or "").startswith("zh") else "en"
    return [(mode, join_names((mode,), language)) for mode in TRANSPORT_MODES]


class ItemForm(forms.Form):
    """Which fields count depends on `type`. users: who can take part; choosing all of them means everybody."""

    type = forms.ChoiceField(label=gettext_lazy("What"), choices=KINDS)
    day = forms.TypedChoiceField(label=gettext_lazy("Day"), coerce=int)
    start = _time(gettext_lazy("Starts"))
    end = _time(gettext_lazy("Ends"))
    city = _text(gettext_lazy("City"), "city-names")
    location = _text(gettext_lazy("Place"), "place-names")
    origin = _text(gettext_lazy("From"), "place-names")
    destination = _text(gettext_lazy("To"), "place-names")
    way = _text(gettext_lazy("By"), "way-names")
    from_city = _text(gettext_lazy("From city"), "city-names")
    to_city = _text(gettext_lazy("To city"), "city-names")
    mode = forms.ChoiceField(label=gettext_lazy("By"), required=False, choices=_transport_choices)
    cost = forms.DecimalField(
        label=gettext_lazy("Cost per person, CNY"),
        required=False,
        min_value=0,
        max_digits=9,
        decimal_places=2,
    )
    who = forms.MultipleChoiceField(
        label=gettext_lazy("Who takes part"), required=False, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, plan: Mapping[str, Any], users: Sequence[str], data: Any = None, **more: Any) -> None:
        super().__init__(data, prefix="item", use_required_attribute=False, **more)
        self.users = list(users)
        shape: Any = self.fields["who"]
        shape.choices = [(user, user) for user in users]
        days: Any = self.fields["day"]
        days.choices = [(at, _day_words(at, day)) for at, day in enumerate(plan["days"])]

    def clean(self) -> dict[str, Any]:
        """Whatever the kind needs is there."""
        given = super().clean() or {}
        kind = given.get("type", "")
        for name in FIELDS.get(kind, ()):
            free = name == "cost" and kind == TRANSIT
            if name not in self.errors and given.get(name) in ("", None, []) and not free:
                self.add_error(name, self._missing(name))
        return given

    def _missing(self, name: str) -> str:
        if name == "who":
            return _("Choose at least one traveller.")
        return _("Give a cost, 0 where it is free.") if name == "cost" else _("This field is required.")

    def item(self, old: Mapping[str, Any] | None = None) -> Item:
        """What was filled in. old: what it replaces, whose other keys it keeps."""
        given = self.cleaned_data
        content: dict[str, Any] = {"type": given["type"]}
        wanted = FIELDS[given["type"]]
        content |= {KEYS[name]: given[name] for name in wanted if name in KEYS and name != "cost"}
        content |= {f"{name}_time": given[name].strftime("%H:%M") for name in ("start", "end")}
        if "who" in wanted:
            everybody = set(given["who"]) == set(self.users)
            content["participants"] = [ALL] if everybody else list(given["who"])
        if "cost" in wanted and given["cost"] is not None:
            content["avg_cost"] = _plain(given["cost"])
        known = {*KEYS.values(), "type", "start_time", "end_time", "participants"}
        kept = {key: value for key, value in (old or {}).items() if key not in known}
        return Item(given["day"], given.get("city") or "", content | kept)

    def fields_by_kind(self) -> Iterator[tuple[forms.BoundField, str]]:
        """The fields after type and day, with the kinds that have them, "" for all."""
        for name in self.fields:
            if name not in ("type", "day"):
                kinds = [kind for kind, wanted in FIELDS.items() if name in wanted]
                yield self[name], " ".join(kinds)


def _day_words(at: int, day: Mapping[str, Any]) -> str:
    words = _("Day %(n)s") % {"n": at + 1}
    return f"{words} · {day['date']}" if day.get("date") else words


def _plain(cost: Decimal) -> int | float:
    return int(cost) if cost == int(cost) else float(cost)


def initial_of(item: Item, users: Sequence[str]) -> dict[str, Any]:
    """What the form of something in the plan begins with."""
    written = item.content
    kind = written.get("type")
    initial: dict[str, Any] = {"type": kind, "day": item.day, "city": item.city}
    for name in FIELDS.get(str(kind), ()):
        if name in KEYS:
            initial[name] = written.get(KEYS[name])
    for name in ("start", "end"):
        read = minutes(written.get(f"{name}_time"))
        initial[name] = None if read is None else hour_text(read)
    initial["who"] = taking_part(written.get("participants"), users)
    return initial


def taking_part(participants: Any, users: Sequence[str]) -> list[str]:
    """The travellers in a list of participants; all of them where it names nobody of the group."""
    named = participants if isinstance(participants, list) else []
    return [user for user in users if user in named] or list(users)
