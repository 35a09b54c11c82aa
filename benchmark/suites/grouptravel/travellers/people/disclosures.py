"""What a text would tell of the person's card although nobody asked (GroupTravelBench, A.5)."""

from __future__ import annotations

from collections.abc import Iterator

from benchmark.core.view import AGENT
from benchmark.suites.grouptravel.travellers.people.clashes import clashes
from benchmark.suites.grouptravel.travellers.people.listening import for_words, is_meant, listening
from benchmark.suites.grouptravel.travellers.scripted.concessions import wanted_change
from benchmark.suites.grouptravel.travellers.scripted.hearing import Hearing
from benchmark.suites.grouptravel.travellers.scripted.names import closed_class
from benchmark.suites.grouptravel.travellers.scripted.objections import is_asked
from benchmark.suites.grouptravel.travellers.scripted.wishes import CAPPED_TOPICS, Wish, figure
from benchmark.suites.grouptravel.view import GroupView
from benchmark.text.lengths import LONGEST_MESSAGE


def unasked_facts(view: GroupView, text: str) -> tuple[str, ...]:
    """The names and the figures of caps of the card that `text` tells and nobody asked for, in the table's order.

    Asked for is what the agent's newest message to this person asks about, what it wants confirmed or given up, and
    a strong wish that it goes against. What any visible message has named is no secret; the figure of a cap is told
    by this person and the agent alone, since another's equal figure is not theirs. The turn does not matter.
    """
    hearing = listening(view)
    told = _told_facts(text, hearing)
    if not told:
        return ()
    hidden = told - _known_facts(hearing)
    free = {_name(*fact) for fact in _answers(hearing)}
    facts = (fact for wish in hearing.wishes.all for fact in _facts(wish))
    names = (_name(*fact) for fact in facts if _fact(*fact) in hidden)
    return tuple(dict.fromkeys(name for name in names if name not in free))


_Fact = tuple[Wish, str]
"""A wish and one of its names, or the figure of its cap."""


def _facts(wish: Wish) -> Iterator[_Fact]:
    if wish.topic in CAPPED_TOPICS:
        yield wish, figure(wish.cap)
    yield from ((wish, name) for name in wish.items)


def _name(wish: Wish, name: str) -> str:
    return name


def _fact(wish: Wish, name: str) -> tuple[str, str]:
    """What is the same fact in any text: a figure belongs to its topic, a name is one wherever it stands."""
    return (wish.topic if wish.topic in CAPPED_TOPICS else "", name)


def _told_facts(text: str, hearing: Hearing) -> frozenset[tuple[str, str]]:
    """The facts of the card that `text` holds."""
    text = text[-LONGEST_MESSAGE:]
    hearing = for_words(text, hearing)
    named = {mention.name for mention in hearing.mentions(text)}
    return frozenset(
        _fact(wish, name)
        for wish in hearing.wishes.all
        for _, name in _facts(wish)
        if (_has_cap(text, wish, hearing) if wish.topic in CAPPED_TOPICS else name in named)
    )


def _has_cap(text: str, wish: Wish, hearing: Hearing) -> bool:
    return any(value == wish.cap for value, _, _ in hearing.figures(text, wish.topic))


def _known_facts(hearing: Hearing) -> frozenset[tuple[str, str]]:
    """The facts that the chat holds already."""
    known: set[tuple[str, str]] = set()
    for message in hearing.view.messages:
        own = message.role in (AGENT, hearing.view.me)
        known |= {fact for fact in _told_facts(message.content, hearing) if own or not fact[0]}
    return frozenset(known)


def _answers(hearing: Hearing) -> Iterator[_Fact]:
    """The facts with which the person would answer the agent's newest message, or object to it."""
    newest = next((m.content for m in reversed(hearing.view.messages) if m.role == AGENT), "")
    broken = {(clash.path, clash.item) for clash in clashes(hearing.view, newest)}
    meant = is_meant(hearing)
    change = wanted_change(hearing) if meant and "compromise" in hearing.kinds.values() else None
    for wish in hearing.wishes.all:
        asked = meant and (is_asked(wish, hearing.asks) or _is_concerned(wish, hearing))
        whole = asked or (change is not None and change.wish == wish)
        yield from (fact for fact in _facts(wish) if whole or (wish.path, fact[1]) in broken)


def _is_concerned(wish: Wish, hearing: Hearing) -> bool:
    """Whether the wish is on a topic of something that is to be confirmed or given up."""
    for sentence, kind in hearing.kinds.items():
        if kind in ("confirm", "compromise") and wish.topic in _topics(sentence, hearing):
            cities = hearing.named_cities(sentence) or hearing.cities
            if wish.city in ("", *cities):
                return True
    return False


def _topics(sentence: str, hearing: Hearing) -> set[str]:
    names = {mention.name for mention in hearing.mentions(sentence)}
    held = {wish.topic for wish in hearing.wishes.all if names & set(wish.items)}
    return {*hearing.topics(sentence), *held, *map(closed_class, names)}
