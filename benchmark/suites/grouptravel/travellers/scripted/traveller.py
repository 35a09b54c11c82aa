"""The scripted traveller: needs no model, answers by rule, is fixed by its seed.

It keeps the behaviour contract of GroupTravelBench, appendices A.5 and D.8. It speaks (A) when mentioned, (B) when a
proposal violates a strong wish, (C) to ask a fact, (D) to answer a compromise request, (E) to acknowledge an answer;
in all other turns it passes. It never volunteers a wish.
"""

from __future__ import annotations

from collections.abc import Iterator

from benchmark.core.actions import Action, Pass, Say
from benchmark.core.view import AGENT
from benchmark.suites.grouptravel.travellers.scripted.answers import answer, confirm, single
from benchmark.suites.grouptravel.travellers.scripted.concessions import concession, wanted_change
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


# Asking the agent for a fact about something already stated (GroupTravelBench, D.8, scenario C).


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
    open_ones = [fact for fact in _facts(hearing, voice) if not _is_asked(fact, voice)]
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


def _is_asked(fact: tuple[str, str], voice: Voice) -> bool:
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
