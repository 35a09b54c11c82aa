"""What the searches share: filters, the order of hits, and distances."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, Protocol, TypeVar

from sandbox.toolsets.tripbench.arguments import NearArguments, NearPageArguments
from sandbox.toolsets.tripbench.records import Attraction, Hotel, Restaurant, TripWorld
from sandbox.toolsets.tripbench.texts import Text, write_page
from sandbox.toolsets.tripbench.world import trip_world
from sandbox.worlds import World
from sandbox.worlds.geo import great_circle_km
from sandbox.worlds.text import normalise

TINY = 1e-9
"""By which figures may differ that count as equal."""

P = TypeVar("P", bound=Attraction | Hotel | Restaurant)


class Entry(Protocol):
    """What has an id."""

    @property
    def id(self) -> str: ...


N = TypeVar("N", bound=Entry)


class Hit(NamedTuple, Generic[P]):
    """A place, and how far it is from the point or the centre."""

    place: P
    km: float

    @property
    def id(self) -> str:
        """Of the place."""
        return self.place.id


@dataclass(frozen=True)
class Search(Generic[P]):
    """A search of places. line: a hit in words. figures: what hits can be sorted by; the first is the usual one."""

    places: Callable[[TripWorld, str], tuple[P, ...]]
    fits: Callable[[P], bool]
    line: Callable[[Hit[P]], str]
    figures: Mapping[str, Callable[[Hit[P]], float | None]]
    nothing: str

    def answer(self, arguments: NearPageArguments, sort_key: str | None, pack: World) -> Text:
        """A page of the places that fit."""
        city = pack.city(arguments.city)
        if city is None:
            return Text(text=f"No city found for the given city name: {arguments.city}.")
        trip = trip_world(pack)
        hits = _find_near(arguments, trip, self.places(trip, city.name), self.fits)
        key = sort_key or next(iter(self.figures))
        ordered = sort_hits(hits, self.figures[key], arguments.goes_up(key))
        return write_page([*map(self.line, ordered)], arguments, self.nothing)


def _find_near(
    arguments: NearArguments, trip: TripWorld, places: Iterable[P], fits: Callable[[P], bool]
) -> list[Hit[P]]:
    """The places that fit and are near enough."""
    most = arguments.distance_threshold
    hits: list[Hit[P]] = []
    for place in places:
        point = place.point
        if arguments.longitude is not None and arguments.latitude is not None:
            km = great_circle_km((arguments.longitude, arguments.latitude), point)
        else:
            km = trip.km_from_centre(place) or 0.0
        if (most is None or km <= most + TINY) and fits(place):
            hits.append(Hit(place, km))
    return hits


def reaches(figure: float | None, least: float | None) -> bool:
    """Whether a figure is known and as high as asked for, if anything is."""
    return least is None or (figure is not None and figure >= least - TINY)


def lies_within(figure: float | None, least: float | None, most: float | None) -> bool:
    """Whether a figure lies between two bounds, of which either may not be given."""
    return reaches(figure, least) and (most is None or (figure is not None and figure <= most + TINY))


def names_fit(wanted: Sequence[str] | None, own: Iterable[str | None]) -> bool:
    """Whether one of the wanted names is in one of its own, give or take case, spaces and punctuation."""
    if not wanted:
        return True
    keys = [normalise(name) for name in own if name]
    return any(key in each for key in map(normalise, wanted) if key for each in keys)


def sort_hits(hits: Iterable[N], figure: Callable[[N], float | str | None], upwards: bool) -> list[N]:
    """In the order of a figure, unknown ones last, ties by id."""
    told = [(figure(hit), hit) for hit in sorted(hits, key=lambda hit: hit.id)]
    known = [(value, hit) for value, hit in told if value is not None]
    known.sort(key=lambda pair: pair[0], reverse=not upwards)
    return [hit for _, hit in known] + [hit for value, hit in told if value is None]
