"""What pages of repairs say."""

from __future__ import annotations

from django import template

from webapp.repairs.services import can_repair
from webapp.repairs.wording import reason_words, reply_words, rounds_words
from webapp.sessions.models import Run

register = template.Library()
register.filter("reason_words", reason_words)
register.filter("reply_words", reply_words)
register.filter("rounds_words", rounds_words)


@register.simple_tag
def repairs_are_offered(run: Run) -> bool:
    """Whether replies of the run can be repaired."""
    return can_repair(run.suite)
