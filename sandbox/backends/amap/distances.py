"""Road distances by AMap (距离测量, /v3/distance by car), each asked once and kept in a file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from sandbox.backends.amap.client import AmapClient
from sandbox.backends.amap.failures import NO_ROUTE_CODES, AmapFailure
from sandbox.backends.amap.fields import Answer, records, text, whole
from sandbox.roads import RoadsUnavailable
from sandbox.worlds.geo import Point, format_point

_PATH: Final = "/v3/distance"
_MOST_ORIGINS: Final = 100
_BY_CAR: Final = 1
_NO_ROAD_CODES: Final = frozenset(("1", "2", "3"))
"""No road between the two, none near them, or not on one continent."""
_WAIT_S: Final = 30.0
_TABLE: Final = """
CREATE TABLE IF NOT EXISTS road (
    origin TEXT NOT NULL, destination TEXT NOT NULL, km REAL, PRIMARY KEY (origin, destination)
) WITHOUT ROWID
"""


class AmapRoads:
    """Distances by car, in km to 10 m. file: what was answered before, for any number of processes."""

    def __init__(self, client: AmapClient, file: Path) -> None:
        self._client, self._file = client, file

    def kilometres(self, origins: Sequence[Point], destination: Point) -> list[float | None]:
        """From each of the origins; None where no road leads there. Raises RoadsUnavailable."""
        goal, starts = format_point(destination), [format_point(origin) for origin in origins]
        try:
            with self._open() as store:
                known = dict(
                    store.execute("SELECT origin, km FROM road WHERE destination = ?", (goal,)).fetchall()
                )
            missing = [start for start in dict.fromkeys(starts) if start not in known]
            for first in range(0, len(missing), _MOST_ORIGINS):
                found = self._ask(missing[first : first + _MOST_ORIGINS], goal)
                rows = [(start, goal, km) for start, km in found.items()]
                with self._open() as store:
                    store.executemany("INSERT OR REPLACE INTO road VALUES (?, ?, ?)", rows)
                known |= found
        except AmapFailure as failure:
            raise RoadsUnavailable(f"AMap: {failure.detail}") from failure
        except sqlite3.Error as error:
            raise RoadsUnavailable(f"{self._file.name}: {error}") from error
        return [known[start] for start in starts]

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """The file, whose changes are stored at the end."""
        with closing(sqlite3.connect(self._file, timeout=_WAIT_S)) as store, store:
            store.execute(_TABLE)
            yield store

    def _ask(self, starts: Sequence[str], goal: str) -> Mapping[str, float | None]:
        parameters: dict[str, str | int] = {
            "origins": "|".join(starts),
            "destination": goal,
            "type": _BY_CAR,
        }
        try:
            answer = self._client.get(_PATH, parameters)
        except AmapFailure as failure:
            if failure.infocode in NO_ROUTE_CODES and len(starts) == 1:
                return {starts[0]: None}
            raise
        by_origin = {text(result.get("origin_id")): result for result in records(answer.get("results"))}
        return {start: _kilometres(by_origin.get(str(nth), {})) for nth, start in enumerate(starts, 1)}


def _kilometres(result: Answer) -> float | None:
    """None where the service says that there is no road. Raises RoadsUnavailable for any other answer."""
    if text(result.get("code")) in _NO_ROAD_CODES:
        return None
    metres = whole(result.get("distance"))
    if metres is None or metres < 0:
        raise RoadsUnavailable("AMap: an answer without a distance for each origin")
    return round(metres / 1000, 2)
