"""The empty card that a person fills in with wishes of their own."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchmark.suites.grouptravel.events import CardDealt
from benchmark.suites.grouptravel.preferences import (
    CITY_FIELDS,
    FIELDS,
    GLOBAL_FIELDS,
    PreferenceField,
    table_of,
)
from benchmark.suites.grouptravel.preferences import TRANSPORT_MODES as MODES
from benchmark.suites.grouptravel.travellers.people.wording import join_names
from webapp.catalogue.packs import pack_of
from webapp.sessions.models import Session
from webapp.wording.lists import join_items

HOTELS = (
    "舒适型",
    "经济型",
    "高档型",
    "民宿",
    "商务酒店",
    "豪华型",
    "快捷酒店",
    "旅馆",
    "客栈",
    "度假酒店",
    "电竞酒店",
    "公寓式酒店",
    "主题酒店",
)
MOST_ITEMS = 10
MOST_OFFERED = 400
"""Names of a city that are completed as one types."""
LIMITS = {
    "avg_budget": (100, 1_000_000),
    "intensity.max_poi_per_day": (1, 12),
    "intensity.max_active_hours": (2, 18),
}


_LABELS = {
    "avg_budget": gettext_lazy("At most this many yuan per person in all"),
    "transport.must": gettext_lazy("You must travel by"),
    "transport.prefer": gettext_lazy("You'd like to travel by"),
    "transport.avoid": gettext_lazy("You'd rather not travel by"),
    "transport.reject": gettext_lazy("You refuse to travel by"),
    "intensity.max_poi_per_day": gettext_lazy("At most this many sights a day"),
    "intensity.max_active_hours": gettext_lazy("Out for at most this many hours a day"),
    "hotel_preference.prefer": gettext_lazy("You'd like to stay in"),
    "hotel_preference.avoid": gettext_lazy("You'd rather not stay in"),
    "attractions.must_visit": gettext_lazy("You must see these sights"),
    "attractions.reject_visit": gettext_lazy("You refuse to visit these sights"),
    "attractions.category_pref.positive": gettext_lazy("You'd like to see these kinds of sights"),
    "attractions.category_pref.negative": gettext_lazy("You'd rather not see these kinds of sights"),
    "food.must_eat": gettext_lazy("You must eat"),
    "food.prefer_eat": gettext_lazy("You'd like to eat"),
    "food.avoid_eat": gettext_lazy("You'd rather not eat"),
    "food.reject_eat": gettext_lazy("You refuse to eat"),
}


def _label(field: PreferenceField) -> str:
    """As whoever fills it in reads it."""
    return str(_LABELS[".".join(field.keys)])


def _key(field: PreferenceField, city: int | None = None) -> str:
    tail = "-".join(field.keys)
    return tail if city is None else f"c{city}-{tail}"


class NamesField(forms.CharField):
    """Names, one a line or with commas between; `known_names` are completed, and where `strict` no others are
    taken.
    """

    widget = forms.Textarea

    def __init__(self, known: list[str], *, strict: bool, **options: Any) -> None:
        super().__init__(required=False, max_length=2000, **options)
        self.known_names, self.strict = known, strict
        self.widget.attrs |= {"rows": 2, "data-names": ""}

    def clean(self, value: Any) -> list[str]:
        """
        Raises:
            forms.ValidationError: too many names, or one that the world does not have.
        """
        text = super().clean(value).replace("，", "\n").replace(",", "\n").replace("、", "\n")
        names = list(dict.fromkeys(name.strip() for name in text.splitlines() if name.strip()))
        if len(names) > MOST_ITEMS:
            words = _("These are %(count)s names, and at most %(most)s are allowed.")
            raise forms.ValidationError(words % {"count": len(names), "most": MOST_ITEMS})
        for name in names:
            if self.strict and name not in self.known_names:
                near = join_items(get_close_matches(name, self.known_names, 3, 0.4))
                words = _("“%(name)s” is not in the world of this session.") % {"name": name}
                raise forms.ValidationError(
                    words + (" " + _("Did you mean %(near)s?") % {"near": near} if near else "")
                )
        return names


class WishesForm(forms.Form):
    """A preference table; whatever stays empty is no wish."""

    compromisable = forms.BooleanField(
        required=False,
        initial=True,
        label=gettext_lazy("I can give way on some of this if the group needs it"),
    )

    def __init__(self, session: Session, seat: str, language: str, data: Any = None) -> None:
        super().__init__(data)
        self._session, self._seat, self._language = session, seat, language
        definition = session.task.definition
        self.cities: list[str] = list(definition["metadata"]["cities"])
        for field in GLOBAL_FIELDS:
            self.fields[_key(field)] = self._global(field)
        for number, city in enumerate(self.cities):
            known = self._known_names(city)
            for field in CITY_FIELDS:
                self.fields[_key(field, number)] = self._of_city(field, city, known)

    def _global(self, field: PreferenceField) -> forms.Field:
        label = _label(field)
        if field.kind == "scalar":
            low, high = LIMITS[".".join(field.keys)]
            return forms.IntegerField(required=False, min_value=low, max_value=high, label=label)
        names = MODES if field.topic == "transport" else HOTELS
        return forms.MultipleChoiceField(
            required=False,
            label=label,
            choices=[(n, join_names((n,), self._language)) for n in names],
            widget=forms.CheckboxSelectMultiple,
        )

    def _known_names(self, city: str) -> dict[str, list[str]]:
        world = self._session.world
        pack = pack_of(world) if world is not None else None
        sights = list(pack.places(city, "attraction"))[:MOST_OFFERED] if pack and pack.city(city) else []
        meals = list(pack.places(city, "restaurant"))[:MOST_OFFERED] if pack and pack.city(city) else []
        kinds = list(dict.fromkeys(place.category for place in sights if place.category))
        cuisines = [place.category for place in meals] + [dish for place in meals for dish in place.dishes]
        return {
            "attraction_name": [place.name for place in sights],
            "attraction_category": kinds,
            "food": list(dict.fromkeys(name for name in cuisines if name))[:MOST_OFFERED],
        }

    def _of_city(self, field: PreferenceField, city: str, known: dict[str, list[str]]) -> forms.Field:
        strict = field.topic == "attraction_name" and bool(known["attraction_name"])
        return NamesField(known[field.topic], strict=strict, label=_label(field))

    def groups(self) -> Iterator[tuple[str, list[tuple[forms.BoundField, list[str]]]]]:
        """The fields of the whole trip, then of each city, with the names that complete them."""
        yield "", [(self[_key(field)], []) for field in GLOBAL_FIELDS]
        for number, city in enumerate(self.cities):
            fields = [self[_key(field, number)] for field in CITY_FIELDS]
            yield city, [(bound, bound.field.known_names) for bound in fields]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """A wish at least; and nothing that is both wanted and refused."""
        given = super().clean() or {}
        if not self.errors and not any(given[name] for name in given if name != "compromisable"):
            raise forms.ValidationError(_("Write down at least one wish."))
        places: list[int | None] = [None, *range(len(self.cities))]
        for place in places:
            self._refuse_both(given, place)
        return given

    def _refuse_both(self, given: dict[str, Any], city: int | None) -> None:
        fields = [f for f in FIELDS if (f.scope == "global") == (city is None) and f.kind == "list"]
        wanted = {(f.topic, name) for f in fields if f.positive for name in given.get(_key(f, city)) or ()}
        for field in fields:
            if not field.positive:
                both = [name for name in given.get(_key(field, city)) or () if (field.topic, name) in wanted]
                if both:
                    words = _("%(name)s is also among your wishes; keep one of the two.") % {"name": both[0]}
                    self.add_error(_key(field, city), words)

    def body(self) -> CardDealt:
        """The card with this table, in place of the one that was dealt."""
        given = self.cleaned_data
        numbers = {city: number for number, city in enumerate(self.cities)}

        def value(field: PreferenceField, city: str) -> Any:
            return given[_key(field, numbers[city] if city else None)]

        dealt = self._session.task.definition["user_preferences"][self._seat]
        card = {**dealt, "preference": table_of(self.cities, value), "compromisable": given["compromisable"]}
        return CardDealt(user=self._seat, card=card)
