"""Reading the whole chat: what is believed of every traveller by now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from benchmark.core.view import Message, ToolEntry
from benchmark.suites.grouptravel.agent.brief import Brief
from benchmark.suites.grouptravel.agent.dialogue.questions import question_before, topics_asked
from benchmark.suites.grouptravel.agent.dialogue.requests import (
    CAPS,
    Answer,
    Request,
    counter_offer,
    read_answer,
    read_request,
)
from benchmark.suites.grouptravel.agent.understanding.belief import Belief, slot_of
from benchmark.suites.grouptravel.agent.understanding.names import Names, names_in
from benchmark.suites.grouptravel.agent.understanding.spellings import spellings
from benchmark.suites.grouptravel.agent.understanding.tongues import tongue
from benchmark.suites.grouptravel.agent.understanding.topics import (
    CITY_SUBJECTS,
    Cap,
    Finding,
    Ground,
    Reading,
    Topic,
)
from benchmark.suites.grouptravel.view import GroupView
from benchmark.text.languages import spoken_in


@dataclass(slots=True)
class Picture:
    """What the chat has told.

    requests: every request to yield so far with its answer (None: not yet). latest: what the last message said,
    and `reply`, whether it agreed to a request (None where it answered none). searches: what searches were for.
    unsure: sights that no tool knows yet, and whether the words sound like a name. unknown_names: what sounds so
    and was looked up in vain.
    """

    beliefs: dict[str, Belief]
    requests: list[tuple[Request, Answer | None]] = field(default_factory=list)
    latest: Reading = field(default_factory=Reading)
    reply: Answer | None = None
    searches: frozenset[str] = frozenset()
    unsure: dict[Finding, bool] = field(default_factory=dict)
    unknown_names: dict[str, None] = field(default_factory=dict)


def read_chat(view: GroupView, brief: Brief) -> Picture:
    """Reads all messages in order. A message right after the agent's mention of its speaker is an answer."""
    picture = Picture({traveller.name: Belief() for traveller in view.travellers})
    names = names_in(view.tool_log)
    picture.searches = frozenset(_search_words(view.tool_log))
    for place, message in enumerate(view.messages):
        if message.role in picture.beliefs:
            question = question_before(view.messages, place)
            _take_in(
                message,
                question,
                picture,
                Ground(brief.cities, (), names.near(message.content), view.language, brief.glosses),
            )
    for belief in picture.beliefs.values():
        _place_rest(belief, brief.cities, names)
    return picture


def _take_in(message: Message, question: str | None, picture: Picture, ground: Ground) -> None:
    belief, said_in = picture.beliefs[message.role], spoken_in(message.content, ground.language)
    request = read_request(question, message.role, ground.cities, ground.language) if question else None
    picture.latest, picture.reply = Reading(), None
    if request:
        answer = read_answer(message.content, said_in)
        picture.requests.append((request, answer))
        picture.reply = answer
        if answer != "refused":
            _yield(belief, request, answer, message.content, said_in)
            return
    asked = topics_asked(question, ground.cities, ground.language) if question and not request else ()
    reading = tongue(said_in).read(message.content, replace(ground, asked_topics=asked, language=said_in))
    _note_question(belief, asked, reading)
    kept = tuple(finding for finding in reading.findings if _may_be(finding, ground, picture))
    picture.latest = replace(reading, findings=kept)
    for cap in reading.caps:
        belief.cap(cap)
    for finding in kept:
        _keep(belief, finding)


def _yield(belief: Belief, request: Request, answer: Answer, reply: str, language: str) -> None:
    if answer != "agreed":
        return
    if request.subject in CAPS:
        belief.cap(Cap(CAPS[request.subject], _offer(request, reply, language)))
    else:
        belief.drop(request.subject, request.city, request.item, liked=False)


def _offer(request: Request, reply: str, language: str) -> float:
    """A budget may be raised less than was asked for."""
    offer = counter_offer(reply, language) if request.subject == "budget" else None
    return offer or request.value


def _note_question(belief: Belief, asked: tuple[Topic, ...], reading: Reading) -> None:
    for topic in asked:
        belief.times_asked[topic] = belief.times_asked.get(topic, 0) + 1
        if topic in reading.indifferent or _is_answered(topic, reading):
            belief.answered_topics.add(topic)
    belief.open_ended |= set(reading.indifferent)


def _is_answered(topic: Topic, reading: Reading) -> bool:
    if topic.subject == "budget":
        return any(cap.field == "avg_budget" for cap in reading.caps)
    if topic.subject == "intensity":
        return any(cap.field != "avg_budget" for cap in reading.caps)
    return any(
        finding.subject == topic.subject and finding.city in (topic.city, None)
        for finding in reading.findings
    )


def _may_be(finding: Finding, ground: Ground, picture: Picture) -> bool:
    """Whether a sight can be a place: one that tools know is; one that was looked up in vain is not. Until it is
    looked up, words that sound like a name may be one, and a phrase is none (日落, a sunset).
    """
    if finding.subject != "sights" or _is_known(finding.item, ground.names):
        return True
    named = finding.named and _looks_named(finding.item)
    cities = (finding.city,) if finding.city else ground.cities
    if all(text in picture.searches for city in cities for text in spellings(finding.item, city)):
        picture.unknown_names |= dict.fromkeys((finding.item,) if named else ())
        return False
    picture.unsure[finding] = named
    return named


def _is_known(item: str, names: Names) -> bool:
    """Whether one may go to what is called so: a hotel that is named after a thing makes no place of it."""
    return any(names.kinds[name] != "hotel" for name in names.containing(item))


def _looks_named(item: str) -> bool:
    """English names begin with a capital."""
    return not item.isascii() or any(word[:1].isupper() for word in item.split())


def _search_words(tool_log: Iterable[ToolEntry]) -> Iterator[str]:
    for entry in tool_log:
        words = entry.arguments.get("keywords") if isinstance(entry.arguments, dict) else None
        if isinstance(words, str) and entry.result and not entry.error:
            yield words


def _keep(belief: Belief, finding: Finding) -> None:
    if finding.subject in CITY_SUBJECTS and finding.city is None:
        belief.unplaced_findings.append(finding)
    else:
        belief.add(finding, finding.city)


def _place_rest(belief: Belief, cities: tuple[str, ...], names: Names) -> None:
    """Items whose city nobody named: places go where tools know them, else to the likeliest city; kinds of
    sight and of food, unless said of some city already, hold everywhere."""
    for finding in belief.unplaced_findings:
        if _is_said(belief, finding, cities):
            continue
        known = [city for city in names.cities_of(finding.item) if city in cities]
        if finding.near:
            known.append(finding.near)
        if not known and finding.subject != "sights":
            for city in cities:
                belief.add(finding, city)
        else:
            belief.add(finding, next(iter([*known, *cities]), None))


def _is_said(belief: Belief, finding: Finding, cities: tuple[str, ...]) -> bool:
    return any(finding.item in belief.items.get(slot_of(finding, city), ()) for city in cities)
