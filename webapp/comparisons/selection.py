"""Which sessions are compared."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from benchmark.suites import suite_named
from webapp.forms import ChoiceRefused
from webapp.pages import MOST_COMPARED
from webapp.sessions.models import Session

NEWEST = 20
"""Sessions of the same task that are offered."""
_ID = re.compile(r"[0-9a-z]{1,12}")


class UnknownSession(ChoiceRefused):
    """There is no session with an id."""


def chosen_sessions(ids: Sequence[str]) -> list[Session]:
    """The sessions with these ids, in their order; one alone or none, and of several benchmarks, as well.

    Raises:
        UnknownSession: there is none with one of the ids.
        ChoiceRefused: they are too many, or one is named twice.
    """
    named = [pk.strip() for pk in ids if pk.strip()]
    if len(named) > MOST_COMPARED:
        words = _("Choose at most %(most)s sessions: %(n)s are chosen.")
        raise ChoiceRefused(words % {"most": MOST_COMPARED, "n": len(named)}, "session")
    for place, pk in enumerate(named):
        if pk in named[:place]:
            words = _("Session %(id)s is chosen twice. Choose another one to compare it with.")
            raise ChoiceRefused(words % {"id": pk}, "session")
    rows = Session.objects.select_related(
        *("task__brought_by", "world", "cache", "run", "prompt_set__prompt_set"),
        *("agent_model", "user_model", "simulator_model"),
    ).in_bulk([pk for pk in named if _ID.fullmatch(pk)])
    for pk in named:
        if pk not in rows:
            words = _("There is no session “%(id)s”. Look for its id in the list of sessions.")
            raise UnknownSession(words % {"id": pk[:40]}, "session")
    return [rows[pk] for pk in named]


def refuse_unlike(sessions: Sequence[Session]) -> None:
    """
    Raises:
        ChoiceRefused: there is only one session, or they belong to different benchmarks.
    """
    if len(sessions) < 2:
        raise ChoiceRefused(
            _("Choose two to %(most)s sessions to compare.") % {"most": MOST_COMPARED}, "session"
        )
    for other in sessions[1:]:
        if other.suite != sessions[0].suite:
            words = _(
                "Session %(one)s belongs to %(its)s and session %(other)s to %(others)s. Only sessions of one "
                "benchmark can be compared."
            )
            titles = {"its": suite_named(sessions[0].suite).title, "others": suite_named(other.suite).title}
            raise ChoiceRefused(words % {"one": sessions[0].pk, "other": other.pk, **titles}, "session")


def offered_sessions(session: Session) -> list[Session]:
    """The newest other sessions of the same task, with which a session may be compared."""
    same = Session.objects.filter(task=session.task_id, suite=session.suite).exclude(pk=session.pk)
    return list(same.select_related("task", "agent_model", "user_model").prefetch_related("seats")[:NEWEST])


def compared_address(ids: Sequence[str], **more: str) -> str:
    """The page of these sessions side by side."""
    return f"{reverse('compare_sessions')}?{urlencode({'session': list(ids), **more}, doseq=True)}"
