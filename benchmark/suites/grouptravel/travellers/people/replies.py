"""Quick replies to the agent's newest message, from the person's own card."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from benchmark.suites.grouptravel.travellers.people.listening import is_meant, listening
from benchmark.suites.grouptravel.travellers.people.wording import texts
from benchmark.suites.grouptravel.travellers.scripted.answers import answer, confirm, single
from benchmark.suites.grouptravel.travellers.scripted.hearing import Ask, Hearing
from benchmark.suites.grouptravel.travellers.scripted.language import language
from benchmark.suites.grouptravel.travellers.scripted.voice import Voice
from benchmark.suites.grouptravel.travellers.scripted.wishes import Wish, figure
from benchmark.suites.grouptravel.view import GroupView

MOST = 12


@dataclass(frozen=True, slots=True)
class Reply:
    """label: a few words for a button. text: the message, with names as they stand in the card."""

    label: str
    text: str


def replies(view: GroupView) -> tuple[Reply, ...]:
    """At most MOST replies, no two with the same text, in the language of the conversation.

    First an answer to everything that is asked, where that is more than one thing; then one for each wish on the
    topics that are asked about, for each of them on which the card says nothing, and for what is to be confirmed or
    judged by name; last agreeing and declining, which are always there.
    """
    generic = [_generic(kind, view) for kind in ("agree", "decline")]
    hearing = listening(view)
    if view.card is None or not is_meant(hearing):
        return tuple(generic)
    voice = Voice(view, language(view.language))
    own: dict[str, Reply] = {}
    for reply in (*_whole(hearing, voice), *_single(hearing, voice)):
        text = _verbatim(reply.text, hearing)
        if text and all(text != other.text for other in generic):
            own.setdefault(text, Reply(reply.label, text))
    return tuple([*own.values()][: MOST - len(generic)] + generic)


def _verbatim(text: str, hearing: Hearing) -> str:
    """`text` with the names as they stand in the card, where the capital of a sentence changed one."""
    for name in hearing.wishes.names():
        capital = name[:1].upper() + name[1:]
        if name not in text and capital in text:
            text = text.replace(capital, name)
    return text


def _generic(kind: str, view: GroupView) -> Reply:
    return Reply(_label(kind, view), str(texts(view.language, "texts")[kind]))


def _whole(hearing: Hearing, voice: Voice) -> Iterator[Reply]:
    """The answers to questions about topics; a single answer needs no other that holds it all."""
    parts = list(_parts(hearing, voice))
    if len(parts) > 1:
        yield Reply(_label("all", hearing.view), answer(hearing.asks, hearing, voice))
    yield from parts


def _parts(hearing: Hearing, voice: Voice) -> Iterator[Reply]:
    for ask in hearing.asks:
        held = [wish for city in ask.cities or ("",) for wish in hearing.wishes.about(ask.topic, city)]
        yield from (_of_wish(wish, ask, hearing, voice) for wish in held)
        if not held:
            yield Reply(
                _topic("none", ask.topic, hearing.view), _sentence(voice.say(f"{ask.topic}.none"), voice)
            )


def _of_wish(wish: Wish, ask: Ask, hearing: Hearing, voice: Voice) -> Reply:
    opening = ""
    if wish.city and len(ask.cities) > 1:
        opening = voice.say("openings.city", city=hearing.city_name(wish.city))
    told = voice.join_names(wish.items, exact=True) if wish.items else figure(wish.cap)
    text = _sentence(opening + voice.of_wish(wish, exact=True), voice)
    return Reply(_topic("topic", wish.topic, hearing.view, told, wish.field.tier), text)


def _single(hearing: Hearing, voice: Voice) -> Iterator[Reply]:
    """What is to be confirmed, and what this person thinks of the names they are asked about."""
    kinds = set(hearing.kinds.values())
    if "confirm" in kinds:
        yield Reply(_label("confirm", hearing.view), confirm(hearing.of_kind("confirm"), hearing, voice))
    if "single" in kinds:
        yield Reply(_label("single", hearing.view), single(hearing.of_kind("single"), hearing, voice))


def _sentence(clause: str, voice: Voice) -> str:
    return voice.utterance([clause + str(voice.language.speech["lists"]["end"])])


def _label(kind: str, view: GroupView) -> str:
    return str(texts(view.language, "labels")[kind])


def _topic(kind: str, topic: str, view: GroupView, told: str = "", tier: str = "") -> str:
    title = texts(view.language, "topics")[topic]
    sense = texts(view.language, "senses").get(tier, "")
    return _label(kind, view).format(topic=title, told=told, sense=sense)
