"""Searches for the weights that agree best with the labels of a study: their pairs, how they begin and end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from benchmark.labelling.weights import (
    MOST_POINTS,
    Grid,
    Options,
    Pair,
    data_version,
    grid_of,
    learn,
    read_grid,
)
from benchmark.metrics import Metric, of_rules
from benchmark.suites import suite_named
from webapp.accounts.models import User
from webapp.forms import ChoiceRefused
from webapp.jobs import services as jobs
from webapp.jobs.kinds import retries
from webapp.jobs.models import Job
from webapp.jobs.services import Claim
from webapp.labelling.jobs import WEIGHTS, cancel_search
from webapp.labelling.models import Kind, LabelStudy, WeightSearch
from webapp.labelling.rater_accuracy import WORDS, Pairs

SMALL: Final = "small"
OWN: Final = "own"
_STEPS = ((0.0, 0.25, 0.5, 0.75, 1.0), (0.0, 0.5, 1.0), (0.0, 1.0))
_PERCENT = 0.01
SMALL_POINTS = 20_000
"""Points of the small grid at most, unless two weights a metric are more already."""
Status = WeightSearch.Status
Report = Callable[[int, int], None]


@dataclass(frozen=True)
class LabelledPairs:
    """The pairs of a study with a final label, and the values of both sides by metric.

    unit: whether every metric is brought to the range 0 to 1 over these pairs. A metric of which less is better
    counts with a minus, or in that range from 1 down, so that more is always better. A judge's score counts by the
    judge who scored the most of these sessions, under the name that a grid of the benchmark has for it.
    """

    study: LabelStudy
    profile: str
    unit: bool = False

    @cached_property
    def values(self) -> dict[str, dict[str, float]]:
        """By metric, then by session: of those that vary, with more being better."""
        grids = suite_named(self.study.suite).rating.weight_grids.values()
        named = {key: name for grid in grids for key, name in grid.judge_metrics.items()}
        upward_values = {
            named.get(metric.key, metric.key): _upward(
                metric, own, self.unit, _PERCENT if metric.key in named else 1.0
            )
            for metric, own in self._values_by_metric()
        }
        return {key: own for key, own in upward_values.items() if len(set(own.values())) > 1}

    def _values_by_metric(self) -> Iterable[tuple[Metric, Mapping[str, float]]]:
        metrics = suite_named(self.study.suite).scoring.metrics
        values = self._pairs.values_by_rater()
        for metric in of_rules(metrics):
            yield metric, self._of_pairs(values.get(("", metric.key), {}))
        for metric in metrics:
            given = [
                self._of_pairs(own) for (rater, key), own in values.items() if rater and key == metric.key
            ]
            if given:
                yield metric, max(given, key=len)

    def _of_pairs(self, values: Mapping[str, float]) -> dict[str, float]:
        """Those of sessions of pairs with a final label."""
        return {session: value for session, value in values.items() if session in self._sessions}

    @cached_property
    def _pairs(self) -> Pairs:
        return Pairs(self.study, self.profile)

    @cached_property
    def _sessions(self) -> set[str]:
        return {session or "" for item in self._items for session in (item.left_id, item.right_id)}

    @cached_property
    def _items(self) -> list[Any]:
        final = self._pairs.final
        return [
            item for item in self._pairs.items if item.number in final and final[item.number].choice in WORDS
        ]

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """The pairs as `learn_weights` reads them."""
        final = self._pairs.final
        return [
            {
                "id": str(item.number),
                "stratum": item.stratum,
                "label": WORDS[final[item.number].choice],
                "a": self._side(item.left_id or ""),
                "b": self._side(item.right_id or ""),
            }
            for item in self._items
        ]

    def _side(self, session: str) -> dict[str, float]:
        return {key: own[session] for key, own in self.values.items() if session in own}

    @property
    def labels(self) -> Counter[str]:
        """Pairs by label."""
        return Counter(row["label"] for row in self.rows)


def _upward(metric: Metric, values: Mapping[str, float], unit: bool, scale: float) -> dict[str, float]:
    factor = -scale if metric.better == "low" else scale
    turned = {session: factor * value for session, value in values.items()}
    if not unit or not turned:
        return turned
    least, most = min(turned.values()), max(turned.values())
    return {session: (value - least) / ((most - least) or 1.0) for session, value in turned.items()}


def pairs_of(rows: Iterable[Mapping[str, Any]]) -> list[Pair]:
    """Stored pairs as the search takes them."""
    return [Pair(**row) for row in rows]


def grids_for(suite: str, metrics: Sequence[str]) -> dict[str, Grid]:
    """The grids that are offered for these metrics, by name: a small one, and those of the benchmark.

    The latter without metrics that are not there, such as a judge's where none has rated.
    """
    grids = {SMALL: small_grid(metrics)} if metrics else {}
    own = suite_named(suite).rating.weight_grids
    return grids | {
        name: grid
        for name, shipped in own.items()
        if (grid := _fitting(read_grid(shipped.file.read_bytes()), metrics))
    }


def small_grid(metrics: Sequence[str]) -> Grid:
    """The same few weights for every metric: as many as keep the grid small."""
    steps = next((step for step in _STEPS if len(step) ** len(metrics) <= SMALL_POINTS), _STEPS[-1])
    return grid_of({metric: list(steps) for metric in metrics})


def _fitting(grid: Grid, metrics: Sequence[str]) -> Grid | None:
    """The part of a grid that has these metrics; None where it leaves nothing to choose."""
    rest = grid.without_metrics(set(grid.metrics) - set(metrics))
    return rest if rest is not None and rest.points > 1 else None


def lacking_metrics(suite: str, name: str, grid: Grid) -> list[str]:
    """The metrics of a benchmark's grid of this name that a grid which is offered in its place does not have."""
    own = suite_named(suite).rating.weight_grids.get(name)
    whole = read_grid(own.file.read_bytes()).metrics if own else []
    return [metric for metric in whole if metric not in grid.metrics]


