"""Every run over the tasks of a collection: those that can be ranked, and why the others cannot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import plotly.graph_objects as go
from django.db.models import QuerySet
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from benchmark.reports import Estimate, Measures, Report, RunFigures
from benchmark.reports.conditions import option_condition, unlike
from benchmark.reports.leaderboard import Standing, front, scored_tasks, standings
from benchmark.reports.parts.main_results import figures
from benchmark.reports.statistics import Resampler
from benchmark.reports.table import Cell, Column, Table
from benchmark.reports.whole_runs import whole_run_values
from benchmark.suites import suite_named
from webapp.catalogue.models import Task, TaskCollection
from webapp.reports.charts import Drawing
from webapp.reports.lettering import lines_of, safe
from webapp.reports.page import Head
from webapp.reports.paper_results import ComparedCondition, PublishedLine, conditions_beside, lines_beside
from webapp.reports.selectors import MOST_RUNS, report_of, results_of
from webapp.reports.spending import Spending, spent_by
from webapp.reports.wording import Words
from webapp.runs.cast import cast_of
from webapp.runs.conditions import settings_of
from webapp.sessions.models import Run, Session
from webapp.wording.lists import join_items
from webapp.wording.options import usual_options

WIDEST_NAME = 18
"""Letters of a line beside a dot: as many have room on half of a phone."""
MOST = 60
"""Runs on one leaderboard; the newest."""
SPENDING = {"cost": gettext_lazy("cost per session"), "tokens": gettext_lazy("tokens per session")}
"""What a score can be set beside: the agent's own, without travellers and simulators."""


def collections() -> QuerySet[TaskCollection]:
    """Those over whose tasks there is a run."""
    played = Task.objects.filter(sessions__run__isnull=False).order_by().values("collection")
    return TaskCollection.objects.filter(pk__in=played).order_by("name")


def runs_over(collection: TaskCollection) -> list[Run]:
    """The runs that play any of its tasks, newest first."""
    played = Session.objects.filter(task__collection=collection, run__isnull=False).order_by()
    return list(Run.objects.filter(pk__in=played.values("run"))[:MOST])


@dataclass(frozen=True, slots=True)
class LeaderboardRequest:
    """What the address of a leaderboard names; what is unknown reads as the first choice."""

    collection: TaskCollection
    profile: str
    profiles: Sequence[str]
    figure: str
    cost_axis: str
    conditions: str
    published: bool = False


def asked_by(query: QueryDict, collection: TaskCollection, suite: str) -> LeaderboardRequest:
    """`?profile=`, `&figure=`, `&beside=cost|tokens`, `&conditions=` and `&published=yes`."""
    profiles = list(suite_named(suite).scoring.profiles)
    named = query.get("profile", "")
    return LeaderboardRequest(
        collection,
        named if named in profiles else profiles[0],
        profiles,
        query.get("figure", ""),
        query.get("beside", ""),
        query.get("conditions", ""),
        query.get("published") == "yes",
    )


@dataclass(frozen=True, slots=True)
class Line:
    """A ranked run as the page shows it. best: nothing beats it at its price.

    cells: words and interval by figure, and whether it is the best of its column.
    """

    run: Run
    standing: Standing
    cells: Sequence[tuple[str, str, bool]]
    spending: Spending
    best: bool

    @property
    def cast(self) -> dict[str, str]:
        return cast_of(self.run)

    @property
    def cost(self) -> str:
        return (
            "–"
            if self.spending.cost is None
            else f"{self.spending.cost:,.4f} {self.spending.currency}".strip()
        )

    @property
    def tokens(self) -> str:
        return "–" if self.spending.tokens is None else f"{self.spending.tokens:,.0f}"


