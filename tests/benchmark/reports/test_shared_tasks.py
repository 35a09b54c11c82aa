"""Runs over other tasks: parts that set them side by side are over shared tasks, and say what they leave out."""

from __future__ import annotations

import pytest

from benchmark.judging import Pair
from benchmark.reports import Report, Resampler, RunFigures, Table
from tests.benchmark.reports.test_parts import MEASURES, PARTS, UniformVerdict, run, session

FIRST = run(session("a", gu=1.0, calls=10), session("b", gu=3.0, calls=20), session("c", gu=99.0, calls=99))
SECOND = run(session("b", gu=5.0), session("a", gu=7.0), session("d", gu=-99.0), session("e"), label="two")
OWN = {"runs", "conditions", "judges", "differences", "offline_online", "judge_and_people"}
"""Parts that compare two by two, or tell of each run or judge alone."""


def report(*runs: RunFigures) -> Report:
    return Report(runs, MEASURES, Pair("j", "m", 3), (), (), Resampler(times=50))


def notes(table: Table) -> list[tuple[str, object, object]]:
    return [
        (note.key, note.values.get("run"), note.values.get("n"))
        for note in table.notes
        if note.key in ("shared", "left_out", "nothing_shared")
    ]


def test_every_chart_is_drawn_over_shared_tasks() -> None:
    assert all(part.name not in OWN for part in PARTS.values() if part.chart)


@pytest.mark.parametrize("name", sorted(set(PARTS) - OWN))
def test_a_part_is_that_of_the_shared_tasks_alone_and_says_what_is_left_out(name: str) -> None:
    judged = [run(*(one._replace(verdicts=(UniformVerdict(4),)) for one in whole.sessions), label=whole.label)
              for whole in (FIRST, SECOND)]  # fmt: skip
    alike = report(*(whole.over_tasks({"a", "b"}) for whole in judged))
    table = PARTS[name].table(report(*judged))
    assert table.rows == PARTS[name].build(alike).rows
    assert table.shared_tasks == 2
    assert notes(table) == [("shared", None, 2), ("left_out", "one", 1), ("left_out", "two", 2)]


@pytest.mark.parametrize("name", sorted(PARTS))
def test_runs_over_the_same_tasks_leave_nothing_out(name: str) -> None:
    alike = report(FIRST.over_tasks({"a", "b"}), SECOND.over_tasks({"a", "b"}))
    table = PARTS[name].table(alike)
    assert (table.rows, notes(table), table.shared_tasks) == (PARTS[name].build(alike).rows, [], None)


def test_without_a_common_task_nothing_stands_side_by_side() -> None:
    apart = report(FIRST.over_tasks({"c"}), SECOND.over_tasks({"d"}))
    for name in set(PARTS) - OWN:
        table = PARTS[name].table(apart)
        assert not table.rows
        assert notes(table)[0] == ("nothing_shared", None, None)


def test_a_run_without_figures_yet_leaves_the_others_whole() -> None:
    waiting = report(FIRST, run(label="two", planned=3))
    table = PARTS["group_size"].table(waiting)
    assert notes(table) == [] and table.rows == PARTS["group_size"].build(report(FIRST)).rows


def test_the_runs_tell_their_tasks_and_the_shared_ones() -> None:
    table = PARTS["runs"].table(report(FIRST, SECOND))
    assert table.cells("own_tasks") == [3, 4] and table.cells("shared_tasks") == [2, 2]
    alone = PARTS["runs"].table(report(FIRST))
    assert "shared_tasks" not in [column.key for column in alone.columns]
