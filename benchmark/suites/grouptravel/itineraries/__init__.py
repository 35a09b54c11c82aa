"""The plan of a trip: finding it in a conversation, reading it leniently, writing it strictly."""

from benchmark.suites.grouptravel.itineraries.extraction import (
    is_plan,
    last_plan,
    plan_in_message,
)
from benchmark.suites.grouptravel.itineraries.models import Itinerary
from benchmark.suites.grouptravel.itineraries.reading import Block, Leg, read_plan
