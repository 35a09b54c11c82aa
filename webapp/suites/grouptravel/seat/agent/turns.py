"""Why the agent is asked, for a person who has its seat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from benchmark.suites.grouptravel.conversation.state import ATTEMPTS
from benchmark.suites.grouptravel.conversation.views import ViewFold
from benchmark.suites.grouptravel.events import TurnGranted
from benchmark.suites.grouptravel.preferences import descend


def turn(fold: ViewFold, language: str) -> dict[str, Any]:
    """The turn in progress: what it is for, and whom the agent may ask."""
    opened, now = fold.opening, fold.turn
    if opened is None or now is None:
        return {}
    return {
        "asks": "beliefs" if now.kind == "summary" else "words",
        "purpose": _purpose(now),
        "round": min(now.round + 1, opened.max_turn),
        "rounds": opened.max_turn,
        "attempt": now.attempt if now.kind == "final" else 0,
        "attempts": ATTEMPTS,
        "people": opened.travellers,
    }


def _purpose(now: TurnGranted) -> str:
    if now.kind == "summary":
        return {
            "opening": _(
                "Before you speak: note what you believe each traveller wants. Nobody else sees it."
            ),
            "finish": _("The plan is posted. Note what you believe now; then the session ends."),
        }.get(now.leads_to, _("Note what you believe each traveller wants by now. Nobody else sees it."))
    return {
        "convergence": _("Sum up where the group stands, settle conflicts, and ask; or post the plan."),
        "polled": _("It is your turn in the round: look things up, ask somebody, or post the plan."),
        "mentioned": _("Your last message was addressed to you: go on."),
        "final": _("The rounds are over: post the plan now. A message without one is not sent."),
    }[now.kind]


def why_not(fold: ViewFold) -> str:
    """Why words can't be sent in this turn."""
    if fold.turn is not None and fold.turn.kind == "summary":
        return _("This turn is for your beliefs: send the tab “Beliefs”. Your message stays here until then.")
    return ""


def field_values(fold: ViewFold) -> dict[str, str]:
    """What everybody knows of the trip and tools ask for: the date on which it begins."""
    return {"date": fold.opening.time.strip()[:10]} if fold.opening is not None else {}


def cities(definition: Mapping[str, Any]) -> list[str]:
    """The cities of the trip, and where it sets out."""
    home = descend(definition, ("metadata", "departure_city"))
    named = descend(definition, ("metadata", "cities"))
    names = [*(named if isinstance(named, list) else ()), home]
    return list(dict.fromkeys(city for city in names if isinstance(city, str) and city))
