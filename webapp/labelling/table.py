"""What was said in a study, as tables for statistics and as what the labels of each item come to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from django.db.models import Q, QuerySet

from benchmark.labelling.tables import LabelTable, Row, Scale, table_of
from benchmark.labelling.votes import majority
from webapp.judging.models import Rater
from webapp.labelling.models import Decision, Kind, Label, LabelItem, LabelStudy


def people_labels(study: LabelStudy, *, only_counting: bool = True) -> QuerySet[Label]:
    """The present answers of people to the study's own items, the first time that they were asked.

    only_counting: without those of a pilot.
    """
    labels = Label.objects.filter(
        item__study=study,
        item__purpose=LabelItem.Purpose.NORMAL,
        item__withdrawn_at=None,
        rater__kind=Rater.Kind.PERSON,
        current=True,
    )
    if only_counting:
        return labels.filter(counts=True)
    return labels.filter(Q(assignment=None) | Q(assignment__repeat=0, assignment__slot__isnull=False))


def label_rows(study: LabelStudy, *, dimension: str = "", only_counting: bool = True) -> list[Row]:
    """Item by number, rater by id, and the choice, or under a rubric the rating of a dimension.

    Items without any label are there with none.
    """
    labels = people_labels(study, only_counting=only_counting).order_by()
    if dimension:
        scored = labels.values_list("item__number", "rater_id", "answer")
        rows = [
            Row(str(number), rater, _rating(answer, dimension)) for number, rater, answer in scored.iterator()
        ]
    else:
        chosen = labels.exclude(choice="").values_list("item__number", "rater_id", "choice")
        rows = [Row(str(number), rater, choice) for number, rater, choice in chosen.iterator()]
    return rows


def _rating(answer: Mapping[str, Any], dimension: str) -> float | None:
    score = answer.get("scores", {}).get(dimension)
    return None if score is None else float(score)


def label_table(study: LabelStudy, *, dimension: str = "", only_counting: bool = True) -> LabelTable:
    """The answers of people: items by number (as text), raters by the id of their `Rater`.

    dimension: of a rubric, whose ratings are then the labels, on an ordinal scale.
    """
    scale: Scale = "ordinal" if dimension else "nominal"
    return table_of(label_rows(study, dimension=dimension, only_counting=only_counting), scale)


@dataclass(frozen=True, slots=True)
class Final:
    """What an item's labels come to. decided: by an adjudicator. scores: of a rubric, by dimension."""

    choice: str = ""
    scores: Mapping[str, float] = field(default_factory=dict)
    decided: bool = False


def final_choices(study: LabelStudy, *, only_counting: bool = True) -> dict[int, Final]:
    """What the labels of each item come to, by its number: the decision, else the strict majority, else nothing.

    Under a rubric it is the median of each dimension. Items of which nothing can be said are left out.
    """
    choices = _final_decisions(study)
    said: dict[int, list[Any]] = defaultdict(list)
    column = "answer" if study.kind == Kind.RUBRIC else "choice"
    labels = people_labels(study, only_counting=only_counting).order_by()
    for number, value in labels.values_list("item__number", column).iterator():
        said[number].append(value)
    for number, values in said.items():
        if number not in choices and (final := _vote(study, values)) is not None:
            choices[number] = final
    return choices


def _final_decisions(study: LabelStudy) -> dict[int, Final]:
    decisions = Decision.objects.filter(item__study=study, item__withdrawn_at=None, current=True)
    rows = decisions.values_list("item__number", "choice", "answer")
    return {
        number: Final(choice, answer.get("scores", {}), decided=True)
        for number, choice, answer in rows.iterator()
    }


def _vote(study: LabelStudy, values: list[Any]) -> Final | None:
    if study.kind != Kind.RUBRIC:
        choice = majority(values, study.per_item)
        return Final(choice) if choice else None
    medians = {
        name: float(median(scores))
        for name in study.dimension_names
        if (scores := [value["scores"][name] for value in values if name in value.get("scores", {})])
    }
    return Final(scores=medians) if medians else None
