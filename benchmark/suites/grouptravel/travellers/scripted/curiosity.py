"""Asking the agent for a fact about something already stated (GroupTravelBench, D.8, scenario C)."""

from __future__ import annotations

from collections.abc import Iterator

from benchmark.core.view import AGENT
from benchmark.suites.grouptravel.travellers.scripted.hearing import Hearing
from benchmark.suites.grouptravel.travellers.scripted.voice import Voice

LIMIT = 2
EAGERNESS = 0.35
LAST_ROUNDS = 2


def question(hearing: Hearing, voice: Voice) -> str:
    """One factual question, or "": at most two in a session, none that anybody asked, none while one waits."""
    view = hearing.view
    if view.round >= view.max_turn - LAST_ROUNDS or not _may_ask(hearing, voice):
        return ""
    if voice.chance("ask", len(view.messages)) >= EAGERNESS:
        return ""
    open_ones = [fact for fact in _facts(hearing, voice) if not _asked(fact, voice)]
    if not open_ones:
        return ""
    key, name = open_ones[int(voice.chance("which", len(view.messages)) * len(open_ones))]
    return voice.say(key, (name,), city=name)


def _may_ask(hearing: Hearing, voice: Voice) -> bool:
    own = (message for message in hearing.view.messages if message.role == hearing.view.me)
    asked = [message for message in own if voice.is_question(message.content)]
    if len(asked) >= LIMIT:
        return False
    return not asked or any(m.role == AGENT and m.seq > asked[-1].seq for m in hearing.view.messages)


def _asked(fact: tuple[str, str], voice: Voice) -> bool:
    """Whether anybody has put the question, or another that the same answer suits."""
    key, name = fact
    alike = next((group for group in voice.language.speech["alike"]["questions"] if key in group), [key])
    return any(voice.asked_by_anyone(each, name) for each in alike)


def _facts(hearing: Hearing, voice: Voice) -> Iterator[tuple[str, str]]:
    """What may be asked: (wording, name) pairs about wishes whose names this traveller has already spoken."""
    spoken = "\n".join(voice.own_messages())
    kinds = voice.language.speech["askable"]
    for wish in hearing.wishes.all:
        told = [name for name in wish.items if wish.wanted and name in spoken]
        yield from (
            (f"ask.{kind}", name) for name in told for kind in kinds.get(f"{wish.topic}_{wish.tier}", ())
        )
        if told and wish.city:
            yield "ask.weather", hearing.city_name(wish.city)
