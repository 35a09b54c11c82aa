"""What of a plan takes its part of what a figure lost, and why, a function a figure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from benchmark.misses import ToolFailure
from benchmark.suites.traveleval.misses.reading import LostPlan
from benchmark.suites.traveleval.scoring.legs import PLANE, TRAINS, rides_of


class Part(NamedTuple):
    """weight: its part of what the figure lost, against the other parts. mark: what the rules found, if they tell."""

    kind: str
    cause: str
    weight: float = 1.0
    item: str = ""
    seqs: tuple[int, ...] = ()
    failures: tuple[ToolFailure, ...] = ()
    mark: Mapping[str, Any] | None = None


def _looked_up(session: LostPlan, kind: str, name: str, item: str, **more: Any) -> Part:
    """Something that a look at a name would have shown."""
    cause, seqs, failures = session.look_up(name)
    return Part(kind, cause, item=item, seqs=seqs, failures=failures, **more)


def _distance(one: float | None, other: float | None) -> float:
    """How far two figures are from each other; 1 where one has no end, which JSON does not hold."""
    return 1.0 if one is None or other is None else abs(one - other)


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:g}"


def _unknown_sights(session: LostPlan) -> Iterator[Part]:
    marks = session.marks("unknown_place")
    for mark in marks:
        name = str(mark["params"]["name"])
        meant = session.names.find(name)
        cause, item = ("invented", name) if meant == name else ("misnamed", f"{name} → {meant}")
        yield Part("sight", cause, item=item, mark=mark)
    if not marks and session.itinerary.visits:
        yield Part("sight", "invented")


def _closed_sights(session: LostPlan) -> Iterator[Part]:
    for mark in session.marks("closed"):
        told = mark["params"]
        item = f"{told['name']} ({told['opens']}–{told['closes']})"
        yield _looked_up(session, "sight", str(told["name"]), item, mark=mark)


def _wrong_costs(session: LostPlan) -> Iterator[Part]:
    for row in session.rows("ccd"):
        if apart := _distance(row["told"], row["actual"]):
            item = f"{_number(row['told'])} / {_number(row['actual'])}"
            yield Part(f"cost_{row['kind']}", "inconsistent", apart, item)


def _wrong_journeys(session: LostPlan) -> Iterator[Part]:
    for mark in session.marks("no_service"):
        yield Part("journey", "invented", item=str(mark["params"]["to"]), mark=mark)
    for row in session.rows("itd"):
        if apart := _distance(row["planned"], row["actual"]):
            item = f"{row['number']} {_number(row['planned'])} h / {_number(row['actual'])} h".strip()
            yield _looked_up(session, "journey", str(row["number"]), item, weight=apart)


def _deviating_numbers(session: LostPlan) -> Iterator[Part]:
    for row in session.rows("pd"):
        n = row["travellers"]
        apart = {
            "seats": [row["seats"]],
            "beds": [row["beds"]],
            "tickets": row["tickets"],
            "cars": row["cars"],
        }
        for kind, numbers in apart.items():
            if weight := sum(_distance(number, n) for number in numbers):
                told = ", ".join(map(_number, dict.fromkeys(numbers)))
                yield Part(kind, "dropped", weight, f"{told} / {n}")


def _budget(session: LostPlan) -> Iterator[Part]:
    for row in session.rows("bcs"):
        spent, budget = row["spent"], row["budget"]
        over = budget is not None and (spent is None or 0 < budget < spent)
        kind, cause = ("spent", "dropped") if over else ("told", "inconsistent")
        yield Part(kind, cause, item=f"{_number(spent)} / {_number(budget)}")


def _days(session: LostPlan) -> Iterator[Part]:
    told = session.itinerary.summary.get("total_days").value
    yield Part("days", "dropped", item=f"{told} / {session.query.days}"[:80])


_CAPACITIES: Final = {
    "other_number": "people",
    "few_seats": "seats",
    "few_beds": "beds",
    "few_tickets": "tickets",
    "small_cars": "cars",
}


def _too_few(session: LostPlan) -> Iterator[Part]:
    for mark in session.marks(*_CAPACITIES):
        told = mark["params"]
        item = f"{_number(told['room'])} / {told['people']}" if "room" in told else str(told["people"])
        yield Part(_CAPACITIES[mark["key"]], "dropped", item=item, mark=mark)


def _hotel(session: LostPlan) -> Iterator[Part]:
    for mark in session.marks("other_nights"):
        yield Part("nights", "inconsistent", item=_number(mark["params"]["nights"]), mark=mark)
    for mark in session.marks("other_hotel"):
        wishes, feature = session.query.accommodations, str(mark["params"]["feature"])
        features = [hotel.feature for hotel in session.city.hotels]
        fit = (
            [own for own in features if own in wishes.preferences]
            if wishes.preferences
            else [own for own in features if own not in wishes.constraints]
        )
        cause = "impossible" if not fit else "dropped" if feature else "invented"
        wished = " / ".join(wishes.preferences or wishes.constraints)
        yield Part("hotel", cause, item=f"{feature or '–'} / {wished}", mark=mark)
    if not session.city.hotels:
        yield Part("hotel", "impossible")


def _modes(session: LostPlan) -> Iterator[Part]:
    wishes, plan = session.query.transportation, session.itinerary
    timed = [mode for mode in wishes.preferences if mode == PLANE or mode in TRAINS]
    others = [mode for mode in wishes.preferences if mode not in timed]
    can_go = bool(others) or any(rides_of(plan, mode) for mode in timed)
    marks = session.marks("other_mode")
    for mark in marks:
        item = f"{mark['params']['mode']} / {' / '.join(wishes.preferences)}"
        yield Part("mode", "dropped" if can_go else "impossible", item=item, mark=mark)
    if not marks:
        legs = plan.legs
        yield Part("mode", "dropped" if legs else "left_out", item=" / ".join(wishes.constraints))


def _meals(session: LostPlan) -> Iterator[Part]:
    served = {tavern.cuisine for tavern in session.city.taverns}
    for mark in session.marks("rejected_cuisine"):
        yield Part("rejected", "dropped", item=str(mark["params"]["cuisine"]), mark=mark)
    for mark in session.marks("open_cuisine"):
        wish = mark["params"]["cuisine"]
        yield Part("cuisine", "dropped" if wish in served else "impossible", item=str(wish), mark=mark)
    if not served:
        yield Part("cuisine", "impossible")


def _lengths(session: LostPlan) -> Iterator[Part]:
    for mark in session.marks("other_length"):
        told = mark["params"]
        hours = ", ".join(_number(told[key]) for key in ("hours", "least", "most"))
        item = f"{told['name']}: {hours} h"
        yield _looked_up(session, "length", str(told["name"]), item, mark=mark)


def _queues(session: LostPlan) -> Iterator[Part]:
    last = {row["name"]: row for row in session.rows("str")}
    if not last and session.itinerary.visits:
        yield Part("sight", "invented")
    for row in last.values():
        if row["share"] < 1:
            item = f"{row['name']}: {_number(row['queue'])} h / {_number(row['hours'])} h"
            kind, cause = ("queue", "arranged") if row["share"] else ("short", "against_world")
            yield Part(kind, cause, 1 - row["share"], item)


def _detours(session: LostPlan) -> Iterator[Part]:
    for row in session.rows("ssr"):
        if row["surplus"] > 0:
            day = row["at"][-1]
            item = f"{day + 1}: +{100 * row['surplus']:.0f} %" if isinstance(day, int) else ""
            yield Part("way", "arranged", row["surplus"], item)


FINDERS: Final[Mapping[str, Callable[[LostPlan], Iterator[Part]]]] = {
    "bcs": _budget,
    "tcs": _days,
    "hcs": _too_few,
    "pas_a": _hotel,
    "pas_t": _modes,
    "pas_c": _meals,
    "ttcs": _lengths,
    "far": _unknown_sights,
    "vroh": _closed_sights,
    "ccd": _wrong_costs,
    "itd": _wrong_journeys,
    "pd": _deviating_numbers,
    "str": _queues,
    "ssr": _detours,
}
"""By the figure. Figures without a best value, such as stars for 1,000 CNY, lose nothing that could be told."""
