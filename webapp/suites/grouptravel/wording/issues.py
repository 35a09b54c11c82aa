"""What is wrong with a plan, in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchmark.plans.view import Mark, Where
from benchmark.suites.grouptravel.itineraries.view import activity_place
from webapp.pages.plans import Sentence
from webapp.plans.sentences import merge_sentences

PAPER = "paper"
"""The profile with stricter rules than the published ones."""

_SENTENCES: dict[str, Promise] = {
    "intercity_gap": gettext_lazy("no inter-city leg from %(from_city)s to %(to_city)s"),
    "intercity_gap_overnight": gettext_lazy(
        "the day before ended in %(from_city)s, this one starts in %(to_city)s"
    ),
    "no_hotel": gettext_lazy("the day ends without a hotel"),
    "hotel_not_last": gettext_lazy("the hotel is not the last thing of the day"),
    "time_format": gettext_lazy("%(start)s to %(end)s are not two times of the form HH:MM"),
    "time_range": gettext_lazy("ends at %(end)s, which is not after its start at %(start)s"),
    "overlap": gettext_lazy("overlaps %(first)s (%(first_start)s–%(first_end)s)"),
    "order": gettext_lazy(
        "starts at %(start)s, before the end of the activity listed before it (%(previous_end)s)"
    ),
    "no_transport": gettext_lazy("no transport from %(position)s"),
    "no_transport_after_leg": gettext_lazy("no transport from where the inter-city leg arrives"),
    "wrong_origin": gettext_lazy("the transport starts from %(origin)s, but they are at %(position)s"),
    "closed_day": gettext_lazy("closed on %(date)s"),
    "closed_hours": gettext_lazy("open %(windows)s on %(date)s, not %(start)s–%(end)s"),
    "no_cost": gettext_lazy("no cost is given"),
    "participants_shape": gettext_lazy("participants must be a list of names, not “%(given)s”"),
    "participants_empty": gettext_lazy("the list of participants is empty"),
    "participants_unknown": gettext_lazy("%(name)s is not a member of the group"),
    "cost_differs": gettext_lazy("the plan says %(cost)s, tools returned %(returned)s"),
    "cost_unsupported": gettext_lazy("the plan says %(cost)s, but no tool returned a price"),
    "night_twice": gettext_lazy("the night is booked twice, here and in %(first)s"),
    "child_alone": gettext_lazy(
        "from %(start)s on no adult is with the young children: all are elsewhere (%(parties)s)"
    ),
    "no_departure": gettext_lazy(
        "no leg at the beginning from the departure city %(from_city)s to %(to_city)s"
    ),
    "no_return": gettext_lazy("no leg at the end from %(from_city)s back to the departure city %(to_city)s"),
    "service_times": gettext_lazy("%(mode)s from %(start)s to %(end)s: tools returned only %(offered)s"),
    "service_unknown": gettext_lazy("%(mode)s from %(start)s to %(end)s: no tool returned such a service"),
    "too_fast": gettext_lazy(
        "%(km)s km from %(origin)s in %(minutes)s min (%(mode)s) is %(kmh)s km/h; up to %(most)s is feasible"
    ),
    "too_short": gettext_lazy(
        "%(mode)s takes %(minutes)s min here; the fastest that a tool returned takes %(returned)s min"
    ),
}
"""By the message key of `benchmark.suites.grouptravel.scoring.validity`."""

_MENDS: dict[str, Promise] = {
    "intercity_gap": gettext_lazy("add a leg from %(from_city)s to %(to_city)s"),
    "intercity_gap_overnight": gettext_lazy("open the day with a leg from %(from_city)s to %(to_city)s"),
    "no_hotel": gettext_lazy("end the day with a hotel"),
    "hotel_not_last": gettext_lazy("make %(hotel)s the last thing of the day"),
    "time_format": gettext_lazy("write both times as HH:MM"),
    "time_range": gettext_lazy("make it end after %(start)s"),
    "overlap": gettext_lazy("move or remove one of the two"),
    "order": gettext_lazy(
        "list activities in the order of their times, or start at %(previous_end)s or later"
    ),
    "no_transport": gettext_lazy("add local transport from %(position)s to %(place)s"),
    "no_transport_after_leg": gettext_lazy("add local transport to %(place)s right after the leg"),
    "wrong_origin": gettext_lazy("make it start from %(position)s"),
    "closed_day": gettext_lazy("go on another day"),
    "closed_hours": gettext_lazy("go within %(windows)s"),
    "no_cost": gettext_lazy("give a cost, 0 where it is free"),
    "participants_shape": gettext_lazy("give a list of names, or nothing for everyone"),
    "participants_empty": gettext_lazy("name who takes part, or leave participants out for everyone"),
    "participants_unknown": gettext_lazy("remove %(name)s"),
    "cost_differs": gettext_lazy("use what a tool returned: %(returned)s"),
    "cost_unsupported": gettext_lazy("look %(place)s up with a tool"),
    "night_twice": gettext_lazy("keep one of the two hotels"),
    "child_alone": gettext_lazy("leave one adult free, or let everybody go together"),
    "no_departure": gettext_lazy("open the trip with a leg from %(from_city)s to %(to_city)s"),
    "no_return": gettext_lazy("close the trip with a leg from %(from_city)s to %(to_city)s"),
    "service_times": gettext_lazy("choose one of %(offered)s"),
    "service_unknown": gettext_lazy("search %(place)s by %(mode)s and use what is returned"),
    "too_fast": gettext_lazy("allow %(needed)s min or more, or use a faster way"),
    "too_short": gettext_lazy("use the times of a service that a tool returned"),
}
"""What would mend an issue, by the same keys."""

_REASONS: dict[str, Promise] = {
    "no_results": gettext_lazy("the record contains no results of tools"),
    "unreadable": gettext_lazy("tool results are free text, and no readable one names it"),
    "no_price": gettext_lazy("tools returned it without a price"),
    "no_coordinates": gettext_lazy("no tool result says where both ends lie"),
    "no_departure_city": gettext_lazy("the record does not name the city of departure"),
}
"""Why a rule could not be checked, by the reasons of `benchmark.suites.grouptravel.scoring.paper`."""

_FAULTS: dict[str, Promise] = {
    "no_table": gettext_lazy("is null; give a table, {} where nothing is known"),
    "no_object": gettext_lazy("is not an object; leave it out if there is nothing to say"),
    "no_list": gettext_lazy("is not a list; give [] if there is nothing to say"),
    "no_text": gettext_lazy("contains an item that is not text"),
    "no_number": gettext_lazy("is not a number"),
    "null_beside": gettext_lazy("is null although the other limit is given; give 0 if there is no limit"),
    "no_cost": gettext_lazy("is not a number, but a traveller with a budget has to pay it"),
    "no_place": gettext_lazy("is not text; give the name of the place"),
    "no_names": gettext_lazy("is not a list of names; leave it out if everyone takes part"),
}
"""What the published scorer can't read, by the reasons of `benchmark.suites.grouptravel.scoring.FAULTS`."""

