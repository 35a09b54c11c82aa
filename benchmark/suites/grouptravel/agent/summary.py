"""The agent's belief in the published shape, and in words for the group."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from benchmark.suites.grouptravel.agent.brief import Brief
from benchmark.suites.grouptravel.agent.conflicts import Conflict, find_conflicts
from benchmark.suites.grouptravel.agent.lexicon.phrases import Phrases, is_venue, manner, phrases
from benchmark.suites.grouptravel.agent.lexicon.variety import least_said
from benchmark.suites.grouptravel.agent.picture import Picture
from benchmark.suites.grouptravel.agent.understanding.belief import Belief, publish_belief, slot_of
from benchmark.suites.grouptravel.agent.understanding.topics import Reading, Topic
from benchmark.suites.grouptravel.preferences import FIELD
from benchmark.text import guarded

USUAL_LIMITS: Mapping[str, float] = {"max_poi_per_day": 3, "max_active_hours": 8}
"""The limits of a day that most travellers of the published tasks have."""
_MOST_CONFLICTS, _MOST_BESIDE_QUESTION = 3, 2
"""Clashes told in a summary, and beside a question."""
_MOST_WISHES = 4
_MOST_ECHOES = 2
_GOING = {"must_eat": "must_visit", "reject_eat": "reject_visit"}


def tables(picture: Picture, brief: Brief) -> dict[str, dict[str, Any]]:
    """{traveller: preference table} as it is believed now."""
    return {user: publish_belief(belief, brief.cities) for user, belief in picture.beliefs.items()}


def planning_tables(picture: Picture, brief: Brief) -> dict[str, dict[str, Any]]:
    """The tables by which the trip is planned: a limit of a day that nobody was asked for is the usual one."""
    return {
        user: publish_belief(_with_usual_limits(belief), brief.cities)
        for user, belief in picture.beliefs.items()
    }


def _with_usual_limits(belief: Belief) -> Belief:
    day = Topic("intensity")
    told = USUAL_LIMITS.keys() & belief.caps.keys()
    if day in belief.open_ended or (day in belief.times_asked and not told):
        return belief
    return replace(belief, caps={**USUAL_LIMITS, **belief.caps})


def summary_text(picture: Picture, brief: Brief) -> str:
    """The answer to a summary turn: the tables as JSON."""
    return json.dumps(tables(picture, brief), ensure_ascii=False)


def progress_text(picture: Picture, told: str, turn: int, language: str) -> str:
    """What is new and what clashes, in a sentence or two of prose without mentions.

    told: everything the agent has said before; news are told once. turn: chooses among equal wordings.
    """
    words = phrases(language)
    facts = [*_tightest(picture.beliefs, words, told), *_firm_wishes(picture.beliefs, words, told)]
    known = (
        least_said(words.progress["known"], told, turn).format(facts=words.joiner.join(facts))
        if facts
        else ""
    )
    fresh = _untold_clashes(picture, told, words)[:_MOST_CONFLICTS]
    if not fresh:
        return known or least_said(words.progress["plain"], told, turn)
    return words.join([known, _conflict_text(fresh, told, turn, words)])


def backlog_text(picture: Picture, told: str, turn: int, language: str, *, last_chance: bool = False) -> str:
    """Some of what clashes, where more is untold than the next summary can tell; else "".

    last_chance: there may be no next summary.
    """
    words = phrases(language)
    fresh = _untold_clashes(picture, told, words)
    new = [clash for clash in fresh if not _is_known(clash, told, words)]
    if not new or not (last_chance or len(fresh) > _MOST_CONFLICTS):
        return ""
    return _conflict_text(new[: _MOST_CONFLICTS if last_chance else _MOST_BESIDE_QUESTION], told, turn, words)


def _untold_clashes(picture: Picture, told: str, words: Phrases) -> list[str]:
    """What clashes and was not told so; those of which others than now were told come last."""
    clashes = (_clash(conflict, words) for conflict in find_conflicts(picture.beliefs))
    fresh = [clash for clash in clashes if clash not in told]
    return sorted(fresh, key=lambda clash: _is_known(clash, told, words))


def _is_known(clash: str, told: str, words: Phrases) -> bool:
    """Whether a clash over the same item was told, between others."""
    bracket = words.bracket
    return f"{clash.rpartition(bracket)[0]}{bracket}" in told


def _conflict_text(clashes: list[str], told: str, turn: int, words: Phrases) -> str:
    policy = words.progress["policy"][0]
    text = least_said(words.progress["conflict"], told, turn).format(
        conflicts=words.list_joiner.join(clashes)
    )
    return words.join([text, policy if policy not in told else ""])


def _say(words: Phrases, key: str, turn: int, **values: object) -> str:
    variants = words.progress[key]
    return variants[turn % len(variants)].format(**values)


def _clash(conflict: Conflict, words: Phrases) -> str:
    return _say(
        words,
        "clash",
        0,
        place=words.place.format(city=conflict.city)
        if conflict.city and conflict.subject != "sights"
        else "",
        item=conflict.item,
        fans=_side(conflict, conflict.fans, words),
        foes=_side(conflict, conflict.foes, words),
    )


def _side(conflict: Conflict, users: Iterable[str], words: Phrases) -> str:
    """What some think of an item, no stronger and no weaker than they said it: who insists, and who would rather."""
    against, rather_not, rather, insists = words.sides[manner(conflict.subject, conflict.item)]
    ways = {-2: against, -1: rather_not, 1: rather, 2: insists}
    of_one_mind: dict[str, list[str]] = {}
    for user in users:
        of_one_mind.setdefault(ways[conflict.points[user]], []).append(user)
    return words.list_joiner.join(f"{words.join_names(held)}{way}" for way, held in of_one_mind.items())


def _tightest(beliefs: dict[str, Belief], words: Phrases, told: str) -> list[str]:
    caps = {
        user: belief.caps["avg_budget"] for user, belief in beliefs.items() if "avg_budget" in belief.caps
    }
    if not caps:
        return []
    least = min(caps.values())
    users = [user for user, cap in caps.items() if cap == least]
    told_of = _say(words, "budget", 0, user="\0", value=round(least)).split("\0")
    if guarded.search(r"[^。.]*?".join(map(guarded.escape, told_of)), told):
        return []
    if 1 < len(users) == len(beliefs):
        same = _say(words, "same_budget", 0, value=round(least))
        return [] if same in told else [same]
    return [_say(words, "budget", 0, user=words.join_names(users), value=round(least))]


def _firm_wishes(beliefs: dict[str, Belief], words: Phrases, told: str) -> list[str]:
    """The latest sights that somebody insists on and that have not been spoken of, with who does."""
    wishes: dict[str, list[str]] = {}
    for user, belief in beliefs.items():
        for slot, items in belief.items.items():
            for item in items if slot.field is FIELD["attractions.must_visit"] else ():
                wishes.setdefault(item, []).append(user)
    fresh = [item for item in wishes if item not in told][-_MOST_WISHES:]
    texts = (_say(words, "item", 0, item=item, users=words.join_names(wishes[item])) for item in fresh)
    return [_say(words, "must", 0, items=words.join_names(texts))] if fresh else []


def echo_text(user: str, reading: Reading, turn: int, language: str) -> str:
    """What somebody has just insisted on, said back in a few words; "" when it was nothing firm."""
    words = phrases(language)
    texts = [
        words.echoes[name].format(item=finding.item)
        for finding in reading.findings
        if (name := _list_name(slot_of(finding, finding.city).field.keys[-1], finding.item)) in words.echoes
    ]
    firm = list(dict.fromkeys(texts))[:_MOST_ECHOES]
    return words.echo[turn % len(words.echo)].format(user=user, wishes=words.join_names(firm)) if firm else ""


def _list_name(name: str, item: str) -> str:
    """The table list whose words an item is told in."""
    return _GOING.get(name, name) if is_venue(item) else name
