"""Every statistic of what people say in a study: agreement, votes, preference, the ceiling, ratings, and slices."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib import import_module
from itertools import combinations
from threading import Thread
from typing import Any

import numpy as np

from benchmark.labelling.agreement import Agreement, agreement_of, percent_and_alpha
from benchmark.labelling.ceiling import Ceiling, ceiling
from benchmark.labelling.ceiling import with_intervals as ceiling_intervals
from benchmark.labelling.confirmation import YES_VOTES, Confirmation
from benchmark.labelling.confirmation import confirmation_of as confirmed_in
from benchmark.labelling.errors import human_error
from benchmark.labelling.messages import MessageRubric
from benchmark.labelling.preference import BradleyTerry, Comparison, bradley_terry
from benchmark.labelling.resampling import Figure, Floats, percent, share, with_intervals
from benchmark.labelling.statistic import Definition, Size, Statistic, share_of, undefined_statistic
from benchmark.labelling.tables import LabelTable, Row, Scale, table_of
from benchmark.labelling.votes import Votes, votes_of
from benchmark.metrics import gettext_noop as _
from webapp.judging.models import Rater
from webapp.labelling.models import YES_NO, Choice, Decision, Kind, Label, LabelItem, LabelStudy
from webapp.labelling.table import label_rows, people_labels

PRIOR = 0.5
"""Wins that a regularised fit adds each way."""
MOST_SLICES = 40
NOBODY_RATED = _("nobody has rated a message yet")
MODEL = Definition(
    key="model_agreement",
    name=_("agreement of a model with people"),
    meaning=_(
        "The share of equal answers among all pairs of a model's and a person's answer to the same item."
    ),
    source="TripScore, section 4",
    share=True,
)
_NOT_BOTH = _("no item has an answer of the model and of a person")
_NO_LABELS = ("", "", "")
"""Agents and stratum of an item that was taken out since its labels were read."""
ANSWERS: Mapping[str, Any] = {
    Choice.LEFT: "A",
    Choice.RIGHT: "B",
    Choice.NEITHER: "neither",
    Choice.TIE: "tie",
}


@cache
def get_ready() -> None:
    """Have the packages that statistics need before somebody asks for them: their import takes a second, once."""
    Thread(target=import_module, args=("choix",), name="statistics", daemon=True).start()


@dataclass(frozen=True, slots=True)
class Slice:
    """The agreement over some of the items. facet: by what they were divided."""

    facet: str
    value: str
    percent: Statistic
    alpha: Statistic


@dataclass(frozen=True, slots=True)
class WinCell:
    """Answers on two agents. share: of wins of the first, ties as half; None where nobody prefers one."""

    wins: int
    ties: int
    neither: int
    share: float | None


@dataclass(frozen=True, slots=True)
class Wins:
    """Wins of each agent over each other one; None in a line where an agent meets itself."""

    agents: Sequence[str]
    lines: Sequence[tuple[str, Sequence[WinCell | None]]]


@dataclass(frozen=True, slots=True)
class RatedDimension:
    """One dimension of a rubric. error: how far people are from their median, None where they say yes or no, and then
    mean is the share of yes. mean: of all ratings.
    """

    label: str
    agreement: Agreement
    error: Statistic | None
    mean: float | None


@dataclass(frozen=True, slots=True)
class MessageMean:
    """What messages come to by their rubric, all of them or a part. facet: by what they were divided, "" of all."""

    facet: str
    value: str
    statistic: Statistic


@dataclass(frozen=True, slots=True)
class Line:
    """A statistic in a file: which part it belongs to, and of what it is (two raters, an agent, a slice)."""

    part: str
    of: str
    statistic: Statistic


@dataclass
class Figures:
    """What people say in a study, worked out as it is asked for.

    regularised: scores of agents from a fit that stays finite. model: the agreement of a model with people, for the
    ceiling; None for that of `model_agreements`' best.
    """

    study: LabelStudy
    regularised: bool = False
    model: float | None = None

    @property
    def counting(self) -> bool:
        return not self.study.pilot

    @cached_property
    def rows(self) -> list[Row]:
        """Choices by item and person."""
        return label_rows(self.study, only_counting=self.counting)

    @cached_property
    def table(self) -> LabelTable:
        return table_of(self.rows, "nominal")

    @cached_property
    def agreement(self) -> Agreement:
        return _agreement("nominal", tuple(self.rows))

    @cached_property
    def votes(self) -> Votes:
        return votes_of(self.table)

    @cached_property
    def confirmation(self) -> Confirmation | None:
        """How often people say yes to the question; None in a study that asks none."""
        return confirmed_in(self.table) if self.study.kind == Kind.BINARY else None

    @cached_property
    def names(self) -> dict[str, str]:
        """People by their id."""
        raters = Rater.objects.filter(annotating__study=self.study) | Rater.objects.filter(
            labels__item__study=self.study
        )
        return dict(raters.order_by().distinct().values_list("pk", "name"))

    @cached_property
    def matrix_of_raters(self) -> list[tuple[str, list[Statistic | None]]]:
        """Cohen's kappa of each two people: a line each with the cells before its own."""
        kappas = {frozenset(pair): kappa for pair, kappa in self.agreement.cohen.items()}
        raters = self.table.raters
        return [
            (self.names.get(rater, rater), [kappas.get(frozenset((rater, other))) for other in raters[:at]])
            for at, rater in enumerate(raters)
        ]

    # --- which agent is preferred

    @cached_property
    def _agents(self) -> dict[str, tuple[str, str, str]]:
        """Both agents and the stratum of each item, by its number."""
        items = self.study.items.filter(purpose=LabelItem.Purpose.NORMAL, withdrawn_at=None)
        rows = items.values_list("number", "left_agent", "right_agent", "stratum")
        return {str(number): (left, right, stratum) for number, left, right, stratum in rows.iterator()}

    @cached_property
    def comparisons(self) -> list[Comparison]:
        """Every answer on a pair of agents who are told apart."""
        comparisons_made = []
        for item, _rater, label in self.rows:
            left, right, _stratum = self._agents.get(item, _NO_LABELS)
            if left and right and left != right and (answer := ANSWERS.get(str(label))):
                comparisons_made.append(Comparison(item, left, right, answer))
        return comparisons_made

    @cached_property
    def preference(self) -> BradleyTerry:
        return bradley_terry(self.comparisons, prior=PRIOR if self.regularised else 0.0, seed=self.study.seed)

    @property
    def wins(self) -> Wins:
        """The win matrix, the best agent first."""
        matrix = self.preference.matrix
        at = {agent: number for number, agent in enumerate(matrix.agents)}
        order = [*self.preference.scores]

        def cell(row: str, column: str) -> WinCell | None:
            if row == column:
                return None
            place = at[row], at[column]
            share = float(matrix.shares[place])
            return WinCell(
                int(matrix.wins[place]),
                int(matrix.ties[place]),
                int(matrix.neither[place]),
                None if share != share else share,
            )

        return Wins(order, [(row, [cell(row, column) for column in order]) for row in order])

    # --- the ceiling

    @property
    def classes(self) -> int:
        """K of the noise model: the answers that the study has."""
        return len(self.study.choices)

    @property
    def model_agreements(self) -> list[tuple[str, Statistic]]:
        """How often each model that compared the pairs says what a person says, the best first."""
        return [(name, agreement) for name, agreement, _figure in self._models]

    @cached_property
    def _models(self) -> list[tuple[str, Statistic, Figure]]:
        """With its name its agreement, of all items and of a draw of them."""
        hits, answers = self._said_alike
        names = _told_apart(Rater.objects.filter(pk__in=answers))
        items = len(self.table.items)
        figures: dict[str, tuple[Statistic, Figure]] = {
            rater: (
                share_of(
                    MODEL,
                    int(hits[rater].sum()),
                    int(pairs.sum()),
                    _NOT_BOTH,
                    Size(items=int((pairs > 0).sum()), pairs=int(pairs.sum())),
                ),
                share(hits[rater], pairs),
            )
            for rater, pairs in answers.items()
        }
        given = with_intervals(items, figures)
        agreements = [(names[rater], given[rater], figure) for rater, (_one, figure) in figures.items()]
        return sorted(agreements, key=lambda entry: -(entry[1].value or 0.0))

    @property
    def _said_alike(self) -> tuple[dict[str, Floats], dict[str, Floats]]:
        """Of each model, by item of the table: the answers of people that are its own, and all where it has one."""
        labels = Label.objects.filter(item__study=self.study, source=Label.Source.MODEL, current=True)
        people: dict[str, list[str]] = defaultdict(list)
        for item, _rater, label in self.rows:
            people[item].append(str(label))
        at = {item: place for place, item in enumerate(self.table.items)}
        hits: dict[str, Floats] = defaultdict(lambda: np.zeros(len(at)))
        answers: dict[str, Floats] = defaultdict(lambda: np.zeros(len(at)))
        for rater, number, choice in labels.order_by().values_list("rater_id", "item__number", "choice"):
            if choice and (said := people.get(str(number))):
                hits[rater][at[str(number)]] = said.count(choice)
                answers[rater][at[str(number)]] = len(said)
        return hits, answers

    @property
    def assumed_model(self) -> float | None:
        """The agreement that the ceiling takes: as asked, else that of the best model."""
        if self.model is not None:
            return self.model
        return self.model_agreements[0][1].value if self.model_agreements else None

    @cached_property
    def ceiling(self) -> Ceiling | None:
        """None where people's agreement is undefined."""
        pairwise = self.agreement.percent.value
        if pairwise is None:
            return None
        label_ceiling = ceiling(self.classes, pairwise, self.assumed_model)
        model = self._models[0][2] if self.model is None and self._models else self.assumed_model
        return ceiling_intervals(
            label_ceiling, self.classes, len(self.table.items), percent(self.table), model
        )

    # --- slices

    @cached_property
    def slices(self) -> list[Slice]:
        """By pair of agents and by stratum, where there are several."""
        all_slices = [
            *self._slices_of("agents", self._pair_of),
            *self._slices_of("stratum", self._stratum_of),
        ]
        return all_slices[:MOST_SLICES]

    def _pair_of(self, item: str) -> str:
        left, right, _stratum = self._agents.get(item, _NO_LABELS)
        return " – ".join(sorted(filter(None, (left, right))))

    def _stratum_of(self, item: str) -> str:
        return self._agents.get(item, _NO_LABELS)[2]

    def _slices_of(self, facet: str, of: Any) -> Iterator[Slice]:
        groups: dict[str, list[Row]] = defaultdict(list)
        for row in self.rows:
            groups[of(row.item)].append(row)
        if len(groups) > 1:
            for value, rows in sorted(groups.items())[:MOST_SLICES]:
                yield Slice(facet, value, *_of_slice(tuple(rows)))

    # --- ratings

    @cached_property
    def dimensions(self) -> list[RatedDimension]:
        """Each dimension of a rubric."""
        return [self._dimension(name) for name in self.study.dimension_names]

    def _dimension(self, name: str) -> RatedDimension:
        rows = self._scores.get(name, [])
        by_item: dict[str, list[float]] = defaultdict(list)
        for item, _rater, score in rows:
            by_item[item].append(float(score or 0))
        scores = [score for given in by_item.values() for score in given]
        mean = sum(scores) / len(scores) if scores else None
        if self.study.scales[name] == YES_NO:
            said = tuple(
                row._replace(label=Choice.YES.value if row.label else Choice.NO.value) for row in rows
            )
            return RatedDimension(name, _agreement("nominal", said), None, mean)
        error = human_error(list(by_item.values()))
        return RatedDimension(name, _agreement("ordinal", tuple(rows)), error, mean)

    @cached_property
    def _scores(self) -> dict[str, list[Row]]:
        """Ratings by dimension: all answers are read once."""
        scores: dict[str, list[Row]] = defaultdict(list)
        labels = people_labels(self.study, only_counting=self.counting).order_by()
        for number, rater, answer in labels.values_list("item__number", "rater_id", "answer").iterator():
            for name, score in answer.get("scores", {}).items():
                scores[name].append(Row(str(number), rater, float(score)))
        return scores

    # --- ratings of messages

    @cached_property
    def message_means(self) -> list[MessageMean]:
        """What the messages come to by their rubric: all, then by facet, speaker and stratum where there are several.

        Each message counts alike: as its adjudicator decided, else as the mean over its raters.
        """
        rubric = self.study.message_rubric
        if rubric is None:
            return []
        values = self._message_values(rubric)
        parts: dict[tuple[str, str], list[str]] = {("", ""): [*values]}
        rows = self.study.items.filter(number__in=values).order_by("number")
        for number, facets, speaker, stratum in rows.values_list("number", "facets", "left_agent", "stratum"):
            for part in {**facets, "speaker": speaker, "stratum": stratum}.items():
                parts.setdefault(part, []).append(str(number))
        several = Counter(facet for facet, _value in parts)
        kept = {part: own for part, own in parts.items() if not part[0] or several[part[0]] > 1}
        at = {number: place for place, number in enumerate(values)}
        figures = {part: self._message_mean(rubric.figure, values, own, at) for part, own in kept.items()}
        given = with_intervals(len(values), figures)
        facets = list(dict.fromkeys(facet for facet, _value in kept))
        return [
            MessageMean(*part, given[part]) for part in sorted(kept, key=lambda part: facets.index(part[0]))
        ]

    def _message_values(self, rubric: MessageRubric) -> dict[str, tuple[float, int]]:
        """Of each message, by its item's number, what it comes to and from how many ratings."""
        said: dict[int, list[float]] = defaultdict(list)
        labels = people_labels(self.study, only_counting=self.counting).order_by("item__number")
        for number, answer in labels.values_list("item__number", "answer").iterator():
            said[number].append(rubric.value(answer["scores"]))
        values = {number: (sum(own) / len(own), len(own)) for number, own in said.items()}
        decided = Decision.objects.filter(item__study=self.study, item__number__in=values, current=True)
        for number, answer in decided.values_list("item__number", "answer"):
            values[number] = rubric.value(answer["scores"]), values[number][1]
        return {str(number): value for number, value in values.items()}

    @staticmethod
    def _message_mean(
        definition: Definition,
        values: Mapping[str, tuple[float, int]],
        own: Sequence[str],
        at: Mapping[str, int],
    ) -> tuple[Statistic, Figure]:
        points, counted = np.zeros(len(at)), np.zeros(len(at))
        for number in own:
            points[at[number]], counted[at[number]] = values[number][0], 1
        size = Size(items=len(own), ratings=sum(values[number][1] for number in own))
        if not own:
            return undefined_statistic(definition, NOBODY_RATED, size), share(points, counted)
        return Statistic(definition, float(points.sum() / len(own)), size), share(points, counted)

    # --- all of it as lines

    def lines(self) -> Iterator[Line]:
        """Every statistic of the page."""
        if self.study.kind == Kind.RUBRIC:
            for own in self.message_means:
                yield Line("messages", f"{own.facet}: {own.value}" if own.facet else "", own.statistic)
            for dimension in self.dimensions:
                yield from self._agreement_lines(dimension.agreement, f"{dimension.label}")
                if dimension.error is not None:
                    yield Line("error", dimension.label, dimension.error)
            return
        yield from self._agreement_lines(self.agreement, "")
        if self.confirmation is not None:
            yield Line("confirmed", "", self.confirmation.share)
            for (yes, of), items in self.confirmation.votes.items():
                yield Line("confirmed", f"{yes}/{of}", Statistic(YES_VOTES, items, Size(items=items)))
        if self.study.kind == Kind.PAIRWISE:
            for agent, score in self.preference.scores.items():
                yield Line("preference", agent, score)
        if self.ceiling is not None:
            for figure in (self.ceiling.r, self.ceiling.r_model, self.ceiling.ratio, self.ceiling.all_agree):
                yield Line("ceiling", "", figure)
        for name, figure in self.model_agreements:
            yield Line("model", name, figure)
        for part in self.slices:
            yield Line("slice", f"{part.facet}: {part.value}", part.percent)
            yield Line("slice", f"{part.facet}: {part.value}", part.alpha)

    def _agreement_lines(self, agreement: Agreement, of: str) -> Iterator[Line]:
        for statistic in agreement.table_statistics:
            yield Line("agreement", of, statistic)
        for pair in combinations(agreement.table.raters, 2):
            if (kappa := agreement.cohen.get(pair)) is not None:
                named = " – ".join(self.names.get(rater, rater) for rater in pair)
                yield Line("agreement", f"{of}: {named}" if of else named, kappa)


