"""Where a route starts and ends."""

from __future__ import annotations

from typing import Protocol

from sandbox.backends.amap.gazetteer import Gazetteer, Located
from sandbox.backends.amap.routing import Trip
from sandbox.toolsets.grouptravel.routing import RouteMode


class Ends(Protocol):
    """The arguments that name both ends."""

    @property
    def origin(self) -> str: ...

    @property
    def destination(self) -> str: ...

    @property
    def city(self) -> str | None: ...


def located_ends(ends: Ends, gazetteer: Gazetteer) -> tuple[Located, Located]:
    """Both ends; a name is looked for in the given city first, then anywhere, so that a way may leave it.

    Raises:
        BadArgument: an end or the city is unknown.
    """
    city = gazetteer.city("city", ends.city) if ends.city else None
    start, end = (
        (city and gazetteer.locate(text, city)) or gazetteer.known(argument, text, None)
        for argument, text in (("origin", ends.origin), ("destination", ends.destination))
    )
    return start, end


def trip_between(
    mode: RouteMode, start: Located, end: Located, gazetteer: Gazetteer, *, lines: bool = False
) -> Trip:
    """A trip by a mode; transit needs to know in which city a coordinate lies."""
    if mode == "transit":
        start, end = gazetteer.placed("origin", start), gazetteer.placed("destination", end)
    return Trip(mode, start, end, lines=lines)
