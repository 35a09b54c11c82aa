"""Results by type of query, method and model (Table 3), by days (Figure 3), and pairs of plans (Figure 4)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from benchmark.remarks import gettext_noop as _
from benchmark.reports import (
    Cell,
    Chart,
    Column,
    Note,
    Part,
    PartWords,
    Report,
    RunFigures,
    SessionFigures,
    Table,
)
from benchmark.reports.table import NO_SESSIONS
from benchmark.suites.tripscore.metrics import DELIVERED, FEASIBLE, RATED, REWARD, TIME
from benchmark.suites.tripscore.report.rewards import (
    FIGURES,
    Way,
    figures_of,
    highest_mean,
    of_type,
    parameters_of,
    reward_notes,
    types_of,
    ways_of,
)
from benchmark.suites.tripscore.tasks.task import SYNTHETIC

MOST_PAIRS = 20
BY_DAYS = (DELIVERED, FEASIBLE, REWARD)


def _results(report: Report) -> Table:
    """A row a type of query, run and way to a reward."""
    ways, rows = ways_of(report), list[list[Cell]]()
    for kind in types_of(report):
        for run in report.runs:
            sessions = of_type(run.sessions, kind)
            for way in ways if sessions else ():
                found = figures_of(sessions, way)
                top = highest_mean(sessions, parameters_of(run), way)
                named: list[Cell] = [kind, run.label, *method_of(run), way.name]
                rows.append([*named, len(sessions), *(found[key] for key in FIGURES), top, found[TIME]])
    columns = [
        *(Column(key, "name") for key in ("type", "run", "method", "model", "reward_by")),
        Column("sessions", "count"),
        *(Column(key, places=1 if key in BY_DAYS[:2] else 3) for key in FIGURES),
        *(Column("highest"), Column(TIME, places=1)),
    ]
    return Table(columns, rows, [*reward_notes(report, ways), Note("coverage")] if rows else [NO_SESSIONS])


def method_of(run: RunFigures) -> tuple[str, str]:
    """The agent of a run, and its model; "" where it asks none."""
    return run.cast.get("agent", ""), run.cast.get("agent_model", "")


def _by_days(report: Report) -> Table:
    """A row a figure, way to a reward, run and length of the trip, of synthetic queries."""
    ways, rows = ways_of(report), list[list[Cell]]()
    for key in BY_DAYS:
        for way in ways if key == REWARD else ways[:1]:
            for run in report.runs:
                sessions = of_type(run.sessions, SYNTHETIC)
                for days in sorted({int(str(own.facets["days"])) for own in sessions}):
                    some = [own for own in sessions if own.facets["days"] == days]
                    shown = key if way == ways[0] else way.key
                    rows.append([shown, way.name, run.label, days, figures_of(some, way)[key]])
    columns = [
        *(Column("figure", "name"), Column("reward_by", "name"), Column("run", "name")),
        *(Column("days", "count"), Column("value")),
    ]
    return Table(columns, rows, reward_notes(report, ways, [SYNTHETIC]) if rows else [Note("no_synthetic")])


def feasible_pairs(report: Report) -> Iterator[tuple[RunFigures, SessionFigures, RunFigures, SessionFigures]]:
    """The feasible plans of two runs for one query and trial."""
    by_task = [
        (run, {(own.task_id, own.trial): own for own in run.sessions if own.values.get(FEASIBLE)})
        for run in report.runs
    ]
    for (one, plans), (other, others) in combinations(by_task, 2):
        for key in sorted(plans.keys() & others.keys()):
            yield one, plans[key], other, others[key]


def _pairs(report: Report) -> Table:
    """A row a pair of plans, those whose rewards are farthest apart first."""
    ways = ways_of(report)
    rows = sorted(_pair_rows(report, ways), key=lambda row: -abs(float(str(row[-1]))))
    columns = [
        *(Column(key, "name") for key in ("task", "type", "reward_by", "run_a", "run_b")),
        *(Column("reward_a", places=3), Column("reward_b", places=3)),
        *(Column(key, "name", is_session=True) for key in ("session_a", "session_b")),
        Column("difference", places=3, signed=True),
    ]
    told = Note("shown_pairs", {"n": min(len(rows), MOST_PAIRS), "of": len(rows)})
    notes = [told, *reward_notes(report, ways)] if rows else [Note("no_pairs")]
    return Table(columns, rows[:MOST_PAIRS], notes)


def _pair_rows(report: Report, ways: list[Way]) -> Iterator[list[Cell]]:
    for one, plan, other, second in feasible_pairs(report):
        for way in ways:
            a, b = way.reward(plan), way.reward(second)
            if a is not None and b is not None:
                kind = str(plan.facets.get("type", ""))
                named = [plan.task_id, kind, way.name, one.label, other.label]
                yield [*named, a, b, plan.session_id, second.session_id, a - b]


RESULTS = Part(
    "methods",
    _results,
    own_tasks=True,
    words=PartWords(
        _("Methods and models by type of query"),
        _(
            "DR: delivered plans. CPR: those of the delivered that pass common sense. CondR: the mean reward of "
            "those that pass both gates. Reward: over all sessions. Small: of how many of all sessions."
        ),
        columns={"highest": _("highest mean reward"), "method": _("method"), "model": _("model")},
        notes={
            "coverage": _(
                "CPR is over delivered plans, CondR over feasible ones; time is over sessions that asked a model, "
                "from the first request to the plan without waits for rate limits. A plan that fails at a gate "
                "has the same reward whoever rates; feasible plans that the judge has not rated are left out."
            )
        },
    ),
)
BY_DURATION = Part(
    "by_duration",
    _by_days,
    Chart("lines", x="days", y="value", series="run", facet="figure"),
    words=PartWords(
        _("Results by days"),
        _("Synthetic queries by the days of the trip."),
        axes={DELIVERED: "%", FEASIBLE: "%", REWARD: _("reward"), RATED: _("reward")},
        notes={"no_synthetic": _("These runs have no synthetic queries.")},
    ),
)
PAIRS = Part(
    "plan_pairs",
    _pairs,
    words=PartWords(
        _("Plans side by side"),
        _(
            "Feasible plans of two runs for the same query. The page of either session shows both beside each other, "
            "with what lowers each reward."
        ),
        columns={
            "task": _("query"),
            "run_a": _("run A"),
            "run_b": _("run B"),
            "reward_a": _("reward of A"),
            "reward_b": _("reward of B"),
            "session_a": _("session of A"),
            "session_b": _("session of B"),
            "difference": _("A − B"),
        },
        notes={
            "shown_pairs": _("%(n)s of %(of)s pairs, those whose rewards are farthest apart."),
            "no_pairs": _("No two runs here have feasible plans for the same query."),
        },
    ),
)
