"""What travellers over a model are held to: chosen on the forms, and named wherever runs are compared."""

from __future__ import annotations

import json

from django.test import Client

from tests.seating import endpoint_at
from webapp.catalogue.models import Task, World
from webapp.sessions.models import Run


def test_pages_and_files_that_compare_runs_name_it(
    as_researcher: Client, starter_tasks: list[Task], starter_world: World
) -> None:
    endpoint_at("http://127.0.0.1:9/v1", "good-user")
    given = {
        "tasks": "starter_01",
        "trials": "1",
        "seed": "0",
        "world": starter_world.name,
        "agent": "reference",
        "users": "llm",
        "user_model": "good-user",
        "protocol": "published",
        "mode": "world",
    }
    for name, contract in (("first", ""), ("second", "strict")):
        answer = as_researcher.post("/runs/new/", {**given, "name": name, "contract": contract})
        assert answer.status_code == 302, answer.content.decode()
    first, second = Run.objects.order_by("created_at")
    assert (first.options["contract"], second.options["contract"]) == ("markers", "strict")
    both = f"runs={first.pk},{second.pk}"
    page = as_researcher.get(f"/runs/compare/?{both}").content.decode()
    assert "contract markers" in page and "contract strict" in page
    rows = as_researcher.get(f"/runs/compare.csv?{both}").content.decode().splitlines()
    column = rows[0].split(",").index("contract")
    assert [row.split(",")[column] for row in rows[1:]] == ["markers", "strict"]
    report = json.loads(as_researcher.get(f"/reports/report.json?{both}").content)
    assert [row["contract"] for row in report["parts"]["runs"]["rows"]] == ["markers", "strict"]
    alone = json.loads(as_researcher.get(f"/reports/report.json?runs={first.pk}").content)
    assert "contract" not in alone["parts"]["runs"]["rows"][0]
    assert "contract strict" in as_researcher.get(second.get_absolute_url()).content.decode()
    shown = as_researcher.get(second.sessions.get().get_absolute_url()).content.decode()
    assert "contract strict" in shown


def test_without_models_in_their_seats_there_is_no_contract_to_choose_or_name(
    as_researcher: Client, starter_world: World, starter_tasks: list[Task]
) -> None:
    assert 'name="contract"' not in as_researcher.get("/runs/new/?users=scripted").content.decode()
    assert 'name="contract"' in as_researcher.get("/runs/new/?users=llm").content.decode()
    assert 'name="contract"' in as_researcher.get("/sessions/new/?users=llm").content.decode()
