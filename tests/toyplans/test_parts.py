"""What the toy has beside its plans: an option, a field of tasks, two rubrics, and cases."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from benchmark.judging import Judgement as Judged
from benchmark.judging import Rating as Rated
from benchmark.suites.base import Rating
from tests.labelling import make_study
from tests.markup import tight
from tests.model_server import model_server
from tests.seating import endpoint_at
from tests.toyplans import suite
from tests.toyplans.test_toyplans import LAKE, html_of, panel, trip_of
from tests.webapp.judging.conftest import claim_of
from webapp.catalogue.models import Task, World
from webapp.judging import selectors, services
from webapp.labelling.items import ItemRequest, boolean_metrics, candidates
from webapp.runs.services import create_run
from webapp.sessions.models import Run, Session
from webapp.sessions.services import Setup, create_session
from worker.sessions import advance
from worker.steppers.judgements import advance_judgement

pytestmark = pytest.mark.django_db
TASK = {"task_id": "trip-1", "city": "杭州市", "places": ["灵隐寺"], "budget": 100}
CASE = {"id": "one", "task_id": "trip-1", "plan": trip_of({**LAKE, "start": "08:00", "cost": 130})}


def test_the_option_is_asked_for_and_heeded_by_guest_and_rules(
    client: Client, trip: Task, starter_world: World
) -> None:
    chosen = {"task": trip.task_id, "world": starter_world.name, "seed": "0", "mode": "world"}
    assert "Hour at which the guest wakes" in html_of(client.post("/sessions/new/", {**chosen, "look": "1"}))
    client.post("/sessions/new/", {**chosen, "agent": "planner", "users": "sleeper", "wakes": "7"})
    session = Session.objects.get()
    advance(session.pk, budget_s=None, paced=False)
    session.refresh_from_db()
    assert (session.options, session.completion_reason) == ({"wakes": 7}, "agreed")
    values = session.turn_values.filter(profile="plain", key="faults").values_list("turn", "value")
    assert list(values) == [(1, 1.0)]
    assert "waking hour: 7" in html_of(client.get(session.get_absolute_url()))
    assert "Version 1 of 1" in panel(client, session, "versions")
    assert "begins at" not in panel(client, session, "plan")


def test_tasks_show_their_budget_and_are_found_by_it(client: Client, trip: Task) -> None:
    html = html_of(client.get("/tasks/?suite=toyplans&toyplans-budget-to=100"))
    assert "Budget" in html and trip.task_id in html
    assert not client.get("/tasks/?suite=toyplans&toyplans-budget-from=101").context["rows"]


@pytest.mark.parametrize(
    ("task", "words"),
    [({"task_id": "x"}, "line 1, city: .*required"), ({**TASK, "budget": "much"}, "line 1, budget: ")],
)
def test_what_is_wrong_with_a_task_is_told(tmp_path: Path, task: dict[str, Any], words: str) -> None:
    file = tmp_path / "trips.jsonl"
    file.write_text(json.dumps(task))
    with pytest.raises(CommandError, match=words):
        call_command("import_tasks", file, "--suite", "toyplans")
    assert not Task.objects.filter(suite="toyplans").exists()


@pytest.fixture
def trips(trip: Task, starter_world: World) -> Run:
    """A run whose guest sleeps longer than the planner waits, beside a session whose guest is up early."""
    late = Setup(options={"wakes": 23})
    run = create_run(name="late", tasks=[trip], world=starter_world, setup=late, start=False)
    early = create_session(task=trip, world=starter_world, setup=Setup(options={"wakes": 7}), start=False)
    for session in (*run.sessions.all(), early):
        advance(session.pk, budget_s=None, paced=False)
    return run


def test_the_table_of_sessions_has_a_metric_of_turns(client: Client, trips: Run) -> None:
    def table_rows(query: str = "") -> list[tuple[str, str]]:
        answer = client.get(f"/sessions/table.csv?columns=run,faults&{query}")
        return [
            (row["run"], row["faults"]) for row in csv.DictReader(answer.getvalue().decode().splitlines())
        ]

    assert ">Faults</a>" in html_of(client.get("/sessions/?columns=faults"))
    assert table_rows("order=faults") == [("", "1.0"), ("late", "4.0")]  # fewer are better
    assert table_rows("order=-faults") == [("late", "4.0"), ("", "1.0")]
    assert table_rows("of=faults&low=2") == [("late", "4.0")]
    assert table_rows("of=faults&high=1") == [("", "1.0")]


def test_a_report_has_a_metric_of_turns(client: Client, trips: Run) -> None:
    page = html_of(client.get(f"/reports/?runs={trips.pk}"))
    assert 'title="faults">Faults</th>' in page
    (row,) = csv.DictReader(
        client.get(f"/reports/main_results.csv?runs={trips.pk}").content.decode().splitlines()
    )
    assert row["faults"] == "4.0"


def test_items_can_be_required_to_have_a_flag_of_turns(trips: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    flag = replace(suite.FAULTS, unit="flag", better="high")
    scoring = replace(suite.SUITE.scoring, metrics=(flag,))
    monkeypatch.setattr(suite, "SUITE", replace(suite.SUITE, scoring=scoring, rating=Rating()))
    assert boolean_metrics("toyplans") == [flag]
    study, session = make_study("pointwise", suite="toyplans"), trips.sessions.get()
    wanted = ItemRequest([trips], size=1, require=["faults"])
    assert candidates(study, wanted) == [session]
    session.values.filter(key="faults").update(value=0)
    assert candidates(study, wanted) == []


def test_each_rubric_gives_a_metric_of_its_own(client: Client, play: Any) -> None:
    session = play()
    for rubric, rating in (("", 5), ("variety", 0)):
        judge = endpoint_at("http://127.0.0.1:9", f"judge-{rubric}")
        batch = services.start_batch(sessions=[session], judge=judge, rubric=rubric, calibrated=False)
        said = Judged("…", {batch.criteria.names[0]: Rated(rating)}, complete=True)
        (row,) = batch.judgements.all()
        services.store_judged(claimed=claim_of(row), judged=said, prompts="1/x", key="", calls=())
    rated = session.values.exclude(rater="").order_by("key").values_list("key", "value")
    assert list(rated) == [("calm", 5.0), ("variety", 0.0)]
    html = tight(client.get(f"/sessions/{session.pk}/?tab=judge").content.decode())
    assert "calm" in html and "variety" in html


def test_the_judge_of_the_model_server_rates_what_a_rubric_of_its_own_names(play: Any) -> None:
    session = play()
    with model_server() as server:
        judge = endpoint_at(server.url, "good-judge")
        for rubric in ("", "variety"):
            batch = services.start_batch(sessions=[session], judge=judge, rubric=rubric)
            while due := selectors.due_in(batch):
                assert advance_judgement(due[0])
    rated = session.values.exclude(rater="").order_by("key").values_list("key", "value")
    assert list(rated) == [("calm", 3.0), ("variety", 3.0)]


def score(tmp_path: Path, case: dict[str, Any], *words: str) -> list[dict[str, Any]]:
    tasks, cases, out = (tmp_path / name for name in ("tasks.jsonl", "cases.jsonl", "out.jsonl"))
    tasks.write_text(json.dumps(TASK))
    cases.write_text(json.dumps(case))
    call_command("score-suite", "toyplans", cases, "--out", out, "--tasks", tasks, *words)
    return [json.loads(line) for line in out.read_text().splitlines()]


def test_a_case_is_scored_by_the_rules_of_a_profile_and_the_option(tmp_path: Path) -> None:
    figures = {"id": "one", "cost": 130.0}
    assert score(tmp_path, CASE, "--profile", "plain") == [{**figures, "faults": 2}]
    assert score(tmp_path, CASE, "--profile", "strict") == [{**figures, "faults": 3}]
    assert score(tmp_path, CASE, "--profile", "plain", "--option", "wakes=8") == [{**figures, "faults": 1}]
    with pytest.raises(CommandError, match="plan"):
        score(tmp_path, {"id": "one", "task_id": "trip-1"}, "--profile", "plain")
