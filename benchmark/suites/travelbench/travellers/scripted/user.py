"""The user without a model: it tells what it is asked from what it knows, and ends the talk once it is answered."""

from __future__ import annotations

from collections.abc import Sequence

from benchmark.core.actions import Action, Say
from benchmark.suites.travelbench.conversation.answers import OUT_OF_STEPS, apology
from benchmark.suites.travelbench.conversation.views import RequestView
from benchmark.suites.travelbench.modes import END_MARK
from benchmark.suites.travelbench.travellers.scripted.hearing import announces, questions, repeats
from benchmark.suites.travelbench.travellers.scripted.knowledge import (
    meant_pieces,
    own_words,
    said_once,
    usual,
)
from benchmark.suites.travelbench.travellers.scripted.topics import Topic, asked_about

_NO_PREFERENCE = {"zh": "这个没有特别要求，你看着办。", "en": "I have no preference there."}
_GO_ON = {"zh": "好的，你说。", "en": "All right, go ahead."}
_STOPS = {"zh": ("，", "。"), "en": (", ", ".")}
_MOST_PIECES = 3
"""Pieces of knowledge that one question brings out."""
_FAILURES = (OUT_OF_STEPS, apology("").content[:30])


class ScriptedUser:
    """The same view always gets the same words; a program, not a person, but one that keeps the simulator's rules."""

    def act(self, view: RequestView) -> Action:
        """An answer, or the tag that ends the conversation."""
        heard = [message.content for message in view.messages if message.role != view.me]
        own = [message.content for message in view.messages if message.role == view.me]
        return Say(_words(view, heard, own))


def _words(view: RequestView, heard: Sequence[str], own: Sequence[str]) -> str:
    last, language = heard[-1] if heard else "", "zh" if view.language == "zh" else "en"
    if repeats(last, heard[:-1]) or last.startswith(_FAILURES):
        return END_MARK
    asked = questions(last)
    if not asked:
        waits = announces(last) and _GO_ON[language] not in own
        return _GO_ON[language] if waits else END_MARK
    words = _answer(view, asked, language, own)
    return END_MARK if words in own and words == own[-1] else words


def _answer(view: RequestView, asked: Sequence[str], language: str, own: Sequence[str]) -> str:
    """What answers the questions, else all that was meant; else that nothing is preferred."""
    topics = dict.fromkeys(topic for question in asked for topic in asked_about(question))
    pieces = list(dict.fromkeys(piece for topic in topics for piece in _told_pieces(view, topic)))
    fresh = [piece for piece in pieces if not any(piece in said for said in own[1:])]
    if not topics:
        whole = own_words(view.intent or "")
        fresh = [whole] if whole and not any(whole in said for said in own[1:]) else []
    if not fresh:
        return _NO_PREFERENCE[language]
    between, end = _STOPS[language]
    return between.join(said_once(fresh)) + end


def _told_pieces(view: RequestView, topic: Topic) -> list[str]:
    """What was meant goes before what is usual."""
    pieces = meant_pieces(view.intent or "", topic) or usual(view.profile or "", topic)
    return pieces[:_MOST_PIECES]
