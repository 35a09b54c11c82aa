"""The fields of a preference table, and what they hold, as a reader would say them."""

from __future__ import annotations

from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from benchmark.suites.grouptravel.preferences import CITY_ROOT, FIELDS, PreferenceField

_LABELS: dict[str, Promise] = {
    "avg_budget": gettext_lazy("budget"),
    "transport.must": gettext_lazy("transport must"),
    "transport.prefer": gettext_lazy("transport prefers"),
    "transport.avoid": gettext_lazy("transport avoids"),
    "transport.reject": gettext_lazy("transport refuses"),
    "intensity.max_poi_per_day": gettext_lazy("sights per day"),
    "intensity.max_active_hours": gettext_lazy("hours per day"),
    "hotel_preference.prefer": gettext_lazy("hotel prefers"),
    "hotel_preference.avoid": gettext_lazy("hotel avoids"),
    "attractions.must_visit": gettext_lazy("must visit"),
    "attractions.reject_visit": gettext_lazy("refuses to visit"),
    "attractions.category_pref.positive": gettext_lazy("likes"),
    "attractions.category_pref.negative": gettext_lazy("dislikes"),
    "food.must_eat": gettext_lazy("must eat"),
    "food.prefer_eat": gettext_lazy("prefers to eat"),
    "food.avoid_eat": gettext_lazy("avoids eating"),
    "food.reject_eat": gettext_lazy("refuses to eat"),
}
_TIERS: dict[str, Promise] = {
    "must": gettext_lazy("insists on"),
    "prefer": gettext_lazy("prefers"),
    "avoid": gettext_lazy("avoids"),
    "reject": gettext_lazy("refuses"),
}
_BY_TAIL = {".".join(field.keys): field for field in FIELDS}


def field_label(field: PreferenceField, city: str = "") -> str:
    """`must visit`, with the city before it where the field belongs to one."""
    label = str(_LABELS[".".join(field.keys)])
    return f"{city.removesuffix('市')} {label}" if city else label


def line_label(field: PreferenceField, city: str = "") -> str:
    """The head of its line in a table of wishes: the two caps of a day share one, told apart by their units."""
    return _("per day") if field.topic == "intensity" else field_label(field, city)


def tier_word(field: PreferenceField) -> str:
    """What the tier of a list field says of an item."""
    return str(_TIERS.get(field.tier, field.tier))


def field_of(path: str) -> tuple[PreferenceField | None, str]:
    """The field of a full dotted path with its city, (None, "") where the schema has no such field."""
    root, _dot, rest = path.partition(".")
    if root != CITY_ROOT:
        return _BY_TAIL.get(rest), ""
    for tail, field in _BY_TAIL.items():
        if field.scope == "city" and rest.endswith("." + tail):
            return field, rest.removesuffix("." + tail)
    return None, ""


def path_label(path: str) -> str:
    """A full dotted path in words; a path outside the schema as it is."""
    field, city = field_of(path)
    return field_label(field, city) if field is not None else path


def value_words(value: Any, field: PreferenceField | None = None) -> str:
    """One value or item of a field: `3 sights`, `8 h`, `¥3,500`, a name."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return _plain(value)
    key = field.keys[-1] if field is not None else ""
    if key == "max_poi_per_day":
        return ngettext("%(count)s sight", "%(count)s sights", int(value)) % {"count": f"{value:g}"}
    if key == "max_active_hours":
        return _("%(hours)s h") % {"hours": f"{value:g}"}
    return f"¥{value:,}" if key == "avg_budget" else f"{value:,}"


def _plain(value: Any) -> str:
    if isinstance(value, list):
        return "、".join(_plain(item) for item in value)
    return "" if value is None else str(value)
