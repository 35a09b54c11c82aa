"""Whether an annotator passes the qualification: by the known answers of its items, as they are now."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from webapp import clock
from webapp.labelling.models import Annotator, Assignment, Label, LabelItem, LabelStudy
from webapp.labelling.scales import are_alike

QUALIFICATION = LabelItem.Purpose.QUALIFICATION


@dataclass(frozen=True, slots=True)
class Qualifying:
    """What somebody did with the qualification items that they were done with, in numbers of items.

    right: answered as the known answer has it. skips: given back, which counts as not right. threshold: how many must
    be right.
    """

    items: int
    right: int
    skips: int
    threshold: int

    @property
    def passes(self) -> bool:
        """Whether that is enough."""
        return self.right >= self.threshold


def is_right(item: LabelItem, given: Mapping[str, Any]) -> bool:
    """Whether an answer is the known one; a rubric's is right within one point in every dimension,
    and alike where the answer is yes or no.

    A side is right however much better either answer finds it.
    """
    known = item.answer or {}
    if "scores" in known:
        return are_alike(known["scores"], given.get("scores", {}), item.study.scales)
    return bool(known.get("choice") == given.get("choice"))


def qualifying_of(annotator: Annotator) -> Qualifying:
    """How they did, by the known answers as they are now; items that were taken out do not count."""
    study = annotator.study
    return _qualifying(annotator, study, list(study.items.filter(purpose=QUALIFICATION, withdrawn_at=None)))


def judge(annotator: Annotator, study: LabelStudy, now: datetime) -> None:
    """Let who has answered or skipped all qualification items go on, or not.

    What they answered of items that were taken out counts too, so that nobody who erred gets past the rest by it.
    """
    if annotator.qualified_at is not None or annotator.failed_at is not None:
        return
    asked = list(study.items.filter(purpose=QUALIFICATION))
    answers, skipped = _answers(annotator, asked)
    if any(item.withdrawn_at is None and item.pk not in {*answers, *skipped} for item in asked):
        return
    result = _qualifying(annotator, study, asked)
    if not result.items:
        return
    field = "qualified_at" if result.passes else "failed_at"
    setattr(annotator, field, now)
    annotator.save(update_fields=[field])


def judge_again(annotator: Annotator) -> bool:
    """Whether somebody who failed goes on: they pass by the known answers as they are now, or skipped some items.

    Items that were taken out do not count any more; those that they skipped are asked once more.
    """
    now = clock.now()
    with transaction.atomic():
        study = LabelStudy.objects.select_for_update().get(pk=annotator.study_id)
        annotator.refresh_from_db(fields=["qualified_at", "failed_at"])
        if annotator.failed_at is None:
            return True
        result = qualifying_of(annotator)
        if result.passes:
            annotator.qualified_at = now
        elif not _ask_skipped(annotator, study):
            return False
        annotator.failed_at = None
        annotator.save(update_fields=["failed_at", "qualified_at"])
    return True


def _ask_skipped(annotator: Annotator, study: LabelStudy) -> int:
    """Have the qualification items that they skipped given to them again; how many."""
    items = study.items.filter(purpose=QUALIFICATION, withdrawn_at=None)
    skipped = Assignment.objects.filter(annotator=annotator, item__in=items, status=Assignment.Status.SKIPPED)
    return skipped.update(status=Assignment.Status.EXPIRED)


def _qualifying(annotator: Annotator, study: LabelStudy, asked: Sequence[LabelItem]) -> Qualifying:
    answers, skipped = _answers(annotator, asked)
    done = [item for item in asked if item.pk in answers or item.pk in skipped]
    right = sum(item.pk in answers and is_right(item, answers[item.pk]) for item in done)
    threshold = math.ceil(study.qualification * len(done) - 1e-9)
    return Qualifying(len(done), right, len(done) - len(answers), threshold)


def _answers(
    annotator: Annotator, asked: Sequence[LabelItem]
) -> tuple[dict[int, Mapping[str, Any]], set[int]]:
    """What they answered of these items, by item, and which they skipped and did not answer."""
    if not asked:
        return {}, set()
    labels = Label.objects.filter(rater=annotator.rater_id, item__in=asked, current=True)
    answers = dict(labels.values_list("item_id", "answer"))
    given = Assignment.objects.filter(annotator=annotator, item__in=asked, status=Assignment.Status.SKIPPED)
    return answers, set(given.values_list("item_id", flat=True)) - set(answers)
