"""The plan as agents should write it: strict models, and their JSON Schema for structured output."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

ClockTime = Annotated[str, StringConstraints(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")]
IsoDate = Annotated[str, StringConstraints(pattern=r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$")]
Name = Annotated[str, StringConstraints(min_length=1)]
Cost = Annotated[float, Field(ge=0, description="CNY per person")]
Mode = Literal["飞机", "火车", "高铁", "自驾"]
Participants = Annotated[
    list[Name], Field(min_length=1, description='["All"], or the chat names of those who take part')
]


class Part(BaseModel):
    """Immutable; an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class TimedPart(Part):
    start_time: ClockTime
    end_time: ClockTime


class Attraction(TimedPart):
    type: Literal["attraction"] = "attraction"
    location: Name
    participants: Participants
    avg_cost: Cost


class Food(TimedPart):
    type: Literal["food"] = "food"
    location: Name
    participants: Participants
    avg_cost: Cost


class Hotel(TimedPart):
    """A night for the whole group; the times are check-in and, on the next day, check-out."""

    type: Literal["hotel"] = "hotel"
    location: Name
    avg_cost: Cost


class IntracityTransport(TimedPart):
    """A way between two places of a city. The `published` rules ask for no cost; the `paper` rules do, 0 is fine."""

    type: Literal["intracity_transport"] = "intracity_transport"
    origin: Name = Field(alias="from")
    destination: Name = Field(alias="to")
    transport_mode: Name
    participants: Participants
    avg_cost: Cost | None = None


class Rest(TimedPart):
    type: Literal["rest"] = "rest"
    participants: Participants


AnyActivity = Annotated[
    Attraction | Food | Hotel | IntracityTransport | Rest, Field(discriminator="type", title="Activity")
]


class IntercityTransport(TimedPart):
    """A leg that the whole group travels together; an end before the start means arrival on the next day."""

    type: Literal["intercity_transport"] = "intercity_transport"
    from_city: Name
    to_city: Name
    transport_mode: Mode
    avg_cost: Cost


class CityBlock(Part):
    city: Name
    activities: list[AnyActivity]


class TripDay(Part):
    """`day` counts from 1."""

    day: Annotated[int, Field(ge=1)]
    date: IsoDate
    city_segments: Annotated[list[IntercityTransport | CityBlock], Field(min_length=1)]


class Itinerary(Part):
    """A whole plan. `published()` gives the JSON object that goes into the chat."""

    days: Annotated[list[TripDay], Field(min_length=1)]

    def as_published(self) -> dict[str, Any]:
        """The plan with the published key names (`from`, `to`), without costs that are not given."""
        return self.model_dump(by_alias=True, exclude_none=True)
