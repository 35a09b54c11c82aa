"""What is wrong with a plan, in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

_SENTENCES: dict[str, Promise] = {
    "intercity_gap": gettext_lazy("no inter-city leg from %(from_city)s to %(to_city)s"),
    "intercity_gap_overnight": gettext_lazy(
        "the day before ended in %(from_city)s, this one starts in %(to_city)s"
    ),
    "no_hotel": gettext_lazy("the day ends without a hotel"),
    "hotel_not_last": gettext_lazy("the hotel is not the last thing of the day"),
    "time_format": gettext_lazy("%(start)s to %(end)s are not two times of the form HH:MM"),
    "time_range": gettext_lazy("ends at %(end)s, which is not after its start at %(start)s"),
    "overlap": gettext_lazy("at the same time as %(first)s (%(first_start)s–%(first_end)s)"),
    "order": gettext_lazy("starts at %(start)s, before what is listed before it ends (%(previous_end)s)"),
    "no_transport": gettext_lazy("no transport from %(position)s"),
    "no_transport_after_leg": gettext_lazy("no transport from where the inter-city leg arrives"),
    "wrong_origin": gettext_lazy("the transport starts from %(origin)s, but they are at %(position)s"),
    "closed_day": gettext_lazy("closed on %(date)s"),
    "closed_hours": gettext_lazy("open %(windows)s on %(date)s, not %(start)s–%(end)s"),
    "no_cost": gettext_lazy("no cost is given"),
    "participants_shape": gettext_lazy("participants must be a list of names, not “%(given)s”"),
    "participants_empty": gettext_lazy("the list of participants is empty"),
    "participants_unknown": gettext_lazy("%(name)s is not a member of the group"),
}
"""By the message key of `benchmark.scoring.validity`."""

_TYPES: dict[str, Promise] = {
    "missing_intercity_transport": gettext_lazy("a missing inter-city leg"),
    "missing_hotel": gettext_lazy("a missing hotel"),
    "hotel_not_last_activity": gettext_lazy("a hotel that does not end the day"),
    "invalid_time_format": gettext_lazy("times that cannot be read"),
    "invalid_time_range": gettext_lazy("an end before its start"),
    "time_overlap": gettext_lazy("two things at once"),
    "timeline_order_violation": gettext_lazy("a step back in time"),
    "missing_intracity_transport": gettext_lazy("a missing local transport"),
    "intracity_transport_origin_mismatch": gettext_lazy("a local transport from elsewhere"),
    "outside_opening_hours": gettext_lazy("a visit while closed"),
    "missing_avg_cost": gettext_lazy("a missing cost"),
    "invalid_participants": gettext_lazy("wrong participants"),
}


class _Params(dict[str, Any]):
    def __missing__(self, key: str) -> str:
        return "?"


@dataclass(frozen=True)
class IssueLine:
    """One issue as a reader sees it; what befalls several users alike is one line.

    day: the plan's label. place: the activity's name or "". segment, activity: its place in the plan, or None.
    """

    day: Any
    place: str
    text: str
    users: tuple[str, ...]
    segment: int | None
    activity: int | None

    @property
    def here(self) -> str:
        """The sentence without the day: `平江路: no transport from 得月楼 for User3, User4`."""
        said = f"{self.place}: {self.text}" if self.place else self.text
        return (
            _("%(said)s for %(users)s") % {"said": said, "users": ", ".join(self.users)}
            if self.users
            else said
        )

    @property
    def whole(self) -> str:
        """The sentence with its day."""
        return _("Day %(day)s, %(said)s") % {"day": self.day, "said": self.here}


def issue_lines(evidence: Iterable[Mapping[str, Any]]) -> list[IssueLine]:
    """The validity evidence of a score as sentences, in its order."""
    lines: dict[tuple[Any, ...], list[str]] = {}
    for issue in evidence:
        key = (issue["day"], issue["location"], _sentence(issue), issue["segment"], issue["activity"])
        lines.setdefault(key, []).extend(issue["users"])
    return [
        IssueLine(day, place, text, tuple(dict.fromkeys(users)), segment, activity)
        for (day, place, text, segment, activity), users in lines.items()
    ]


def _sentence(issue: Mapping[str, Any]) -> str:
    message = issue["message"]
    pattern = _SENTENCES.get(message["key"])
    if pattern is None:
        return str(_TYPES.get(issue["type"], issue["type"]))
    return str(pattern) % _Params(message["params"])


def type_words(type_: str) -> str:
    """A kind of issue in words."""
    return str(_TYPES.get(type_, type_))