@dataclass(frozen=True)
class Leaderboard:
    """The runs over a collection under one profile.

    tasks: how many the collection has. unranked_runs: runs with the reason. report: of all these runs.
    """

    request: LeaderboardRequest
    runs: Mapping[str, Run]
    measures: Measures
    tasks: int
    standings: Sequence[Standing]
    unranked_runs: Sequence[tuple[Run, str]]
    figure: Column
    conditions: Sequence[str]
    spending: Mapping[str, Spending] = field(default_factory=dict)
    report: Report | None = None

    @cached_property
    def words(self) -> Words:
        return Words(self.measures)

    @property
    def columns(self) -> list[Column]:
        """All figures, the chosen one first."""
        others = [column for column in columns_of(self.measures) if column != self.figure]
        return [self.figure, *others]

    @property
    def choices(self) -> list[tuple[str, str]]:
        """The figures that the page can rank by: key and label."""
        return [(column.key, self.words.column(column.key)) for column in ranking_columns(self.measures)]

    @property
    def heads(self) -> list[Head]:
        """The heads of the columns of figures."""
        meanings = self.words.meanings
        return [
            Head(self.words.column(column.key), meanings.get(column.key, ""), True) for column in self.columns
        ]

    @property
    def paper(self) -> str:
        """The benchmark's paper, "" where it brings no results."""
        results = results_of(self.measures.suite)
        return results.paper if results else ""

    @property
    def paper_lines(self) -> list[PublishedLine]:
        """The models of the paper, where they are asked for, under the columns of the runs."""
        shown = self.report.paper_results if self.report else None
        return lines_beside(shown, self.columns) if shown else []

    @property
    def conditions_beside(self) -> list[ComparedCondition]:
        """What the paper's figures and those of the ranked runs were made under."""
        shown = self.report.paper_results if self.report else None
        ranked = [standing.run for standing in self.standings]
        return conditions_beside(self.report, shown, ranked) if self.report and shown else []

    @property
    def best(self) -> dict[str, float]:
        """The best value of each figure among the ranked runs, where there are several."""
        best_by_column = {}
        for key in (column.key for column in self.columns if len(self.standings) > 1):
            known = [
                value for standing in self.standings if (value := standing.scores[key].value) is not None
            ]
            better = self.measures.better(key)
            if known and better != "neither":
                best_by_column[key] = max(known) if better == "high" else min(known)
        return best_by_column

    @property
    def by_whole_run(self) -> bool:
        """Whether the chosen figure is one that only a run has, so that chance can't be told from it."""
        return self.figure.key not in self.measures.made_of

    @cached_property
    def cost_axis(self) -> str:
        """What the score is set beside: what was asked for, else cost where any run has one."""
        if self.request.cost_axis in SPENDING:
            return self.request.cost_axis
        paid = any((self.spending[standing.run.id].cost or 0) > 0 for standing in self.standings)
        return "cost" if paid else "tokens"

    @cached_property
    def currency(self) -> str:
        """The one that most runs were paid in; amounts in others cannot be compared with it."""
        counts = Counter(self.spending[standing.run.id].currency for standing in self.standings)
        del counts[""]
        return counts.most_common(1)[0][0] if counts else ""

    def price(self, run: str) -> float | None:
        """What a run lies at on the axis beside the score."""
        spent = self.spending[run]
        if self.cost_axis == "tokens":
            return spent.tokens
        return spent.cost if spent.currency in ("", self.currency) else None

    @cached_property
    def points(self) -> list[tuple[Standing, float, Estimate]]:
        """The ranked runs whose price is known: run, price, score."""
        key = self.figure.key
        priced = [
            (standing, self.price(standing.run.id), standing.scores[key]) for standing in self.standings
        ]
        return [(standing, price, score) for standing, price, score in priced if price is not None]

    @cached_property
    def front(self) -> list[int]:
        """The points that nothing beats at their price."""
        pairs = [(price, score.value or 0.0) for _one, price, score in self.points]
        return front(pairs, direction_of(self.measures, self.figure.key))

    @property
    def lines(self) -> list[Line]:
        best, bests = {self.points[place][0].run.id for place in self.front}, self.best
        return [
            Line(
                self.runs[standing.run.id],
                standing,
                [self._cell(column, standing.scores[column.key], bests) for column in self.columns],
                self.spending[standing.run.id],
                standing.run.id in best,
            )
            for standing in self.standings
        ]

    def _cell(self, column: Column, score: Estimate, best: Mapping[str, float]) -> tuple[str, str, bool]:
        return (
            *self.words.cell(column, score),
            score.value is not None and best.get(column.key) == score.value,
        )

    @property
    def drawing(self) -> Drawing | None:
        """Score over price, with the Pareto front."""
        if not self.points:
            return None
        dearest = max(price for _one, price, _score in self.points) or 1.0
        layout = go.Layout(
            template="none",
            height=360,
            showlegend=False,
            xaxis={"title": {"text": self.axis}, "range": [-0.04 * dearest, 1.2 * dearest]},
            yaxis={"title": {"text": self.words.column(self.figure.key)}},
        )
        traces = [*self._front(), *self._dots()]
        data = [trace.to_plotly_json() for trace in traces]
        return Drawing("leaderboard", "", {"data": data, "layout": layout.to_plotly_json()})

    @property
    def axis(self) -> str:
        """What the score stands beside, with its unit."""
        label = str(SPENDING[self.cost_axis])
        return f"{label}, {self.currency}" if self.cost_axis == "cost" and self.currency else label

    def _front(self) -> list[Any]:
        chosen = [self.points[place] for place in self.front]
        line = {"color": "var(--muted)", "dash": "dot", "shape": "hv"}
        prices, scores = [price for _one, price, _score in chosen], [score.value for *_rest, score in chosen]
        return [go.Scatter(x=prices, y=scores, mode="lines", line=line, hoverinfo="skip")]

    def _dots(self) -> list[Any]:
        named = len(self.points) <= MOST_RUNS
        half = max((price for _one, price, _score in self.points), default=0.0) / 2
        texts = self._texts()
        return [
            go.Scatter(
                x=[price],
                y=[score.value],
                error_y=_error(score),
                name=safe(standing.run.label),
                text=[texts.pop((price, score.value), "")],
                textposition="middle right" if price <= half else "middle left",
                cliponaxis=False,
                mode="markers+text" if named else "markers",
                marker={"color": f"var(--run{n})" if named else "var(--muted)", "size": 9},
            )
            for n, (standing, price, score) in enumerate(self.points, start=1)
        ]

    def _texts(self) -> dict[tuple[float, float | None], str]:
        """What stands beside each place with a dot: the names of all runs there, in lines that fit a phone."""
        there: dict[tuple[float, float | None], list[str]] = {}
        for standing, price, score in self.points:
            there.setdefault((price, score.value), []).append(standing.run.label)
        return {place: lines_of(join_items(names), WIDEST_NAME) for place, names in there.items()}

    def table(self) -> Table:
        """The ranked runs as a table of a report, for files."""
        names = ("agent", "agent_model", "users", "user_model")
        columns = [
            *(Column("rank", "count"), Column("run", "name"), Column("id", "name")),
            *(Column(name, "name") for name in names),
            *self.columns,
            *(Column("tokens"), Column("cost"), Column("currency", "name"), Column("front", "name")),
        ]
        return Table(columns, [self._row(line, names) for line in self.lines])

    def _row(self, line: Line, names: Sequence[str]) -> list[Cell]:
        scores = [line.standing.scores[column.key] for column in self.columns]
        spent = line.spending
        said = [line.cast[name] for name in names]
        end = [spent.tokens, spent.cost, spent.currency, "yes" if line.best else "no"]
        return [line.standing.rank, line.run.name, line.run.pk, *said, *scores, *end]


