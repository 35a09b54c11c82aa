"""What the agent proposes in its prose, and objecting to it (GroupTravelBench, D.8, scenario B)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from benchmark.suites.grouptravel.preferences import TRANSPORT_MODES
from benchmark.suites.grouptravel.travellers.scripted.hearing import Ask, Hearing
from benchmark.suites.grouptravel.travellers.scripted.names import Mention, pieces
from benchmark.suites.grouptravel.travellers.scripted.voice import Voice
from benchmark.suites.grouptravel.travellers.scripted.wishes import CAPPED_TOPICS, CITY_TOPICS, Wish, figure
from benchmark.text import guarded

Violation = tuple[Wish, tuple[str, ...]]
"""A strong wish and those of its names that are concerned; none for a limit."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A clause about this traveller or everybody, the sentence it stands in, and the cities it speaks of.

    proposes: whether something is suggested, or stands under the heading of a plan; else it only says how it will be.
    """

    clause: str
    sentence: str
    cities: tuple[str, ...]
    proposes: bool


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in a message a sentence stands.

    reporting: in a list of wishes. planned: in a plan. is_elsewhere: after a mention of somebody else.
    """

    reporting: bool = False
    planned: bool = False
    is_elsewhere: bool = False


def proposals(text: str, hearing: Hearing) -> Iterator[Proposal]:
    """The clauses of `text` that propose something for this traveller."""
    cities: tuple[str, ...] = ()
    place = _Place()
    for line in text.splitlines():
        place = _under_heading(line, place, hearing)
        for sentence in hearing.split(line):
            place = replace(place, is_elsewhere=_addressee(sentence, place.is_elsewhere, hearing))
            if _is_neutral(sentence, place, hearing):
                continue
            clauses = list(_own_clauses(sentence, hearing))
            proposes = place.planned or any(_suggests(clause, hearing) for clause in clauses)
            for clause in clauses:
                cities = hearing.named_cities(clause) or cities
                yield Proposal(clause, sentence, cities, proposes)


def _under_heading(line: str, place: _Place, hearing: Hearing) -> _Place:
    """What a heading says of the lines below it; a report ends with the first line that is off its list."""
    text = line.strip()
    if not text:
        return replace(place, reporting=False, is_elsewhere=False)
    heading = hearing.has("text.lead", text)
    if heading and hearing.has("proposal.planning", text) and not hearing.others.search(text):
        return _Place(planned=True)
    if heading and (hearing.has("proposal.summary", text) or hearing.others.search(text)):
        return _Place(reporting=True)
    reporting = place.reporting and hearing.has("text.list_item", text)
    return _Place(reporting, planned=place.planned)


def _is_neutral(sentence: str, place: _Place, hearing: Hearing) -> bool:
    """Nothing is proposed in a report, by an open question or a comparison, to someone else alone, or by an answer
    about a fact and a confirmation of what was heard, unless they go on to suggest something.
    """
    if place.reporting:
        return True
    if place.is_elsewhere and not hearing.has("proposal.group", sentence) and _asks_you(sentence, hearing):
        return True
    if hearing.has("proposal.floated", sentence) or hearing.has("proposal.follows", sentence):
        return False
    if hearing.has("proposal.unsure", sentence):
        return True
    told = hearing.has("proposal.noted", sentence) or hearing.has("proposal.fact", sentence)
    return told and not hearing.has("proposal.act", sentence)


def _asks_you(sentence: str, hearing: Hearing) -> bool:
    return hearing.has("signal.second_person", sentence) or hearing.has("signal.question", sentence)


def _addressee(sentence: str, elsewhere: bool, hearing: Hearing) -> bool:
    """Whether what follows the last mention is put to someone else."""
    own = max((m.start() for m in hearing.own.finditer(sentence)), default=-1)
    other = max(
        (m.start() for m in hearing.others.finditer(sentence) if sentence[: m.start()].endswith("@")),
        default=-1,
    )
    return elsewhere if own == other == -1 else other > own


def _own_clauses(sentence: str, hearing: Hearing) -> Iterator[str]:
    """The clauses that are not about wishes or others; a report goes on until a clause suggests something."""
    relayed = hearing.has("proposal.differing", sentence) and not hearing.has("proposal.act", sentence)
    for clause in hearing.phrases(sentence):
        if hearing.has("proposal.follows", clause):
            relayed = False
        elif _relays(clause, hearing):
            relayed = True
        elif hearing.own.search(clause) or _suggests(clause, hearing):
            relayed = False
        if not relayed:
            yield clause


def _relays(clause: str, hearing: Hearing) -> bool:
    """Whether a clause tells what somebody wants, or is about others alone."""
    for_all = hearing.has("proposal.act", clause) and hearing.has("proposal.group", clause)
    own = bool(hearing.own.search(clause))
    if hearing.has("proposal.relayed", clause) or _names_another(clause, hearing):
        return not own and not for_all
    wishes = hearing.has("proposal.wishing", clause) or hearing.has("proposal.differing", clause)
    return wishes and not hearing.has("proposal.act", clause)


