"""A plan in the released schema."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from benchmark.plans.clock import hour_text
from benchmark.suites.traveleval.baselines.brief import Brief
from benchmark.suites.traveleval.baselines.days import DayPlan, Stop
from benchmark.suites.traveleval.baselines.rides import Journey
from benchmark.suites.traveleval.baselines.stays import Stay
from benchmark.suites.traveleval.scoring.costs import KINDS, costs_of, total
from benchmark.suites.traveleval.scoring.itinerary import Itinerary
from benchmark.suites.traveleval.world import Ride, Sight

_LAST_MINUTE = 24 * 60 - 1
_OF_SECTIONS: Final = {"accommodation": "accommodation", "intercity_transport": "intercity_transportation"}
_MODES: Final = {"城际": "动车", "直达": "直达特快", "普快": "快速"}
"""What the schema calls a kind of train that it does not name."""
Plan = dict[str, Any]


def write_plan(brief: Brief, journey: Journey, stay: Stay | None, days: Sequence[DayPlan]) -> Plan:
    """The plan, with its costs as they are counted (`costs_of`)."""
    query, people = brief.query, brief.people
    nights = brief.days - 1
    rooms = stay.rooms.items() if stay else ()
    plan: Plan = {
        "summary": {
            "total_days": brief.days,
            "total_travelers": people,
            "departure": query.start_city,
            "destination": query.target_city,
            "total_budget": query.budget,
        },
        "accommodation": {
            "hotel_name": stay.hotel.name if stay else "",
            "room_type": [
                {
                    "type": kind,
                    "quantity": n,
                    "price_per_night": stay.hotel.rooms[kind].price,
                    "nights": nights,
                }
                for kind, n in rooms
                if stay
            ],
        },
        "intercity_transport": {"transport_type": [_leg(ride, people) for ride in journey]},
        "daily_plans": [_entry(brief, day, is_last=day is days[-1]) for day in days],
    }
    costs = costs_of(Itinerary.read(plan, query, brief.tables))
    whole = total(costs)
    for section, kind in _OF_SECTIONS.items():
        plan[section]["total_cost"] = costs[kind]
    plan["summary"] |= {"calculated_total_cost": whole, "is_within_budget": whole <= query.budget}
    return {**plan, "cost_breakdown": {kind: costs[kind] for kind in KINDS} | {"total": whole}}


def _leg(ride: Ride, people: int) -> Plan:
    return {
        "description": f"{ride.number} {ride.origin}—{ride.destination}",
        "start_time": ride.departs.zfill(5),
        "end_time": ride.arrives.zfill(5),
        "location_name": ride.destination,
        "cost": ride.cost * people,
        "transportation_to": _MODES.get(ride.kind, ride.kind),
        "transportation_cost": 0,
        "details": {"transport_number": ride.number, "price": ride.cost, "number": people},
    }


def _entry(brief: Brief, day: DayPlan, *, is_last: bool) -> Plan:
    frame = day.frame
    return {
        "day": frame.number,
        "date": brief.day_of(frame.number).isoformat(),
        "starting_point": frame.origin,
        "activities": [_activity(brief, stop) for stop in day.stops],
        "ending_point": {
            "type": "intercity_transport" if is_last else "accommodation",
            "description": frame.goal,
            "start_time": _clock(day.leaves + day.home.minutes),
            "end_time": _clock(day.leaves + day.home.minutes),
            "location_name": frame.goal,
            "cost": 0,
            "transportation_to": day.home.mode,
            "transportation_cost": day.home.cost,
            "details": {**day.home.details},
        },
    }


def _activity(brief: Brief, stop: Stop) -> Plan:
    place, people = stop.place, brief.people
    own: Plan
    if isinstance(place, Sight):
        kind, own = "attraction", {"ticket_price": place.price, "ticket_number": people}
    else:
        kind, own = "meal", {"cuisine": place.cuisine}
    return {
        "type": kind,
        "description": place.name,
        "start_time": _clock(stop.begin),
        "end_time": _clock(stop.end),
        "location_name": place.name,
        "cost": place.price * people,
        "transportation_to": stop.move.mode,
        "transportation_cost": stop.move.cost,
        "details": {**stop.move.details, **own},
    }


def _clock(minute: int) -> str:
    return hour_text(min(minute, _LAST_MINUTE))
