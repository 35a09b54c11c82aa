"""Whether beds, seats and tickets are for as many as travel (accuracy, compliance)."""

from __future__ import annotations

from collections.abc import Iterator

from benchmark.plans.view import Mark, Where
from benchmark.suites.traveleval.scoring.itinerary import Itinerary
from benchmark.suites.traveleval.scoring.reading import Node, keep_answers
from benchmark.suites.traveleval.scoring.results import Result
from benchmark.suites.traveleval.world.tables import ROOM_SIZES

USUAL_SEATS = 5
_WAYS = 2


def people_deviation(plan: Itinerary) -> Result:
    """PD: seats of legs, beds, tickets and cars that are too many or too few, for each traveller, at most 1.

    As published, beds count twice, and tickets and cars only where the plan has both.
    """
    n = plan.travellers
    if n == 0:
        return Result(0.0)
    seats = sum(_seats(leg) for leg in plan.legs if leg.value is not None) / _WAYS
    sleeping = beds(plan)
    tickets, cars = all_tickets(plan), list(_all_cars(plan))
    apart = abs(seats - n) + abs(sleeping - n)
    if tickets and cars:
        apart += (sleeping + sum(abs(ticket - n) for ticket in tickets)) / len(tickets)
        apart += sum(abs(car - n) for car in cars) / len(cars)
    row = {"seats": seats, "beds": sleeping, "tickets": tickets, "cars": cars, "travellers": n}
    return Result(min(1.0, apart / n), rows=[row])


def _seats(leg: Node) -> float:
    return leg.need("details").need("number").number()


@keep_answers
def beds(plan: Itinerary) -> float:
    """How many sleep in the rooms. Raises UndefinedFigure."""
    return sum(_beds(room) for room in plan.plan.need("accommodation").need("room_type").items())


def _beds(room: Node) -> float:
    kind, count = room.need("type").text(), room.need("quantity").number()
    return count * next((size for name, size in ROOM_SIZES.items() if name in kind), 0)


def _details(stop: Node) -> Node | None:
    details = stop.get("details")
    return None if details.value is None else details


def _end(entry: Node) -> Node | None:
    end = entry.get("ending_point")
    return None if not end.value or isinstance(end.value, str) else end


@keep_answers
def all_tickets(plan: Itinerary) -> list[float]:
    """The numbers of tickets."""
    details = (own for activity in plan.every_activity() if (own := _details(activity)))
    return [ticket.figure() for own in details if (ticket := own.get("ticket_number")).value]


def details_of_stops(plan: Itinerary) -> Iterator[Node]:
    """Of all stops that have them, the ends of days too."""
    for entry in plan.entries:
        end = _end(entry)
        for stop in (*entry.need("activities").items(), *([end] if end else [])):
            if details := _details(stop):
                yield details


def _all_cars(plan: Itinerary) -> Iterator[float]:
    for activity in plan.every_activity():
        if details := _details(activity):
            limit = details.get("load_limit")
            seats = USUAL_SEATS if limit.value is None else limit.number()
            yield from _places_in_cars(seats, details.get("car_number").number_or(0))
    for entry in plan.entries:
        if (end := _end(entry)) and (details := _details(end)):
            seats = details.get("load_limit").number_or(USUAL_SEATS)
            yield from _places_in_cars(seats, details.get("car_number").number_or(0))


def _places_in_cars(seats: float, count: float, drivers: int = 1) -> Iterator[float]:
    """Of all cars of a way, without the drivers'."""
    if (seats - drivers) and count:
        yield (seats - drivers) * count


def enough_for_all(plan: Itinerary) -> Result:
    """HCS: whether legs, beds, tickets and cars are enough; the first that is not decides."""
    n = plan.travellers
    if n == 0:
        return Result(1)
    if plan.summary.get("total_travelers", 0).value != n:
        return Result(0, [Mark(("summary",), "other_number", {"people": n})])
    for at, key, room in capacities(plan):
        if room < n:
            return Result(0, [Mark(at, key, {"room": room, "people": n})])
    return Result(1)


def capacities(plan: Itinerary, *, drivers: int = 1) -> Iterator[tuple[Where, str, float]]:
    """For how many there is room, by what and where; drivers: how many seats of a car are theirs."""
    for leg in plan.legs:
        yield leg.at, "few_seats", _seats(leg)
    yield ("accommodation",), "few_beds", beds(plan)
    for entry in plan.entries:
        for activity in entry.need("activities").items():
            if details := _details(activity):
                if (ticket := details.get("ticket_number")).value:
                    yield activity.at, "few_tickets", ticket.figure()
                yield from ((activity.at, "small_cars", car) for car in _told_cars(details, drivers))
        if (end := _end(entry)) and (details := _details(end)):
            yield from ((end.at, "small_cars", car) for car in _told_cars(details, drivers))


def _told_cars(details: Node, drivers: int) -> Iterator[float]:
    limit, count = details.get("load_limit"), details.get("car_number")
    if limit.value is not None and count.value is not None:
        yield from _places_in_cars(limit.number(), count.number(), drivers)
