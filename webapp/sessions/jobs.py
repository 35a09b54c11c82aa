"""The background work on sessions."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from webapp.jobs.kinds import Kind, register


def _find() -> int:
    from webapp.sessions.scoring import find_outdated  # late: it asks for jobs of this kind

    return find_outdated()


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
