"""Reading what reports are made from, in few queries whatever the number of sessions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import orjson
from django.db.models import Avg, Count, FilteredRelation, Q, TextField
from django.db.models.functions import Cast

from benchmark.metrics import Facets
from benchmark.reports import Measures, PairRater, Report, RunFigures, SessionFigures
from benchmark.reports.conditions import Conditions, option_condition
from benchmark.reports.paper_results import PublishedResults, published_results
from benchmark.suites import joint_metrics, measures_of, reporting_of, suite_named
from webapp.catalogue.fields import facets_by_task
from webapp.judging.joint_values import joint_values_by
from webapp.judging.verdicts import Verdicts, pairs_of, verdicts_by, verdicts_in
from webapp.labelling.models import Kind, LabelStudy
from webapp.labelling.rater_accuracy import Pairs
from webapp.labelling.rubrics import people_ratings
from webapp.reports.judges import JudgeFilter, choose
from webapp.reports.labels import Label, match_labels
from webapp.runs.cast import cast_of
from webapp.runs.conditions import conditions_of
from webapp.runs.selectors import played_in
from webapp.sessions.models import COUNTED_STATUSES, ENDED_STATUSES, MetricValue, Run, Session
from webapp.sessions.selectors import values_by_session
from webapp.wording.options import usual_options

MOST_RUNS = 12
"""As many as there are colours that can be told apart."""
LONGEST_LABEL = 48
"""Letters; where it was cut, the last is an ellipsis."""
ANYONE = JudgeFilter()
_COLUMNS = (
    *("task", "trial_id", "completion_reason", "plan_generated", "round"),
    *(f"report_figures__{name}" for name in ("counted", "calls", "hits", "misses")),
    "issues",
)


def report_of(
    runs: Sequence[Run],
    profile: str,
    wanted: JudgeFilter = ANYONE,
    labels: Sequence[Label] | None = None,
    published: bool = False,
    conditions: Callable[[Sequence[Run]], Mapping[str, Conditions]] = conditions_of,
) -> Report:
    """The sessions of runs of one benchmark that finished or crashed and have scores under the profile.

    With the verdicts of the pair that is wanted, or by default of the one with the most, a pair for each rubric, all
    of a session's counting alike whatever batch they are from. labels: what people said of any sessions, as a file
    has it, in place of what they said in studies; None for that. published: whether the results of the benchmark's
    paper stand beside. conditions: tells what the runs were played under, `settings_of` where logs need not be read
    for it.
    """
    rows = list(_rows(runs, profile))
    verdicts = verdicts_in(runs)
    pairs = pairs_of((pk for _, pk, *_ in rows), verdicts)
    counting = choose(pairs, wanted)
    if len(pairs) > len(counting):
        verdicts = {pk: verdicts_by(counting, own) for pk, own in verdicts.items()}
    joint = joint_values_by(counting, runs, profile) if joint_metrics(runs[0].suite) else {}
    sessions = _sessions(runs, profile, rows, verdicts, joint)
    given, studies = _people(runs)
    rated, unmatched = match_labels(
        given if labels is None else labels, {pk: verdicts.get(pk, ()) for _, pk, *_ in rows}
    )
    others = [pair for pair in pairs if pair not in counting]
    measures = measures_of(runs[0].suite, profile)
    return Report(
        _runs(runs, measures, sessions, conditions(runs)),
        measures,
        next(iter(counting), None),
        others,
        rated,
        unmatched_ratings=unmatched,
        studies=studies,
        from_file=labels is not None,
        paper_results=results_of(runs[0].suite) if published else None,
        further_pairs=counting[1:],
        pair_raters=pair_raters_of(runs, profile),
    )


def pair_raters_of(runs: Sequence[Run], profile: str) -> list[PairRater]:
    """Who says what people say, in each study with pairs of sessions of these runs, which is told as a whole.

    Only where the benchmark's reports compare it; studies in which people decided no pair yet are left out.
    """
    compared = reporting_of(runs[0].suite).compared_metrics
    if not compared:
        return []
    both = Q(items__left__run__in=runs, items__right__run__in=runs, items__withdrawn_at=None)
    studies = LabelStudy.objects.filter(both, kind=Kind.PAIRWISE, pilot=False).order_by("name").distinct()
    raters = []
    for study in studies:
        pairs = Pairs(study, profile)
        for line in pairs.lines(compared) if pairs.decided else ():
            kind, rater, metric = line.source.kind, line.source.rater, line.source.metric
            named = rater.name if rater else "", metric.key if metric else ""
            raters.append(PairRater(study.name, kind, *named, line.accuracy, pairs.decided, line.ceiling))
    return raters


def results_of(suite: str) -> PublishedResults | None:
    """The results of a benchmark's paper; None where it brings none."""
    path = reporting_of(suite).paper_results
    return published_results(path) if path else None


def _people(runs: Sequence[Run]) -> tuple[list[Label], list[str]]:
    """What people said of sessions of these runs in studies, by the dimensions of judges; the studies' names."""
    dimensions = suite_named(runs[0].suite).rating.dimensions
    ratings = people_ratings(runs, [dimension.key for dimension in dimensions])
    labels = [Label(rating.session, rating.dimension, rating.score, rating.rater) for rating in ratings]
    return labels, list(dict.fromkeys(rating.study for rating in ratings))