def points_words(grid: Grid) -> str:
    """How many points a grid has, and of how many weights each."""
    given = {"points": f"{grid.points:,}", "weights": sum(len(axis) > 1 for axis in grid.axes)}
    return _("%(points)s points: every combination of %(weights)s weights.") % given


def start_search(
    *,
    study: LabelStudy,
    profile: str,
    grid: Grid,
    options: Mapping[str, Any] | None = None,
    unit: bool = False,
    created_by: User | None = None,
) -> WeightSearch:
    """Search a grid over the pairs as they are labelled now; the workers begin at once.

    options: as `benchmark.labelling.weights.Options`.

    Raises:
        ChoiceRefused: the study has no pairs with a final label, a metric of the grid has no values that vary, or the
            grid has too many points. Nothing is stored.
    """
    if study.kind != Kind.PAIRWISE:
        raise ChoiceRefused(_("Weights are learned from pairs, and this study has no pairs."), "study")
    labelled = LabelledPairs(study, profile, unit)
    _refuse_grid(grid, labelled)
    given = dict(options or {})
    pairs = pairs_of(labelled.rows)
    if given.get("drop_neither") and labelled.labels.keys() <= {"neither"}:
        raise ChoiceRefused(
            _("Every label is “neither”. Untick “Leave out” to learn from them."), "drop_neither"
        )
    with transaction.atomic():
        search = WeightSearch.objects.create(
            study=study,
            profile=profile,
            grid=grid.as_json(),
            options={**given, "unit": unit},
            pairs=labelled.rows,
            data_version=data_version(pairs, grid, drop_neither=bool(given.get("drop_neither"))),
            created_by=created_by,
        )
        jobs.add(kind=WEIGHTS, subjects=[search.pk], group=study.pk)
    jobs.hand_over(kind=WEIGHTS, subject=search.pk)
    return search


