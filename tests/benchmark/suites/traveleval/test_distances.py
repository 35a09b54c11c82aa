"""By what places are measured: a choice of the run, told among the evidence."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from benchmark.core.events import ALL, Event, PlanProposed
from benchmark.core.setting import Setting
from benchmark.core.sheets import Sheet
from benchmark.plans.ways import great_circle_km
from benchmark.suites import suite_named
from benchmark.suites.traveleval.world import Tables
from sandbox.backends.amap.distances import AmapRoads
from sandbox.roads import Roads, RoadsUnavailable
from sandbox.worlds.geo import Point
from tests.sandbox.backends.amap_server import amap_server
from tests.sandbox.backends.conftest import client_of
from tests.scale.traveleval import query, sound_plan

BY_DISTANCE = ("ssr", "csm_p90", "csm_p95")


class CutRoads:
    """A service that fails."""

    requests = 0

    def kilometres(self, origins: Sequence[Point], destination: Point) -> list[float | None]:
        self.requests += 1
        raise RoadsUnavailable("AMap: no quota")


def sheets(starter: Tables, distances: str, roads: Roads | None = None) -> dict[str, Sheet]:
    setting = Setting(
        read_task=query, world=starter, options={"distances": distances}, open_roads=lambda: roads
    )
    body = PlanProposed(plan=sound_plan(starter, Random(7)))
    log = [Event(1, "Agent", ALL, body, datetime(2026, 5, 1, tzinfo=UTC))]
    return {**suite_named("traveleval").scoring.score(log, setting)}


def test_the_evidence_says_by_what_places_were_measured(starter: Tables) -> None:
    for choice in ("great_circle", "streets", "none"):
        for sheet in sheets(starter, choice).values():
            assert sheet.evidence["distances"] == {"by": choice}


def test_ways_by_street_and_metro_are_longer_than_straight_ones(starter: Tables) -> None:
    city = starter.city("杭州")
    points = [sight.point for sight in city.sights[:12]]
    for a in points:
        for b in points:
            km = city.streets.kilometres(a, b)
            assert km == city.streets.kilometres(b, a)
            assert great_circle_km(a, b) * 0.99 - 0.01 <= km <= great_circle_km(a, b) * 1.41 + 0.01
    straight, by_street = sheets(starter, "great_circle")["paper"], sheets(starter, "streets")["paper"]
    assert by_street.figures["distance"] > straight.figures["distance"]  # type: ignore[operator]
    assert by_street.figures["distance_geodesic"] == straight.figures["distance_geodesic"]


def test_the_metro_shortens_a_way(starter: Tables) -> None:
    """Two stations of a line: the tracks go 1.25 times the straight way, streets 1.4 times."""
    [line] = starter.city("杭州").metro[:1]
    (_, a), (_, b) = line.stops[0], line.stops[-1]
    assert starter.city("杭州").streets.kilometres(a, b) < great_circle_km(a, b) * 1.3


def test_roads_by_amap_are_asked_for_all_points_at_once(starter: Tables, tmp_path: Path) -> None:
    with amap_server() as server, client_of(server) as client:
        roads = AmapRoads(client, tmp_path / "roads")
        scored = sheets(starter, "amap", roads)
        asked = len(server.requests)
        again = sheets(starter, "amap", roads)
        assert len(server.requests) == asked, "answers are kept"
    for name, sheet in scored.items():
        assert sheet.evidence["distances"] == {
            "by": "amap", "is_asked": True, "failure": "", "without_road": 0,
        }  # fmt: skip
        assert sheet.figures == again[name].figures
        assert sheet.figures["distance"] == pytest.approx(sheet.figures["distance_geodesic"] * 1.4, rel=0.01)  # type: ignore[operator]


def test_without_a_road_service_ssr_has_no_figure_by_the_paper(starter: Tables) -> None:
    for sheet_by_profile in (sheets(starter, "amap"), sheets(starter, "none")):
        assert sheet_by_profile["published"].figures["ssr"] == 0
        assert {sheet_by_profile["paper"].missing[key].field for key in BY_DISTANCE} == {"distances"}
    assert sheets(starter, "amap")["paper"].evidence["distances"] == {"by": "amap", "is_asked": False}


def test_a_service_that_fails_is_asked_once_and_its_words_are_kept(starter: Tables) -> None:
    roads = CutRoads()
    scored = sheets(starter, "amap", roads)
    assert roads.requests == 1
    for sheet in scored.values():
        assert sheet.evidence["distances"] == {
            "by": "amap", "is_asked": True, "failure": "AMap: no quota", "without_road": 0,
        }  # fmt: skip
        assert sheet.missing["csm_p90"].field == "distances" and sheet.figures["ccd"] is not None
