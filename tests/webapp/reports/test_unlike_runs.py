"""Reports of runs over other tasks in every format, and of groups with young children."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from io import StringIO

import pytest
from django.test import Client

from tests.webapp.reports.test_report_pages import charts, page_of, words
from tests.webapp.runs.conftest import end
from webapp.reports.folding import catch_up
from webapp.reports.selectors import report_of
from webapp.sessions.models import Run

pytestmark = [pytest.mark.django_db]
SHARED_NOTE = "Over the 2 tasks that all these runs have."
LEFT_OUT_NOTES = ("Left out: 1 task of one that", "Left out: 2 tasks of two that")


@pytest.fixture
def unlike(make_run: Callable[..., Run]) -> str:
    """Tasks 1 to 3 and 2 to 5, as an address names them."""
    runs = make_run(tasks=3, name="one"), make_run(tasks=4, name="two", first=1)
    for run in runs:
        for number, session in enumerate(run.sessions.order_by("task__position")):
            end(session, gu=float(number))
    return ",".join(run.pk for run in runs)


def test_the_page_draws_the_shared_tasks_and_says_so_at_each_chart(
    as_researcher: Client, unlike: str
) -> None:
    page = page_of(as_researcher, f"/reports/?runs={unlike}")
    drawn = charts(page)["tools_and_utility"]["data"]
    assert [len(trace["x"]) for trace in drawn] == [2, 2]
    sections = [words(section) for section in page.split('<section class="part"')[1:]]
    with_charts = [section for section in page.split('<section class="part"')[1:] if "data-chart" in section]
    assert with_charts
    for section in with_charts:
        before = words(section.partition("data-chart")[0])
        assert SHARED_NOTE in before and all(left in before for left in LEFT_OUT_NOTES)
    assert not any(
        SHARED_NOTE in section for section in sections if "Differences to the first run" in section
    )


def test_every_format_says_what_is_left_out(as_researcher: Client, unlike: str) -> None:
    for ending in ("md", "html"):
        told = as_researcher.get(f"/reports/report.{ending}?runs={unlike}").content.decode()
        assert SHARED_NOTE in told and all(left in told for left in LEFT_OUT_NOTES)
    told = json.loads(as_researcher.get(f"/reports/report.json?runs={unlike}").content)
    assert told["shared_tasks"] == 2
    assert [(run["tasks"], run["left_out_tasks"]) for run in told["runs"]] == [(3, 1), (4, 2)]
    main = told["parts"]["main_results"]
    assert [row["tasks"] for row in main["rows"] if row["difficulty"] == "all"] == [2, 2]
    assert main["notes"][:3] == [
        {"key": "shared", "n": 2},
        {"key": "left_out", "run": "one", "n": 1},
        {"key": "left_out", "run": "two", "n": 2},
    ]
    rows = list(
        csv.DictReader(StringIO(as_researcher.get(f"/reports/report.csv?runs={unlike}").content.decode()))
    )
    head = {(row["row"], row["column"]): row["value"] for row in rows if row["part"] == "report"}
    assert head["", "shared_tasks"] == "2"
    assert (head["one", "left_out_tasks"], head["two", "left_out_tasks"]) == ("1", "2")
    part = as_researcher.get(f"/reports/group_size.csv?runs={unlike}").content.decode()
    assert {row["shared_tasks"] for row in csv.DictReader(StringIO(part))} == {"2"}


def test_a_run_alone_is_told_whole(as_researcher: Client, unlike: str) -> None:
    page = page_of(as_researcher, f"/reports/?runs={unlike.partition(',')[0]}")
    assert "Left out" not in words(page)
    assert len(charts(page)["tools_and_utility"]["data"][0]["x"]) == 3


def test_the_size_of_a_group_counts_its_young_children(make_run: Callable[..., Run]) -> None:
    run = make_run(tasks=2)
    for session in run.sessions.all():
        end(session)
    task = run.sessions.order_by("task__position")[0].task
    task.size, task.children = 2, 2
    task.save()
    catch_up([run])
    [figures] = report_of([run], "published").runs
    sizes = dict(zip(figures.tasks.ids, figures.tasks.cells("size"), strict=True))
    assert sizes[task.task_id] == 4
