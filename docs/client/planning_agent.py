"""An agent that plans: it asks everybody once, looks trains and places up, and proposes what it has found.

It takes the first city and the number of days from the words of an English task. Put yours in place of `plan`.
"""

import json
import re
import sys
from datetime import date, timedelta

from caravan_seat import Seat


def searches(view):
    home, city = (re.search("[一-鿿]+?市", view[name])[0] for name in ("context", "query"))
    last = date.fromisoformat(view["time"]) + timedelta(int(re.search(r"\d+", view["query"])[0]) - 1)
    there = {"origin": home, "destination": city, "date": view["time"], "depart_time_start": "09:00"}
    back = {"origin": city, "destination": home, "date": str(last), "depart_time_start": "19:00"}
    places = [{"keywords": kind, "city": city} for kind in ("景点", "餐厅", "酒店")]
    return [("travel_search_trains", ride) for ride in (there, back)] + [
        ("search_poi", kind) for kind in places
    ]


def stop(kind, start, end, cost, **more):
    return {
        "type": kind,
        "start_time": start,
        "end_time": end,
        "avg_cost": cost,
        "participants": ["All"],
        **more,
    }


def train(found):
    ride, cities = found["trains"][0], {"from_city": found["origin"], "to_city": found["destination"]}
    return stop(
        "intercity_transport",
        ride["depart"],
        ride["arrive"],
        ride["price"],
        transport_mode=ride["mode"],
        **cities,
    )


def plan(view):
    out, back, *kinds = (json.loads(entry["result"]) for entry in view["tool_log"][-5:])
    sights, meals, (hotel, *_) = (found["pois"] for found in kinds)
    day, last, days = date.fromisoformat(out["date"]), date.fromisoformat(back["date"]), []
    here, station = out["trains"][0]["to_station"], {"name": back["trains"][0]["from_station"]}
    while day <= last:
        sight, meal, stops, left = sights[len(days)], meals[len(days)], [], "12:15"
        evening = (hotel, "hotel", "18:30", "09:00") if day < last else (station, "", "18:45", "")
        for place, kind, start, end in (
            (sight, "attraction", "13:00", "15:30"),
            (meal, "food", "17:00", "18:00"),
            evening,
        ):
            way = {"from": here, "to": place["name"], "transport_mode": "taxi"}
            stops.append(stop("intracity_transport", left, start, 20, **way))
            stops += [stop(kind, start, end, place["price"], location=place["name"])] if kind else []
            here, left = place["name"], end
        days.append([{"city": out["destination"], "activities": stops}])
        day += timedelta(1)
    days[0], days[-1] = [train(out), *days[0]], [*days[-1], train(back)]
    told = [
        {"day": n + 1, "date": str(last + timedelta(n + 1 - len(days))), "city_segments": each}
        for n, each in enumerate(days)
    ]
    return json.dumps({"days": told}, ensure_ascii=False)


with Seat(*sys.argv[1:3], "planning-agent", "1.0") as seat:
    for table in seat.turns():
        view, names = table["view"], [each["name"] for each in table["view"]["travellers"]]
        asked = sum(each["role"] == view["me"] for each in view["messages"])
        if table["turn"]["kind"] == "summary":
            seat.say(json.dumps({name: {} for name in names}))
        elif asked < len(names):
            seat.say(f"@{names[asked]} What do you have to see, and what would you rather avoid?")
        else:
            seat.say(plan(view)) if view["tool_log"] else seat.call_tools(searches(view))
print(seat.me["ended"])