def _refuse_grid(grid: Grid, labelled: LabelledPairs) -> None:
    if not labelled.rows:
        raise ChoiceRefused(
            _(
                "No pair has a final label yet. More than half of its annotators must agree, or "
                "somebody must decide."
            ),
            "grid",
        )
    if grid.points > MOST_POINTS:
        words = _(
            "The grid has %(points)s points, and at most %(most)s are searched. Shorten lists, or "
            "leave metrics out."
        )
        raise ChoiceRefused(words % {"points": f"{grid.points:,}", "most": f"{MOST_POINTS:,}"}, "grid")
    wanted = {name for group in grid.groups for name, own in group.metrics.items() if len(own) > 1}
    if lacking := sorted(wanted - labelled.values.keys()):
        words = _(
            "These metrics have no values that vary over the labelled pairs: %(names)s. There are: %(known)s."
        )
        known = ", ".join(labelled.values) or _("none")
        raise ChoiceRefused(words % {"names": ", ".join(lacking), "known": known}, "grid")


@retries(WEIGHTS)
def _search_again(job: Job) -> None:
    fresh = {"status": Status.QUEUED, "done": 0.0, "problem": "", "ended_at": None, "stop_requested": False}
    if WeightSearch.objects.filter(pk=job.subject, status=Status.FAILED).update(**fresh):
        jobs.enqueue(kind=WEIGHTS, subject=job.subject, group=job.group)


def stop_search(*, search: WeightSearch) -> None:
    """End a search; whoever is at it leaves it within seconds."""
    cancel_search(search.pk)


def run_search(*, claimed: Claim, report: Report) -> None:
    """Search, and store the result. report: called several times a second with points done and in all.

    Raises:
        LeaseLost: another worker has it.
    """
    search = WeightSearch.objects.get(pk=claimed.subject)
    WeightSearch.objects.filter(pk=search.pk).update(status=Status.RUNNING, done=0.0, problem="")
    options = {key: value for key, value in search.options.items() if key != "unit"}
    learned_weights = learn(
        pairs_of(search.pairs),
        grid_of(search.grid),
        Options(**options),
        lambda done, total, _label: report(done, total),
    )
    ended = {"status": Status.DONE, "done": 1.0, "ended_at": timezone.now()}
    with transaction.atomic():
        jobs.fence(claimed=claimed)
        WeightSearch.objects.filter(pk=search.pk).update(result=learned_weights.as_json(), **ended)


def tell_progress(*, claimed: Claim, done: int, total: int) -> None:
    """Keep how far a search is."""
    share = min(done / total, 1.0) if total else 0.0
    WeightSearch.objects.filter(pk=claimed.subject).update(done=share)
    jobs.progress(claimed=claimed, done=min(done, 2**31 - 1), of=min(total, 2**31 - 1))


def end_search(subject: str, problem: str) -> None:
    """Say why a search has no result: it was stopped, or it failed."""
    search = WeightSearch.objects.filter(pk=subject, ended_at=None)
    stopped = search.filter(stop_requested=True).exists()
    status = Status.STOPPED if stopped else Status.FAILED
    search.update(status=status, problem="" if stopped else problem, ended_at=timezone.now())


def is_outdated(search: WeightSearch) -> bool:
    """Whether labels, values or the code have changed since a search began: it would have other pairs today."""
    rows = LabelledPairs(search.study, search.profile, bool(search.options.get("unit"))).rows
    drop = bool(search.options.get("drop_neither"))
    return data_version(pairs_of(rows), grid_of(search.grid), drop_neither=drop) != search.data_version


# What pages and commands show of a result.


@dataclass(frozen=True, slots=True)
class Weight:
    """A weight that was found.

    tried_weights: the list of the grid. chosen_share: share of bootstrap samples that chose it. label: what the suite
    calls the metric, an English message id. equals_alone, equals_together: other weights that reach the same best
    accuracy, with the rest as it is, and with other weights of the rest.
    """

    group: str
    metric: str
    value: float
    tried_weights: Sequence[float] = ()
    chosen_share: float | None = None
    label: str = ""
    equals_alone: Sequence[float] = ()
    equals_together: Sequence[float] = ()

    @property
    def is_group(self) -> bool:
        """Whether it is the weight of the group itself."""
        return not self.metric


