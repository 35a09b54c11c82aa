"""Reading one English message: which wishes and caps it states, and which topics it leaves open on purpose."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import takewhile

from benchmark.suites.grouptravel.agent.lexicon import en
from benchmark.suites.grouptravel.agent.lexicon.model import Subject
from benchmark.suites.grouptravel.agent.understanding.cities import Scope, owner_of
from benchmark.suites.grouptravel.agent.understanding.english.caps import find_caps
from benchmark.suites.grouptravel.agent.understanding.english.kinds import (
    Clues,
    is_either,
    kind_of,
    subjects_in,
)
from benchmark.suites.grouptravel.agent.understanding.english.names import (
    NameMention,
    find_names,
    find_scopes,
    is_city,
)
from benchmark.suites.grouptravel.agent.understanding.english.sentences import pieces, segments
from benchmark.suites.grouptravel.agent.understanding.items import (
    Item,
    findings_of,
    marks_for,
    spread_tone,
)
from benchmark.suites.grouptravel.agent.understanding.kinds import Kind
from benchmark.suites.grouptravel.agent.understanding.tone import Mark, Tone, find_marks, tone_of
from benchmark.suites.grouptravel.agent.understanding.topics import CITY_SUBJECTS, Cap, Ground, Reading, Topic
from benchmark.text import guarded

_NEUTRAL = tuple(guarded.compile(pattern, guarded.IGNORECASE) for pattern in en.NEUTRAL)
_MILDLY_NOT = Tone(False, "mild")


@dataclass(slots=True)
class _State:
    """What carries over from piece to piece of one message."""

    ground: Ground
    scope: tuple[str, ...]
    subject: Subject | None = None
    items: list[Item] = field(default_factory=list)
    caps: list[Cap] = field(default_factory=list)
    indifferent: list[Topic] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Piece:
    """A piece of a segment: its text, cues, cities, and names with what they are."""

    text: str
    place: int
    marks: tuple[Mark, ...]
    scopes: tuple[tuple[Scope, bool], ...]
    mentions: tuple[tuple[NameMention, Kind], ...]


@lru_cache(maxsize=4096)
def read_english(message: str, ground: Ground) -> Reading:
    """The wishes, caps and indifferences of one message. Questions in it state nothing."""
    state = _State(ground, scope=ground.asked_cities)
    for place, segment in enumerate(segments(message)):
        for text in pieces(_without_exception(segment, place, state)):
            _read_piece(text, place, state)
    spread_tone(state.items, bool(ground.asked_topics))
    findings = [
        finding
        for item in state.items
        if item.tone is not None
        for finding in findings_of(item, item.tone, _subject_of(item, item.tone))
    ]
    return Reading(tuple(dict.fromkeys(findings)), tuple(state.caps), tuple(dict.fromkeys(state.indifferent)))


def _subject_of(item: Item, tone: Tone) -> Subject:
    """Nobody insists on a kind of sight: what may be food as well (a teahouse) is food then."""
    return "food" if tone.force == "firm" and is_either(item.kind.item) else item.kind.subject


def _without_exception(segment: str, place: int, state: _State) -> str:
    """Anything but hotpot is fine: what is excepted is read here, the rest is returned."""
    match = guarded.search(en.EXCEPT, segment, guarded.IGNORECASE)
    if match is None:
        return segment
    text = match["item"]
    marks = find_marks(text, "en", [False] * len(text))
    tone = tone_of(marks) if any(mark.cue == "refuse" for mark in marks) else _MILDLY_NOT
    piece = _piece(text, place, (), state)
    state.items += [Item(kind, _home(name, kind, piece, state), tone, place) for name, kind in piece.mentions]
    return segment[: match.start("item")] + segment[match.end("item") :]


def _piece(text: str, place: int, marks: tuple[Mark, ...], state: _State) -> _Piece:
    ground = state.ground
    scopes = tuple(find_scopes(text, ground.cities, ground.glosses))
    clues = Clues(text, state.subject, ground.subjects, ground.names)
    names = find_names(text, ground.names, [(scope.start, scope.end) for scope, _ in scopes])
    kinds = (
        (name, kind_of(name, clues))
        for name in names
        if not is_city(name.text, ground.cities, ground.glosses)
    )
    return _Piece(text, place, marks, scopes, tuple((name, kind) for name, kind in kinds if kind))


def _read_piece(text: str, place: int, state: _State) -> None:
    asked = state.ground.subjects
    caps = find_caps(text, asked)
    state.caps += caps
    first = _piece(text, place, (), state)
    glued = [False] * len(text)
    for name, _ in first.mentions:
        glued[name.start : name.end] = [True] * (name.end - name.start)
    marks = tuple(find_marks(text, "en", glued))
    mentions = () if caps else _believable(first.mentions, marks, state)
    piece = _Piece(text, place, marks, first.scopes, mentions)
    leading = [scope for scope, trails in piece.scopes if not trails or not mentions]
    if leading:
        state.scope = leading[0].cities
    if not _is_neutral(piece, state):
        _add_items(piece, state)
    if piece.scopes:
        state.scope = piece.scopes[-1][0].cities
    _note_subject(piece, state)


def _believable(
    mentions: tuple[tuple[NameMention, Kind], ...], marks: tuple[Mark, ...], state: _State
) -> tuple[tuple[NameMention, Kind], ...]:
    """A word that neither a list nor a tool knows is a name where a stand is taken or names were asked for."""
    loose = bool(marks) or bool(state.ground.subjects & set(CITY_SUBJECTS)) or bool(state.items)
    return tuple((name, kind) for name, kind in mentions if kind.sure or loose)


def _note_subject(piece: _Piece, state: _State) -> None:
    stated = subjects_in(piece.text)
    if piece.mentions:
        state.subject = piece.mentions[-1][1].subject
    elif stated:
        state.subject = stated[-1]


def _is_neutral(piece: _Piece, state: _State) -> bool:
    """Notes what a piece leaves open; such a piece with names in it is a mild wish instead."""
    match = next((m for pattern in _NEUTRAL if (m := pattern.search(piece.text))), None)
    if match is None:
        return False
    if piece.mentions and not guarded.match(en.DENIAL, match.group(), guarded.IGNORECASE):
        return False
    stated: set[Subject] = set(subjects_in(piece.text)) & state.ground.subjects
    if not stated and state.items and not piece.scopes:
        stated = {state.items[-1].kind.subject} & state.ground.subjects
    asked = _asked_here(state, only=bool(piece.scopes) and not stated)
    state.indifferent += [topic for topic in asked if not stated or topic.subject in stated]
    return True


def _asked_here(state: _State, only: bool) -> Iterator[Topic]:
    """The topics asked about the cities last spoken of, and unless `only` those of no city."""
    here = state.scope or state.ground.cities
    return (topic for topic in state.ground.asked_topics if (topic.city in here if topic.city else not only))


def _add_items(piece: _Piece, state: _State) -> None:
    starts = [name.start for name, _ in piece.mentions]
    for name, kind in piece.mentions:
        own = marks_for(name.start, starts, list(piece.marks))
        tone = tone_of(own)
        open_ended = bool(tone and tone.neutral)
        before = bool(own) and own[0].start < name.start
        home = _home(name, kind, piece, state)
        state.items.append(
            Item(kind, home, None if open_ended else tone, piece.place, before, open=open_ended)
        )
    if piece.marks and not piece.mentions:
        _confirm(piece, state)


def _confirm(piece: _Piece, state: _State) -> None:
    """A piece of tone alone speaks of the names before it: it gives them a tone, or makes theirs firmer."""
    tone = tone_of(piece.marks)
    if tone is None or tone.neutral or not state.items or state.items[-1].sentence != piece.place:
        return
    last = state.items[-1]
    spoken_of = takewhile(lambda item: item.sentence == piece.place, reversed(state.items))
    for item in [spoken for spoken in spoken_of if spoken.tone == last.tone]:
        firmer = item.tone is not None and item.tone.positive == tone.positive and tone.force == "firm"
        if item.tone is None or firmer:
            item.tone = tone


def _home(name: NameMention, kind: Kind, piece: _Piece, state: _State) -> tuple[str, ...]:
    """The cities of a name: said right after it, or before it, in its own words, else those last spoken of."""
    cities = state.ground.cities
    if kind.subject not in CITY_SUBJECTS:
        return ()
    if len(cities) == 1:
        return cities
    after = next((scope for scope, trails in piece.scopes if trails and scope.start >= name.end), None)
    before = [scope for scope, trails in piece.scopes if scope.end <= name.start and not trails]
    if after or before:
        return (after or before[-1]).cities
    own = owner_of(name.text, cities) if kind.subject == "sights" else None
    known = [city for city in state.ground.names.cities_of(name.text) if city in cities]
    if own or (kind.subject == "sights" and len(known) == 1):
        return (own or known[0],)
    return state.scope
