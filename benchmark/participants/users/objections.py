"""Objecting to a proposal that violates a strong wish (GroupTravelBench, D.8, scenario B)."""

from __future__ import annotations

from collections.abc import Iterator

from benchmark.participants.users.hearing import Hearing
from benchmark.participants.users.names import Mention
from benchmark.participants.users.proposals import Proposal, proposals
from benchmark.participants.users.voice import Voice
from benchmark.participants.users.wishes import CAPPED, CITY_TOPICS, Wish, figure
from benchmark.preferences import TRANSPORT_MODES


def objection(text: str, hearing: Hearing, voice: Voice) -> str:
    """One sentence for each strong wish that `text` violates and that was not defended before; "" when none is."""
    found = (each for proposal in proposals(text, hearing) for each in violations(proposal, hearing))
    said: dict[str, None] = {}
    for wish, names in dict.fromkeys(found):
        key = f"object.{wish.topic}.{wish.tier}"
        if not voice.has_said(key, names, n=figure(wish.cap), verb=voice.verb(wish.topic, names)):
            said[voice.of_wish(key, wish, names)] = None
    return voice.uttered(said)


def violations(proposal: Proposal, hearing: Hearing) -> Iterator[tuple[Wish, tuple[str, ...]]]:
    """The strong wishes that the proposal violates, each with the names concerned (none for a cap)."""
    for wish in hearing.wishes.all:
        if wish.topic in CAPPED:
            if _exceeds(proposal.clause, wish, hearing):
                yield wish, ()
        elif wish.strong and _here(wish, proposal, hearing):
            names = _wrong_mode(wish, proposal, hearing) or _named(wish, proposal, hearing)
            if names:
                yield wish, names


def _named(wish: Wish, proposal: Proposal, hearing: Hearing) -> tuple[str, ...]:
    """The names of the wish that are shunned and proposed, or wanted and left out."""
    clause = proposal.clause
    if not _proposes(wish, proposal, hearing):
        return ()
    if wish.wanted:
        hits = [*hearing.marked(clause, "proposal.dropped_before", "proposal.dropped_after")]
    else:
        hits = _meant(clause, hearing)
    names = {mention.name for mention in hits}
    if wish.topic == "transport" and not wish.wanted:
        names &= _settled_modes(proposal.sentence, hearing) or names
    return tuple(name for name in wish.items if name in names)


def _settled_modes(sentence: str, hearing: Hearing) -> set[str]:
    """The modes that a sentence arrives at, after the ones it weighs (飞机最快，但…，所以改为高铁)."""
    return {mention.name for mention in hearing.marked(sentence, "proposal.settled_before")}


def _wrong_mode(wish: Wish, proposal: Proposal, hearing: Hearing) -> tuple[str, ...]:
    """The modes that must be, when another is proposed and they are named at most as replaced."""
    if wish.topic != "transport" or not wish.wanted or not _proposes(wish, proposal, hearing):
        return ()
    modes = {mention.name for mention in _meant(proposal.clause, hearing)}
    kept = {mention.name for mention in _meant(proposal.sentence, hearing)}
    wrong = modes & set(TRANSPORT_MODES) - set(wish.items)
    return wish.items if wrong and not kept & set(wish.items) else ()


def _proposes(wish: Wish, proposal: Proposal, hearing: Hearing) -> bool:
    """Whether something is proposed at all; a way of getting around in a city is no matter of transport wishes."""
    local = hearing.has("proposal.local", proposal.clause) and not hearing.has(
        "proposal.journey", proposal.clause
    )
    return proposal.proposes and not (wish.topic == "transport" and local)


def _meant(clause: str, hearing: Hearing) -> list[Mention]:
    negated = hearing.marked(clause, "proposal.negated_before", "proposal.negated_after")
    return [mention for mention in hearing.mentions(clause) if mention not in negated]


def _exceeds(clause: str, wish: Wish, hearing: Hearing) -> bool:
    matches = hearing.language.patterns[f"proposal.{wish.topic}"].finditer(clause)
    values = (hearing.language.value(match["number"]) for match in matches)
    return any(value is not None and value > wish.cap for value in values)


def _here(wish: Wish, proposal: Proposal, hearing: Hearing) -> bool:
    """Whether the proposal can be about the wish's city: dishes need it said when the cities differ in them."""
    if wish.topic not in CITY_TOPICS or wish.topic == "sights":
        return True
    if proposal.cities:
        return wish.city in proposal.cities
    return len(hearing.cities) == 1
