"""What an annotator's pages need to know: where they stand, and what they can do there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone, translation

from webapp.labelling.models import Annotator, Assignment, LabelItem, LabelStudy
from webapp.labelling.queue import BEFORE, LONGEST, SIDES, Answer, last_done


class Gate(StrEnum):
    """What keeps an annotator from the items."""

    REVOKED = "revoked"
    EXPIRED = "expired"
    LEFT = "left"
    CLOSED = "closed"
    DRAFT = "draft"
    PAUSED = "paused"
    FAILED = "failed"
    UNREAD = "unread"


def gate(annotator: Annotator) -> Gate | None:
    """What keeps them from the items now, None where nothing does."""
    study = annotator.study
    checks = (
        (annotator.revoked_at is not None, Gate.REVOKED),
        (not annotator.usable(), Gate.EXPIRED),
        (study.status == LabelStudy.Status.CLOSED, Gate.CLOSED),
        (annotator.left_at is not None, Gate.LEFT),
        (annotator.failed_at is not None, Gate.FAILED),
        (study.status == LabelStudy.Status.DRAFT, Gate.DRAFT),
        (study.status == LabelStudy.Status.PAUSED, Gate.PAUSED),
        (annotator.guidelines_read != study.guidelines_version, Gate.UNREAD),
        (study.asks_consent and annotator.consented_at is None, Gate.UNREAD),
    )
    return next((name for shut, name in checks if shut), None)


def examples_of(study: LabelStudy) -> QuerySet[LabelItem]:
    """The items that explain the guidelines."""
    items = study.items.filter(purpose=LabelItem.Purpose.EXAMPLE, withdrawn_at=None)
    return items.select_related("task", "left", "right", "study")


def to_take_back(annotator: Annotator) -> Assignment | None:
    """The answer or skip that can be taken back, None where there is none.

    One of a training or a qualification item, or of an item that was taken out of the study, can't be.
    """
    last = last_done(annotator)
    if last is None or last.item.purpose in BEFORE or last.item.withdrawn_at:
        return None
    return last


def assignment_of(annotator: Annotator, key: str) -> Assignment | None:
    """The assignment of theirs with this key, whatever its state."""
    if not (key.isascii() and key.isdigit() and len(key) < 18):  # what a database's integer holds
        return None
    assignments = Assignment.objects.filter(annotator=annotator, pk=int(key))
    return assignments.select_related(
        "item__task", "item__left", "item__right", "item__study", "annotator"
    ).first()


def record_visit(annotator: Annotator) -> None:
    """Keep when they were last here."""
    Annotator.objects.filter(pk=annotator.pk).update(seen_at=timezone.now())


def read_guidelines(*, annotator: Annotator, version: int) -> None:
    """Keep that they have read the guidelines of this version; one that is outdated by now counts as unread."""
    Annotator.objects.filter(pk=annotator.pk).update(guidelines_read=version)


def agree(*, annotator: Annotator) -> None:
    """Keep that they agreed to the study's consent."""
    Annotator.objects.filter(pk=annotator.pk, consented_at=None).update(consented_at=timezone.now())


def sent_answer(sent: Any, study: LabelStudy) -> Answer:
    """An answer as a form sent it; ratings that are no whole numbers are left out."""
    return Answer(
        choice=sent.get("choice", ""),
        scores={
            name: int(value)
            for name, scale in study.scales.items()
            if (value := sent.get(f"score_{name}", "")) in set(map(str, scale))
        },
        rationale=sent.get("rationale", "").replace("\r\n", "\n")[:LONGEST],
        seconds=_seconds(sent.get("seconds", "")),
        client_id=sent.get("client_id", ""),
        seen=frozenset(letter for letter in SIDES if sent.get(f"seen_{letter}")),
    )


def _seconds(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


def language_for(request: HttpRequest, own: str) -> str:
    """What the language switch says, else the annotator's own language, else what the browser asks for."""
    chosen = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    for wanted in (chosen, own):
        known = [code for code, _name in settings.LANGUAGES if wanted and code.startswith(wanted.lower()[:2])]
        if known:
            return known[0]
    return translation.get_language() or settings.LANGUAGE_CODE


@contextmanager
def speak_language(request: HttpRequest, own: str) -> Iterator[None]:
    """Speak the language of an annotator."""
    with translation.override(language_for(request, own)):
        request.LANGUAGE_CODE = translation.get_language()  # as LocaleMiddleware sets it
        yield
