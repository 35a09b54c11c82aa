"""The user without a model: it says what its brief has chosen, and answers what it is asked."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Final

from benchmark.core.actions import Action, Say
from benchmark.suites.tripbench.events import Item, UserBriefed
from benchmark.suites.tripbench.users.replies import asks_of_trip, questions
from benchmark.suites.tripbench.users.words import say
from benchmark.suites.tripbench.views import TripView

LONGEST_MEMORY: Final = 3
"""Replies of the agent in which a question that comes again was answered."""
IDS, WORDS = "instruction_ids", "user_query"
_STOPS: Final = ("。", ".", "！", "!", "？", "?")


class ScriptedUser:
    """The same view always gets the same words."""

    def act(self, view: TripView) -> Action:
        """A message with the ids of what it says."""
        assert view.brief is not None
        heard = [message.content for message in view.messages if message.role != view.me]
        words = brief_words(view.brief, view.language, heard)
        return Say(json.dumps({IDS: view.brief.chosen_ids, WORDS: words}, ensure_ascii=False))


def brief_words(brief: UserBriefed, language: str, heard: Sequence[str]) -> str:
    """What a program says of a brief. heard: the agent's replies so far."""
    said = list(_parts(brief, language, heard))
    between = " " if language == "en" else ""
    words = between.join(said) or say(language, "nothing")
    return say(language, f"style_{brief.style}", words=words + between) if brief.style else words


def _parts(brief: UserBriefed, language: str, heard: Sequence[str]) -> Iterator[str]:
    if brief.turn == 1:
        yield (
            f"{say(language, 'begin')} {brief.trip}"
            if language == "en"
            else say(language, "begin") + brief.trip
        )
    by_id = {item.id: item for item in brief.items}
    said = [by_id[id_] for id_ in brief.chosen_ids]
    yield from _answer(brief, language, heard, said)
    for item in said:
        words = say(language, "issue", words=item.words) if item.block == "issue" else item.words
        yield words if words.endswith(_STOPS) else words + ("." if language == "en" else "。")


def _answer(brief: UserBriefed, language: str, heard: Sequence[str], said: Sequence[Item]) -> Iterator[str]:
    """To the questions of the last reply: what is known of the trip, else what is said anyway, else nothing."""
    asked = questions(heard[-1]) if heard else []
    before = {question for reply in heard[-1 - LONGEST_MEMORY : -1] for question in questions(reply)}
    if asked and all(question in before for question in asked):
        yield say(language, "again")
    elif any(asks_of_trip(question) for question in asked):
        yield brief.trip
    elif asked and not any(item.block in ("new", "modify") for item in said):
        yield say(language, "unknown")
