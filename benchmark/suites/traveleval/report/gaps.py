"""Where runs are far from the paper's row of the same agent, and which switch closes the gap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from benchmark.remarks import gettext_noop as _
from benchmark.reports import Cell, Column, Figure, Note, Part, PartWords, Report, RunFigures, Table
from benchmark.reports.conditions import unlike
from benchmark.reports.paper_results import PublishedRow, PublishedTable, published_results
from benchmark.suites.traveleval.options import OPTIONS, SCORING_OPTIONS
from benchmark.suites.traveleval.report.means import METRIC, mean_of

PAPER_FILE: Final = Path(__file__).with_name("published.json")
TABLE: Final = "Table B1"
WIDE_PERCENT: Final = 10.0
_METRICS: Final = {
    "cost_intercity": "cost_intercity_transportation",
    "cost_intracity": "cost_intracity_transportation",
}
"""By the paper's key, where it is another."""
_BASELINES: Final = {"baseline_a": "Approach A", "baseline_b": "Approach B"}
_STRATEGIES: Final = {
    "direct": "Direct",
    "zero_shot_cot": "ZS-CoT",
    "react": "ReAct",
    "reflexion": "Reflexion",
}
_NO_QUEUE: Final = {key: f"{key}_no_queue" for key in ("str", "dtu", "otu")}
COLUMNS: Final = (
    *(Column("run", "name"), Column("figure", "name"), Column("here"), Column("paper")),
    *(Column("gap", places=1, signed=True), Column("switch", "name"), Column("switched")),
    Column("switched_run", "name"),
)


class Switch(NamedTuple):
    """What a metric is otherwise. key: of what is otherwise; run: the label of another run that is so, else ""."""

    key: str
    value: float
    run: str = ""


def build(report: Report) -> Table:
    """A row a run of an agent that the paper has, and metric more than 10 % off; with what closes the gap, if any."""
    known = [(run, row) for run in report.runs if run.sessions and (row := paper_row(run))]
    rows = [cells for run, row in known for cells in _gaps(run, row, report.runs)]
    if not known:
        return Table(COLUMNS, [], [Note("not_in_paper")])
    sizes = [Note("plans_of_run", {"run": run.label, "n": len(run.sessions)}) for run, _ in known]
    return Table(COLUMNS, rows, sizes if rows else [Note("no_gaps"), *sizes])


def _table() -> PublishedTable:
    return next(table for table in published_results(PAPER_FILE).tables if table.id == TABLE)


def paper_row(run: RunFigures) -> PublishedRow | None:
    """The row of the paper that a run is the like of: of a baseline, or of a model and strategy."""
    agent, model = run.cast.get("agent", ""), _letters(run.cast.get("agent_model", ""))
    if agent in _BASELINES:
        return next(row for row in _table().rows if row.model == _BASELINES[agent])
    rows = [row for row in _table().rows if row.group == _STRATEGIES.get(agent)]
    alike = [row for row in rows if _letters(row.model) in model]
    return max(alike, key=lambda row: len(row.model), default=None)


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, name.lower()))


def _gaps(run: RunFigures, row: PublishedRow, runs: Sequence[RunFigures]) -> Iterator[list[Cell]]:
    for column in _table().columns:
        key = _METRICS.get(column.key, column.key)
        printed = row.values.get(column.key)
        here = mean_of(run.sessions, key)
        if printed is None or here.value is None:
            continue
        told = printed * METRIC[key].scale
        gap = percent_off(here.value, told)
        if gap is not None and abs(gap) <= WIDE_PERCENT:
            continue
        closing = next((s for s in switches(run, key, runs) if _closes(s.value, told)), None)
        places = METRIC[key].digits
        otherwise = [closing.key, Figure(closing.value, places), closing.run] if closing else ["", None, ""]
        yield [run.label, key, here, Figure(told, places), gap, *otherwise]


def percent_off(value: float, told: float) -> float | None:
    """How far a value is from a printed one, in per cent of this; None where that is 0 and the value is not."""
    if not told:
        return None if value else 0.0
    return 100 * (value - told) / abs(told)


def _closes(value: float, told: float) -> bool:
    gap = percent_off(value, told)
    return gap is not None and abs(gap) <= WIDE_PERCENT


def switches(run: RunFigures, key: str, runs: Sequence[RunFigures]) -> Iterator[Switch]:
    """A metric of a run without queues, by the other profiles, and of runs that differ in one option alone."""
    if key in _NO_QUEUE and (value := mean_of(run.sessions, _NO_QUEUE[key]).value) is not None:
        yield Switch("no_queue", value)
    for profile, means in run.by_profile.items():
        if (mean := means.get(key)) is not None:
            yield Switch(f"profile_{profile}", METRIC[key].scale * mean)
    for other in runs:
        differing = unlike([run.conditions, other.conditions])
        value = mean_of(other.sessions, key).value
        if other.cast == run.cast and len(differing) == 1 and value is not None:
            yield Switch(differing[0], value, other.label)


WORDS: Final = PartWords(
    _("Gaps to the paper"),
    _(
        "Figures that are more than 10 % off the row of the same agent in Table B1, and what closes the "
        "gap: no queues, another profile, or another run here that differs in one option."
    ),
    columns={
        "here": _("here"),
        "paper": _("paper"),
        "gap": _("gap, %"),
        "switch": _("closed by"),
        "switched": _("figure then"),
        "switched_run": _("in the run"),
    },
    values={
        "switch": {
            "no_queue": _("no queues"),
            "profile_published": _("the profile published"),
            "profile_paper": _("the profile paper"),
            **{option.key: option.label for option in (*OPTIONS, *SCORING_OPTIONS)},
            "": _("no switch here"),
        }
    },
    notes={
        "not_in_paper": _(
            "The paper has no row for the agents of these runs: it has both baselines, and strategies over "
            "the models of its Table B1."
        ),
        "no_gaps": _("No figure is more than 10 % off."),
        "plans_of_run": _("%(run)s is over %(n)s sessions; the paper's row is over its 1,150 queries."),
    },
)
PART = Part("gaps", build, own_tasks=True, words=WORDS)
