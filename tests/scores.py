"""Scores that a test makes up, stored as scoring stores them."""

from __future__ import annotations

from typing import Any

from webapp.sessions.models import MetricValue, Score, Session


def store_score(
    session: Session, *, profile: str = "published", figures: dict[str, Any] | None = None, **values: Any
) -> Score:
    """A score and its values by key; None is a value that there is not."""
    score = Score.objects.create(session=session, profile=profile, code_version="1", figures=figures or {})
    MetricValue.objects.bulk_create(
        MetricValue(session=session, profile=profile, key=key, value=float(value))
        for key, value in values.items()
        if value is not None
    )
    return score
