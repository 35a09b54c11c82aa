"""The tables that plans are made from and checked against: the rows of the source, else a world's records."""

from __future__ import annotations

from benchmark.suites.traveleval.world.records import tables_of_records
from benchmark.suites.traveleval.world.rows import holds_rows, tables_of_rows
from benchmark.suites.traveleval.world.tables import City, Hotel, MetroLine, Ride, Room, Sight, Tables, Tavern
from sandbox.worlds import World

__all__ = [
    "City",
    "Hotel",
    "MetroLine",
    "Ride",
    "Room",
    "Sight",
    "Tables",
    "Tavern",
    "tables_of",
]


def tables_of(pack: World) -> Tables:
    """The tables of a world. Raises WorldError."""
    return tables_of_rows(pack) if holds_rows(pack) else tables_of_records(pack)
