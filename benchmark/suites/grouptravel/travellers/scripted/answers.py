"""Answers about a traveller's own wishes: complete for what is asked, silent about everything else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from benchmark.core.view import AGENT
from benchmark.suites.grouptravel.travellers.scripted.hearing import Ask, Hearing
from benchmark.suites.grouptravel.travellers.scripted.names import Mention, closed_class
from benchmark.suites.grouptravel.travellers.scripted.voice import Voice
from benchmark.suites.grouptravel.travellers.scripted.wishes import CAPPED_TOPICS, CITY_TOPICS, Wish, figure
from benchmark.text import guarded


def answer(asks: Iterable[Ask], hearing: Hearing, voice: Voice, lead: str = "") -> str:
    """Every topic asked about, each tier in its tone; `lead` stands before the first sentence.

    What was all said before is said to be so, and left out where only the rest is asked for. A city is named once,
    where the answer is about several.
    """
    asked = tuple(asks)
    said = [*_on_the_trip(asked, hearing, voice), *_in_cities(asked, hearing, voice)]
    wishes = [wish for ask in asked for wish in _meant_wishes(ask, hearing)]
    again = wishes and not lead and not any(ask.rest for ask in asked)
    if again and all(_told(wish, voice) for wish in wishes):
        lead = voice.say("openings.again")
    return voice.utterance([lead + said[0], *said[1:]]) if said else ""


def confirm(text: str, hearing: Hearing, voice: Voice) -> str:
    """Yes, or the right answer for the topics in which `text` has this traveller's wishes wrong."""
    if not (hearing.mentions(text) or hearing.has_figure(text)) and not hearing.has("signal.none", text):
        text = hearing.addressed_text
    wrong = tuple(dict.fromkeys(_misread_asks(text, hearing)))
    if not wrong:
        return voice.say("replies.confirmed")
    return answer(wrong, hearing, voice, voice.say("openings.correction"))


def single(text: str, hearing: Hearing, voice: Voice, answered: Iterable[str] = ()) -> str:
    """What this traveller thinks of each name that `text` asks about, topics `answered` already left out."""
    named = {mention.name for mention in hearing.mentions(text)}
    cities = hearing.named_cities(text)
    about = [
        w for w in hearing.wishes.all if named & set(w.items) and (w.city in ("", *cities) or not cities)
    ]
    new = [w for w in about if w.topic not in answered]
    if answered and not new:
        return ""
    return voice.utterance(_thoughts(new, named, voice)) or voice.say("replies.anything")


def _thoughts(wishes: Iterable[Wish], named: set[str], voice: Voice) -> Iterator[str]:
    """A sentence for each tier, its yes or no said once; what another city's table repeats is left out."""
    tier, told = "", set[tuple[str, tuple[str, ...]]]()
    for wish in wishes:
        names = tuple(name for name in wish.items if name in named)
        if (wish.tier, names) not in told:
            told.add((wish.tier, names))
            lead = voice.say(f"single.{wish.tier}") if wish.tier != tier else ""
            tier = wish.tier
            yield lead + voice.of_wish(wish, names, exact=True) + _end(voice)


def _on_the_trip(asked: tuple[Ask, ...], hearing: Hearing, voice: Voice) -> Iterator[str]:
    """A sentence for each topic of no city; the two limits of a day share one."""
    whole = {ask.topic: ask for ask in asked if ask.topic not in CITY_TOPICS}
    for topic in whole:
        if topic == "pace_hours" and "pace_sights" in whole:
            continue
        both = ("pace_sights", "pace_hours") if topic == "pace_sights" and "pace_hours" in whole else (topic,)
        yield _sentence((_clauses(whole[each], "", hearing, voice) for each in both), voice)


def _in_cities(asked: tuple[Ask, ...], hearing: Hearing, voice: Voice) -> Iterator[str]:
    """City by city a sentence for each topic; at the end the topics that are left open everywhere."""
    local = [ask for ask in asked if ask.topic in CITY_TOPICS]
    cities = tuple(dict.fromkeys(city for ask in local for city in ask.cities))
    filled = [ask for ask in local if _meant_wishes(ask, hearing)] if len(cities) > 1 else local
    for city in cities:
        opening = voice.say("openings.city", city=hearing.city_name(city)) if len(cities) > 1 else ""
        for ask in (ask for ask in filled if city in ask.cities):
            yield opening + _sentence([_clauses(ask, city, hearing, voice)], voice)
            opening = ""
    for ask in local:
        if ask not in filled:
            yield _sentence([voice.say(f"{ask.topic}.none")], voice)


def _meant_wishes(ask: Ask, hearing: Hearing) -> list[Wish]:
    return [wish for city in ask.cities or ("",) for wish in hearing.wishes.about(ask.topic, city)]


def _clauses(ask: Ask, city: str, hearing: Hearing, voice: Voice) -> str:
    wishes = hearing.wishes.about(ask.topic, city)
    asked = tuple(_unsaid_wishes(wishes, hearing, voice)) if ask.rest else wishes
    if not asked:
        return voice.say(f"{ask.topic}.{'rest' if wishes else 'none'}")
    return voice.join_clauses(
        (clause, wish.tier) for wish in asked for clause in _state_wish(wish, wishes, voice)
    )


