"""How long studies keep what is personal of their annotators, and what is removed then.

A study says for how many days, or CARAVAN_RETENTION_DAYS does for all that say nothing. They are counted from when
the study was closed; of one that nobody closed from the last answer, the last visit, or the end of the last link
that works, whichever is latest. Then names, reasons, drafts, notes and links go; answers and figures stay.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Exists, Max, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Concat
from django.utils.translation import gettext as _

from webapp import clock
from webapp.audits.models import Act, Way
from webapp.audits.services import note_access
from webapp.judging.models import Rater
from webapp.labelling.models import (
    STRENGTH,
    TOLD_KEY,
    Annotator,
    Assignment,
    Decision,
    Label,
    LabelStudy,
    new_annotator_id,
)
from webapp.people.retention import Removal, kept_days

AT_ONCE = 500
"""Rows a query; SQLite takes about a thousand values in one."""
PSEUDONYM = "R-"
"""What stands before the id of a rater whose name was removed."""
_ANSWER_KEYS = ("choice", STRENGTH, "scores")
_COUNTING_KEYS = {"repeat": int, "current": bool}
"""What of an imported label decides whether it counts."""


class DueStudy(NamedTuple):
    """A study whose personal data is removed at a moment."""

    study: LabelStudy
    due_at: datetime


def removed_words() -> str:
    """Why a study takes no more answers of people."""
    return _(
        "The study is over, and the names of its annotators and what they wrote were removed. It takes no more "
        "answers."
    )


def kept_studies() -> QuerySet[LabelStudy]:
    """Those that hold something personal."""
    labels = Label.objects.filter(item__study=OuterRef("pk"), rater__kind=Rater.Kind.PERSON)
    annotators = Annotator.objects.filter(study=OuterRef("pk"))
    return LabelStudy.objects.filter(Exists(annotators) | Exists(labels), data_removed_at=None)


def due_at(study: LabelStudy) -> datetime | None:
    """When its data is removed, None for never."""
    days = kept_days(study)
    if not days or study.data_removed_at is not None:
        return None
    return max(_last_moments(study)) + timedelta(days=days)


def _last_moments(study: LabelStudy) -> Iterator[datetime]:
    """When somebody was last at work in a study, in one way or another; what is found at once comes first.

    A file can tell of moments to come, which don't count.
    """
    yield study.created_at
    if study.kept_from is not None:
        yield study.kept_from
    came = {"came": Max("created_at")}
    if study.status != LabelStudy.Status.CLOSED:
        came |= {"seen": Max("seen_at"), "works": Max("expires_at", filter=Q(revoked_at=None))}
    yield from filter(None, study.annotators.aggregate(**came).values())
    labels = Label.objects.filter(item__study=study, rater__kind=Rater.Kind.PERSON)
    yield from filter(
        None, labels.filter(created_at__lte=clock.now()).aggregate(at=Max("created_at")).values()
    )


def due_studies() -> list[LabelStudy]:
    """Those whose days are over."""
    now = clock.now()
    return [study for study in kept_studies().order_by("created_at", "pk") if is_due(study, now)]


def is_due(study: LabelStudy, now: datetime) -> bool:
    """Whether its days are over."""
    days = kept_days(study)
    if not days or study.data_removed_at is not None:
        return False
    return all(at + timedelta(days=days) <= now for at in _last_moments(study))


def removals() -> Iterator[Removal]:
    """What will be removed when, for the command."""
    for study in kept_studies().order_by("created_at", "pk"):
        if (at := due_at(study)) is not None:
            people = _raters_of(study).count()
            yield Removal(
                due_at=at,
                words=f"{people} annotators of labelling study {study.name} ({study.pk})",
                row={"study": study.name, "label_study": study.pk, "people": people},
                remove=lambda pk=study.pk: erase(pk),  # type: ignore[misc]
            )


def _raters_of(study: LabelStudy) -> QuerySet[Rater]:
    here = Q(annotating__study=study) | Q(labels__item__study=study)
    return Rater.objects.filter(here, kind=Rater.Kind.PERSON).distinct()


def erase(study_id: str) -> int:
    """Remove what is personal of the annotators of a study now, all or nothing; gives how many people's.

    Again, or where its days are not over (any more), it does nothing. Whoever gives out items or takes answers holds
    the study's row too.
    """
    now = clock.now()
    with transaction.atomic():
        study = LabelStudy.objects.select_for_update().get(pk=study_id)
        if not is_due(study, now):
            return 0
        raters = list(_raters_of(study).values_list("pk", flat=True))
        study.status, study.data_removed_at = LabelStudy.Status.CLOSED, now
        study.save(update_fields=["status", "data_removed_at"])
        _erase_links(study, now)
        _erase_words(study, now)
        forget_names(raters)
        note_access(
            account=None,
            act=Act.REMOVED,
            way=Way.RETENTION,
            place="erase",
            kind="labelling",
            subject=study.pk,
            people=len(raters),
        )
    return len(raters)


def _erase_links(study: LabelStudy, now: datetime) -> None:
    """What makes the links, and what panels told."""
    study.annotators.filter(revoked_at=None).update(revoked_at=now)
    annotators = list(study.annotators.all())
    for annotator in annotators:
        annotator.nonce, annotator.panel = new_annotator_id(), {}
    Annotator.objects.bulk_update(annotators, ["nonce", "panel"], batch_size=AT_ONCE)


def _erase_words(study: LabelStudy, now: datetime) -> None:
    given = Assignment.objects.filter(item__study=study)
    open_ones = given.filter(status=Assignment.Status.OPEN)
    open_ones.update(status=Assignment.Status.EXPIRED, ended_at=now, draft={}, reason="")
    given.update(draft={}, reason="")
    labels = Label.objects.filter(item__study=study, rater__kind=Rater.Kind.PERSON)
    labels.exclude(rationale="").update(rationale="")
    changed: dict[str, list[int]] = defaultdict(list)
    imported = labels.filter(source=Label.Source.IMPORT).order_by("pk").values_list("pk", "answer")
    for pk, answer in imported.iterator(chunk_size=AT_ONCE):
        if (plain := _plain_answer(answer)) != answer:
            changed[json.dumps(plain)].append(pk)
    for text, pks in changed.items():
        for begin in range(0, len(pks), AT_ONCE):
            Label.objects.filter(pk__in=pks[begin : begin + AT_ONCE]).update(answer=json.loads(text))
    Decision.objects.filter(item__study=study).exclude(note="").update(note="")


def _plain_answer(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer of a file without its words: what was chosen, numbers, and whether it counts."""
    plain = {
        key: value
        for key, value in answer.items()
        if key in _ANSWER_KEYS or isinstance(value, int | float | None)
    }
    told = answer.get(TOLD_KEY)
    if isinstance(told, dict):
        plain[TOLD_KEY] = {key: kind(told[key]) for key, kind in _COUNTING_KEYS.items() if key in told}
    return plain


def forget_names(raters: Collection[str]) -> None:
    """Give those of some raters a pseudonym whom no study keeps. It belongs into the transaction of the removal."""
    pks = sorted(raters)
    for begin in range(0, len(pks), AT_ONCE):
        some = Rater.objects.filter(pk__in=pks[begin : begin + AT_ONCE], kind=Rater.Kind.PERSON)
        locked = some.select_for_update(of=("self",)).order_by("pk")
        list(locked.only("pk"))  # who is in two studies that are removed waits here
        keeps = LabelStudy.objects.filter(data_removed_at=None)
        annotating = Annotator.objects.filter(rater=OuterRef("pk"), study__in=keeps)
        labelled = Label.objects.filter(rater=OuterRef("pk"), item__study__in=keeps)
        kept = set(some.filter(Exists(annotating) | Exists(labelled)).values_list("pk", flat=True))
        forgotten = Rater.objects.filter(
            pk__in=set(pks[begin : begin + AT_ONCE]) - kept, kind=Rater.Kind.PERSON
        )
        forgotten.update(name=pseudonym(), cities=[], language="", user=None)


def pseudonym() -> Concat:
    """What stands in place of the name of a rater, of their row."""
    return Concat(Value(PSEUDONYM), "pk")
