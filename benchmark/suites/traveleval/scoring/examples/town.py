"""A town with six sights, and plans for two days in it: what the examples are made of."""

from __future__ import annotations

import copy
import math
from typing import Any, Final

from benchmark.suites.traveleval.world import City, Hotel, Ride, Room, Sight, Tables, Tavern

Plan = dict[str, Any]
_NO_STAR: Final = math.nan
_SIGHTS: Final = (
    Sight("西湖", (120.14, 30.24), "{自然风光}", "0:00", "24:00", 0.0, 1.0, 4.0, 4.8),
    Sight("灵隐寺", (120.10, 30.24), "{历史古迹}", "7:00", "18:00", 75.0, 1.0, 3.0, 4.6),
    Sight("雷峰塔", (120.15, 30.23), "{人文景观}", "8:00", "20:00", 40.0, 1.0, 2.0, 4.4),
    Sight("植物园", (120.11, 30.25), "{园林}", "7:00", "18:00", 10.0, 1.0, 2.0, _NO_STAR),
    Sight("猫舍", (120.16, 30.26), "{猫狗特色}", "9:00", "21:00", 50.0, 1.0, 2.0, 4.0),
    Sight("宠物园", (120.17, 30.27), "{宠物特色}", "9:00", "21:00", 50.0, 1.0, 2.0, 4.0),
)
_TAVERNS: Final = (
    Tavern("楼外楼", (120.13, 30.25), "杭帮菜", 120.0, "10:00", "21:00"),
    Tavern("老火锅", (120.16, 30.25), "火锅", 100.0, "10:00", "23:00"),
)
_HOTEL: Final = Hotel(
    "湖滨酒店", (120.16, 30.25), "湖景", {"大床房": Room(300.0, 9), "家庭房": Room(500.0, 9)}
)
_STATION: Final = ("杭州东站", (120.21, 30.29))
_TRAINS: Final = {
    ("北京", "杭州"): [Ride("G1", "高铁", "北京南站", "杭州东站", "08:00", "12:30", 4.5, 500.0)],
    ("杭州", "北京"): [
        Ride("G2", "高铁", "杭州东站", "北京南站", "15:00", "19:30", 4.5, 500.0),
        Ride("D9", "动车", "杭州东站", "北京南站", "22:00", "06:00", 8.0, 300.0),
    ],
}
_CITY: Final = City(
    "杭州",
    _SIGHTS,
    _TAVERNS,
    (_HOTEL,),
    {_STATION[0]: _STATION[1], **{own.name: own.point for own in (*_SIGHTS, *_TAVERNS, _HOTEL)}},
)
TABLES: Final = Tables({"杭州": _CITY}, _TRAINS, ())


def stop(kind: str, name: str, start: str, end: str, **details: Any) -> Plan:
    """An activity."""
    return {
        "type": kind,
        "location_name": name,
        "start_time": start,
        "end_time": end,
        "cost": 0,
        "transportation_to": "地铁",
        "transportation_cost": 4,
        "details": details,
    }


def visit(name: str, start: str, end: str, **details: Any) -> Plan:
    """At a sight."""
    return stop("attraction", name, start, end, **details)


def leg(number: str, start: str, end: str, place: str, mode: str = "高铁", price: float = 500) -> Plan:
    """Between the cities."""
    details = {"transport_number": number, "price": price, "number": 2}
    return {**stop("", place, start, end), "transportation_to": mode, "details": details}


def _day(number: int, end: Plan, *activities: Plan) -> Plan:
    return {
        "day": number,
        "date": f"2025-03-{11 + number}",
        "starting_point": _HOTEL.name if number > 1 else _STATION[0],
        "activities": [*activities],
        "ending_point": end,
    }


_TO_STATION: Final = stop("intercity_transport", _STATION[0], "14:00", "14:30")
LAKE, MEAL = visit("西湖", "13:30", "16:30"), stop("meal", "楼外楼", "17:30", "18:30")
TEMPLE: Final = visit("灵隐寺", "09:00", "11:00")
_HOME: Final = stop("accommodation", _HOTEL.name, "19:00", "19:00")
GO, RETURN = leg("G1", "08:00", "12:30", "杭州东站"), leg("G2", "15:00", "19:30", "北京南站")


def plan_of(
    first: tuple[Plan, ...] = (LAKE, MEAL),
    second: tuple[Plan, ...] = (TEMPLE,),
    legs: tuple[Plan, ...] = (GO, RETURN),
    room: str = "大床房",
) -> Plan:
    """Two people go from Beijing to Hangzhou for two days, Wednesday and Thursday."""
    rooms = [{"type": room, "quantity": 1, "price_per_night": 300, "nights": 1}]
    days = [_day(1, _HOME, *first), _day(2, _TO_STATION, *second)]
    whole = {
        "summary": {
            "total_days": 2,
            "total_travelers": 2,
            "departure": "北京",
            "destination": "杭州",
            "total_budget": 9000,
            "is_within_budget": True,
        },
        "accommodation": {"hotel_name": _HOTEL.name, "room_type": rooms},
        "intercity_transport": {"transport_type": [*legs]},
        "daily_plans": days,
        "cost_breakdown": {"intercity_transportation": 2000, "accommodation": 300},
    }
    return copy.deepcopy(whole)


QUERY: Final = {
    "uid": "example",
    "tag": "easy",
    "start_city": "北京",
    "target_city": "杭州",
    "days": 2,
    "people_number": 2,
    "people_composition": {"adults": 2},
    "budget": 9000,
    "dates": "2025-03-12 to 2025-03-13",
}
