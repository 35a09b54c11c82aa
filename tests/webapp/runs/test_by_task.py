"""Runs against each other task by task."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from benchmark.metrics import Metric
from benchmark.reports.statistics import Resampler
from benchmark.suites import metrics_of
from tests.markup import tight
from tests.webapp.runs.conftest import end
from webapp.runs.by_task import TaskRow, compare_by_task, groupings, task_rows, where
from webapp.runs.selectors import outcomes
from webapp.sessions.models import Run, Status

pytestmark = pytest.mark.django_db

MakeRun = Callable[..., Run]


def metric(key: str) -> Metric:
    return next(one for one in metrics_of("grouptravel") if one.key == key)


def run_with_utilities(make_run: MakeRun, name: str, *utilities: float, **kwargs: Any) -> Run:
    """A run whose sessions end with these group utilities, in the order of its tasks."""
    run = make_run(tasks=len(utilities), name=name, **kwargs)
    for session, gu in zip(run.sessions.order_by("task__position"), utilities, strict=True):
        end(session, gu=gu)
    return run


def rows_of(*runs: Run, key: str = "gu") -> list[TaskRow]:
    return task_rows(runs, outcomes(runs), metric(key))


class TestRows:
    def test_what_differs_most_comes_first_and_tells_who_is_best(self, make_run: MakeRun) -> None:
        one, two = run_with_utilities(make_run, "one", 4, 5, 9), run_with_utilities(make_run, "two", 5, 5, 3)
        rows = rows_of(one, two)
        assert [row.spread for row in rows] == [6, 1, 0]
        assert [row.best for row in rows] == [{0}, {1}, frozenset()]
        assert [row.differs for row in rows] == [True, True, False]
        assert rows[0].compared_sessions == [run.sessions.get(task=rows[0].task).pk for run in (one, two)]

    def test_only_tasks_that_all_have_count(self, make_run: MakeRun) -> None:
        one, two = (
            run_with_utilities(make_run, "one", 4, 5, 9),
            run_with_utilities(make_run, "two", 5, 5, 3, first=2),
        )
        assert [row.values for row in rows_of(one, two)] == [[9, 5]]

    def test_of_trials_the_mean_counts_and_a_failed_session_counts_as_the_scoring_says(
        self, make_run: MakeRun
    ) -> None:
        run = make_run(tasks=1, trials=2)
        first, second = run.sessions.order_by("trial_id")
        end(first, gu=2)
        end(second, gu=4)
        assert rows_of(run, run_with_utilities(make_run, "two", 5))[0].values == [3, 5]
        [failed] = make_run(tasks=1, name="three").sessions.all()
        end(failed, Status.CRASHED, reason="error")
        [row] = rows_of(run, failed.run)
        assert row.values == [3, 0]

    def test_of_a_metric_that_is_better_low_the_lowest_is_best(self, make_run: MakeRun) -> None:
        one, two = run_with_utilities(make_run, "one", 4), make_run(tasks=1, name="two")
        end(two.sessions.get(), issues=7)
        assert metric("issues").better == "low"
        [row] = rows_of(one, two, key="issues")
        assert row.best == {0}


class TestWhere:
    def test_each_group_has_its_tasks_means_and_wins(self, make_run: MakeRun) -> None:
        one, two = run_with_utilities(make_run, "one", 4, 5, 9), run_with_utilities(make_run, "two", 5, 5, 3)
        rows = rows_of(one, two)
        found = where(rows, groupings("grouptravel")["size"])
        assert sum(place.tasks for place in found) == 3
        assert [sum(place.wins[n] for place in found) for n in (0, 1)] == [1, 1]
        assert sum(place.ties for place in found) == 1
        sizes = [int(place.label) for place in found]
        assert sizes == sorted(sizes)
        alone = next(place for place in found if place.tasks == 1)
        row = next(row for row in rows if row.task.size + row.task.children == int(alone.label))
        assert list(alone.means) == list(row.values)


class TestAgainst:
    def test_means_intervals_wins(self) -> None:
        gu = metric("gu")
        first = {str(n): 1.0 for n in range(20)}
        run = {str(n): 1.0 if n < 5 else 2.0 for n in range(1, 20)}
        found = compare_by_task(first, run, gu, Resampler())
        assert (found.wins, found.ties, found.losses) == (15, 4, 0)
        assert found.difference.difference.value == pytest.approx(15 / 19)
        low, high = found.difference.difference.low, found.difference.difference.high
        assert low is not None and high is not None and 0 < low < 15 / 19 < high < 1
        assert found.difference.p is not None and found.difference.p < 0.01

    def test_a_missing_value_is_no_zero(self) -> None:
        found = compare_by_task({"a": 1.0, "b": None}, {"a": 1.0, "b": 5.0}, metric("gu"), Resampler())
        assert (found.difference.tasks, found.ties) == (1, 1)

    def test_runs_without_a_common_task_have_no_difference(self) -> None:
        found = compare_by_task({"a": 1.0}, {"b": 2.0}, metric("gu"), Resampler())
        assert (found.difference.tasks, found.difference.difference.value) == (0, None)


def test_the_page_tells_it_in_few_queries(
    as_researcher: Client, make_run: MakeRun, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    one, two = run_with_utilities(make_run, "one", 4, 5, 9), run_with_utilities(make_run, "two", 5, 5, 3)
    address = f"/runs/compare/?runs={one.pk},{two.pk}&figure=gu&by=size"
    with django_assert_max_num_queries(14):
        page = tight(as_researcher.get(address).content.decode())
    lines = page.split('id="tasks"')[1]
    first, second = (run.sessions.order_by("task__position")[2].pk for run in (one, two))
    assert lines.index(f"/sessions/compare/?session={first}&amp;session={second}") < lines.index("+1.00")
    assert "1 · 1 · 1" in page
    only = as_researcher.get(f"{address}&only=different").content.decode()
    assert only.count("side by side") == 2


def test_what_is_unknown_in_the_address_reads_as_the_first_choice(
    as_researcher: Client, make_run: MakeRun
) -> None:
    one, two = run_with_utilities(make_run, "one", 4), run_with_utilities(make_run, "two", 5)
    answer = as_researcher.get(f"/runs/compare/?runs={one.pk},{two.pk}&figure=no\x00&by=no&only=no")
    assert answer.status_code == 200
    assert answer.context["figure"] == answer.context["choices"][0]
    assert answer.context["by"] == "difficulty"
