"""Road distances by AMap: each asked once, whoever asks again."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox.backends.amap.distances import AmapRoads
from sandbox.roads import RoadsUnavailable
from sandbox.worlds.geo import distance_m
from tests.sandbox.backends.amap_server import KEY, AmapServer, says
from tests.sandbox.backends.conftest import client_of

LAKE, STATION, SEA = (120.143222, 30.247871), (120.2108, 30.246026), (126.5, 30.0)


def test_distances_are_asked_for_once_and_kept(amap: AmapServer, tmp_path: Path) -> None:
    with client_of(amap) as client:
        first = AmapRoads(client, tmp_path / "roads").kilometres([LAKE, SEA], STATION)
        again = AmapRoads(client, tmp_path / "roads").kilometres([SEA, LAKE, LAKE], STATION)
    assert first == [round(distance_m(LAKE, STATION) * 1.4 / 1000, 2), None], "no road leads over the sea"
    assert again == [None, first[0], first[0]]
    (asked,) = amap.parameters_of("/v3/distance")
    assert asked == {
        "origins": "120.143222,30.247871|126.5,30",
        "destination": "120.2108,30.246026",
        "type": "1",
        "key": KEY,
    }
    assert KEY.encode() not in (tmp_path / "roads").read_bytes()


def test_more_than_a_hundred_origins_are_asked_for_in_pieces(amap: AmapServer, tmp_path: Path) -> None:
    origins = [(120 + nth / 1000, 30.0) for nth in range(150)]
    with client_of(amap) as client:
        found = AmapRoads(client, tmp_path / "roads").kilometres(origins, STATION)
    assert len(found) == 150 and None not in found
    assert [len(each["origins"].split("|")) for each in amap.parameters_of("/v3/distance")] == [100, 50]


def test_a_failure_says_why_and_nothing_is_kept(amap: AmapServer, tmp_path: Path) -> None:
    amap.faults.append(says("10003"))
    with client_of(amap) as client:
        roads = AmapRoads(client, tmp_path / "roads")
        with pytest.raises(RoadsUnavailable, match=r"AMap: .*DAILY_QUERY_OVER_LIMIT"):
            roads.kilometres([LAKE], STATION)
        amap.answers["/v3/distance"] = {"results": []}
        with pytest.raises(RoadsUnavailable, match="without a distance"):
            roads.kilometres([LAKE], STATION)
        del amap.answers["/v3/distance"]
        assert roads.kilometres([LAKE], STATION)[0]