@dataclass(frozen=True, slots=True)
class Change:
    """A weight that was changed, and the accuracy then. x, width: of its bar in the chart, per mille of its width."""

    words: str
    accuracy: float
    changed: int
    x: float
    width: float


@dataclass(frozen=True)
class Result:
    """A result as JSON. labels: of metrics, English message ids."""

    plain: Mapping[str, Any]
    labels: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def weights(self) -> list[Weight]:
        """Of groups and metrics, in the order of the grid."""
        weights, grid = self.plain["weights"], self.plain["grid"]
        if not isinstance(weights.get("groups"), list):
            return [self._weight("", metric, value, grid[metric]) for metric, value in weights.items()]
        shown = []
        for group, lists in zip(weights["groups"], grid["groups"], strict=True):
            name, tried = group["name"], lists["metrics"]
            shown.append(self._weight(name, "", group["weight"], lists["weights"]))
            shown += [self._weight(name, key, value, tried[key]) for key, value in group["metrics"].items()]
        return shown

    def _weight(self, group: str, metric: str, value: float, tried: Sequence[float]) -> Weight:
        bootstrap, label = self.plain.get("bootstrap"), self.labels.get(metric, "")
        tied = _of(self.plain.get("tied", ()), group, metric) or {"alone": (), "together": ()}
        chosen = _of(bootstrap["chosen"] if bootstrap else (), group, metric)
        share = dict(zip(chosen["weights"], chosen["shares"], strict=True)).get(value) if chosen else None
        return Weight(group, metric, value, tried, share, label, tied["alone"], tied["together"])

    @cached_property
    def changes(self) -> list[Change]:
        """What other weights come to: neighbours in the grid, metrics left out, all equal, groups scaled.

        Bars go from the accuracy found to their own; the whole width is as wide as the farthest of them.
        """
        best, shown = self.plain["agreement"]["accuracy"], []
        for words, entry in self._changes:
            begin, end = sorted((0.5, 0.5 + (entry["accuracy"] - best) / (2 * self.reach)))
            x, width = round(1000 * begin, 1), round(1000 * (end - begin), 1) or 2
            shown.append(Change(words, entry["accuracy"], entry["changed"], x, width))
        return shown

    @cached_property
    def _changes(self) -> list[tuple[str, Mapping[str, Any]]]:
        """Those that have an accuracy, with their words."""
        told = _told_changes(self.plain["sensitivity"])
        return [(words, entry) for words, entry in told if entry["accuracy"] is not None]

    @cached_property
    def reach(self) -> float:
        """How far accuracies of other weights are from the one found, at most."""
        best = self.plain["agreement"]["accuracy"]
        return max((abs(entry["accuracy"] - best) for _words, entry in self._changes), default=0.0) or 0.01


def _told_changes(sensitivity: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for step in sensitivity["steps"]:
        name = step["metric"] or _("group %(name)s") % {"name": step["group"]}
        moved = {"name": name, "before": f"{step['before']:g}", "after": f"{step['after']:g}"}
        yield _("%(name)s: %(before)s → %(after)s") % moved, step
    for entry in sensitivity["left_out"]:
        yield _("without %(name)s") % {"name": entry["metric"]}, entry
    for entry in sensitivity["scaled"]:
        yield _("all groups × %(factor)s") % {"factor": f"{entry['factor']:g}"}, entry
    for entry in sensitivity["temperatures"]:
        yield _temperature(entry["temperature"]), entry


def _of(entries: Iterable[dict[str, Any]], group: str, metric: str) -> dict[str, Any] | None:
    """What a result says of one weight."""
    return next(
        (entry for entry in entries if (entry["group"] or "", entry["metric"] or "") == (group, metric)), None
    )


def _temperature(temperature: float | None) -> str:
    if temperature is None:
        return _("weights of each group equal, except those that are 0")
    if temperature == 1:
        return _("weights of each group summing to 1")
    return _("weights to the power of 1/%(temperature)s") % {"temperature": f"{temperature:g}"}
