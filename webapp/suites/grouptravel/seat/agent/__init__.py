"""What the agent's seat shows of GroupTravelBench to a person who has it."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from webapp.pages import AgentPage, DeskPart
from webapp.suites.grouptravel.seat.agent import beliefs, editor, turns
from webapp.suites.grouptravel.seat.agent.uses import things_in

AGENT_PAGE = AgentPage(
    turn=turns.turn,
    why_not=turns.why_not,
    cities=turns.cities,
    field_values=turns.field_values,
    things_in=things_in,
    parts=(
        DeskPart("plan", _("Plan"), editor.context, editor.act),
        DeskPart("beliefs", _("Beliefs"), beliefs.context, beliefs.act),
    ),
)
