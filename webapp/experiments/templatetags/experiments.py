"""What pages of experiments say."""

from __future__ import annotations

from django import template

from benchmark.core.events import AnswerSource
from webapp.experiments.models import Experiment
from webapp.sessions.models import Session
from webapp.wording.models import call_tokens

register = template.Library()
register.filter("call_tokens", call_tokens)
MOST_ROWS = 24


@register.simple_tag
def experiments_count(session: Session, seq: int) -> int:
    """How many experiments there are with a call."""
    return Experiment.objects.filter(session=session, seq=seq).count()


@register.simple_tag
def experiment_at(session_id: str | None, source: AnswerSource) -> Experiment | None:
    """The experiment that an answer of a fork comes from, None where it is not here. session_id: of the origin."""
    found = Experiment.objects.filter(pk=source.experiment, session=session_id, seq=source.call)
    return found.only("session", "seq").first()


@register.filter
def rows_for(text: str) -> int:
    """How high a field has to be for a text."""
    lines = sum(1 + len(line) // 100 for line in text.split("\n"))
    return min(max(lines + 1, 2), MOST_ROWS)


@register.filter
def money(amount: float) -> str:
    """An amount with the digits that tell something."""
    return f"{amount:,.2f}" if amount >= 1 else f"{amount:.2g}" if amount >= 0.0001 else f"{amount:.6f}"
