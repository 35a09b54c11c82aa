"""The agent's belief in the published shape, and in words for the group."""

from __future__ import annotations

import json
from typing import Any

from benchmark.participants.agents.reference.brief import Brief
from benchmark.participants.agents.reference.conflicts import find_conflicts
from benchmark.participants.agents.reference.lexicon.phrases import Phrases, phrases
from benchmark.participants.agents.reference.picture import Picture
from benchmark.participants.agents.reference.understanding.belief import Belief, published

_MOST_CONFLICTS = 3
_MOST_WISHES = 3


def tables(picture: Picture, brief: Brief) -> dict[str, dict[str, Any]]:
    """{traveller: preference table} as it is believed now."""
    return {user: published(belief, brief.cities) for user, belief in picture.beliefs.items()}


def summary_text(picture: Picture, brief: Brief) -> str:
    """The answer to a summary turn: the tables as JSON."""
    return json.dumps(tables(picture, brief), ensure_ascii=False)


def progress_text(picture: Picture, language: str) -> str:
    """Progress and clashes in a sentence or two of prose, without mentions."""
    words = phrases(language)
    facts = [*_tightest(picture.beliefs, words), *_firm_wishes(picture.beliefs, words)]
    known = words.progress["known"].format(facts=words.joiner.join(facts)) if facts else ""
    clashes = [
        words.progress["clash"].format(
            item=conflict.item,
            fans=words.list_joiner.join(conflict.fans),
            foes=words.list_joiner.join(conflict.foes),
        )
        for conflict in find_conflicts(picture.beliefs)[:_MOST_CONFLICTS]
    ]
    tail = words.progress["conflict"].format(conflicts=words.joiner.join(clashes)) if clashes else ""
    return known + tail or words.progress["plain"]


def _tightest(beliefs: dict[str, Belief], words: Phrases) -> list[str]:
    caps = {
        user: belief.caps["avg_budget"] for user, belief in beliefs.items() if "avg_budget" in belief.caps
    }
    if not caps:
        return []
    user = min(caps, key=lambda name: caps[name])
    return [words.progress["budget"].format(user=user, value=round(caps[user]))]


def _firm_wishes(beliefs: dict[str, Belief], words: Phrases) -> list[str]:
    """The latest sights that somebody insists on, one each."""
    wishes = [
        words.progress["must"].format(user=user, item=items[-1])
        for user, belief in beliefs.items()
        for slot, items in belief.items.items()
        if slot[2] == "must_visit" and items
    ]
    return wishes[-_MOST_WISHES:]
