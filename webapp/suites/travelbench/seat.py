"""What a seat shows of TravelBench: the user's card, and what the agent's calls gave."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from benchmark.suites.travelbench.conversation.views import ViewFold
from benchmark.suites.travelbench.modes import END_MARK, MODEL_STEPS, MOST_TURNS, UNSOLVED_MARK
from benchmark.suites.travelbench.tasks.context import place, point
from webapp.pages import AgentPage, Card, FoundThing, SeatPage
from webapp.suites.travelbench.results import cards


def card(fold: ViewFold, language: str, places: Any) -> dict[str, Any]:
    """What the user alone knows."""
    opened, intent = fold.opening, fold.intent
    return {
        "opened": opened,
        "intent": intent.intent if intent else "",
        "profile": intent.profile if intent else "",
    }


def turn(fold: ViewFold, language: str) -> dict[str, Any]:
    """How to end the conversation, and how many turns are left."""
    return {"finished": END_MARK, "turn": fold.round, "turns": MOST_TURNS}


def ending_context(reading: Any, seat: str, language: str, places: Any) -> dict[str, Any]:
    """What was meant, beside what was answered."""
    intent = reading.state.intent
    return {"intent": intent.intent if intent else ""}


# The agent's seat.


def agent_turn(fold: ViewFold, language: str) -> dict[str, Any]:
    """What the turn is for, and which of its steps this is."""
    subtask = fold.opening.subtask if fold.opening else "single"
    purpose = {
        "single": _("Answer the request. You have only this turn, and can't ask back."),
        "multi": _("Answer the request, or ask for what is missing; the user answers."),
        "unsolved": _("Answer the request, or send %(tag)s if it can't be solved.") % {"tag": UNSOLVED_MARK},
    }[subtask]
    step = min(fold.loop.steps + 1, MODEL_STEPS)
    return {"asks": "words", "purpose": purpose, "step": step, "steps": MODEL_STEPS}


def field_values(fold: ViewFold) -> dict[str, str]:
    """Where the user is, and today's date, for the forms of tools."""
    opened = fold.opening
    if opened is None:
        return {}
    spot, here = point(opened.context), place(opened.context)
    where = f"{spot[0]},{spot[1]}" if spot else ""
    values = {"date": opened.time[:10], "center": where, "location": here.text if here else ""}
    return {name: value for name, value in values.items() if value}


def things_in(result: Any) -> list[FoundThing]:
    """The things in a result as it was parsed from JSON, each with its card; places fill the forms of tools."""
    shown = cards(result)
    rows = _rows(result)
    uses = [_uses(row) for row in rows] if len(rows) == len(shown) else [{} for _one in shown]
    return [FoundThing(Card(card.title, card.facts), own) for card, own in zip(shown, uses, strict=True)]


def _rows(result: Any) -> list[Mapping[str, Any]]:
    held = result.get("places") if isinstance(result, Mapping) else None
    return [row for row in held if isinstance(row, Mapping)] if isinstance(held, list) else []


def _uses(row: Mapping[str, Any]) -> dict[str, str]:
    told = {"name": row.get("name"), "location": row.get("coordinates"), "id": row.get("place_id")}
    return {name: str(value) for name, value in told.items() if value}


SEAT = SeatPage(
    card=card,
    turn=turn,
    ending_context=ending_context,
    group=False,
    agent=AgentPage(turn=agent_turn, field_values=field_values, things_in=things_in),
)
