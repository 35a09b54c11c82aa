"""What queues and roads change: figures with and without them (Table B3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean

from benchmark.remarks import gettext_noop as _
from benchmark.reports import Cell, Column, Part, PartWords, Report, RunFigures, Table
from benchmark.reports.bins import ALL_RUNS
from benchmark.reports.table import NO_SESSIONS
from benchmark.suites.traveleval.options import DISTANCE_OPTION, GREAT_CIRCLE, NO_QUEUES, QUEUE_OPTION
from benchmark.suites.traveleval.report.means import METRIC, mean_of, relative_change
from benchmark.suites.traveleval.report.tables import COVERAGE

PAIRS = (
    ("str", "str_no_queue"),
    ("dtu", "dtu_no_queue"),
    ("otu", "otu_no_queue"),
    ("distance", "distance_geodesic"),
)
"""As the run is scored, and without queues or roads."""
COLUMNS = (
    Column("run", "name"),
    *(
        column
        for pair in PAIRS
        for column in (
            *(Column(key, places=METRIC[key].digits) for key in pair),
            Column(f"{pair[0]}_change", places=1, signed=True),
        )
    ),
)


_OPTIONS_WITHOUT = {
    **dict.fromkeys(("str", "dtu", "otu"), (QUEUE_OPTION.key, NO_QUEUES)),
    "distance": (DISTANCE_OPTION.key, GREAT_CIRCLE),
}
"""The option of a run, and its value, by which a figure is without queues or roads already."""


def build(report: Report) -> Table:
    """A row a run; of several runs one more with the mean of each relative change.

    A run that is scored without queues, or as the crow flies, has no such change.
    """
    rows = [_row(run) for run in report.runs if run.sessions]
    if len(rows) > 1:
        rows.append([ALL_RUNS, *_mean_changes(rows)])
    return Table(COLUMNS, rows, [COVERAGE if rows else NO_SESSIONS])


def _row(run: RunFigures) -> list[Cell]:
    cells: list[Cell] = [run.label]
    for pair in PAIRS:
        usual, other = (mean_of(run.sessions, key) for key in pair)
        option, value = _OPTIONS_WITHOUT[pair[0]]
        ablated = run.conditions.get(option) == value
        cells += [usual, other, None if ablated else relative_change(usual.value, other.value)]
    return cells


def _mean_changes(rows: Sequence[Sequence[Cell]]) -> Iterable[Cell]:
    for at, column in enumerate(COLUMNS[1:], 1):
        changes = [cell for row in rows if isinstance(cell := row[at], float)]
        yield fmean(changes) if column.signed and changes else None


WORDS = PartWords(
    _("Without queues, and as the crow flies"),
    _(
        "The figures of the same plans as the run is scored and without queues, and the mean way between "
        "neighbouring sights by the distances of the run and as the crow flies. A run that is scored so already "
        "has no change."
    ),
    columns={f"{key}_change": _("change, %") for key, _other in PAIRS},
)
PART = Part("ablations", build, words=WORDS)