@lru_cache(maxsize=32)
def _agreement(scale: Scale, rows: tuple[Row, ...]) -> Agreement:
    """Kept by a process: a page of an open study asks again and again, and intervals take long."""
    return agreement_of(table_of(rows, scale))


@lru_cache(maxsize=256)
def _of_slice(rows: tuple[Row, ...]) -> tuple[Statistic, Statistic]:
    return percent_and_alpha(table_of(rows, "nominal"))


def _told_apart(raters: Iterable[Rater]) -> dict[str, str]:
    """Names by id; the key, which says method and settings, where several raters have one name."""
    given = list(raters)
    names = Counter(rater.name for rater in given)
    return {rater.pk: (names[rater.name] > 1 and rater.key) or rater.name for rater in given}


def file_lines(lines: Sequence[Line]) -> list[dict[str, Any]]:
    """Statistics as rows of a file, in English, which other programs read. A size that does not apply is None."""
    return [
        {
            "part": line.part,
            "of": line.of,
            "statistic": line.statistic.definition.key,
            "name": line.statistic.definition.name,
            "value": line.statistic.value,
            "low": line.statistic.low,
            "high": line.statistic.high,
            "p": line.statistic.p,
            "items": line.statistic.size.items or None,
            "ratings": line.statistic.size.ratings or None,
            "pairs": line.statistic.size.pairs or None,
            "raters": line.statistic.size.raters or None,
            "undefined_because": str(line.statistic.reason) if line.statistic.reason else "",
            "remarks": "; ".join(map(str, line.statistic.remarks)),
            "definition": line.statistic.definition.meaning,
            "source": line.statistic.definition.source,
        }
        for line in lines
    ]
