"""What a request is about, in words."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy

from benchmark.suites.travelbench.tasks.listing import INTENTS

_SUBTYPES: dict[str, Promise] = {
    "poi_search": gettext_lazy("place search"),
    "constrained_poi_search": gettext_lazy("place search under conditions"),
    "open_ended_poi_exploration": gettext_lazy("open exploration of places"),
    "spatial_optimized_poi_search": gettext_lazy("place search by position"),
    "route_planning": gettext_lazy("route planning"),
    "itinerary_planning": gettext_lazy("itinerary planning"),
    "simple_route_itinerary": gettext_lazy("simple route"),
    "short_trip_itinerary": gettext_lazy("short trip"),
    "medium_trip_itinerary": gettext_lazy("medium trip"),
    "long_trip_itinerary": gettext_lazy("long trip"),
    "realtime_traffic_and_transit": gettext_lazy("traffic and transit now"),
    "public_transit_schedules_and_routes": gettext_lazy("timetables and lines of public transport"),
    "public_transit_fares": gettext_lazy("fares of public transport"),
    "public_transit_realtime_status": gettext_lazy("public transport now"),
    "road_traffic_status": gettext_lazy("road traffic now"),
    "realtime_weather": gettext_lazy("weather now"),
    "dynamic_pricing_and_availability": gettext_lazy("prices and availability"),
    "destination_discovery": gettext_lazy("finding a destination"),
    "open_ended_destination_discovery": gettext_lazy("open finding of a destination"),
    "constrained_destination_discovery": gettext_lazy("finding a destination under conditions"),
    "solution_comparison": gettext_lazy("comparison of solutions"),
    "transportation_mode_comparison": gettext_lazy("comparison of means of transport"),
    "route_comparison": gettext_lazy("comparison of routes"),
    "destination_comparison": gettext_lazy("comparison of destinations"),
    "poi_comparison": gettext_lazy("comparison of places"),
    "information_query": gettext_lazy("information"),
    "basic_attributes": gettext_lazy("facts of a place"),
    "reputation_and_reviews": gettext_lazy("reputation and reviews"),
    "area_summaries": gettext_lazy("summary of an area"),
    "feasibility_assessment": gettext_lazy("feasibility"),
    "system_control": gettext_lazy("control of the application"),
    "notification_trigger": gettext_lazy("reminder"),
    "travel_policies": gettext_lazy("travel policies"),
}
"""The names of the published tasks below the five roots."""


def intent_words(path: str) -> list[str]:
    """Each level of a dotted path; an unknown name with blanks."""
    return [_words(name) for name in path.split(".")]


def _words(name: str) -> str:
    if name in INTENTS:
        return gettext(INTENTS[name])
    return str(_SUBTYPES.get(name) or name.replace("_", " "))
