"""Who annotates: invited, let in by a link, known to a browser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from webapp import clock
from webapp.fields import plain_name
from webapp.judging.models import Rater
from webapp.labelling.models import VALID_FOR, Annotator, Assignment, LabelStudy, new_annotator_id
from webapp.labelling.qualifying import judge_again
from webapp.labelling.queue import has_work
from webapp.labelling.retention import removed_words
from webapp.link_keys import is_accepted

WHO = ("PROLIFIC_PID", "workerId", "participant")
"""Parameters by which Prolific, MTurk and other panels say who comes."""
PANEL = (*WHO, "STUDY_ID", "SESSION_ID", "assignmentId", "hitId")
"""All parameters of a panel's link that are kept."""
MOST_FROM_PANEL = 2_000
KEY = "annotators"
"""Where a browser's session keeps the annotators that it is."""


class NotAdmitted(ValueError):
    """Nobody comes in by this link now; the words say why and what helps."""


def invite(
    *,
    study: LabelStudy,
    name: str,
    cities: Sequence[str] = (),
    language: str = "",
    valid_for: timedelta = VALID_FOR,
) -> Annotator:
    """A person and their link to a study.

    Raises:
        ValueError: the name is empty.
    """
    name = plain_name(name, 200)
    if not name:
        raise ValueError(_("Give the annotator a name; only researchers see it."))
    with transaction.atomic():
        rater = Rater.objects.create(name=name, cities=list(cities), language=language)
        return invite_again(study=study, rater=rater, valid_for=valid_for)


def invite_again(*, study: LabelStudy, rater: Rater, valid_for: timedelta = VALID_FOR) -> Annotator:
    """The link of somebody who is known, from another study too.

    Raises:
        ValueError: they have a link to this study, or are no person; or it takes nobody any more.
    """
    if rater.kind != Rater.Kind.PERSON:
        raise ValueError(_("%(name)s is a model, not a person.") % {"name": rater.name})
    try:
        with transaction.atomic():
            if LabelStudy.objects.select_for_update().get(pk=study.pk).data_removed_at is not None:
                raise ValueError(removed_words())
            return Annotator.objects.create(study=study, rater=rater, expires_at=clock.now() + valid_for)
    except IntegrityError:
        raise ValueError(_("%(name)s is invited to this study already.") % {"name": rater.name}) from None


def renew_link(*, annotator: Annotator, valid_for: timedelta = VALID_FOR) -> None:
    """Give an annotator a new link; the old one and every browser that came by it are shut out.

    Raises:
        NotAdmitted: the study takes nobody any more.
    """
    with transaction.atomic():
        if _hold(annotator).data_removed_at is not None:
            raise NotAdmitted(removed_words())
        annotator.nonce = new_annotator_id()
        annotator.revoked_at = None
        annotator.left_at = None
        annotator.expires_at = clock.now() + valid_for
        annotator.save(update_fields=["nonce", "revoked_at", "left_at", "expires_at"])


def revoke(*, annotator: Annotator) -> None:
    """Shut an annotator out and free what they have at work. What they answered stays."""
    now = clock.now()
    with transaction.atomic():
        _hold(annotator)
        Annotator.objects.filter(pk=annotator.pk, revoked_at=None).update(revoked_at=now)
        free_open(annotator)


def admit(*, annotator: Annotator) -> None:
    """Let somebody in who failed the qualification and passes by now, since a known answer was corrected.

    Whoever skipped some of its items is asked those once more.

    Raises:
        NotAdmitted: too few of their answers agree with the known ones still.
    """
    if not judge_again(annotator):
        raise NotAdmitted(
            _(
                "%(name)s still does not pass with the known answers as they are now. Correct the "
                "known answer that was wrong, then let them in."
            )
            % {"name": annotator.rater.name}
        )


def leave(*, annotator: Annotator) -> None:
    """They give up: what they have at work is freed, what they answered stays."""
    with transaction.atomic():
        _hold(annotator)
        Annotator.objects.filter(pk=annotator.pk).update(left_at=clock.now())
        free_open(annotator)


def _hold(annotator: Annotator) -> LabelStudy:
    """Wait for whoever gives out items or takes answers, who holds the study's row first too."""
    return LabelStudy.objects.select_for_update().get(pk=annotator.study_id)


