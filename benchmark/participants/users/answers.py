"""Answers about a traveller's own wishes: complete for what is asked, silent about everything else."""

from __future__ import annotations

import re
from collections.abc import Iterable

from benchmark.participants.users.hearing import Ask, Hearing
from benchmark.participants.users.names import Mention, closed_class
from benchmark.participants.users.voice import Voice
from benchmark.participants.users.wishes import CAPPED, CITY_TOPICS, Wish, figure


def answer(asks: Iterable[Ask], hearing: Hearing, voice: Voice) -> str:
    """Every topic asked about, each tier in its tone; a topic without a wish is left to the others."""
    return voice.uttered(_topic(ask, hearing, voice) for ask in asks)


def confirm(text: str, hearing: Hearing, voice: Voice) -> str:
    """Yes, or the right answer for the topics in which `text` has this traveller's wishes wrong."""
    if not (hearing.mentions(text) or hearing.has_figure(text)) and not hearing.has("signal.none", text):
        text = hearing.addressed
    wrong = tuple(dict.fromkeys(_misunderstood(text, hearing)))
    if not wrong:
        return voice.say("replies.confirmed")
    return voice.say("openings.correction") + answer(wrong, hearing, voice)


def single(text: str, hearing: Hearing, voice: Voice, answered: Iterable[str] = ()) -> str:
    """What this traveller thinks of each name that `text` asks about, topics `answered` already left out."""
    named = {mention.name for mention in hearing.mentions(text)}
    cities = hearing.named_cities(text)
    about = [
        w for w in hearing.wishes.all if named & set(w.items) and (w.city in ("", *cities) or not cities)
    ]
    new = [w for w in about if w.topic not in answered]
    said = [voice.of_wish(f"single.{w.tier}", w, [n for n in w.items if n in named]) for w in new]
    if answered and not said:
        return ""
    return voice.uttered(dict.fromkeys(said)) or voice.say("replies.anything")


def _topic(ask: Ask, hearing: Hearing, voice: Voice) -> str:
    if ask.topic not in CITY_TOPICS:
        return _sentence(ask.topic, hearing.wishes.about(ask.topic), voice)
    several = len(hearing.cities) > 1
    return voice.language.join(_in_city(ask.topic, city, several, hearing, voice) for city in ask.cities)


def _in_city(topic: str, city: str, several: bool, hearing: Hearing, voice: Voice) -> str:
    opening = voice.say("openings.city", city=city) if several else ""
    return _sentence(topic, hearing.wishes.about(topic, city), voice, opening, city)


def _sentence(topic: str, wishes: tuple[Wish, ...], voice: Voice, opening: str = "", city: str = "") -> str:
    lists = voice.language.speech["lists"]
    if not wishes:
        said = opening + voice.say(f"{topic}.none", city=city)
    else:
        again = voice.say("openings.again") if all(_told(wish, voice) for wish in wishes) else ""
        said = again + opening + lists["clause"].join(voice.of_wish(f"{topic}.{w.tier}", w) for w in wishes)
    return said if said.endswith(lists["end"]) else said + lists["end"]


def _told(wish: Wish, voice: Voice) -> bool:
    """Whether an earlier message of this traveller already holds the whole wish."""
    spoken = "\n".join(voice.spoken())
    if wish.topic in CAPPED:
        return bool(re.search(rf"(?<!\d){re.escape(figure(wish.cap))}(?!\d)", spoken))
    return all(name in spoken for name in wish.items)


def _misunderstood(text: str, hearing: Hearing) -> Iterable[Ask]:
    for phrase in hearing.phrases(text):
        yield from (Ask(topic) for topic in _wrong_caps(phrase, hearing))
        yield from _wrong_names(phrase, hearing)
        if hearing.has("signal.none", phrase):
            yield from _not_empty(phrase, hearing)


def _wrong_caps(phrase: str, hearing: Hearing) -> Iterable[str]:
    topics = hearing.topics(phrase)
    for topic in CAPPED:
        values = [value for value, _, _ in hearing.figures(phrase, topic)]
        about = values and (topic != "budget" or "budget" in topics)
        if about and not any(w.cap in values for w in hearing.wishes.about(topic)):
            yield topic


def _wrong_names(phrase: str, hearing: Hearing) -> Iterable[Ask]:
    shunned = hearing.marked(phrase, "proposal.negated_before", "proposal.negated_after")
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