TYPES: dict[str, Promise] = {
    "missing_intercity_transport": gettext_lazy("a missing inter-city leg"),
    "missing_hotel": gettext_lazy("a missing hotel"),
    "hotel_not_last_activity": gettext_lazy("a hotel that does not end the day"),
    "invalid_time_format": gettext_lazy("times that cannot be read"),
    "invalid_time_range": gettext_lazy("an end before its start"),
    "time_overlap": gettext_lazy("overlapping times"),
    "timeline_order_violation": gettext_lazy("times out of order"),
    "missing_intracity_transport": gettext_lazy("a missing local transport"),
    "intracity_transport_origin_mismatch": gettext_lazy("a local transport from another place"),
    "outside_opening_hours": gettext_lazy("a visit while closed"),
    "missing_avg_cost": gettext_lazy("a missing cost"),
    "invalid_participants": gettext_lazy("wrong participants"),
    "cost_mismatch": gettext_lazy("a cost that no tool returned"),
    "double_booked_night": gettext_lazy("a night booked twice"),
    "child_without_adult": gettext_lazy("a young child left alone"),
    "unmatched_service": gettext_lazy("an inter-city service that no tool returned"),
    "missing_required_leg": gettext_lazy("a missing leg from or to the city of departure"),
    "infeasible_transport": gettext_lazy("transport faster than is possible"),
}