def _error(score: Estimate) -> dict[str, Any]:
    if score.value is None or score.low is None or score.high is None:
        return {}
    above, below = [score.high - score.value], [score.value - score.low]
    return {"type": "data", "symmetric": False, "array": above, "arrayminus": below}


def columns_of(measures: Measures) -> list[Column]:
    """The figures that runs can be ranked by, the headline of the benchmark first."""
    headlines = {metric.key for metric in measures.metrics if metric.headline}
    return sorted(figures(measures), key=lambda column: column.key not in headlines)


def ranking_columns(measures: Measures) -> list[Column]:
    """Those of them of which more or less is better."""
    return [column for column in columns_of(measures) if measures.better(column.key) != "neither"]


def direction_of(measures: Measures, key: str) -> Literal["high", "low"]:
    """Whether the higher or the lower value of a figure of `ranking_columns` is the better one."""
    return "low" if measures.better(key) == "low" else "high"


def leaderboard(asked: LeaderboardRequest, runs: Sequence[Run]) -> Leaderboard:
    """Rank the runs over a collection that have all of its tasks, under like conditions."""
    own = dict(Task.objects.filter(collection=asked.collection).values_list("task_id", "facets"))
    report = report_of(runs, asked.profile, published=asked.published, conditions=settings_of)
    measures = report.measures
    runs_by_id = {run.pk: run for run in runs}
    over = [run.over_tasks(set(own)) for run in report.runs]
    columns = ranking_columns(measures)
    asked_for = (column for column in columns if column.key == asked.figure)
    figure = next(asked_for, None) or next(
        (column for column in columns if _is_known(column, measures, over)), columns[0]
    )
    known = conditions_in_words(runs)
    needed = {key: _concerned_tasks(key, measures, own, over) for key in _parts(figure, measures)}
    lacking = {run.id: _lacking(run, len(own), needed, figure, Words(measures)) for run in over}
    usual = Counter(known[run.id] for run in over if not lacking[run.id]).most_common()
    choices = list(dict.fromkeys([*(name for name, _n in usual), *known.values()]))
    chosen = asked.conditions if asked.conditions in choices else choices[0]
    for pk, conditions in known.items():
        if conditions != chosen:
            lacking[pk] = _("other conditions: %(what)s") % {"what": conditions}
    fit = [run for run in over if not lacking[run.id]]
    ranked = standings(fit, figure.key, direction_of(measures, figure.key), Resampler())
    spent = spent_by(runs, asked.collection)
    unranked = [(runs_by_id[pk], why) for pk, why in lacking.items() if why]
    return Leaderboard(
        asked,
        runs_by_id,
        measures,
        len(own),
        ranked,
        unranked,
        figure,
        [chosen, *_other_choices(choices, chosen)],
        spent,
        report,
    )


