"""Numbers in place of a tier's list, in a table that completeness reads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmark.suites.grouptravel.preferences.tables import filled_by_city
from benchmark.suites.grouptravel.scoring.faults.fault import Fault
from benchmark.suites.grouptravel.scoring.published import tier


def list_faults(path: str, table: Any) -> Iterator[Fault]:
    """Those in a `table` at `path`. An empty value is none: completeness passes over null, 0 and false."""
    for city, held in filled_by_city(table).items():
        for field, value in held.items():
            if field.kind == "list" and tier(value) is None:
                yield Fault(f"{path}.{field.path_in(city)}", "no_list")