def _names_another(clause: str, hearing: Hearing) -> bool:
    return bool(hearing.others.search(guarded.sub(r"@\w+", "", clause, flags=guarded.ASCII)))


def _suggests(clause: str, hearing: Hearing) -> bool:
    return (
        hearing.has("proposal.act", clause)
        or hearing.has("proposal.schedule", clause)
        or hearing.has("proposal.floated", clause)
    )


def objection(violations: Sequence[Violation], voice: Voice) -> str:
    """The wishes that a proposal violates, in one sentence; "" when there are none."""
    if not violations:
        return ""
    lists = voice.language.speech["lists"]
    clauses = lists["objecting"].join(_defence(wish, names, voice) for wish, names in violations)
    return voice.utterance([voice.say("object.lead") + clauses + lists["end"]])


def find_violations(text: str, hearing: Hearing, voice: Voice) -> list[Violation]:
    """The strong wishes that `text` violates and that were not defended before: that is done once."""
    names_by_wish: dict[Wish, dict[str, None]] = {}
    for proposal in proposals(text, hearing):
        for wish, names in violations(proposal, hearing):
            names_by_wish.setdefault(wish, {}).update(dict.fromkeys(names))
    defences = list(_defences(voice))
    new = (
        (wish, tuple(n for n in names if not _holds(n, defences, voice)))
        for wish, names in names_by_wish.items()
    )
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
    for message in voice.own_messages():
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
        if wish.topic in CAPPED_TOPICS:
            if _exceeds(proposal.clause, wish, hearing):
                yield wish, ()
        elif wish.strong and _is_about_city(wish, proposal, hearing):
            names = _wrong_mode(wish, proposal, hearing) or _violated_names(wish, proposal, hearing)
            if names:
                yield wish, names


def _violated_names(wish: Wish, proposal: Proposal, hearing: Hearing) -> tuple[str, ...]:
    """The names of the wish that are shunned and proposed, or wanted and left out."""
    clause = proposal.clause
    if not _proposes(wish, proposal, hearing):
        return ()
    if wish.wanted:
        hits = [*hearing.marked_names(clause, "proposal.dropped_before", "proposal.dropped_after")]
    else:
        hits = _meant_names(clause, hearing)
    names = {mention.name for mention in hits}
    if wish.topic == "transport" and not wish.wanted:
        names &= _settled_modes(proposal.sentence, hearing) or names
    return tuple(name for name in wish.items if name in names)


def _settled_modes(sentence: str, hearing: Hearing) -> set[str]:
    """The modes that a sentence arrives at, after the ones it weighs (飞机最快，但…，所以改为高铁)."""
    return {mention.name for mention in hearing.marked_names(sentence, "proposal.settled_before")}


def _wrong_mode(wish: Wish, proposal: Proposal, hearing: Hearing) -> tuple[str, ...]:
    """The modes that must be, when another is proposed and they are named at most as replaced."""
    if wish.topic != "transport" or not wish.wanted or not _proposes(wish, proposal, hearing):
        return ()
    modes = {mention.name for mention in _meant_names(proposal.clause, hearing)}
    kept = {mention.name for mention in _meant_names(proposal.sentence, hearing)}
    wrong = modes & set(TRANSPORT_MODES) - set(wish.items)
    return wish.items if wrong and not kept & set(wish.items) else ()


def _proposes(wish: Wish, proposal: Proposal, hearing: Hearing) -> bool:
    """Whether something is proposed at all; a way of getting around in a city is no matter of transport wishes."""
    if not proposal.proposes or wish.topic != "transport":
        return proposal.proposes
    return not hearing.has("proposal.local", proposal.clause) or hearing.has(
        "proposal.journey", proposal.clause
    )


def _meant_names(clause: str, hearing: Hearing) -> list[Mention]:
    negated = hearing.marked_names(clause, "proposal.negated_before", "proposal.negated_after")
    return [mention for mention in hearing.mentions(clause) if mention not in negated]


def _exceeds(clause: str, wish: Wish, hearing: Hearing) -> bool:
    matches = hearing.language.patterns[f"proposal.{wish.topic}"].finditer(clause)
    values = (hearing.language.value(match["number"]) for match in matches)
    return any(value is not None and value > wish.cap for value in values)


def _is_about_city(wish: Wish, proposal: Proposal, hearing: Hearing) -> bool:
    """Whether the proposal can be about the wish's city: dishes need it said when the cities differ in them."""
    if wish.topic not in CITY_TOPICS or wish.topic == "sights":
        return True
    if proposal.cities:
        return wish.city in proposal.cities
    return len(hearing.cities) == 1