class _Params(dict[str, Any]):
    def __missing__(self, key: str) -> str:
        return "?"


@dataclass(frozen=True, kw_only=True)
class IssueLine(Sentence):
    """One issue as a reader sees it; what befalls several users alike is one line."""

    day: Any
    """The plan's label."""
    type: str = ""
    """The scorer's name of its kind."""
    source: int | None = None
    """The tool result that names the place, None where none does."""

    @property
    def whole(self) -> str:
        """The sentence with its day."""
        return _("Day %(day)s, %(said)s") % {"day": self.day, "said": self.sentence}


@dataclass(frozen=True)
class IssueGroup:
    """Issues of one kind. published, stricter: how many there are, and how many only the paper's rules find."""

    title: str
    lines: list[IssueLine]
    published: int
    stricter: int


def group_issues(lines: Iterable[IssueLine]) -> list[IssueGroup]:
    """Like issues together, the most frequent first; those that only the paper's rules find after the others."""
    lines_by_type: dict[str, list[IssueLine]] = {}
    for line in lines:
        lines_by_type.setdefault(line.type, []).append(line)
    groups = [_group(type_, own) for type_, own in lines_by_type.items()]
    return sorted(groups, key=lambda group: (-group.published, -group.stricter))


def _group(type_: str, lines: list[IssueLine]) -> IssueGroup:
    counts = [sum(line.times for line in lines if line.stricter is paper) for paper in (False, True)]
    return IssueGroup(type_words(type_), lines, *counts)


def issue_lines(evidence: Iterable[Mapping[str, Any]], *, stricter: bool = False) -> list[IssueLine]:
    """The validity evidence of a score as sentences, in its order."""
    return merge_sentences(map(issue_words, issue_marks(evidence, stricter=stricter)))


def issue_marks(evidence: Iterable[Mapping[str, Any]], *, stricter: bool = False) -> list[Mark]:
    """The validity evidence of a score. params: the issue itself."""
    profile = PAPER if stricter else ""
    return [
        Mark(_place(issue), issue["message"]["key"], issue, tuple(issue["users"]), profile)
        for issue in evidence
    ]


def issue_words(mark: Mark) -> IssueLine:
    """One issue as a reader sees it."""
    issue = mark.params
    return IssueLine(
        at=mark.at,
        day=issue["day"],
        place=issue["location"],
        text=_sentence(issue),
        users=mark.who,
        mend=_mend(issue),
        rules=gettext_lazy("paper only") if mark.profile else "",
        type=issue["type"],
    )


def _place(issue: Mapping[str, Any]) -> Where:
    """Where an issue is in the plan; () in evidence of older scorings, which names the day by its label alone."""
    day = issue.get("day_at")
    return () if day is None else activity_place(day, issue["segment"], issue["activity"])


def _sentence(issue: Mapping[str, Any]) -> str:
    message = issue["message"]
    pattern = _SENTENCES.get(message["key"])
    if pattern is None:
        return str(TYPES.get(issue["type"], issue["type"]))
    return str(pattern) % _Params(message["params"])


def _mend(issue: Mapping[str, Any]) -> str:
    message = issue["message"]
    return str(_MENDS.get(message["key"], "")) % _Params(message["params"])


def unchecked_words(entry: Mapping[str, Any]) -> str:
    """What could not be checked, and why: `得月楼: tools returned it without a price`."""
    reason = str(_REASONS.get(entry["reason"], entry["reason"]))
    return _("%(place)s: %(reason)s") % {"place": entry["location"] or "–", "reason": reason}


def fault_words(fault: Mapping[str, Any]) -> str:
    """A value that the published scorer can't read: `plan.days[0]….avg_cost: is not a number …`."""
    return f"{fault['field']}: {_FAULTS.get(fault['reason'], fault['reason'])}"


def type_words(type_: str) -> str:
    """A kind of issue in words."""
    return str(TYPES.get(type_, type_))
