"""What a seat shows of TRIP-Bench: what the user may say in a turn, and what the turn of the agent is for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from benchmark.suites.tripbench.events import Item, UserBriefed
from benchmark.suites.tripbench.modes import MODEL_STEPS
from benchmark.suites.tripbench.users.program import IDS, WORDS
from benchmark.suites.tripbench.users.requests import read_words
from benchmark.suites.tripbench.views import ViewFold
from webapp.pages import AgentPage, SeatPage, WordCheck


def card(fold: ViewFold, language: str, places: Any) -> dict[str, Any]:
    """The trip, and what holds so far."""
    brief = fold.brief
    return {
        "brief": brief,
        "held": [item for item in brief.items if item.block == "history"] if brief else [],
    }


def turn(fold: ViewFold, language: str) -> dict[str, Any]:
    """What can be said now, each with the field that chooses it."""
    brief = fold.brief
    if brief is None:
        return {}
    chips = [(_field(number), item, item.id in brief.needed_ids) for number, item in enumerate(brief.items)]
    titles = {
        "new": _("What you want now"),
        "modify": _("What changes"),
        "issue": _("What is wrong with the plan"),
        "special": _("Talk about the plan"),
    }
    groups = [(words, [chip for chip in chips if chip[1].block == block]) for block, words in titles.items()]
    return {"brief": brief, "groups": [(words, own) for words, own in groups if own]}


def _field(number: int) -> str:
    return f"item-{number}"


def _chosen_items(brief: UserBriefed, chosen: Mapping[str, str]) -> list[Item]:
    return [
        item
        for number, item in enumerate(brief.items)
        if chosen.get(_field(number)) or item.id in brief.needed_ids
    ]


def check(fold: ViewFold, text: str, chosen: Mapping[str, str], language: str) -> WordCheck:
    """Whether so much can be said at once."""
    brief = fold.brief
    if brief is not None and len(_chosen_items(brief, chosen)) > brief.most:
        return WordCheck(_("Choose at most %(most)s at once.") % {"most": brief.most})
    return WordCheck()


def compose(fold: ViewFold, text: str, chosen: Mapping[str, str]) -> str:
    """The words with the ids of what was chosen; without words those of what was chosen."""
    brief = fold.brief
    if brief is None:
        return text
    items = _chosen_items(brief, chosen)
    words = text.strip() or " ".join([brief.trip] * (brief.turn == 1) + [item.words for item in items])
    return json.dumps({IDS: [item.id for item in items], WORDS: words}, ensure_ascii=False) if words else text


def agent_turn(fold: ViewFold, language: str) -> dict[str, Any]:
    """Which of the steps of the turn this is."""
    return {"asks": "words", "step": min(fold.loop.steps + 1, MODEL_STEPS), "steps": MODEL_STEPS}


SEAT = SeatPage(
    card=card,
    turn=turn,
    check=check,
    compose=compose,
    words=read_words,
    group=False,
    agent=AgentPage(turn=agent_turn),
)
