"""Objecting to a proposal that violates a strong wish (GroupTravelBench, D.8, scenario B)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from benchmark.suites.grouptravel.preferences import TRANSPORT_MODES
from benchmark.suites.grouptravel.travellers.scripted.hearing import Ask, Hearing
from benchmark.suites.grouptravel.travellers.scripted.names import Mention, pieces
from benchmark.suites.grouptravel.travellers.scripted.proposals import Proposal, proposals
from benchmark.suites.grouptravel.travellers.scripted.voice import Voice
from benchmark.suites.grouptravel.travellers.scripted.wishes import CAPPED, CITY_TOPICS, Wish, figure
from benchmark.text import guarded

Violation = tuple[Wish, tuple[str, ...]]
"""A strong wish and those of its names that are concerned; none for a limit."""


def objection(found: Sequence[Violation], voice: Voice) -> str:
    """The wishes that a proposal violates, in one sentence; "" when there are none."""
    if not found:
        return ""
    lists = voice.language.speech["lists"]
    clauses = lists["objecting"].join(_defence(wish, names, voice) for wish, names in found)
    return voice.uttered([voice.say("object.lead") + clauses + lists["end"]])


def violated(text: str, hearing: Hearing, voice: Voice) -> list[Violation]:
    """The strong wishes that `text` violates and that were not defended before: that is done once."""
    found: dict[Wish, dict[str, None]] = {}
    for proposal in proposals(text, hearing):
        for wish, names in violations(proposal, hearing):
            found.setdefault(wish, {}).update(dict.fromkeys(names))
    defences = list(_defences(voice))
    new = ((wish, tuple(n for n in names if not _holds(n, defences, voice))) for wish, names in found.items())
    return [each for each in new if (each[1] or not each[0].items) and not _limit_told(each[0], defences)]


def is_asked(wish: Wish, asks: Iterable[Ask]) -> bool:
    """Whether an answer to `asks` states the wish."""
    return any(wish.topic == ask.topic and wish.city in (ask.cities or ("",)) for ask in asks)


def _defence(wish: Wish, names: tuple[str, ...], voice: Voice) -> str:
    kept = wish.wanted and wish.items and wish.topic != "transport"
    return voice.of_wish(wish, names) + (voice.say("object.kept") if kept else "")


def _defences(voice: Voice) -> Iterator[str]:
    """The sentences in which this traveller has objected before."""
    leads = tuple(lead.strip() for lead in voice.wordings("object.lead"))
    for message in voice.spoken():
        if message.startswith(leads):
            yield next(pieces(message, voice.language.patterns["text.sentence"]), "").lower()


def _holds(name: str, defences: Iterable[str], voice: Voice) -> bool:
    words = {word.lower() for word in (name, voice.gloss(name)) if word}
    return any(word in defence for defence in defences for word in words)


def _limit_told(wish: Wish, defences: Iterable[str]) -> bool:
    number = rf"(?<!\d){guarded.escape(figure(wish.cap))}(?!\d)"
    return not wish.items and any(guarded.search(number, defence) for defence in defences)


def violations(proposal: Proposal, hearing: Hearing) -> Iterator[Violation]:
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
