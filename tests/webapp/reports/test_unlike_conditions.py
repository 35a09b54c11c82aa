"""What becomes of the figures of runs under unlike conditions."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client

from tests.webapp.reports.test_report_pages import page_of, words
from tests.webapp.runs.conftest import end
from webapp.endpoints.models import ModelEndpoint
from webapp.reports.folding import catch_up
from webapp.reports.leaderboard import conditions_in_words
from webapp.runs.conditions import unlike_conditions
from webapp.sessions.models import Run

pytestmark = [pytest.mark.django_db]
MakeRun = Callable[..., Run]


@pytest.fixture
def two(make_run: MakeRun) -> list[Run]:
    """Two runs over three tasks, alike but for their agents."""
    model = ModelEndpoint.objects.create(
        name="strong", base_url="http://127.0.0.1:9/v1", model="some/model", temperature=0.3
    )
    runs = [make_run(name="one"), make_run(name="two", agent="llm", agent_model=model)]
    _end(runs)
    return runs


def _end(runs: list[Run]) -> None:
    for add, run in enumerate(runs):
        for number, session in enumerate(run.sessions.order_by("task__position")):
            end(session, gu=float(number + add))
    catch_up(runs)


def address(runs: list[Run]) -> str:
    return ",".join(run.pk for run in runs)


def section(page: str, part: str) -> str:
    return words(page.split(f'id="{part}"')[1].split("</section>")[0])


def test_agents_may_differ_and_are_tested(as_researcher: Client, two: list[Run]) -> None:
    assert unlike_conditions(two)[two[1].pk] == []
    told = section(page_of(as_researcher, f"/reports/?runs={address(two)}"), "differences")
    assert "permutation test" in told and "without intervals and tests" not in told


@pytest.fixture
def unlike_runs(make_run: MakeRun) -> list[Run]:
    """Two runs of one agent under two protocols."""
    runs = [make_run(name="one"), make_run(name="two", options={"protocol": "paper"})]
    _end(runs)
    return runs


def test_runs_under_unlike_conditions_are_not_tested_against_one_another(
    as_researcher: Client, unlike_runs: list[Run]
) -> None:
    assert unlike_conditions(unlike_runs)[unlike_runs[1].pk] == ["protocol"]
    named = address(unlike_runs)
    told = section(page_of(as_researcher, f"/reports/?runs={named}"), "differences")
    assert "two was run under other conditions than one (protocol)" in told and "permutation" not in told
    rows = list(csv.DictReader(StringIO(page_of(as_researcher, f"/reports/differences.csv?runs={named}"))))
    utility = next(row for row in rows if row["figure"] == "gu")
    assert utility["difference"] == "1.0" and not utility["p"] and not utility["effect"]
    compared = words(page_of(as_researcher, f"/runs/compare/?runs={named}"))
    assert "two was run under other conditions than one (protocol)" in compared


def test_the_leaderboard_ranks_no_two_protocols_together(unlike_runs: list[Run]) -> None:
    told = conditions_in_words(unlike_runs)
    assert len(set(told.values())) == 2 and told[unlike_runs[1].pk].endswith("paper")


def test_published_results_stand_beside_own_runs_where_they_are_asked_for(
    as_researcher: Client, two: list[Run], tmp_path: Path
) -> None:
    named = address(two)
    plain = page_of(as_researcher, f"/reports/?runs={named}")
    assert "DeepSeek-V4-Pro" not in plain and "published=yes" in plain
    page = page_of(as_researcher, f"/reports/?runs={named}&published=yes")
    told = section(page, "main_results")
    assert "Published: GroupTravelBench" in told and "10.47" in told and "<b>10.47</b>" in page
    beside = words(page.split('id="conditions-beside"')[1].split("</table>")[0])
    assert "tasks 650 3" in beside and "trials per task 3 1" in beside
    assert "the paper's own" in beside and "DeepSeek-V4-Flash" in beside
    document = json.loads(page_of(as_researcher, f"/reports/report.json?runs={named}&published=yes"))
    [like] = document["parts"]["main_results"]["published"]
    assert like["table"] == "Table 1" and len(like["rows"]) == 9
    out = tmp_path / "report.md"
    call_command("report", *(run.pk for run in two), "--published", "--out", str(out), stdout=StringIO())
    assert "**10.47**" in out.read_text()
