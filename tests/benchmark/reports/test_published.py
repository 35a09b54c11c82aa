"""The results of the papers, as data."""

from __future__ import annotations

import pytest

from benchmark.reports.paper_results import PublishedResults, published_results
from benchmark.suites import SUITES, reporting_of

SUITES_WITH_PAPER_RESULTS = [name for name in SUITES if reporting_of(name).paper_results]


def results(suite: str) -> PublishedResults:
    path = reporting_of(suite).paper_results
    assert path is not None
    return published_results(path)


@pytest.mark.parametrize("suite", SUITES_WITH_PAPER_RESULTS)
def test_every_row_has_a_cell_a_column_and_every_part_finds_its_tables(suite: str) -> None:
    found = results(suite)
    for table in found.tables:
        keys = {column.key for column in table.columns}
        assert all(set(row.values) == keys and set(row.std) <= keys for row in table.rows), table.id
    shown = {table.id for part in reporting_of(suite).parts for table in found.like(part.counterpart)}
    assert {table.id for table in found.tables if table.rows_are == "models"} <= shown | {
        "Table 10",
        "Figure 15",
    }


def test_a_part_with_two_counterparts_finds_both() -> None:
    assert [table.id for table in results("travelbench").like("Tables 2 and 10")] == ["Table 2", "Table 10"]
    assert not results("travelbench").like("") and not results("travelbench").like("A.9.1")


def test_the_best_of_a_column_is_the_highest_or_the_lowest_by_what_is_better() -> None:
    [table] = results("travelbench").like("Table 2")
    best = {column.key: table.best(column) for column in table.columns}
    assert best["overall"] == 76.29
    assert best["multi_errors"] == min(row.values["multi_errors"] or 100 for row in table.rows)


def test_models_over_all_tasks_stand_once_in_the_printed_order() -> None:
    found = [(table.id, row.model) for table, row in results("grouptravel").rows_of("gu")]
    assert found[:2] == [("Table 1", "DeepSeek-V4-Pro"), ("Table 1", "GPT-5.1")]
    assert len(found) == len({model for _, model in found}) == 9


def test_a_doubt_concerns_the_cells_that_it_names() -> None:
    found = results("grouptravel")
    [table] = found.like("Table 1")
    plus = next(row for row in table.rows if row.model == "Qwen3.5-Plus")
    doubted = {
        column.key
        for column in table.columns
        if any(one.concerns(table.id, plus, column.key) for one in found.doubts)
    }
    assert "pv" in doubted and "gf" not in doubted
