"""A benchmark that brings no word for it has reports of its runs, with its own metrics, in each format."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from benchmark.reports import Mean, Reporting
from tests.markup import tight
from tests.model_server import model_server
from tests.seating import endpoint_at
from tests.toysuite.suite import SUITE
from tests.toysuite.test_pages import page_of
from tests.toysuite.test_tables import rows_of, run_of
from webapp.catalogue.models import Task, World
from webapp.judging import selectors, services
from webapp.runs.services import create_run
from webapp.sessions.models import Run, Session
from webapp.sessions.services import Setup
from worker.steppers.judgements import advance_judgement

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.storage]


@pytest.fixture
def runs(session: Session) -> list[Run]:
    """Two runs; a judge has rated the games of the first."""
    found = [run_of(session, name) for name in ("one", "two")]
    with model_server() as server:
        judge = endpoint_at(server.url, "good-judge")
        batch = services.start_batch(sessions=[*found[0].sessions.all()], judge=judge)
        while due := selectors.due_in(batch):
            assert advance_judgement(due[0])
    return found


def json_of(client: Client, runs: list[Run]) -> dict[str, object]:
    found: dict[str, object] = json.loads(
        page_of(client, f"/reports/report.json?runs={','.join(run.pk for run in runs)}")
    )
    return found


def test_a_report_has_the_metrics_of_the_benchmark(client: Client, runs: list[Run]) -> None:
    query = f"?runs={runs[0].pk},{runs[1].pk}"
    page = page_of(client, f"/reports/{query}")
    for head in ('title="questions asked">', 'title="manners">', 'title="fewest questions">'):
        assert head in tight(page)
    for words in ("Main results", "number_found", "politeness", "Differences to the first run"):
        assert words in page
    for foreign in ("GU", "Other", "GroupTravelBench", "Compromises", "Table 1"):
        assert foreign not in page
    told = json_of(client, runs)
    assert (told["profile"], told["code_version"]) == ("plain", "1")
    first, second = told["parts"]["main_results"]["rows"]  # type: ignore[index]
    assert (first["questions"]["value"], first["best"], first["judge"]["value"]) == (3.0, 3.0, 80.0)
    assert (second["judge"]["value"], second["judged"]) == (None, 0)
    [rated] = told["parts"]["judge_dimensions"]["rows"]  # type: ignore[index]
    assert (rated["dimension"], rated["score"]["value"]) == ("interaction_quality", 80.0)
    assert "| run | difficulty | tasks | Questions | Manners | Wit | Worth | Best |" in page_of(
        client, f"/reports/report.md{query}"
    )
    assert client.get(f"/reports/main_results.csv{query}").status_code == 200
    assert client.get(f"/reports/group_size.csv{query}").status_code == 404


def test_the_judges_score_stands_in_the_tables_of_runs(client: Client, runs: list[Run]) -> None:
    page = tight(page_of(client, runs[0].get_absolute_url()))
    assert "80.0" in page and 'title="manners">Manners</th>' in page
    rows = rows_of(client, f"/runs/compare.csv?runs={runs[0].pk},{runs[1].pk}")
    assert [row["judge"] for row in rows] == ["80.0", ""]


def test_a_benchmark_says_what_else_its_reports_hold(
    client: Client, runs: list[Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    reporting = Reporting(means=(Mean("both", ("questions", "judge")),), counted_event="number_dealt")
    monkeypatch.setattr("tests.toysuite.suite.SUITE", replace(SUITE, reporting=lambda: reporting))
    [row, _] = json_of(client, runs)["parts"]["main_results"]["rows"]  # type: ignore[index]
    assert row["both"]["value"] == (3.0 + 80.0) / 2


@pytest.mark.usefixtures("starter_tasks")
def test_a_report_is_of_one_benchmark(
    client: Client, session: Session, starter_world: World, tmp_path: Path
) -> None:
    game, tasks = run_of(session, "games"), [Task.objects.get(task_id="starter_01")]
    trip = create_run(name="trips", tasks=tasks, world=starter_world, setup=Setup(), start=False)
    query = f"?runs={game.pk},{trip.pk}"
    assert "A report covers runs of one benchmark; left out: trips." in page_of(client, f"/reports/{query}")
    assert client.get(f"/reports/report.csv{query}").status_code == 404
    with pytest.raises(CommandError, match=r"several benchmarks \(grouptravel, toy\)"):
        call_command("report", game.pk, trip.pk, "--out", tmp_path / "report.md")
    with pytest.raises(CommandError, match="there is no profile paper; toy has plain"):
        call_command("report", game.pk, "--profile", "paper")
    assert not list(tmp_path.glob("report*"))
