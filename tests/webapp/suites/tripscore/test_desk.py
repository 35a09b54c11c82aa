"""A person in the agent's seat of a TripScore session: the data at the desk, and a plan made of them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from benchmark.core.participant import PERSON
from benchmark.core.view import AGENT
from benchmark.suites.tripscore.scoring.parameters import DEFAULTS
from benchmark.suites.tripscore.scoring.reward import score_plan
from benchmark.suites.tripscore.tasks import Task as OwnTask
from tests.markup import text, tight
from tests.people import Sitter, with_people
from tests.scale.tripscore import REFERENCE, case, plan
from webapp.catalogue.models import Task, World
from webapp.runs.figures import shared_metrics
from webapp.seats.models import InboxMessage, Seat
from webapp.tables.entries import refresh
from worker.sessions import advance

pytestmark = pytest.mark.django_db
TRIP: dict[str, Any] = {"id": "desk", "query": case()["query"], "reference": REFERENCE}


@pytest.fixture
def sitter(tmp_path: Path, starter_world: World) -> Sitter:
    """At their one turn."""
    (tmp_path / "trips.jsonl").write_text(json.dumps(TRIP))
    call_command("import_tasks", tmp_path / "trips.jsonl", "--suite", "tripscore")
    session = with_people(Task.objects.get(task_id="desk"), starter_world, agent=PERSON)
    sitter = Sitter(Seat.objects.get(session=session, name=AGENT)).come()
    advance(session.pk, budget_s=None, paced=False)
    return sitter


def look(sitter: Sitter, **asked: str) -> str:
    return text(sitter.client.get(f"{sitter.path}desk/data/", asked))


def things(page: str) -> list[str]:
    return re.findall(r'name="add" value="([^"]+)"', page)


def write(sitter: Sitter, raw: Any = "", **given: str) -> str:
    words = raw if isinstance(raw, str) else json.dumps(raw)
    sent = {"client_id": next(sitter.ids), "raw": words, **given}
    return tight(sitter.client.post(f"{sitter.path}desk/plan/", sent).content.decode())


def test_all_data_of_each_list_are_at_the_desk(sitter: Sitter) -> None:
    for kind, key in (("poi", "attractions"), ("hotel", "hotels"), ("transportation", "transportation")):
        page = look(sitter, list=kind)
        assert things(page) == [f"{kind}:{thing['id']}" for thing in REFERENCE[key]]
        assert all(thing["name"] in page for thing in REFERENCE[key])
    sight = REFERENCE["attractions"][0]
    assert f"**[{sight['name']}]({sight['id']})**" in look(sitter)


def test_data_are_found_by_city_day_and_words(sitter: Sitter) -> None:
    assert things(look(sitter, list="hotel", city="Elm")) == ["hotel:h1", "hotel:h2"]
    assert things(look(sitter, list="hotel", q="INN elm")) == ["hotel:h1"]
    on_fourth = [f"transportation:{leg}" for leg in "359"]  # 5 has no times
    assert things(look(sitter, list="transportation", day="4")) == on_fourth
    assert "0 found." in look(sitter, q="nowhere") and things(look(sitter, list="?", day="x", q="  ")) != []


def test_a_desk_without_tools_speaks_of_none(sitter: Sitter) -> None:
    page = text(sitter.client.get(sitter.path))
    assert "Post the plan from its tab: that ends the session." in page
    assert "tools" not in page and 'id="say"' not in page
    sitter.client.post(f"{sitter.path}say/", {"client_id": "a", "content": "Hello"})
    assert not InboxMessage.objects.exists()


def test_a_plan_of_nothing_but_clicks_has_things_at_their_places(sitter: Sitter) -> None:
    for thing in [*things(look(sitter, list="transportation")), *things(look(sitter, list="hotel"))]:
        write(sitter, sitter.guest.plan_draft or "", add=thing, day="1", period="Morning")
    page = write(sitter, sitter.guest.plan_draft, add=things(look(sitter))[0], day="1", period="Evening")
    assert 'id="plan-added"' in page and "stands on day 1, Evening" in page
    days = [day["scheduleDetail"] for day in sitter.guest.plan_draft["dayInfos"]]
    placed = [[[item["id"] for item in detail["detailList"]] for detail in day] for day in days]
    assert placed == [
        [["1", "5", "7", "8"], ["4"], ["s1"], ["h1", "h2", "h3"]],
        [],
        [["2"], ["6"]],
        [["9"], ["3"]],
    ]
    told = score_plan(
        {**sitter.guest.plan_draft, "itineraryName": "a", "recommendReason": "b"},
        OwnTask.model_validate(TRIP),
        DEFAULTS,
        {},
    )
    assert {mark.key for found in told.marks.values() for mark in found} <= {"no_list"}


def test_what_can_not_be_added_leaves_the_draft(sitter: Sitter) -> None:
    for raw, given, told in (
        ("", {"add": "poi:nowhere"}, "The data has no such thing."),
        ("", {"add": "x"}, "The data has no such thing."),
        ("", {"day": "99"}, "The journey has no such day or period."),
        ("", {"period": "Noon"}, "The journey has no such day or period."),
        ("{", {}, "This is not a JSON object"),
        ('{"dayInfos": 7}', {}, "dayInfos is no list."),
        ('{"dayInfos": [7]}', {}, "dayInfos[0] is no object."),
    ):
        page = write(sitter, raw, **{"add": "poi:s1", "day": "1", "period": "Morning", **given})
        assert told in page.split('id="plan-added"')[1] and sitter.guest.plan_draft is None
    odd = {"dayInfos": [{"scheduleDetail": [7, {"period": []}, {"period": "Morning", "detailList": 7}]}]}
    assert "stands on day 1" in write(sitter, odd, add="poi:s1", day="1", period="Morning")
    page = write(sitter, sitter.guest.plan_draft, add="poi:s1", day="1", period="Morning")
    assert "It stands there already." in page


def test_the_seats_page_of_an_agent_alone_counts_no_travellers(sitter: Sitter, as_researcher: Client) -> None:
    page = text(as_researcher.get(f"/sessions/{sitter.seat.session_id}/seats/"))
    assert "Here only the agent has a seat" in page
    assert "0 of 0" not in page and "No traveller" not in page


def test_nothing_counts_tools_where_there_are_none(sitter: Sitter, as_researcher: Client) -> None:
    session = sitter.seat.session
    address = session.get_absolute_url()
    assert "tool" not in text(as_researcher.get(f"{address}head/")).replace("tool_returned", "")
    page = text(as_researcher.get(address))
    assert 'value="tool"' not in page and "Tool error" not in page
    assert "Query desk: Elm → Port, 4 days" in page
    assert [metric.key for metric in shared_metrics("tripscore")] == ["plans"]
    refresh([session.pk])
    listed = as_researcher.get("/sessions/", {"columns": "tool_calls,tool_errors,task", "suite": "tripscore"})
    assert re.search(r'<td class="n">–</td>\s*<td class="n">–</td>', listed.content.decode())


def test_a_draft_is_checked_with_day_period_and_item(sitter: Sitter) -> None:
    whole = plan()
    detail = whole["dayInfos"][0]["scheduleDetail"][0]
    detail["description"], detail["detailList"][0]["type"] = " ", "museum"
    name = detail["detailList"][0]["name"]
    page = write(sitter, whole)
    assert "2 things are wrong" in page
    assert "“museum” is no type" in page and f"day 1, {detail['period']}" in page and name in page
    assert "A check finds nothing wrong." in write(sitter, plan())
    write(sitter, plan(), do="post", words="Here.")
    assert InboxMessage.objects.get().content.startswith("Here.")


def test_a_plan_of_five_megabytes_is_refused_and_the_draft_stays(sitter: Sitter) -> None:
    write(sitter, plan())
    page = write(sitter, json.dumps({**plan(), "more": "x" * 5_000_000}), do="post")
    assert "This is too long or too deeply nested for a plan." in page
    assert sitter.guest.plan_draft == plan() and not InboxMessage.objects.exists()


def test_rules_are_told_with_the_figures_of_the_run(sitter: Sitter, starter_world: World) -> None:
    assert "open for 60 minutes" in look(sitter) and "4-10 h of visits" in look(sitter)
    options = {"min_visit_min": 15.0, "density_full": "3-9", "hotel_last": False}
    session = with_people(sitter.seat.session.task, starter_world, agent=PERSON, options=options)
    other = Sitter(Seat.objects.get(session=session, name=AGENT)).come()
    assert "open for 15 minutes" in look(other) and "3-9 h of visits" in look(other)
    assert "It ends its day." in look(sitter) and "It ends its day." not in look(other)


def test_an_id_that_is_there_twice_is_told_by_its_key(tmp_path: Path, db: None) -> None:
    (tmp_path / "twice.jsonl").write_text(f"{json.dumps(TRIP)}\r\n{json.dumps(TRIP)}\r\n")
    with pytest.raises(CommandError, match="line 2, id: 'desk' stands on line 1 already"):
        call_command("import_tasks", tmp_path / "twice.jsonl", "--suite", "tripscore")
    assert not Task.objects.filter(task_id="desk").exists()
