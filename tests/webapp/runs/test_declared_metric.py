"""A metric that a suite declares shows everywhere: nothing here but its declaration."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from dataclasses import replace
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client

from benchmark.metrics import Metric
from benchmark.suites import FIRST, SUITES, suite_named
from tests.webapp.runs.conftest import end
from webapp.catalogue.models import Task, World
from webapp.sessions.models import Run, Session

TOTAL = Metric(
    key="total",
    label="ZT",
    name="total of zest",
    help="what all travellers gain together",
    meaning="total of zest: what all travellers gain together; in points.",
    digits=1,
    read=lambda figures: figures["gu_total"],
)
PEAK = Metric(
    key="peak",
    label="ZP",
    name="highest zest of any session",
    digits=1,
    scope="run",
    of_run=lambda trials: max((trial.values.get("total") or 0.0 for trial in trials), default=None),
)


@pytest.fixture(autouse=True)
def declared(monkeypatch: pytest.MonkeyPatch) -> None:
    suite = suite_named(FIRST)
    more = replace(suite, metrics=(*suite.metrics, TOTAL, PEAK))
    monkeypatch.setitem(SUITES, FIRST, lambda: more)


@pytest.fixture
def runs(make_run: Callable[..., Run]) -> list[Run]:
    """Two tasks each, with totals of 3 and 5, and of 7 and 8.5."""
    made = []
    for name, totals in (("first", (3.0, 5.0)), ("second", (7.0, 8.5))):
        run = make_run(tasks=2, name=name)
        for session, total in zip(run.sessions.order_by("task__position"), totals, strict=True):
            end(session, total=total)
        made.append(run)
    return made


def words(client: Client, address: str) -> str:
    page = client.get(address)
    assert page.status_code == 200
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page.content.decode()))


def lines(client: Client, address: str) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(client.get(address).content.decode())))


def test_on_the_page_of_a_session(as_researcher: Client, declared: None, eventful: Session) -> None:
    score = eventful.scores.get(profile="published")
    total = f"{score.figures['gu_total']:.1f}".replace("-", "−")
    assert f" {total} total of zest " in words(as_researcher, f"/sessions/{eventful.pk}/head/")
    panel = words(as_researcher, f"/sessions/{eventful.pk}/panel/scores/")
    assert re.search(rf"total of zest what all travellers gain together {total} ", panel)
    assert "highest zest" not in panel


def test_in_the_list_of_sessions_and_its_order(as_researcher: Client, runs: list[Run]) -> None:
    listed = words(as_researcher, "/sessions/?order=-total")
    assert "PV ZT started" in listed and "ZT, best first" in listed
    shown = [float(total) for total in re.findall(r" valid (\d\.\d) ", listed)]
    assert shown == [3.0, 5.0, 7.0, 8.5]
    page = as_researcher.get("/sessions/?order=total")
    last = runs[1].sessions.order_by("task__position").last()
    assert page.context["page"][0] == last


def test_on_the_pages_of_runs(as_researcher: Client, runs: list[Run]) -> None:
    page = words(as_researcher, f"/runs/{runs[0].pk}/")
    assert "PV % S ZT ZP plans %" in page and re.search(r"all 2 0 50\.0 4\.00 60\.0 100\.0 – 4\.0 5\.0", page)
    assert re.search(r"PV % ZT .* first .* 4\.0 ", words(as_researcher, "/runs/"))


def test_side_by_side_and_in_files(as_researcher: Client, runs: list[Run]) -> None:
    both = ",".join(run.pk for run in runs)
    page = words(as_researcher, f"/runs/compare/?runs={both}")
    assert "S ZT ZP plans %" in page and "7.8 +3.8 8.5 +3.5" in page
    first, second = lines(as_researcher, f"/runs/compare.csv?runs={both}")
    assert (first["total"], second["total"], second["total_change"]) == ("4.0", "7.75", "3.75")
    assert (first["peak"], second["peak_change"]) == ("5.0", "3.5")
    assert [row["total"] for row in lines(as_researcher, f"/runs/{runs[0].pk}/sessions.csv")] == [
        "3.0",
        "5.0",
    ]


def test_in_the_report(as_researcher: Client, runs: list[Run]) -> None:
    both = ",".join(run.pk for run in runs)
    page = words(as_researcher, f"/reports/?runs={both}")
    assert "judge ZT ZP Other" in page
    assert TOTAL.meaning in page and "ZT, total of zest" in page
    table = lines(as_researcher, f"/reports/main_results.csv?runs={both}")
    assert [(row["total"], row["peak"]) for row in table if row["difficulty"] == "all"] == [
        ("4.0", "5.0"),
        ("7.75", "8.5"),
    ]
    report = StringIO()
    call_command("report", *(run.pk for run in runs), "--format", "json", stdout=report, stderr=StringIO())
    told = json.loads(report.getvalue())
    rows = told["parts"]["main_results"]["rows"]
    assert {row["run"]: row["total"]["value"] for row in rows if row["difficulty"] == "all"} == {
        "first": 4.0,
        "second": 7.75,
    }
    assert told["figures"]["total"] == TOTAL.meaning


@pytest.mark.django_db(transaction=True)
def test_on_the_command_line(starter_world: World, starter_tasks: list[Task]) -> None:
    out = StringIO()
    call_command("run_session", "starter_01", stdout=out, stderr=StringIO())
    session = Session.objects.get()
    total = session.values.get(profile="published", key="total").value
    assert f", ZT {total:.1f}\n" in out.getvalue().replace("−", "-")
