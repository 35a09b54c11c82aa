"""What a run's page asks about its people's answers."""

from __future__ import annotations

from typing import Any

from django import template

from webapp.people.results import drawing, of_run
from webapp.sessions.models import Run

register = template.Library()


@register.simple_tag
def answers_of(run: Run) -> dict[str, Any]:
    """The answers on scales, and the chart of them."""
    rows = of_run(run)
    return {"rows": rows, "chart": drawing(rows) if rows else None}
