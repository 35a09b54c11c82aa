"""TripScore's reports as pages and files show them, over sessions that nobody played."""

from __future__ import annotations

import csv
import io
import json
from itertools import islice
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client

from benchmark.suites.tripscore.metrics import CONSTRAINTS, FORMAT, SOFT
from benchmark.suites.tripscore.report import REPORTING
from benchmark.suites.tripscore.tasks import STARTER
from tests.labelling import add_item, make_study, vote
from tests.markup import text
from tests.scores import store_score
from webapp.accounts.models import Role, User
from webapp.catalogue.models import Task, World
from webapp.reports.folding import catch_up
from webapp.runs.services import create_run
from webapp.sessions.models import Run, Session, Status
from webapp.sessions.services import Setup

REWARDS = {"one": (2.9, 2.6, -3.0), "two": (2.2, 2.7, 0.0)}


@pytest.fixture
def client(db: None) -> Client:
    client = Client()
    client.force_login(User.objects.create_user("researcher", role=Role.RESEARCHER))
    return client


@pytest.fixture
def runs(starter_world: World, tmp_path: Path) -> list[Run]:
    """Two runs over two synthetic queries and one in a person's words."""
    with STARTER[0].open() as file:
        queries = [json.loads(line) for line in islice(file, 3)]
    for number, query in enumerate(queries):
        query["id"] = f"report-{number}"
    queries[2]["query"] |= {
        "type": "real",
        "user_request": "I want to see as much of the lake as three days allow.",
    }
    (tmp_path / "trips.jsonl").write_text("\n".join(map(json.dumps, queries)))
    call_command("import_tasks", tmp_path / "trips.jsonl", "--suite", "tripscore")
    tasks = list(Task.objects.filter(task_id__startswith="report-").order_by("position"))
    return [_ended_run(tasks, starter_world, name) for name in REWARDS]


def _ended_run(tasks: list[Task], world: World, name: str) -> Run:
    run = create_run(name=name, tasks=tasks, world=world, setup=Setup(agent="planner"), trials=1, start=False)
    for task, reward in zip(tasks, REWARDS[name], strict=True):
        session = run.sessions.get(task=task)
        Session.objects.filter(pk=session.pk).update(
            status=Status.FINISHED, completion_reason="planned", plan_generated=True
        )
        feasible, delivered = reward > 0, reward > -3
        kept = {key: float(delivered) for key in (*CONSTRAINTS[FORMAT], "delivered")}
        soft = dict.fromkeys(CONSTRAINTS[SOFT], reward - 2) if feasible else {}
        rest = {"feasible": float(feasible)} if delivered else {}
        store_score(session, reward=reward, cond_reward=reward if feasible else None, **kept, **soft, **rest)
    catch_up([run])
    return run


def address(runs: list[Run], path: str = "", **more: str) -> str:
    query = "&".join(f"{key}={value}" for key, value in more.items())
    return f"/reports/{path}?runs={','.join(run.pk for run in runs)}&{query}"


def test_every_part_is_shown_with_its_charts_and_the_paper_s_rows(client: Client, runs: list[Run]) -> None:
    response = client.get(address(runs, published="yes"))
    assert response.status_code == 200
    page = text(response)
    for part in REPORTING.parts:
        assert part.words.title in page, part.name
    assert "Table 6" in page and "3.1 at most" in page and page.count("Published:") >= 3
    for run in runs:
        session = run.sessions.order_by("task__position")[0]
        assert f'<a href="{session.get_absolute_url()}">{session.pk}</a>' in page
    for name in ("top_errors-0", "by_duration-0"):
        assert f'data-chart="{name}-json"' in response.content.decode(), name


def test_results_and_how_many_they_are_of_are_columns_of_files(client: Client, runs: list[Run]) -> None:
    lines = list(csv.DictReader(io.StringIO(client.get(address(runs, "methods.csv")).content.decode())))
    told = {(line["type"], line["run"]): line for line in lines}
    assert float(told["synthetic", "one"]["reward"]) == pytest.approx(2.75)
    real = told["real", "two"]
    assert (real["reward_by"], real["highest"], real["feasible_n"], real["cond_reward_n"]) == (
        "rules",
        "3.0",
        "1",
        "0",
    )


def test_the_agreement_of_a_study_of_these_runs_stands_in_the_report(client: Client, runs: list[Run]) -> None:
    study = make_study(suite="tripscore")
    for task in Task.objects.filter(pk__in=runs[0].sessions.values("task")).order_by("position"):
        add_item(study, task, *(run.sessions.get(task=task) for run in runs))
    vote(study, {1: "LLL", 2: "LLL", 3: "RRR"})
    lines = list(
        csv.DictReader(io.StringIO(client.get(address(runs, "pair_agreement.csv")).content.decode()))
    )
    assert [(line["way"], line["ties_in_n"], line["ties_in_of"]) for line in lines] == [("metric", "3", "3")]
    assert float(lines[0]["ties_in"]) == pytest.approx(200 / 3)
    study.pilot = True
    study.save()
    assert "No study has pairs" in text(client.get(address(runs)))


def test_statistics_of_tasks_stand_beside_the_paper_s(client: Client, runs: list[Run]) -> None:
    collection = runs[0].sessions.all()[0].task.collection.name
    page = text(client.get(f"/tasks/statistics?collection={collection}"))
    assert "Table 4" in page and "9,376" in page
