"""What came of the session for one person: the plan, and what of theirs is in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from benchmark.suites.grouptravel.travellers.people.card_words import card_lines, item_lines
from benchmark.suites.grouptravel.travellers.people.outcome import Wish, outcome
from webapp.plans.days import day_plans
from webapp.plans.reading import SessionPlan
from webapp.sessions.reading import Reading

AVERSIONS = ("avoid", "reject")


@dataclass(frozen=True)
class WishLine:
    """One wish for a reader. text: the wish; note: where in the plan, or why not."""

    text: str
    note: str


def ending_context(reading: Reading, seat: str, language: str, places: Any) -> dict[str, Any]:
    """The plan day by day as this person lives it, and their wishes: as wished, not as wished, given up."""
    state, view = reading.state, SessionPlan(reading).view
    if view is None:
        return {"days": None}
    days = day_plans(view, reading.users)
    if seat not in state.cards:  # whoever has the agent's seat wishes for nothing
        return {"days": days}
    original = state.cards[seat].preference
    wishes = outcome(state.plan, original, state.tables[seat], seat, reading.users, places)
    for day in days:
        day.stops = [stop for stop in day.stops if not stop.who or seat in stop.who]
    caps = {(line.path, ""): line.text for line in card_lines(original, language)}
    lines = caps | item_lines(original, language)
    several = len({wish.city for wish in wishes if wish.city}) > 1
    kept = [wish for wish in wishes if not wish.given_up]
    return {
        "days": days,
        "met": _wish_lines((wish for wish in kept if wish.got is True), lines, several),
        "missed": _wish_lines((wish for wish in kept if wish.got is False), lines, several),
        "given_up": _wish_lines((wish for wish in wishes if wish.given_up), lines, several),
        "own_cost": next((cost for cost in view.costs if cost.label == seat), None),
    }


def _wish_lines(wishes: Iterable[Wish], lines: dict[tuple[str, str], str], several: bool) -> list[WishLine]:
    return [WishLine(_text(wish, lines, several), _note(wish)) for wish in wishes]


def _text(wish: Wish, lines: dict[tuple[str, str], str], several: bool) -> str:
    """As the card says it of this one name or cap. several: with the city, since there is more than one."""
    line = lines.get((wish.path, wish.item)) or lines.get((wish.path, ""), wish.item)
    return f"{line} · {wish.city}" if several and wish.city else line


def _note(wish: Wish) -> str:
    shunned = wish.tier in AVERSIONS
    if wish.given_up:
        return _("you gave this up")
    if wish.where is None:
        return (
            "" if wish.got else _("the plan goes beyond it") if wish.tier == "cap" else _("not in the plan")
        )
    day, place = wish.where
    there = _("day %(day)s") % {"day": day} if day is not None else ""
    said = " ".join(filter(None, (there, place)))
    if wish.got is False and not shunned and wish.tier != "cap":
        return _("not for you: %(place)s") % {"place": said}
    return said
