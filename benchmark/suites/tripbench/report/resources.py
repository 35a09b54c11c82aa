"""Verdicts beside what sessions take: turns, tokens and money (Figure 3)."""

from __future__ import annotations

from collections.abc import Iterator

from benchmark.remarks import gettext_noop as _
from benchmark.reports import Cell, Chart, Column, Note, Part, PartWords, Report, Table
from benchmark.suites.tripbench.metrics import COST, LOOSE, OUTPUT_TOKENS, STRICT, TURNS
from benchmark.suites.tripbench.report.sessions import mean_of, share_of

PLACES = {TURNS: 1, OUTPUT_TOKENS: 0, COST: 4}
"""What sessions take, and with how many decimals it is shown."""


def _resources(report: Report) -> Table:
    """A row a run and resource that some session of it has a figure of."""
    rows = [row for key in PLACES for row in _rows(report, key)]
    columns = [
        *(Column("resource", "name"), Column("run", "name"), Column("spent", places=4)),
        *(Column(LOOSE, places=1), Column(STRICT, places=1)),
    ]
    return Table(columns, rows, [] if rows else [Note("no_resources")])


def _rows(report: Report, key: str) -> Iterator[list[Cell]]:
    for run in report.runs:
        spent = mean_of(run.sessions, key, PLACES[key])
        if spent.value is not None:
            yield [key, run.label, spent, share_of(run.sessions, LOOSE), share_of(run.sessions, STRICT)]


PART = Part(
    "resources",
    _resources,
    Chart("points", x="spent", y=LOOSE, series="run", facet="resource", text="run"),
    words=PartWords(
        _("Verdicts and what sessions take"),
        _(
            "Means of a session: the turns of the agent, the tokens that its model gave, and what its model cost in "
            "the currency of the endpoint. Agents without a model have turns alone."
        ),
        columns={"resource": _("resource"), "spent": _("mean of a session")},
        values={
            "resource": {
                TURNS: _("turns of the agent"),
                OUTPUT_TOKENS: _("output tokens of the agent"),
                COST: _("cost of the agent"),
            }
        },
        axes={
            TURNS: _("turns of the agent"),
            OUTPUT_TOKENS: _("output tokens of the agent"),
            COST: _("cost of the agent"),
        },
        notes={"no_resources": _("No session here has a turn of the agent.")},
    ),
)
