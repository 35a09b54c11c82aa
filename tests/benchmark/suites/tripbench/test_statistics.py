"""Statistics of TRIP-Bench's tasks, over a few that can be counted by hand and over the shipped ones."""

from __future__ import annotations

from benchmark.reports.table import Table
from benchmark.suites.tripbench.statistics import STATISTICS, Dataset
from benchmark.suites.tripbench.tasks import STARTER, TASK_FILES
from tests.benchmark.suites.tripbench.talks import LUXURY, STARS, task_of

SMALL = (
    task_of([{"id": "a", **STARS}], [{"id": "b", "behaviour": "delete", "drops": ["a"]}]),
    task_of([{"id": "a", **STARS}, {"id": "b", **LUXURY}], language="zh"),
)


def table(name: str, data: Dataset) -> Table:
    return next(part.build(data) for part in STATISTICS.parts if part.name == name)


def test_tasks_are_counted_by_subset_beside_the_paper() -> None:
    data = Dataset.of(SMALL)
    assert table("subsets", data).rows[0] == ["easy", 1, 1, 2, 100]
    sizes = {row[1]: row[2:] for row in table("sizes", data).rows}
    assert sizes["constraints"] == [0, 1.0, 2, 2, 6] and sizes["first"] == [1, 1.5, 2, 0, 4]
    assert sizes["nodes"] == [1, 1.5, 2, None, None] and sizes["cities"][:3] == [2, 2.0, 2]
    said = {(row[0], row[1]): row[2] for row in table("behaviours", data).rows}
    assert (said["easy", "append"], said["easy", "delete"]) == (3, 1)
    assert table("rubrics", data).rows == [["hotel", "hotel.hotel_type", 1], ["hotel", "hotel.star", 2]]
    assert STATISTICS.as_json(data)["behaviours"] == {"easy append": 3, "easy delete": 1}


def test_no_tasks_have_a_note_and_no_rows() -> None:
    for part in STATISTICS.parts:
        built = part.build(Dataset.of(()))
        assert not built.rows and [note.key for note in built.notes] == ["no_tasks"]


def test_the_shipped_tasks_keep_to_the_bounds_of_the_paper() -> None:
    with STARTER[0].open("rb") as file:
        data = Dataset.of(own.task for own in TASK_FILES.lines(list(file)))
    assert data.total == 48
    bounded = [
        [float(str(cell)) for cell in row[2:]] for row in table("sizes", data).rows if row[5] is not None
    ]
    assert len(bounded) == 6 * 4 - 1
    for least, _mean, most, told_least, told_most in bounded:
        assert told_least <= least <= most <= told_most