def free_open(annotator: Annotator) -> None:
    """Give back the items that an annotator has at work."""
    at_work = Assignment.objects.filter(annotator=annotator, status=Assignment.Status.OPEN)
    at_work.update(status=Assignment.Status.EXPIRED, ended_at=clock.now())


def panel_of(given: Mapping[str, str]) -> dict[str, str]:
    """What a panel's link tells of who comes, by the names of `PANEL`.

    Raises:
        NotAdmitted: it does not say who it is, or not in a form that ids have.
    """
    told = {name: plain_name(given[name], 100) for name in PANEL if given.get(name)}
    who = next((told[name] for name in WHO if told.get(name)), "")
    if not who or "{" in who:
        raise NotAdmitted(
            _(
                "This link does not say who you are. Open it from your panel's page, which adds your id to it "
                "(PROLIFIC_PID, workerId or participant)."
            )
        )
    return {"who": who, **told}


def study_by(token: str) -> LabelStudy | None:
    """The study whose panel's link has this token, if people may come by it."""
    pk, dash, _digest = token.partition("-")
    study = LabelStudy.objects.filter(pk=pk, panel=True).first() if dash else None
    return study if study and is_accepted(token, study.panel_token_under) else None


def from_panel(*, study: LabelStudy, told: dict[str, str]) -> Annotator:
    """Who comes by a panel's link: the same somebody as before, or somebody new.

    Raises:
        NotAdmitted: the study is closed, has as many people as it takes, or nothing to do for anybody.
    """
    with transaction.atomic():
        held = LabelStudy.objects.select_for_update().get(pk=study.pk)
        if held.data_removed_at is not None:
            raise NotAdmitted(removed_words())
        annotator = next(
            (annotator for annotator in held.annotators.all() if annotator.panel.get("who") == told["who"]),
            None,
        )
        if annotator is not None:
            return annotator
        if held.status == LabelStudy.Status.CLOSED or held.annotators.count() >= MOST_FROM_PANEL:
            raise NotAdmitted(_("The study accepts no more annotators. Thank you for your interest."))
        made = invite(study=held, name=told["who"])
        if held.status == LabelStudy.Status.OPEN and held.items.exists() and not has_work(held, made):
            raise NotAdmitted(
                _("All items of this study are answered or with others now. Thank you for your interest.")
            )
        Annotator.objects.filter(pk=made.pk).update(panel=told)
        return made


def annotator_by(token: str) -> Annotator | None:
    """The annotator with this token, let in or not."""
    pk, dash, _digest = token.partition("-")
    if not dash or "\x00" in token:
        return None
    annotator = Annotator.objects.select_related("study", "rater").filter(pk=pk).first()
    return annotator if annotator and is_accepted(token, annotator.token_under) else None


def enter(*, request: HttpRequest, token: str) -> Annotator:
    """Let this browser annotate by a link. One person may come in several browsers.

    Raises:
        NotAdmitted: the link does not work (any more).
    """
    annotator = annotator_by(token)
    if annotator is None:
        raise NotAdmitted(_("This link is not valid. Check that you copied all of it, or ask for a new one."))
    if not annotator.usable():
        raise NotAdmitted(_("This link has expired or was withdrawn. Ask whoever sent it for a new one."))
    now = clock.now()
    Annotator.objects.filter(pk=annotator.pk, opened_at=None).update(opened_at=now)
    Annotator.objects.filter(pk=annotator.pk).update(left_at=None, seen_at=now)
    request.session.cycle_key()
    known = request.session.get(KEY, {})
    known = {pk: nonce for pk, nonce in known.items() if pk != annotator.pk}
    request.session[KEY] = dict([*known.items(), (annotator.pk, annotator.nonce)][-20:])
    return annotator


def annotator_in(browser: Any, annotator_id: str) -> Annotator | None:
    """The annotator with this id, if the browser with this session came by their present link."""
    known = browser.get(KEY, {}) if browser is not None else {}
    if annotator_id not in known:
        return None
    annotator = Annotator.objects.select_related("study", "rater").filter(pk=annotator_id).first()
    return annotator if annotator and constant_time_compare(annotator.nonce, known[annotator_id]) else None


def was_forgotten(browser: Any, annotator_id: str) -> bool:
    """Whether the browser with this session came as somebody whose data their study has removed since."""
    known = browser.get(KEY, {}) if browser is not None else {}
    gone = Annotator.objects.filter(pk=annotator_id, study__data_removed_at__isnull=False)
    return annotator_id in known and gone.exists()