def _is_known(figure: Column, measures: Measures, over: Sequence[RunFigures]) -> bool:
    """Whether any run has a figure: over tasks of one kind, none has what is made of all kinds."""
    if figure.key in measures.made_of:
        return any(scored_tasks(run, figure.key) for run in over)
    return any(whole_run_values(run)[figure.key] is not None for run in over)


def _other_choices(choices: Sequence[str], chosen: str) -> list[str]:
    return [choice for choice in choices if choice != chosen]


def _parts(figure: Column, measures: Measures) -> Sequence[str]:
    """The figures that tasks must have for a run to be ranked: that figure, or what it is made of."""
    if figure.key in measures.made_of:
        return [figure.key]
    return next(metric.made_of for metric in measures.of_whole_runs if metric.key == figure.key)


def _concerned_tasks(
    key: str, measures: Measures, own: Mapping[str, Mapping[str, str]], over: Sequence[RunFigures]
) -> set[str]:
    """The tasks that can have a figure. own: of the collection, each with its facets.

    Judges are not asked of what rules alone score. Which tasks have a figure that only some have, the runs tell.
    """
    parts = [metric for metric in measures.of_tasks if metric.key in measures.made_of[key]]
    concerned = set(own)
    for rubric in [
        measures.judge_metrics[metric.key] for metric in parts if metric.key in measures.judge_metrics
    ]:
        unrated = rubric.unrated_facets.items()
        concerned -= {
            task for task, facets in own.items() if any(facets.get(key) == value for key, value in unrated)
        }
    if any(metric.partial for metric in parts):
        concerned &= set().union(*(scored_tasks(run, key) for run in over))
    return concerned


def _lacking(
    run: RunFigures, tasks: int, needed: Mapping[str, set[str]], figure: Column, words: Words
) -> str:
    """Why a run has no rank whatever the conditions; "" where it has one.

    needed: the tasks that have the figure, or each that it is made of, by key.
    """
    if run.going:
        return _("still running")
    if len(run.tasks.ids) < tasks:
        lacking = ngettext("has %(n)s of %(all)s task", "has %(n)s of %(all)s tasks", tasks)
        return lacking % {"n": len(run.tasks.ids), "all": tasks}
    for key, concerned in needed.items():
        lacking_it = concerned - scored_tasks(run, key)
        if lacking_it or (key == figure.key and not concerned):
            given = {
                "figure": words.column(key),
                "n": len(concerned) - len(lacking_it),
                "all": len(concerned) or tasks,
            }
            return _("has %(figure)s on %(n)s of %(all)s tasks") % given
    if figure.key not in needed and whole_run_values(run)[figure.key] is None:
        return _("has no figure for “%(figure)s”") % {"figure": words.column(figure.key)}
    return ""


USUALLY_TOLD = ("mode", "cache", "world", "users", "user_model", "seats")
"""The conditions that are told of each run, and the usual options; the others where they differ between runs that
these don't tell apart."""


def conditions_in_words(runs: Sequence[Run]) -> dict[str, str]:
    """What must be alike for runs to be ranked together, by the id of the run: two are alike if their words are."""
    settings = settings_of(runs)
    suites = dict.fromkeys(run.suite for run in runs)
    options = [option_condition(each.key) for suite in suites for each in usual_options(suite)]
    told = dict.fromkeys([*USUALLY_TOLD, *options])
    differing = [key for key in unlike(list(settings.values())) if key not in told]
    return {
        pk: " · ".join(setting[key] for key in (*told, *differing) if setting.get(key))
        for pk, setting in settings.items()
    }
