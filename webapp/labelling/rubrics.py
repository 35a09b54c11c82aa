"""What people say of sessions in studies of rubrics, for reports."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from webapp.judging.models import Rater
from webapp.labelling.models import Kind, Label, LabelItem, LabelStudy
from webapp.sessions.models import Run

STATES = (LabelStudy.Status.OPEN, LabelStudy.Status.PAUSED, LabelStudy.Status.CLOSED)


@dataclass(frozen=True, slots=True)
class Rating:
    """One annotator's rating of one dimension of a session, on its scale. study: its name; rater: an id."""

    session: str
    dimension: str
    score: int
    rater: str
    study: str


def people_ratings(runs: Collection[Run], dimensions: Collection[str]) -> list[Rating]:
    """The ratings of sessions of some runs by these dimensions that count: of studies that were opened, and no pilot.

    Of a person who rates a session in two studies, the later rating stands last.
    """
    labels = Label.objects.filter(
        item__left__run__in=runs,
        item__at=None,
        item__purpose=LabelItem.Purpose.NORMAL,
        item__withdrawn_at=None,
        item__study__kind=Kind.RUBRIC,
        item__study__pilot=False,
        item__study__status__in=STATES,
        rater__kind=Rater.Kind.PERSON,
        current=True,
        counts=True,
    )
    rows = labels.order_by("created_at", "pk").values_list(
        "item__left", "answer", "rater", "item__study__name"
    )
    return [
        Rating(session, name, score, rater, study)
        for session, answer, rater, study in rows.iterator()
        for name, score in answer.get("scores", {}).items()
        if name in dimensions
    ]