def _sessions(
    runs: Sequence[Run],
    profile: str,
    rows: Sequence[tuple[Any, ...]],
    verdicts: Verdicts,
    joint: Mapping[str, Mapping[str, float]],
) -> dict[str, list[SessionFigures]]:
    sessions: dict[str, list[SessionFigures]] = {run.pk: [] for run in runs}
    tasks = _tasks(runs)
    read = cache(orjson.loads)  # most sessions have few issues, and the same ones
    values = values_by_session([run.pk for run in runs], profile)
    for pk, own in joint.items():
        values.setdefault(pk, {}).update(own)
    for run, pk, task, trial, *figures, issues in rows:
        name, facets = tasks[task]
        rest = values.get(pk, {}), read(issues).get(profile, {}), verdicts.get(pk, ())
        sessions[run].append(SessionFigures._make((name, trial, facets, *figures, *rest, pk)))
    return sessions


def _rows(runs: Sequence[Run], profile: str) -> Iterator[tuple[Any, ...]]:
    scored = FilteredRelation("scores", condition=Q(scores__profile=profile))
    issues = Cast("report_figures__issues", TextField())
    counted = Session.objects.filter(run__in=runs, status__in=COUNTED_STATUSES, report_figures__isnull=False)
    rows = counted.annotate(score=scored, issues=issues).filter(score__isnull=False).order_by()
    return rows.values_list("run", "pk", *_COLUMNS).iterator(chunk_size=5000)


def _tasks(runs: Sequence[Run]) -> dict[int, tuple[str, Facets]]:
    played = played_in(runs)
    facets = facets_by_task(played)
    return {pk: (name, facets[pk]) for pk, name in played.order_by().values_list("pk", "task_id")}


def _runs(
    runs: Sequence[Run],
    measures: Measures,
    sessions: Mapping[str, Sequence[SessionFigures]],
    conditions: Mapping[str, Conditions],
) -> list[RunFigures]:
    labels, counts = labels_of(runs), _counts(runs)
    compared = reporting_of(measures.suite).compares_profiles
    means = means_by_profile(runs, measures.profile) if compared else {}
    return [
        RunFigures(
            id=run.pk,
            name=run.name.strip() or run.pk,
            label=labels[run.pk],
            mode=run.setup.get("sandbox", {}).get("mode", ""),
            players=_players(run),
            options=_usual_options(run),
            cast=cast_of(run),
            conditions=conditions[run.pk],
            measures=measures,
            sessions=sessions[run.pk],
            ended=counts.get(run.pk, (0, 0))[0],
            planned=counts.get(run.pk, (0, 0))[1],
            by_profile=means.get(run.pk, {}),
        )
        for run in runs
    ]


def means_by_profile(runs: Sequence[Run], but: str) -> dict[str, dict[str, dict[str, float]]]:
    """The plain means of the values of the rules over sessions that count, by run, profile (all but one) and key."""
    values = MetricValue.objects.filter(
        session__run__in=runs, session__status__in=COUNTED_STATUSES, rater=""
    ).exclude(profile=but)
    rows = values.order_by().values_list("session__run", "profile", "key").annotate(Avg("value"))
    means: dict[str, dict[str, dict[str, float]]] = {}
    for run, profile, key, mean in rows:
        means.setdefault(run, {}).setdefault(profile, {})[key] = mean
    return means


def _counts(runs: Sequence[Run]) -> dict[str, tuple[int, int]]:
    """How many sessions of each run ended, and how many there are."""
    counts = Session.objects.filter(run__in=runs).order_by().values_list("run")
    done = Count("pk", filter=Q(status__in=ENDED_STATUSES))
    return {pk: (over, every) for pk, over, every in counts.annotate(over=done, every=Count("pk"))}


def _players(run: Run) -> str:
    names = ("agent", "agent_model", "users", "user_model", "seats", "prompt_set")
    return repr([*(run.setup.get(name) for name in names), *run.options.items()])


def _usual_options(run: Run) -> dict[str, str]:
    options = run.options
    usual = [each.key for each in usual_options(run.suite) if each.key in options]
    return {option_condition(key): str(options[key]) for key in usual}


def labels_of(runs: Sequence[Run]) -> dict[str, str]:
    """A short name a run, each once: two that share one are told apart by their ids."""
    names = {run.pk: _short(run.name) or run.pk for run in runs}
    shared = Counter(names.values())
    return {pk: name if shared[name] == 1 else f"{name} · {pk}" for pk, name in names.items()}


def _short(name: str) -> str:
    """Cut between words, or inside a word that has half of it."""
    words = " ".join(name.split())
    if len(words) <= LONGEST_LABEL:
        return words
    cut = words[: LONGEST_LABEL - 1]
    space = cut.rfind(" ")
    return (cut[:space] if space > LONGEST_LABEL // 2 else cut) + "…"


def count_unscored(runs: Sequence[Run], profile: str) -> int:
    """The sessions of runs that count and have no scores under the profile."""
    counted = Session.objects.filter(run__in=runs, status__in=COUNTED_STATUSES)
    return counted.exclude(scores__profile=profile).count()
