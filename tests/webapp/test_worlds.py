"""Pages of worlds, and plans on the map."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pydantic import BaseModel

from benchmark.core.events import PlanProposed
from sandbox.worlds import ExtraKind, PackBuilder
from sandbox.worlds.records import City
from tests import ROOT
from tests.markup import tight
from tests.webapp.conftest import HOSTILE, Writer, activity
from webapp.catalogue.models import Task, World
from webapp.catalogue.services import build_world
from webapp.plans.panels import map_panel_context
from webapp.sessions.models import Session
from webapp.sessions.reading import Reading

pytestmark = pytest.mark.django_db


def page_of(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return tight(answer.content.decode())


def map_in(page: str) -> dict[str, Any]:
    found = re.search(r'<template id="[^"]+">(\{"points.*?)</template>', page)
    assert found is not None
    told: dict[str, Any] = json.loads(found[1])
    return told


def test_a_world_leads_to_its_cities_and_tasks(
    as_researcher: Client, starter_world: World, starter_tasks: list[Task]
) -> None:
    assert "/worlds/starter/" in page_of(as_researcher, "/worlds/")
    page = page_of(as_researcher, "/worlds/starter/")
    told = map_in(page)
    assert {point["kind"] for point in told["points"]} == {"city"} and told["tiles"] == ""
    assert "Tasks of starter" in page and "GCJ-02" in page
    assert "/worlds/starter/" in page_of(as_researcher, f"/tasks/{starter_tasks[0].task_id}/")


class Note(BaseModel):
    text: str


NOTES = ExtraKind("attic", "notes", Note)


def _build_with_notes(target: Path) -> None:
    with PackBuilder(target, "noted", "a test", extras=[NOTES]) as pack:
        pack.add(City(name="杭州市", longitude=120, latitude=30))
        for text in ("one", "<b>two</b>"):
            pack.add_extra(NOTES, "杭州市", Note(text=text))
        pack.finish({})


def test_what_a_world_keeps_beside_its_records_is_counted(
    as_researcher: Client, starter_world: World
) -> None:
    world = build_world(name="noted", build=_build_with_notes)
    page = page_of(as_researcher, world.get_absolute_url())
    assert (
        '<td>attic</td><th scope="row" class="wide">notes</th><td class="n">1</td><td class="n">2</td>'
        in page
    )
    out = StringIO()
    call_command("check_world", "noted", stdout=out)
    assert "attic.notes: 2 entries" in out.getvalue()
    assert "this version knows no notes of attic (2 entries)" in out.getvalue()
    out = StringIO()
    call_command("check_world", "noted", "--json", stdout=out)
    told = json.loads(out.getvalue())
    assert told["extras"] == [{"owner": "attic", "kind": "notes", "keys": 1, "entries": 2}]


def test_pages_tell_what_sets_of_tools_declare_and_how_much_a_world_keeps(
    as_researcher: Client, starter_world: World
) -> None:
    listed = page_of(as_researcher, "/worlds/")
    assert re.search(
        r'<th scope="row" class="wide">tripbench</th><td class="n">18</td>'
        r'<td class="wide">\s*admission,\s*room,\s*menu,\s*ticket\s*</td>',
        listed,
    )
    assert re.search(r'grouptravel</th><td class="n">10</td><td class="wide">\s*none', listed)
    page = page_of(as_researcher, starter_world.get_absolute_url())
    nothing = '<td class="n">0</td><td class="n">0</td>'
    assert f'<td>tripbench</td><th scope="row" class="wide">room</th>{nothing}' in page


def test_a_world_that_ships_speaks_the_readers_language(as_researcher: Client, starter_world: World) -> None:
    spoken = {"accept-language": "zh-CN"}
    World.objects.create(name="own", source="from <us>", note="ours", pack="none", pack_hash="0")
    listed = as_researcher.get("/worlds/", headers=spoken).content.decode()
    assert "随产品提供" in listed and "from &lt;us&gt;" in listed and "shipped with" not in listed
    page = as_researcher.get(starter_world.get_absolute_url(), headers=spoken).content.decode()
    assert "随产品提供" in page and "常识" in page and "General knowledge" not in page
    assert "General knowledge" in as_researcher.get(starter_world.get_absolute_url()).content.decode()


def test_a_citys_places_are_found_by_kind_and_words(as_researcher: Client, starter_world: World) -> None:
    everything = map_in(page_of(as_researcher, "/worlds/starter/cities/杭州市/"))
    assert {"attraction", "restaurant", "hotel", "train", "metro"} <= {
        p["kind"] for p in everything["points"]
    }
    page = page_of(as_researcher, "/worlds/starter/cities/杭州/?kind=attraction&find=灵隐")
    assert "灵隐寺" in page and "楼外楼" not in page
    place = next(p for p in map_in(page)["points"] if p["name"] == "灵隐寺")
    assert place["at"] == [pytest.approx(30.24, abs=0.05), pytest.approx(120.1, abs=0.05)]
    assert any("¥" in fact for fact in place["facts"])
    assert "No place was found." in page_of(as_researcher, "/worlds/starter/cities/杭州市/?find=%00zz")


def test_the_timetable_is_of_two_cities(as_researcher: Client, starter_world: World) -> None:
    page = page_of(as_researcher, "/worlds/starter/timetable/?from=武汉市&to=杭州市")
    assert "G491" in page and "二等座 ¥357" in page
    assert "No direct service" in page_of(as_researcher, "/worlds/starter/timetable/?from=武汉市&to=x")


def test_what_is_not_there_is_not_found(as_researcher: Client, client: Client, starter_world: World) -> None:
    for address in ("/worlds/none/", "/worlds/starter/cities/巴黎/"):
        assert as_researcher.get(address).status_code == 404
    assert client.get("/worlds/starter/").status_code in {302, 403}
    starter_world.pack = "gone.sqlite3"
    starter_world.save()
    answer = as_researcher.get("/worlds/starter/")
    assert answer.status_code == 404 and "Import the world again" in answer.content.decode()


def test_a_plan_is_mapped_in_order_and_what_no_world_knows_is_told(
    as_researcher: Client, begin: Callable[[], Writer]
) -> None:
    writer = begin()
    users = writer.log.state.users
    stops = [
        activity("attraction", "西湖风景名胜区", "09:00", "10:00"),
        activity("attraction", "灵隐寺", "10:00", "12:00", (users[0],)),
        activity("food", HOSTILE, "12:00", "13:00"),
        activity("attraction", "西湖风景名胜区", "14:00", "15:00"),
    ]
    segments = [{"city": "杭州市", "activities": stops}]
    writer.add("Agent", PlanProposed(plan={"days": [{"day": 1, "city_segments": segments}]}))
    session = Session.objects.get(pk=writer.session.pk)
    found = map_panel_context(Reading.of(session), "")
    [day] = found["days"]
    assert [stop.number for stop in day.stops] == [1, 2, None, 1]
    assert [point["label"] for point in found["map"]["points"]] == ["1", "2"]
    lines = {path["name"]: len(path["line"]) for path in found["map"]["paths"]}
    assert lines == {f"{user}, day 1": 3 if user == users[0] else 2 for user in users}
    with CaptureQueriesContext(connection) as queries:
        page = page_of(as_researcher, f"/sessions/{session.pk}/panel/map/")
    assert HOSTILE not in page and "this world does not know the place" in page
    assert len(queries) < 12
    assert "find=灵隐寺#" in page


def test_only_a_tile_server_that_is_named_widens_the_content_policy() -> None:
    def policy(tiles: str) -> str:
        code = "from webapp import settings; print(settings.CONTENT_SECURITY_POLICY['DIRECTIVES']['img-src'])"
        told = subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={"CARAVAN_TILES": tiles},
            capture_output=True,
            text=True,
            check=False,
        )
        return told.stdout or told.stderr

    assert policy("") == "[\"'self'\", 'data:']\n"
    assert "https://*.tiles.example" in policy("https://{s}.tiles.example/{z}/{x}/{y}.png?key=1")
    assert "CARAVAN_TILES must begin with" in policy("tiles.example/{z}")
