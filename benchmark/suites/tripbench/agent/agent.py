"""The reference agent: it hears what is asked, looks up the trip, plans by search, and changes what it must."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from benchmark.agents.briefing import fence_plan
from benchmark.core.actions import Action, CallTools, Say, ToolCall
from benchmark.core.participant import SeatContext
from benchmark.suites.tripbench.agent.hearing import Demands, hear_messages
from benchmark.suites.tripbench.frame import Frame
from benchmark.suites.tripbench.itineraries import find_plan
from benchmark.suites.tripbench.planner import Outcome, plan_trip
from benchmark.suites.tripbench.views import TripView
from benchmark.suites.tripbench.wording import constraint_words
from benchmark.text.prompts import Prompts
from sandbox.toolsets.tripbench.records import TripWorld
from sandbox.toolsets.tripbench.world import trip_world

PROMPTS: Final = Prompts(Path(__file__).parent / "wording")
_TABLE: Final = "replies"
_MOST_ROWS: Final = 50
_STOPS: Final = "。.！!"


@dataclass(frozen=True)
class ReferenceAgent:
    """Needs no model. It reads the sentences that scripted users say; of a model's or a person's it may miss some."""

    context: SeatContext

    def act(self, view: TripView) -> Action:
        """The searches that a trip still lacks, then a reply with a plan."""
        pack = self.context.pack
        if pack is None:
            return Say(_say(view, "no_world"))
        world = trip_world(pack)
        asked = [message.content for message in view.messages if message.role != view.me]
        heard = hear_messages(asked, view.language, world)
        if heard.frame is None or not _is_known(heard.frame, world):
            return Say(_say(view, "which_trip" if heard.frame is None else "unknown_city"))
        if view.turn.tools_allowed and (calls := [*_lookups(heard.frame, view)]):
            return CallTools(tuple(calls))
        before = None
        for message in view.messages:
            if message.role == view.me:
                before = find_plan(message.content, before) or before
        outcome = plan_trip(
            world, heard.frame, heard.constraints, before=before, language=view.language, drop=True
        )
        return Say(_reply(view, heard, outcome, world))


def _is_known(frame: Frame, world: TripWorld) -> bool:
    return all(city in world.cities for city in (frame.origin, *frame.destinations))


def _lookups(frame: Frame, view: TripView) -> Iterator[ToolCall]:
    """The searches for legs, hotels, sights and meals of a trip that were not made yet."""
    made = [(entry.name, entry.arguments) for entry in view.tool_log]
    for name, arguments in _searches(frame):
        if (name, arguments) not in made:
            yield ToolCall(name, arguments)


def _searches(frame: Frame) -> Iterator[tuple[str, dict[str, Any]]]:
    day, rows = frame.start_date, {"page_size": _MOST_ROWS}
    for number, (start, end) in enumerate(frame.legs):
        ends = {"departure_city": start, "arrival_city": end, "date_str": day.isoformat(), **rows}
        yield from ((name, ends) for name in ("search_trains", "search_flights"))
        if number < len(frame.stays):
            leaves = day + timedelta(frame.stays[number][1])
            dates = {"check_in_date": day.isoformat(), "check_out_date": leaves.isoformat()}
            yield "search_hotels", {"city": end, **dates, **rows}
            yield from (
                (name, {"city": end, **rows}) for name in ("search_attractions", "search_restaurants")
            )
            day = leaves


def _reply(view: TripView, heard: Demands, outcome: Outcome, world: TripWorld) -> str:
    """What can't be met, what is not clear, and the plan."""
    names = {place.id: place.name for city in world.cities for place in _named_places(heard, city, world)}
    said = [_say(view, "plan" if outcome.plan else "no_plan")]
    for key in outcome.waivers:
        wish = constraint_words(key, heard.rubrics[key].arguments, view.language, names).rstrip(_STOPS)
        said.append(_say(view, "impossible", wish=wish))
    said += [_say(view, f"ask_{key.partition('.')[0]}") for key in heard.hints]
    prose = " ".join(dict.fromkeys(said))
    return f"{prose}\n\n{fence_plan(outcome.plan)}" if outcome.plan else prose


def _named_places(heard: Demands, city: str, world: TripWorld) -> tuple[Any, ...]:
    is_visited = heard.frame is not None and city in heard.frame.destinations
    return tuple(world.attractions_in(city)) if is_visited else ()


def _say(view: TripView, key: str, **fields: object) -> str:
    return PROMPTS.line(view.language, _TABLE, key, **fields)
