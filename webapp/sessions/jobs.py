"""The background work on sessions."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from webapp.jobs.kinds import Kind, register


def _find() -> int:
    from webapp.sessions.scoring import find_outdated  # late: it asks for jobs of this kind

    return find_outdated()


def _cancel(session_id: str) -> None:
    from webapp.sessions.models import Session
    from webapp.sessions.services import request_stop  # late: it asks for jobs of this kind

    request_stop(session=Session.objects.get(pk=session_id))


SESSION = register(
    Kind(
        "session",
        _("Session"),
        link=lambda job: reverse("session", args=[job.subject]),
        cancel=_cancel,
    )
)
"""The group of such a job is the run of the session."""

SCORE = register(
    Kind(
        "score",
        _("Scores of a session"),
        link=lambda job: reverse("session", args=[job.subject]),
        attempts=3,
        find=_find,
    )
)
"""The group of such a job is the version of the scoring code that its attempts are counted for."""
