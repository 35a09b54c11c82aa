"""Metrics, judges and models that compare, each against what people say of the items of a study."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean, median
from typing import Any, Final, Literal

from django.db.models import Q, QuerySet

from benchmark.judging import Pair
from benchmark.labelling.agreement import percent_and_alpha
from benchmark.labelling.ceiling import Ceiling, ceiling
from benchmark.labelling.errors import (
    human_error,
    judge_error,
    mean_human_error,
    mean_judge_error,
    median_gaps,
)
from benchmark.labelling.rater_accuracy import Accuracy, Opinion, RaterComparison, accuracy, compare_rater
from benchmark.labelling.statistic import Statistic
from benchmark.metrics import Metric, of_rules
from benchmark.suites import joint_metrics, suite_named
from webapp.judging.joint_values import joint_names
from webapp.judging.models import Rater
from webapp.judging.verdicts import Verdicts, pairs_of, verdicts_by, verdicts_of
from webapp.labelling.models import Choice, Label, LabelItem, LabelStudy
from webapp.labelling.strata import slices_of
from webapp.labelling.table import Final as Said
from webapp.labelling.table import final_choices, label_table, people_labels
from webapp.sessions.models import MetricValue

WORDS: Final[Mapping[str, str]] = {
    Choice.LEFT: "A",
    Choice.RIGHT: "B",
    Choice.NEITHER: "neither",
    Choice.TIE: "tie",
}
"""A choice as statistics call it."""
Kind = Literal["metric", "judge", "pointwise", "pairwise"]


@dataclass(frozen=True, slots=True)
class Source:
    """Who or what says which plan of a pair is better.

    key: in addresses. name: an English message id of a metric, a name as it is of others. metric: of the rules or of
    a judge. rater: of a judge or a model.
    """

    key: str
    kind: Kind
    name: str
    metric: Metric | None = None
    rater: Rater | None = None


@dataclass(frozen=True)
class Line:
    """A source with how often it says what people say, and how near that comes to what people reach (appendix C.4 of
    TripScore's paper, whose agreement of a model is its accuracy with ties in).

    ceiling: None where people's own agreement is undefined.
    """

    source: Source
    accuracy: Accuracy
    ceiling: Ceiling | None = None


@dataclass(frozen=True)
class Pairs:
    """The pairs of a study with what people say of them. profile: of scoring, whose values metrics have."""

    study: LabelStudy
    profile: str

    @cached_property
    def items(self) -> list[LabelItem]:
        """Its own items with two sides, by number."""
        return list(_pairs(self.study).select_related("task").defer("task__definition").order_by("number"))

    @cached_property
    def final(self) -> dict[int, Said]:
        """The decision, else the strict majority, by the item's number; those of a pilot in its own study."""
        return final_choices(self.study, only_counting=not self.study.pilot)

    @cached_property
    def decided(self) -> int:
        """Pairs on which people have a final word."""
        return sum(item.number in self.final for item in self.items)

    @cached_property
    def people(self) -> Statistic:
        """How often two people agree on an item that both answered."""
        return percent_and_alpha(label_table(self.study, only_counting=not self.study.pilot))[0]

    def ceiling(self, model: float | None = None) -> Ceiling | None:
        """How reliable people are, and how near a model with this accuracy comes; None where nobody can tell."""
        pairwise = self.people.value
        return None if pairwise is None else ceiling(len(self.study.choices), pairwise, model)

    @cached_property
    def slices(self) -> dict[int, dict[str, str]]:
        """What results are split by, by the item's number."""
        return {item.number: _slices(item) for item in self.items}

    @cached_property
    def sources(self) -> list[Source]:
        """Every metric of the rules, every judge that scored these sessions, every model that compared them."""
        suite = suite_named(self.study.suite)
        metrics = [
            Source(f"metric-{metric.key}", "metric", metric.name, metric)
            for metric in of_rules(suite.scoring.metrics)
        ]
        return [*metrics, *self._judges(suite.scoring.metrics), *self._models()]

    def _judges(self, metrics: Iterable[Metric]) -> Iterator[Source]:
        named = (
            self._values(Q(profile__in=["", self.profile]) & ~Q(rater=""))
            .values_list("rater", "key")
            .distinct()
        )
        by_key = {metric.key: metric for metric in metrics}
        given = sorted({(self._name_of(rater, key), key) for rater, key in named if key in by_key})
        raters = {rater.key: rater for rater in Rater.objects.filter(key__in={name for name, _ in given})}
        for name, key in given:
            if name in raters:
                yield Source(f"rater-{raters[name].pk}", "judge", name, by_key[key], raters[name])

    def _name_of(self, rater: str, key: str) -> str:
        """The name of a judge: of a value that is made of several rubrics, one whichever a session is rated by."""
        return self._joint_names.get(rater, rater) if key in self._joint_keys else rater

    @cached_property
    def _joint_keys(self) -> set[str]:
        return {metric.key for metric in joint_metrics(self.study.suite)}

    @cached_property
    def _joint_names(self) -> dict[str, str]:
        sessions = {pk for item in self.items for pk in (item.left_id, item.right_id) if pk}
        return joint_names(pairs_of(sessions, verdicts_of(sessions)))

    def _models(self) -> Iterator[Source]:
        said = Label.objects.filter(item__study=self.study, current=True, source=Label.Source.MODEL)
        asking = self.study.comparisons.order_by().values("rater")
        for rater in Rater.objects.filter(Q(pk__in=said.order_by().values("rater")) | Q(pk__in=asking)):
            kind: Kind = "pointwise" if rater.kind == Rater.Kind.POINTWISE else "pairwise"
            yield Source(f"rater-{rater.pk}", kind, rater.name, None, rater)

    def source(self, key: str) -> Source | None:
        """The one with this key."""
        return next((source for source in self.sources if source.key == key), None)

    def lines(self, metrics: Collection[str] | None = None) -> list[Line]:
        """Each source with its accuracy. metrics: the keys of those that are wanted, None for all."""
        values = self.values_by_rater()
        return [
            Line(source, own, self.ceiling(own.ties_in.value))
            for source in self.sources
            if metrics is None or source.metric is None or source.metric.key in metrics
            for own in [accuracy(self.opinions(source, values))]
        ]

    def comparison_with(self, source: Source) -> RaterComparison:
        """One source in detail."""
        return compare_rater(self.opinions(source, self.values_by_rater(source)))

    def opinions(
        self, source: Source, values: Mapping[tuple[str, str], Mapping[str, float]]
    ) -> list[Opinion]:
        """What people and a source say of each pair. values: by rater and metric, then by session."""
        if source.metric is None:
            return self._labels(source)
        rater = source.rater.key or "" if source.rater else ""
        own = values.get((rater, source.metric.key), {})
        return [self._opinion(item, difference=_difference(item, own, source.metric)) for item in self.items]

    def _labels(self, source: Source) -> list[Opinion]:
        labels = Label.objects.filter(item__study=self.study, rater=source.rater, current=True)
        said = dict(labels.order_by().values_list("item", "answer"))
        return [self._opinion(item, **_opinion_of(said.get(item.pk))) for item in self.items]

    def _opinion(self, item: LabelItem, **given: Any) -> Opinion:
        final = self.final.get(item.number)
        label = WORDS[final.choice] if final and final.choice in WORDS else None
        return Opinion(str(item.number), label, slices=self.slices[item.number], **given)

    def _values(self, wanted: Q) -> QuerySet[MetricValue]:
        pairs = _pairs(self.study)
        sides = Q(session__in=pairs.values("left")) | Q(session__in=pairs.values("right"))
        return MetricValue.objects.filter(sides, wanted).order_by()

    def values_by_rater(self, source: Source | None = None) -> dict[tuple[str, str], dict[str, float]]:
        """Values by rater and metric, then by session; of one source, or of all."""
        wanted = Q(profile=self.profile) | (Q(profile="") & ~Q(rater=""))
        if source is not None:
            wanted &= Q(key=source.metric.key if source.metric else "")
        values: dict[tuple[str, str], dict[str, float]] = {}
        rows = self._values(wanted).values_list("session", "rater", "key", "value")
        for session, rater, key, value in rows.iterator(chunk_size=5000):
            values.setdefault((self._name_of(rater, key), key), {})[session] = value
        return values


def _pairs(study: LabelStudy) -> QuerySet[LabelItem]:
    whole = Q(left__isnull=False, right__isnull=False, withdrawn_at=None, purpose=LabelItem.Purpose.NORMAL)
    return study.items.filter(whole).order_by()


def _slices(item: LabelItem) -> dict[str, str]:
    slices = {
        "stratum": item.stratum,
        **slices_of(item.task),
        "agents": " – ".join(sorted(filter(None, (item.left_agent, item.right_agent)))),
    }
    return {facet: value for facet, value in slices.items() if value}


def _difference(item: LabelItem, values: Mapping[str, float], metric: Metric) -> float | None:
    """How much better the left plan is by a metric; None where a side has no value."""
    left, right = values.get(item.left_id or ""), values.get(item.right_id or "")
    if left is None or right is None:
        return None
    return right - left if metric.better == "low" else left - right


def _opinion_of(answer: Mapping[str, Any] | None) -> dict[str, Any]:
    """A model's label as an opinion: by points their difference, else the choice with its confidence."""
    if answer is None:
        return {}
    if "left" in answer and "right" in answer:
        return {"difference": float(answer["left"]) - float(answer["right"])}
    return {"choice": WORDS.get(answer.get("choice", "")), "confidence": answer.get("confidence")}


# Rubrics: ratings by dimension.


@dataclass(frozen=True, slots=True)
class RatedSession:
    """A session that people rated. scores: theirs by dimension. judge: means over a judge's verdicts by dimension."""

    item: LabelItem
    scores: Mapping[str, Sequence[float]]
    judge: Mapping[str, float]

    def gap(self, dimension: str) -> float | None:
        """The judge's rating less the median of people; None where one of both is missing."""
        if dimension not in self.judge or not self.scores.get(dimension):
            return None
        return self.judge[dimension] - median(self.scores[dimension])

    @property
    def widest(self) -> float:
        """The largest distance of the judge from the median, over dimensions."""
        return max((abs(gap) for name in self.judge if (gap := self.gap(name)) is not None), default=0.0)


@dataclass(frozen=True, slots=True)
class DimensionLine:
    """A judge and people on one dimension.

    judge, people: mean absolute errors. to_median: of the judge from the median of people; bias: the same with its
    sign. n: sessions rated by both.
    """

    name: str
    judge: Statistic
    people: Statistic
    to_median: Statistic
    bias: Statistic
    n: int


@dataclass(frozen=True, slots=True)
class JudgeLines:
    """One judge against people. number: its place among the judges. widest: items, farthest first."""

    number: int
    name: str
    lines: Sequence[DimensionLine]
    mean_judge: Statistic
    mean_people: Statistic
    widest: Sequence[RatedSession]

    @property
    def key(self) -> str:
        """Of it in addresses."""
        return f"judge-{self.number}"


def judges_of(study: LabelStudy) -> list[JudgeLines]:
    """Every judge that rated sessions of a rubric's study, who rated the most first."""
    items = {item.number: item for item in study.items.filter(withdrawn_at=None, left__isnull=False)}
    people = _people(study)
    sessions = {items[number].left_id or "" for number in people if number in items}
    verdicts = verdicts_of(sessions)
    pairs = pairs_of(sessions, verdicts)
    return [
        _judge_lines(number, f"{pair.full_label}, {pair.meta_label}", study, rated)
        for number, pair in enumerate(pairs)
        if _asks_the_same(study, pair) and (rated := list(_rated_sessions(items, people, verdicts, pair)))
    ]


def _asks_the_same(study: LabelStudy, pair: Pair) -> bool:
    """Whether a judge rated by the rubric of a study; own dimensions are compared with all judges by their names."""
    first = next((rubric.name for rubric in suite_named(study.suite).rating.rubrics), "")
    return bool(study.dimensions) or (pair.rubric or first) == (study.rubric or first)


def _people(study: LabelStudy) -> dict[int, dict[str, list[float]]]:
    people: dict[int, dict[str, list[float]]] = {}
    labels = people_labels(study, only_counting=not study.pilot).order_by()
    for number, answer in labels.values_list("item__number", "answer").iterator():
        own = people.setdefault(number, {})
        for name, score in answer.get("scores", {}).items():
            own.setdefault(name, []).append(float(score))
    return people


def _rated_sessions(
    items: Mapping[int, LabelItem],
    people: Mapping[int, Mapping[str, list[float]]],
    verdicts: Verdicts,
    pair: Any,
) -> Iterator[RatedSession]:
    for number, scores in sorted(people.items()):
        if number in items:
            given = verdicts_by([pair], verdicts.get(items[number].left_id or "", ()))
            ratings = [rated.ratings for rated in given if rated.ratings]
            if ratings:
                means = {name: fmean(rating[name] for rating in ratings) for name in ratings[0]}
                yield RatedSession(items[number], scores, means)


def _judge_lines(number: int, name: str, study: LabelStudy, rated: Sequence[RatedSession]) -> JudgeLines:
    names = study.dimension_names
    by_both = [
        {
            key: (session.judge[key], session.scores[key])
            for key in names
            if key in session.judge and session.scores.get(key)
        }
        for session in rated
    ]
    people = [{key: humans for key, (_judge, humans) in own.items()} for own in by_both]
    return JudgeLines(
        number,
        name,
        [_line(dimension, rated) for dimension in names],
        mean_judge_error(by_both),
        mean_human_error(people),
        sorted((session for session in rated if session.widest), key=lambda session: -session.widest),
    )


def _line(dimension: str, rated: Sequence[RatedSession]) -> DimensionLine:
    own = [session for session in rated if dimension in session.judge and session.scores.get(dimension)]
    gaps = [gap for session in own if (gap := session.gap(dimension)) is not None]
    return DimensionLine(
        dimension,
        judge_error([(session.judge[dimension], session.scores[dimension]) for session in own]),
        human_error([session.scores[dimension] for session in own]),
        *median_gaps(gaps),
        len(own),
    )
