"""What models that compare are shown of a pair: what annotators see of it, as text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import override

from benchmark.labelling.comparing import Case
from benchmark.suites import suite_named
from webapp.labelling.blind import chat_of, names_of, profile_in, reading_of
from webapp.labelling.models import LabelItem, LabelStudy
from webapp.pages import pages_of
from webapp.sessions.models import Session
from webapp.sessions.reading import Reading


class NothingToCompare(ValueError):
    """A pair of which neither side has an answer."""


def shown_cases(item: LabelItem) -> tuple[Case, Case]:
    """Both sides of a pair as models see them; in a blind study masked, as annotators see it.

    Raises:
        NothingToCompare: neither side has an answer.
        ValueError: a side has no session, or a log is none of its benchmark.
    """
    left, right = (_case(item, session) for session in (item.left, item.right))
    if not (left.answer or right.answer):
        raise NothingToCompare("neither side of this pair has an answer; there is nothing to compare")
    return left, right


def _case(item: LabelItem, session: Session | None) -> Case:
    if session is None:
        raise ValueError("a side of the pair has no session")
    with override("zh-hans" if item.task.language == "zh" else "en"):
        reading = reading_of(session, names_of(item) if item.study.blind else None)
        beside = "\n\n".join(_side_texts(item.study, reading))
        profile = _profile(item)
    case = suite_named(session.suite).rating.case(reading.events)
    return replace(case, request=case.request + profile, surroundings=beside)


def _profile(item: LabelItem) -> str:
    """The user's profile, as a part of the request, where annotators read it."""
    profile = profile_in(item)
    return f"\n\n{_('Profile of the user')}\n{profile}" if profile else ""


def _side_texts(study: LabelStudy, reading: Reading) -> Iterator[str]:
    """What the study shows beside the answer: the scorer's findings, and the conversation."""
    ticks = pages_of(study.suite).label.ticks
    if study.show_ticks and ticks is not None and (lines := ticks(reading)):
        yield "\n".join((_("What each traveller gets"), *lines))
    if chat := chat_of(reading, study):
        yield "\n".join((_("Conversation"), *(f"{said.who}: {said.words}" for said in chat)))
