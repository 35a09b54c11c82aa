"""An agent that plans at once: it looks trains and places up, and gives each day a meal and a sight that fit."""

import json
import re
import sys
from datetime import date, timedelta

from caravan_seat import Seat

DAILY = "None|全天开放|always open|(0.|1[01]):..-(1[6-9]|2.):..$"  # hours in which every visit below fits


def look_up(start, city, day, order, *kinds):
    """A train that arrives on the day that it leaves, and the places of the city that have the right hours."""
    rides = {"origin": start, "destination": city, "date": day, "sort_by": order}
    calls = [("search_poi", {"city": city, "keywords": kind, "page_size": 20}) for kind in kinds]
    seat.call_tools([("travel_search_trains", {**rides, "depart_time_start": "07:00"}), *calls])
    trains, *found = (json.loads(call["result"]) for call in next(turns)["view"]["tool_log"][~len(kinds) :])
    train = next(train for train in trains["trains"] if not train["day_offset"])
    more = {"from_city": start, "to_city": city, "transport_mode": train["mode"], "avg_cost": train["price"]}
    leg = stop("intercity_transport", train["depart"], train["arrive"], **more)
    fitting = [(p for p in one["pois"] if re.match(DAILY, str(p["opening_hours"]))) for one in found]
    return train, leg, *fitting


def stop(kind, start, end, **more):
    return {"type": kind, "start_time": start, "end_time": end, "participants": ["All"], **more}


def at(time, hours):
    return f"{int(time[:2]) + hours:02}{time[2:]}"


def plan(view):
    home, *cities = re.findall("([一-鿿]{2,}?市)[；、，)]", view["context"] + view["query"])
    count = "0123456789零一两三四五六七八九".index(re.search("(.)(天|日| day)", view["query"])[1]) % 10
    before, days = home, []
    for n in range(count):
        city, day = cities[n * len(cities) // count], str(date.fromisoformat(view["time"]) + timedelta(n))
        free, leave, segments, stops = "08:00", "24:00", [], []
        if city != before:
            kinds = ("酒店", "美食", "景点")
            train, leg, hotels, meals, sights = look_up(before, city, day, "depart_time", *kinds)
            here, free, hotel = train["to_station"], train["arrive"], next(hotels)
            before, segments = city, [leg]
        night = (hotel, "hotel", at(max(free, "17:00"), 1), "08:00")
        if n == count - 1:
            train, back = look_up(city, home, day, "depart_time_desc")
            leave, station = train["depart"], {"name": train["from_station"], "price": 0}
            night = (station, "rest", at(leave, -1), leave)
        visits = [(next(meals), "food", "12:00", "13:00"), (next(sights), "attraction", "14:00", "16:00")]
        visits = [visit for visit in visits if at(free, 1) <= visit[2] and visit[3] <= at(leave, -2)]
        for place, kind, start, end in [*visits, night]:
            taxi = {"from": here, "to": place["name"], "transport_mode": "taxi"}
            stops.append(stop("intracity_transport", at(start, -1), start, **taxi))
            stops.append(stop(kind, start, end, location=place["name"], avg_cost=place["price"]))
            here = place["name"]
        segments.append({"city": city, "activities": stops})
        days.append({"day": n + 1, "date": day, "city_segments": segments})
    segments.append(back)
    return json.dumps({"days": days}, ensure_ascii=False)


with Seat(*sys.argv[1:3], "planning-agent", "1.0") as seat:
    turns = seat.turns()
    for table in turns:
        seat.say("{}" if table["turn"]["kind"] == "summary" else plan(table["view"]))
print(seat.me["ended"])
