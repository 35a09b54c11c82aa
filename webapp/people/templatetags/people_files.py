"""What menus of files ask about people."""

from __future__ import annotations

from django import template

from webapp.people.exports import has_people
from webapp.people.questionnaire import RATER
from webapp.people.results import has_guests
from webapp.sessions.models import MetricValue, Run, Session

register = template.Library()


@register.simple_tag
def with_people(subject: Session | Run) -> bool:
    """Whether people sit in a session, or in those of a run, or have."""
    return has_people(subject.sessions.all()) if isinstance(subject, Run) else has_guests(subject)


@register.simple_tag
def with_answers(run: Run) -> bool:
    """Whether people have answered scales in the sessions of a run."""
    ratings = MetricValue.objects.filter(session__run=run, profile="", rater__startswith=RATER)
    return ratings.exists()
