"""The annotators of a study as researchers see them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.db.models import Count, Q
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from webapp import clock
from webapp.judging.models import Rater
from webapp.labelling.annotators import invite, invite_again
from webapp.labelling.models import Annotator, Assignment, LabelItem, LabelStudy
from webapp.labelling.qualifying import qualifying_of
from webapp.labelling.retention import pseudonym
from webapp.people.monitor import LinkAddress

PRESENT_S = 120
"""Seconds since somebody's page was heard of for which they count as there."""


@dataclass(frozen=True)
class AnnotatorRow(LinkAddress):
    """An annotator, how far they are, and their link. address: "" where it does not work."""

    annotator: Annotator
    address: str
    answered: int = 0
    at_work: int = 0
    skipped: int = 0

    @property
    def state(self) -> str:
        """Where they stand, in words."""
        annotator, now = self.annotator, clock.now()
        if annotator.revoked_at:
            return _("link withdrawn")
        if annotator.expires_at <= now:
            return _("link expired")
        if annotator.failed_at:
            return _("not qualified")
        if annotator.left_at:
            return _("gave up")
        if annotator.opened_at is None:
            return _("has not started")
        if annotator.seen_at and now - annotator.seen_at < timedelta(seconds=PRESENT_S):
            return _("online now")
        return _("has started")

    @property
    def tone(self) -> str:
        annotator = self.annotator
        if not annotator.usable() or annotator.failed_at or annotator.left_at:
            return "bad"
        return "good" if annotator.opened_at else "muted"

    @property
    def qualification(self) -> str:
        """Whether they passed, in words."""
        if self.annotator.qualified_at:
            return _("passed")
        if not self.annotator.failed_at:
            return "–"
        did = qualifying_of(self.annotator)
        words = _("failed: %(right)s of %(n)s right")
        if did.skips:
            words = _("failed: %(right)s of %(n)s right, %(skipped)s skipped")
        return words % {"right": did.right, "n": did.items, "skipped": did.skips}


def annotator_rows(study: LabelStudy, request: HttpRequest) -> list[AnnotatorRow]:
    """All annotators in the order in which they were invited."""
    own = Q(assignments__item__purpose=LabelItem.Purpose.NORMAL, assignments__repeat=0)
    status = {
        name: Count("assignments", filter=own & Q(assignments__status=status))
        for name, status in (
            ("answered", Assignment.Status.ANSWERED),
            ("at_work", Assignment.Status.OPEN),
            ("skipped", Assignment.Status.SKIPPED),
        )
    }
    annotators = study.annotators.select_related("rater").annotate(**status).order_by("created_at", "pk")
    return [
        AnnotatorRow(
            annotator,
            _address(annotator, request) if annotator.usable() else "",
            *(getattr(annotator, name) for name in status),
        )
        for annotator in annotators
    ]


def panel_address(study: LabelStudy, request: HttpRequest) -> str:
    """The link for people of a panel with the parameters that Prolific fills in; "" where the study has none."""
    if not study.panel or study.data_removed_at is not None:
        return ""
    path = request.build_absolute_uri(reverse("panel_link", args=[study.panel_token]))
    return f"{path}?PROLIFIC_PID={{{{%PROLIFIC_PID%}}}}&STUDY_ID={{{{%STUDY_ID%}}}}&SESSION_ID={{{{%SESSION_ID%}}}}"


def _address(annotator: Annotator, request: HttpRequest) -> str:
    return request.build_absolute_uri(reverse("annotator_link", args=[annotator.token]))


def invite_people(
    *, study: LabelStudy, people: Sequence[tuple[str, Sequence[str]]], valid_for: timedelta
) -> list[Annotator]:
    """Invite people by name and cities, all or none.

    Raises:
        ValueError: a name comes twice, here or in the study.
    """
    there = set(study.annotators.values_list("rater__name", flat=True))
    twice = [
        name for name, count in Counter([*there, *(name for name, _cities in people)]).items() if count > 1
    ]
    if twice:
        raise ValueError(
            _("%(names)s: this name is taken already. Tell people apart, by a number for instance.")
            % {"names": ", ".join(twice[:5])}
        )
    with transaction.atomic():
        return [invite(study=study, name=name, cities=cities, valid_for=valid_for) for name, cities in people]


def known_raters(study: LabelStudy) -> list[Rater]:
    """People of other studies who are not in this one."""
    there = study.annotators.values("rater")
    people = Rater.objects.filter(kind=Rater.Kind.PERSON, annotating__isnull=False).exclude(pk__in=there)
    people = people.exclude(name=pseudonym())
    return list(people.distinct().order_by("name", "created_at")[:500])


def invite_known(*, study: LabelStudy, raters: Sequence[Rater], valid_for: timedelta) -> int:
    """Invite people of other studies, all or none; gives how many.

    Raises:
        ValueError: somebody is invited already.
    """
    with transaction.atomic():
        for rater in raters:
            invite_again(study=study, rater=rater, valid_for=valid_for)
    return len(raters)
