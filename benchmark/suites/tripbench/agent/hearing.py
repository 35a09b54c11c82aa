"""What the user has asked for so far, read from their messages by the table of sentences."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from benchmark.suites.tripbench.frame import Frame
from benchmark.suites.tripbench.rubrics.base import Rubric
from benchmark.suites.tripbench.scoring.verdict import Constraint
from benchmark.suites.tripbench.wording import read_requests, read_trip
from sandbox.prompts import prompt_language
from sandbox.toolsets.tripbench.records import TripWorld


@dataclass
class Demands:
    """What holds after some messages. frame: None while the trip is not known. rubrics: by their keys, the last one
    asked for at the end. hints: keys of rubrics of which only a vague phrase was said.
    """

    frame: Frame | None = None
    rubrics: dict[str, Rubric] = field(default_factory=dict)
    hints: dict[str, None] = field(default_factory=dict)

    @property
    def constraints(self) -> list[Constraint]:
        """As plans are judged by them; each has the key of its rubric as its id."""
        return [Constraint(key, key, rubric.arguments) for key, rubric in self.rubrics.items()]


def hear_messages(messages: Iterable[str], language: str, world: TripWorld) -> Demands:
    """All that the messages of a user ask for, the later ones changing what the earlier ones said."""
    heard, own = Demands(), prompt_language(language)
    for message in messages:
        heard.frame = read_trip(message, own) or heard.frame
        ids = _ids_by_name(world, heard.frame)
        for reading in read_requests(message, own, ids.get):
            heard.hints.pop(reading.key, None)
            if reading.act == "vague":
                heard.hints[reading.key] = None
            elif reading.rubric is None:
                heard.rubrics.pop(reading.key, None)
            else:
                heard.rubrics.pop(reading.key, None)
                heard.rubrics[reading.key] = reading.rubric
    return heard


def _ids_by_name(world: TripWorld, frame: Frame | None) -> dict[str, str]:
    """Of the attractions of a trip; of two of one name the better known."""
    cities = [] if frame is None else [city for city in frame.destinations if city in world.cities]
    places = [place for city in cities for place in world.attractions_in(city)]
    return {place.name: place.id for place in reversed(places)}
