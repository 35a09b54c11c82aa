"""The scripted traveller: needs no model, answers by rule, is fixed by its seed.

It keeps the behaviour contract of GroupTravelBench, appendices A.5 and D.8. It speaks (A) when mentioned, (B) when a
proposal violates a strong wish, (C) to ask a fact, (D) to answer a compromise request, (E) to acknowledge an answer;
in all other turns it passes. It never volunteers a wish.
"""

from __future__ import annotations

from benchmark.core.actions import Action, Pass, Say
from benchmark.core.view import AGENT
from benchmark.suites.grouptravel.travellers.scripted.answers import answer, confirm, single
from benchmark.suites.grouptravel.travellers.scripted.concessions import concession, wanted_change
from benchmark.suites.grouptravel.travellers.scripted.curiosity import question
from benchmark.suites.grouptravel.travellers.scripted.freshness import freshest, said_before
from benchmark.suites.grouptravel.travellers.scripted.hearing import Ask, Hearing, Kind, hearing_of
from benchmark.suites.grouptravel.travellers.scripted.language import language
from benchmark.suites.grouptravel.travellers.scripted.objections import (
    Violation,
    find_violations,
    is_asked,
    objection,
)
from benchmark.suites.grouptravel.travellers.scripted.voice import Voice
from benchmark.suites.grouptravel.travellers.scripted.wishes import wishes
from benchmark.suites.grouptravel.view import GroupView
from benchmark.text.lengths import LONGEST_MESSAGE


class ScriptedUser:
    """A traveller who knows only what the view holds, and remembers nothing beside it."""

    def act(self, view: GroupView) -> Action:
        """Answer when mentioned; else object, ask a fact, or pass. Without a card there is nothing to say."""
        if view.card is None:
            return Pass()
        words = language(view.language)
        hearing = hearing_of(view, wishes(view.card.effective))
        said = said_before(view.messages, view.me, words, hearing.sayable)
        text = _proposal_text(hearing) if view.turn.kind == "mentioned" else _unanswered_message(view)
        violations = find_violations(text, hearing, Voice(view, words))
        content = freshest(lambda draft: _speak(violations, hearing, Voice(view, words, draft)), said)
        return Say(content) if content else Pass()


def _speak(violations: list[Violation], hearing: Hearing, voice: Voice) -> str:
    if hearing.view.turn.kind == "mentioned":
        return _reply(violations, hearing, voice)
    return objection(violations, voice) or question(hearing, voice)


def _reply(violations: list[Violation], hearing: Hearing, voice: Voice) -> str:
    """Scenarios A, D and E: everything that the agent asked, in one message, and nothing else."""
    kinds = set(hearing.kinds.values())
    asks = hearing.asks
    violations = [] if "compromise" in kinds else violations
    untold = [each for each in violations if not is_asked(each[0], asks)]
    lead = voice.say("object.lead") if violations and not untold else ""
    said = [objection(untold, voice), answer(asks, hearing, voice, lead)]
    if "confirm" in kinds:
        said.append(confirm(hearing.of_kind("confirm"), hearing, voice))
    if "single" in kinds:
        said.append(single(hearing.of_kind("single"), hearing, voice, _answered_topics(asks, hearing)))
    said += [voice.say(f"replies.{kind}") for kind in ("others", "errand") if kind in kinds]
    if "compromise" in kinds:
        said.append(concession(hearing, voice))
    return voice.language.join(said) or _courtesy(kinds, voice)


def _answered_topics(asks: tuple[Ask, ...], hearing: Hearing) -> list[str]:
    """The topics that are answered in full, and the one that the answer to a compromise request is about."""
    change = wanted_change(hearing) if "compromise" in hearing.kinds.values() else None
    return [*(ask.topic for ask in asks), *([change.wish.topic] if change else [])]


def _courtesy(kinds: set[Kind], voice: Voice) -> str:
    """What is said when no wish is asked for; an answer to one's own question is thanked for."""
    for kind, reply in (("opinion", "fine"), ("vague", "vague"), ("unknown", "unclear")):
        if kind in kinds:
            return voice.say(f"replies.{reply}")
    waited = any(voice.is_question(content) for content in voice.own_messages()[-1:])
    return voice.say("replies.thanks" if waited else "replies.acknowledge")


def _proposal_text(hearing: Hearing) -> str:
    """The agent's message without the sentences that ask this traveller something."""
    text = hearing.message
    for sentence in dict.fromkeys(hearing.questions):
        if hearing.kinds[sentence] != "opinion":
            text = text.replace(sentence, "")
    return text


def _unanswered_message(view: GroupView) -> str:
    """The agent's newest message, unless this traveller has spoken since."""
    for message in reversed(view.messages):
        if message.role == view.me:
            return ""
        if message.role == AGENT:
            return message.content[-LONGEST_MESSAGE:]
    return ""
