"""TravelEval's reports as pages and files show them, over sessions that nobody played."""

from __future__ import annotations

import csv
import io

import pytest
from django.core.management import call_command
from django.test import Client

from benchmark.suites.traveleval.report import REPORTING
from benchmark.suites.traveleval.report.failures import FAILURE_WORDS
from benchmark.suites.traveleval.report.means import FIGURES
from benchmark.suites.traveleval.scoring.failures import FAILURES as KINDS
from benchmark.suites.traveleval.tasks import STARTER
from benchmark.suites.traveleval.world import tables_of
from tests.markup import text
from tests.scores import store_score
from webapp.accounts.models import Role, User
from webapp.catalogue.models import Task, TaskCollection, World
from webapp.catalogue.packs import pack_of
from webapp.reports.folding import catch_up
from webapp.runs.services import create_run
from webapp.sessions.models import Run, Session, Status
from webapp.sessions.services import Setup
from webapp.tables.entries import refresh


@pytest.fixture
def client(db: None) -> Client:
    client = Client()
    client.force_login(User.objects.create_user("researcher", role=Role.RESEARCHER))
    return client


@pytest.fixture
def runs(starter_world: World) -> list[Run]:
    """Both baselines over three queries, one without a plan, and a third run."""
    call_command("import_tasks", *STARTER, "--suite", "traveleval", "--world", "starter")
    tasks = list(Task.objects.filter(suite="traveleval").order_by("position")[:3])
    return [_ended_run(tasks, starter_world, agent, 0.1 * nth) for nth, agent in enumerate(AGENTS, 1)]


AGENTS = ("baseline_a", "baseline_b", "baseline_b")


def _ended_run(tasks: list[Task], world: World, agent: str, share: float) -> Run:
    run = create_run(
        name=f"run {share:.1f}", tasks=tasks, world=world, setup=Setup(agent=agent), trials=1, start=False
    )
    for nth, session in enumerate(run.sessions.order_by("task__position")):
        _end(session, share * (nth + 1), planned=nth > 0)
    catch_up([run])
    return run


def _end(session: Session, share: float, *, planned: bool) -> None:
    reason = "planned" if planned else "no_plan"
    Session.objects.filter(pk=session.pk).update(
        status=Status.FINISHED, completion_reason=reason, plan_generated=planned
    )
    values = {key: share for key in FIGURES if key != "frtc"} if planned else {}
    costs = {"cost_meals": 100.0, "cost_accommodation": 300.0} if planned else {}
    failures = {"failures": {"omitted_days": 1}} if planned else {}
    store_score(session, figures=failures, **values, **costs, str_no_queue=share if planned else None)
    store_score(session, profile="paper", **{**values, "far": 0.0 if planned else None})


def address(runs: list[Run], path: str = "", **more: str) -> str:
    query = "&".join(f"{key}={value}" for key, value in more.items())
    return f"/reports/{path}?runs={','.join(run.pk for run in runs)}&{query}"


def test_every_part_is_shown_with_its_charts_and_the_paper_s_rows(client: Client, runs: list[Run]) -> None:
    response = client.get(address(runs, published="yes"))
    assert response.status_code == 200
    page = text(response)
    for part in REPORTING.parts:
        assert part.words.title in page, part.name
    assert "2 of 3" in page and "the profile paper" in page and "Table B4" in page
    assert page.count("Published:") >= 9
    html = response.content.decode()
    for name in (
        "dimension_radars-0",
        "cost_composition-0",
        "correlations",
        "plan_correlations",
        "within_budget",
    ):
        assert f'data-chart="{name}-json"' in html, name


def test_means_and_how_many_plans_they_are_of_are_columns_of_files(client: Client, runs: list[Run]) -> None:
    lines = list(csv.DictReader(io.StringIO(client.get(address(runs, "approaches.csv")).content.decode())))
    assert (float(lines[0]["bcs"]), lines[0]["bcs_n"], lines[0]["bcs_of"]) == (pytest.approx(25.0), "2", "3")
    document = client.get(address(runs, "report.json")).json()
    assert document["parts"]["approaches"]["rows"][0]["bcs"] == {
        "value": pytest.approx(25.0),
        "n": 2,
        "of": 3,
    }
    whole = client.get(address(runs, "report.csv")).content.decode()
    assert "approaches,Table 2,1,bcs_n,2" in whole


def test_gaps_of_a_baseline_name_what_closes_them(client: Client, runs: list[Run]) -> None:
    lines = list(csv.DictReader(io.StringIO(client.get(address(runs, "gaps.csv")).content.decode())))
    [far] = [line for line in lines if line["run"] == "run 0.1" and line["figure"] == "far"]
    assert (far["switch"], float(far["switched"])) == ("profile_paper", 0.0)


def test_sessions_are_found_by_how_their_plans_fail(client: Client, runs: list[Run]) -> None:
    sessions = list(Session.objects.filter(run=runs[0]))
    refresh([session.pk for session in sessions])
    page = text(client.get("/sessions/?issue=omitted_days"))
    for session in sessions:
        assert (session.pk in page) is session.plan_generated
    assert FAILURE_WORDS.keys() == KINDS.keys()


def test_the_world_of_queries_stands_beside_the_paper_s_sandbox(client: Client, runs: list[Run]) -> None:
    tables = tables_of(pack_of(World.objects.get(name="starter")))
    collection = Task.objects.filter(suite="traveleval")[0].collection.name
    content = client.get(f"/tasks/statistics.csv?collection={collection}").content.decode()
    lines = csv.DictReader(io.StringIO(content))
    rows: dict[str, dict[str, str]] = {}
    for line in lines:
        if line["counterpart"] == "Table A4":
            rows.setdefault(line["row"], {})[line["column"]] = line["value"]
    by_table = {row["table"]: row for row in rows.values()}
    hotels = sum(len(city.hotels) for city in tables.cities.values())
    assert (
        by_table["accommodations"]["entries"] == str(hotels) and by_table["accommodations"]["paper"] == "4976"
    )
    page = f"/tasks/statistics?collection={collection}"
    assert "points of interest, each name once" in text(client.get(page))
    TaskCollection.objects.update(world=None)
    assert "points of interest, each name once" in text(client.get(page))