def _unsaid_wishes(wishes: Iterable[Wish], hearing: Hearing, voice: Voice) -> Iterator[Wish]:
    """The wishes with the names alone that this traveller has not stated; an amount stated is left out."""
    stated = _stated_of(hearing, voice)
    for wish in wishes:
        if wish.topic in CAPPED_TOPICS:
            yield from () if _told(wish, voice) else (wish,)
        elif new := tuple(name for name in wish.items if (name, wish.city) not in stated):
            yield replace(wish, items=new)


def _stated_of(hearing: Hearing, voice: Voice) -> frozenset[tuple[str, str]]:
    """(name, city) of what this traveller has said, but in a question; city "" where the wish knows none.

    A name that several wishes hold may have been said for another city: one of them has to be spoken of.
    """
    stated = set[tuple[str, str]]()
    for text, cities in _own_words(hearing, voice):
        names = {mention.name for mention in hearing.mentions(text)}
        for name in names:
            homes = {wish.city for wish in hearing.wishes.all if name in wish.items}
            meant = homes if len(homes) == 1 else homes & set(cities if len(cities) == 1 else ())
            stated |= {(name, city) for city in meant}
    return frozenset(stated)


def _own_words(hearing: Hearing, voice: Voice) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What this traveller has said, each with the cities that it or the question before it names."""
    before = ""
    for message in hearing.view.messages:
        if message.role == hearing.view.me and not voice.is_question(message.content):
            yield message.content, hearing.named_cities(message.content) or hearing.named_cities(before)
        before = message.content if message.role == AGENT and hearing.own.search(message.content) else ""


def _state_wish(wish: Wish, among: tuple[Wish, ...], voice: Voice) -> Iterator[str]:
    """A wish beside the others on its topic; a name that the strong tier holds too is told apart."""
    strong = [w for w in among if w.strong and w.items and not wish.strong]
    twice = {name for w in strong if w.wanted is wish.wanted for name in w.items}
    besides = "besides" if wish.tier == "prefer" and any(w.wanted for w in strong) else ""
    new = tuple(name for name in wish.items if name not in twice)
    if new or not wish.items:
        yield voice.of_wish(wish, new, exact=True, tone=besides)
    if old := tuple(name for name in wish.items if name in twice):
        yield voice.of_wish(wish, old, exact=True, tone=f"twice_{wish.tier}")


def _sentence(clauses: Iterable[str], voice: Voice) -> str:
    return voice.join_clauses((clause, "cap") for clause in clauses) + _end(voice)


def _end(voice: Voice) -> str:
    return str(voice.language.speech["lists"]["end"])


def _told(wish: Wish, voice: Voice) -> bool:
    """Whether an earlier message of this traveller already holds the whole wish."""
    spoken = "\n".join(voice.own_messages())
    if wish.topic in CAPPED_TOPICS:
        return bool(guarded.search(rf"(?<!\d){guarded.escape(figure(wish.cap))}(?!\d)", spoken))
    return all(name in spoken for name in wish.items)


def _misread_asks(text: str, hearing: Hearing) -> Iterable[Ask]:
    for phrase in hearing.phrases(text):
        yield from (Ask(topic) for topic in _wrong_caps(phrase, hearing))
        yield from _wrong_names(phrase, hearing)
        if hearing.has("signal.none", phrase):
            yield from _not_empty(phrase, hearing)


def _wrong_caps(phrase: str, hearing: Hearing) -> Iterable[str]:
    topics = hearing.topics(phrase)
    for topic in CAPPED_TOPICS:
        values = [value for value, _, _ in hearing.figures(phrase, topic)]
        about = values and (topic != "budget" or "budget" in topics)
        if about and not any(w.cap in values for w in hearing.wishes.about(topic)):
            yield topic


def _wrong_names(phrase: str, hearing: Hearing) -> Iterable[Ask]:
    shunned = hearing.marked_names(phrase, "proposal.negated_before", "proposal.negated_after")
    for mention in hearing.mentions(phrase):
        holding = [w for w in hearing.wishes.all if mention.name in w.items]
        if not any(w.wanted is (mention not in shunned) for w in holding):
            yield from _right_places(mention, holding)


def _right_places(mention: Mention, holding: list[Wish]) -> Iterable[Ask]:
    yield from (Ask(w.topic, (w.city,) if w.city else ()) for w in holding)
    if not holding and (topic := closed_class(mention.name)):
        yield Ask(topic)


def _not_empty(phrase: str, hearing: Hearing) -> Iterable[Ask]:
    cities = hearing.named_cities(phrase) or hearing.cities
    for topic in hearing.topics(phrase):
        wishes = [w for w in hearing.wishes.all if w.topic == topic and w.city in ("", *cities)]
        if wishes:
            yield Ask(topic, tuple(dict.fromkeys(w.city for w in wishes if w.city)))
