"""Sessions from which somebody's words were removed: what can't be played on from their logs any more.

Such a log tells what is left, not what was said; whoever played on from it would answer to other words.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from benchmark.core.events import REMOVAL_TEXT, Event, PersonalDataRemoved
from webapp.forms import ChoiceRefused
from webapp.sessions.models import Event as StoredEvent
from webapp.sessions.models import Session

_KIND = PersonalDataRemoved.model_fields["type"].default


def refuse_run(session: Session, log: Sequence[Event]) -> None:
    """Refuse to run a session again from which words were removed.

    Raises:
        ChoiceRefused: they were.
    """
    if _count(log):
        words = _("Something said in session %(session)s was removed, so the session can't be run again.")
        raise ChoiceRefused(words % {"session": session.pk}, "session")


def refuse_fork(session: Session, log: Sequence[Event], kept: int) -> None:
    """Refuse to play on after words that were removed. kept: events that would be kept.

    Raises:
        ChoiceRefused: there are such among them.
    """
    first = first_removed(log)
    if first and first <= kept:
        words = _(
            "What was said at event %(n)s of session %(session)s was removed, so nobody can answer "
            "it. Choose an earlier event."
        )
        raise ChoiceRefused(words % {"n": first, "session": session.pk}, "at")


def first_removed(log: Sequence[Event]) -> int:
    """The first event whose words were removed, 0 where there is none."""
    if not _count(log):
        return 0
    return next((event.seq for event in log if any(map(_removed, _words(event)))), 0)


def refuse_changed(session: Session, log: Sequence[Event]) -> None:
    """Keep words from being removed until this transaction ends, and refuse where that was done since `log` was read.

    Raises:
        ChoiceRefused: it was.
    """
    Session.objects.select_for_update(of=("self",), no_key=True).only("pk").get(pk=session.pk)
    if StoredEvent.objects.filter(session=session, type=_KIND).count() != _count(log):
        words = _("Something said in session %(session)s is being removed at this moment. Try again.")
        raise ChoiceRefused(words % {"session": session.pk}, "session")


def _count(log: Sequence[Event]) -> int:
    return sum(isinstance(event.body, PersonalDataRemoved) for event in log)


def _words(event: Event) -> list[str]:
    return [str(getattr(event.body, name)) for name in event.body.words]


def _removed(text: str) -> bool:
    return any(removal in text for removal in REMOVAL_TEXT.values())
