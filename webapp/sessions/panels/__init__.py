"""The panels beside the chat: each reads a log and gives what its template shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from webapp.sessions.panels import judge, models, plan, preferences, scores, tools
from webapp.sessions.reading import Reading


@dataclass(frozen=True)
class Panel:
    """One tab. context: from a reading and a traveller's name; refresh: the events that change what it shows."""

    name: str
    label: Promise
    context: Callable[[Reading, str], dict[str, Any]]
    refresh: str

    @property
    def template(self) -> str:
        return f"sessions/panels/{self.name}.html"


PANELS = {
    panel.name: panel
    for panel in (
        Panel(
            "preferences",
            _("Preferences"),
            preferences.context,
            "card_dealt table_inferred compromise_applied session_finished",
        ),
        Panel("tools", _("Tools"), tools.context, "tool_called tool_returned"),
        Panel("models", _("Models"), models.context, "model_called draft_withdrawn"),
        Panel("plan", _("Plan"), plan.context, "plan_proposed session_finished"),
        Panel("scores", _("Scores"), scores.context, "session_finished"),
        Panel("judge", _("Judge"), judge.context, "session_finished"),
    )
}
DEFAULT = "preferences"


def panel_context(reading: Reading, name: str, traveller: str) -> dict[str, Any]:
    """Everything that the panel's template needs; an unknown traveller reads as the first one."""
    panel = PANELS[name]
    users = reading.users
    chosen = traveller if traveller in users else (users[0] if users else "")
    return {
        "session": reading.session,
        "panel": panel,
        "panels": PANELS.values(),
        "users": users,
        "roles": {user: card.get("role", "") for user, card in reading.state.cards.items()},
        "traveller": chosen,
        "at": reading.at,
        "last_seq": reading.session.last_seq,
        **panel.context(reading, chosen),
    }
