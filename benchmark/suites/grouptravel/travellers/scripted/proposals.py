"""What the agent proposes in its prose (GroupTravelBench, D.8, scenario B).

A proposal is something that the agent suggests, decides or schedules for this traveller or for everybody. No
proposals are: what somebody is reported to want, the differences between travellers, what the agent says it has
noted, an answer about a fact, a question put to someone else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from benchmark.suites.grouptravel.travellers.scripted.hearing import Hearing
from benchmark.text import guarded


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

    reporting: in a list of wishes. planned: in a plan. elsewhere: after a mention of somebody else.
    """

    reporting: bool = False
    planned: bool = False
    elsewhere: bool = False


def proposals(text: str, hearing: Hearing) -> Iterator[Proposal]:
    """The clauses of `text` that propose something for this traveller."""
    cities: tuple[str, ...] = ()
    place = _Place()
    for line in text.splitlines():
        place = _headed(line, place, hearing)
        for sentence in hearing.split(line):
            place = replace(place, elsewhere=_addressee(sentence, place.elsewhere, hearing))
            if _is_neutral(sentence, place, hearing):
                continue
            clauses = list(_own_clauses(sentence, hearing))
            proposes = place.planned or any(_suggests(clause, hearing) for clause in clauses)
            for clause in clauses:
                cities = hearing.named_cities(clause) or cities
                yield Proposal(clause, sentence, cities, proposes)


def _headed(line: str, place: _Place, hearing: Hearing) -> _Place:
    """What a heading says of the lines below it; a report ends with the first line that is off its list."""
    text = line.strip()
    if not text:
        return replace(place, reporting=False, elsewhere=False)
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
    if place.elsewhere and not hearing.has("proposal.group", sentence) and _asks_you(sentence, hearing):
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
