"""Reading one message: which wishes and caps it states, and which topics it leaves open on purpose."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise, takewhile

from benchmark.suites.grouptravel.agent.lexicon import lexicon
from benchmark.suites.grouptravel.agent.lexicon.model import Subject
from benchmark.suites.grouptravel.agent.understanding.caps import find_caps
from benchmark.suites.grouptravel.agent.understanding.cities import (
    Scope,
    find_scopes,
    owner_of,
    short_names,
)
from benchmark.suites.grouptravel.agent.understanding.items import (
    Item,
    default_tone,
    findings_of,
    marks_for,
    spread_tone,
)
from benchmark.suites.grouptravel.agent.understanding.kinds import Kind, Setting, kind_of, subjects_in
from benchmark.suites.grouptravel.agent.understanding.likelihood import (
    Surroundings,
    is_believable,
    is_telling,
    shed,
)
from benchmark.suites.grouptravel.agent.understanding.mentions import (
    Mention,
    clauses,
    find_mentions,
    glue,
    statements,
)
from benchmark.suites.grouptravel.agent.understanding.tone import Mark, Tone, find_marks, tone_of
from benchmark.suites.grouptravel.agent.understanding.topics import Cap, Finding, Ground, Reading, Topic
from benchmark.text import guarded

_SOFT_END = guarded.compile(r"[吧呗啦]?[。~！!]*$")
_LONGEST_KIND = 6
_SHORTEST_NAMESAKE = 3
_OTHER_CITY = guarded.compile(r"[\u4e00-\u9fff]{2,4}(?<![夜早集花超菜鱼书鬼闹年])市")
_LIST_SUBJECTS: frozenset[Subject] = frozenset({"sights", "categories", "food"})


@dataclass(slots=True)
class _State:
    """What carries over from clause to clause of one message.

    eaten_at: the sentence in which the city in `scope` was named for its food alone.
    """

    ground: Ground
    scope: tuple[str, ...]
    nearby_cities: tuple[str, ...] = ()
    eaten_at: int | None = None
    subject: Subject | None = None
    place: int = 0
    items: list[Item] = field(default_factory=list)
    caps: list[Cap] = field(default_factory=list)
    indifferent: list[Topic] = field(default_factory=list)
    before: tuple[int, int] = (0, 0)
    corrected_tone: Tone | None = None

    def withdraw(self) -> None:
        """Takes back what the last clause said; what comes instead has its tone."""
        items, caps = self.before
        self.corrected_tone = self.items[-1].tone if len(self.items) > items else None
        del self.items[items:], self.caps[caps:]


@lru_cache(maxsize=4096)
def read_message(message: str, ground: Ground) -> Reading:
    """The wishes, caps and indifferences of one message. Questions in it state nothing."""
    state = _State(ground, scope=ground.asked_cities)
    for place, sentence in enumerate(statements(message, ground.language)):
        rest = _read_frames(sentence, place, state)
        _read_sentence(clauses(rest, ground.language), place, state)
    spread_tone(state.items, bool(ground.asked_topics))
    findings = [finding for item in state.items for finding in _findings(item, ground)]
    return Reading(tuple(dict.fromkeys(findings)), tuple(state.caps), tuple(dict.fromkeys(state.indifferent)))


def _read_sentence(parts: list[str], place: int, state: _State) -> None:
    words = lexicon(state.ground.language)
    state.place = place
    for clause, following in pairwise([*parts, ""]):
        if guarded.search(words.correction_pattern, clause):
            state.withdraw()
            clause = guarded.sub(words.correction_pattern, "", clause)
        elif guarded.match(words.denial_pattern, clause) and guarded.match(
            words.denial_end_pattern, following
        ):
            continue
        state.before = len(state.items), len(state.caps)
        _read_clause(clause, place, state)
    state.corrected_tone = None


def _read_frames(sentence: str, place: int, state: _State) -> str:
    """Takes frames such as 除了…都行 out of a sentence; their items are read here, the rest is returned."""
    words = lexicon(state.ground.language)
    for patterns, tone in (
        (words.only_frames, Tone(True, "firm")),
        (words.except_frames, Tone(False, "mild")),
    ):
        for match in (match for pattern in patterns if (match := guarded.search(pattern, sentence))):
            _take_items(match.group("item"), place, state, tone)
            sentence = sentence[: match.start()] + "，" + sentence[match.end() :]
    return guarded.sub(words.comparison_pattern, "", sentence)


def _take_items(text: str, place: int, state: _State, tone: Tone) -> None:
    glued = glue(text, state.ground.names, state.ground.language)
    for mention in find_mentions(text, [False] * len(text), glued, state.ground.language):
        kind = kind_of(mention.text, _setting(text, state))
        if kind:
            state.items.append(Item(kind, _home(mention, kind, (), state), tone, place))


def _setting(clause: str, state: _State) -> Setting:
    ground = state.ground
    return Setting(clause, state.subject, ground.subjects, ground.names, ground.language)


def _read_clause(clause: str, place: int, state: _State) -> None:
    ground = state.ground
    caps = find_caps(clause, ground.language, ground.subjects)
    state.caps.extend(caps)
    glued = glue(clause, ground.names, ground.language)
    named = glue(clause, ground.names, ground.language, safe=False)
    scopes = find_scopes(clause, ground.cities, ground.language, named)
    clause_marks = _marks(clause, glued, ground.language)
    mentions = _clause_items(clause, clause_marks, scopes, glued, state)
    if not mentions and not caps and clause_marks:
        mentions = _namesake(clause, scopes, clause_marks, state)
    if caps:
        mentions = [(mention, kind) for mention, kind in mentions if kind.sure]
    _note_subject(clause, [kind for _, kind in mentions], state)
    if _is_neutral(clause, state, bool(mentions)):
        return
    if mentions:
        _add_items(clause, mentions, clause_marks, scopes, place, state)
    elif clause_marks and not caps:
        _confirm(clause, clause_marks, place, state)
    if scopes:
        state.scope = scopes[-1].cities
        state.eaten_at = place if {kind.subject for _, kind in mentions} == {"food"} else None


def _marks(clause: str, glued: list[bool], language: str) -> list[Mark]:
    """The cues of a clause, those of a frame around an item before any other."""
    frame = _frame_marks(clause, language)
    others = find_marks(clause, language, glued)
    free = [
        mark for mark in others if all(mark.end <= half.start or mark.start >= half.end for half in frame)
    ]
    return sorted([*frame, *free], key=lambda mark: mark.start)


def _frame_marks(clause: str, language: str) -> list[Mark]:
    """Frames around an item, such as 非…不可: both of their halves are cues, the item between stays free."""
    marks: list[Mark] = []
    for pattern in lexicon(language).frames:
        match = guarded.search(pattern, clause)
        if match:
            marks += [
                Mark(match.start(), match.start("item"), "must"),
                Mark(match.end("item"), match.end(), "must"),
            ]
            break
    return marks


def _clause_items(
    clause: str, marks: list[Mark], scopes: list[Scope], glued: list[bool], state: _State
) -> list[tuple[Mention, Kind]]:
    ground = state.ground
    language = ground.language
    neutral = _neutral_match(clause, language)
    spans = [*((mark.start, mark.end) for mark in marks), *((scope.start, scope.end) for scope in scopes)]
    taken = [False] * len(clause)
    for start, end in [*spans, *([neutral.span()] if neutral else [])]:
        taken[start:end] = [True] * (end - start)
    setting = _setting(clause, state)
    mentions = [
        shed(mention, ground.names, language) for mention in find_mentions(clause, taken, glued, language)
    ]
    if any(_OTHER_CITY.fullmatch(mention.text) and not mention.quoted for mention in mentions):
        mentions = [mention for mention in mentions if _is_of_no_city(mention, setting)]
    surroundings = _surroundings(clause, marks, mentions, state)
    believed: list[tuple[Mention, Kind]] = []
    for mention in mentions:
        kind = None if _is_city(mention.text, ground.cities) else _quoted_kind(mention, setting)
        before = believed[-1][0] if believed else None
        if kind and (kind.sure or is_believable(mention, before, surroundings, language)):
            believed.append((mention, kind))
    return _agreeing(believed, state)


def _surroundings(clause: str, marks: list[Mark], mentions: list[Mention], state: _State) -> Surroundings:
    asked = bool(state.ground.subjects & _LIST_SUBJECTS)
    listed = asked and sum(len(mention.text) for mention in mentions) * 2 >= len(clause)
    return Surroundings(clause, tuple(marks), state.ground.names, asked, listed, _toned(state))


def _toned(state: _State) -> bool:
    """Whether the sentence has already said something about something."""
    return any(item.tone is not None for item in _items_of(state.place, state))


def _items_of(place: int, state: _State) -> Iterator[Item]:
    """The items of the sentence that is being read, the last first."""
    return takewhile(lambda item: item.sentence == place, reversed(state.items))


def _is_city(text: str, cities: tuple[str, ...]) -> bool:
    return any(text in short_names(city) for city in cities)


def _namesake(
    clause: str, scopes: list[Scope], marks: list[Mark], state: _State
) -> list[tuple[Mention, Kind]]:
    """A sight named like its city (九寨沟 in 九寨沟县), when the clause speaks of going and names nothing else."""
    words = lexicon(state.ground.language)
    said = "".join(clause[mark.start : mark.end] for mark in marks)
    if (
        len(scopes) != 1
        or not guarded.search(words.verbs["sights"], said)
        or guarded.search(words.verbs["food"], clause)
    ):
        return []
    city = scopes[0].cities[0]
    name = next((short for short in short_names(city) if short != city and clause.startswith(short)), None)
    if name is None or len(name) < _SHORTEST_NAMESAKE:
        return []
    return [(Mention(scopes[0].start, scopes[0].end, name), Kind("sights", name))]


def _agreeing(mentions: list[tuple[Mention, Kind]], state: _State) -> list[tuple[Mention, Kind]]:
    """Names that neither a list nor a tool knows are of one kind in one clause: that of most of them."""
    loose = [
        kind.subject for name, kind in mentions if not kind.sure and not state.ground.names.kind_of(name.text)
    ]
    if len(set(loose)) < 2:
        return mentions
    most = max(loose, key=loose.count)
    return [(name, kind if kind.sure else replace(kind, subject=most)) for name, kind in mentions]


def _is_of_no_city(mention: Mention, setting: Setting) -> bool:
    """A means of transport or a class of hotel. Nothing else that is said of a city outside the trip is read."""
    kind = kind_of(mention.text, setting)
    return kind is not None and kind.subject not in _LIST_SUBJECTS


def _quoted_kind(mention: Mention, setting: Setting) -> Kind | None:
    kind = kind_of(mention.text, setting)
    return replace(kind, sure=True) if kind and mention.quoted else kind


def _note_subject(clause: str, kinds: list[Kind], state: _State) -> None:
    stated = subjects_in(clause, state.ground.language)
    if kinds:
        state.subject = kinds[-1].subject
    elif stated:
        state.subject = stated[-1]
    elif guarded.search(lexicon(state.ground.language).verbs["food"], clause):
        state.subject = "food"


def _neutral_match(clause: str, language: str) -> guarded.Match | None:
    return next(
        (match for p in lexicon(language).neutral_patterns if (match := guarded.search(p, clause))), None
    )


def _is_neutral(clause: str, state: _State, has_items: bool) -> bool:
    """Notes what a clause leaves open (都行, 没有忌口); such a clause with items is a mild wish instead."""
    match = _neutral_match(clause, state.ground.language)
    if match is None:
        return False
    denies = match.group()[0] in "没无暂并"
    if has_items and not denies:
        return False
    stated: set[Subject] = set(subjects_in(clause, state.ground.language)) & state.ground.subjects
    if not stated and state.items:
        stated = {state.items[-1].kind.subject}
    state.indifferent += [
        topic for topic in state.ground.asked_topics if not stated or topic.subject in stated
    ]
    return True


def _add_items(
    clause: str,
    mentions: list[tuple[Mention, Kind]],
    marks: list[Mark],
    scopes: list[Scope],
    place: int,
    state: _State,
) -> None:
    told = guarded.search(lexicon(state.ground.language).story_pattern, clause)
    free = _neutral_match(clause, state.ground.language)
    for mention, kind in mentions:
        own = marks_for(mention.start, [other.start for other, _ in mentions], marks)
        tone = tone_of(own, softened=_ends_softly(clause))
        unsaid = bool(tone and tone.neutral) or bool(
            tone is None and (told or (free and kind.subject == "sights"))
        )
        tone = None if unsaid else tone or state.corrected_tone
        if tone is None and not unsaid and _ends_softly(clause):
            tone = default_tone(kind)
        first_mark = own[0].start if own else 0
        home = _home(mention, kind, tuple(scope for scope in scopes if scope.start <= mention.start), state)
        state.items.append(
            Item(kind, home, tone, place, bool(own) and first_mark < mention.start, open=unsaid)
        )


def _ends_softly(clause: str) -> bool:
    match = _SOFT_END.search(clause)
    return bool(match and match.group().strip("。~！!"))


def _home(mention: Mention, kind: Kind, scopes: tuple[Scope, ...], state: _State) -> tuple[str, ...]:
    """The cities of an item: named in the clause, in its own name, else those last spoken of or asked about."""
    cities = state.ground.cities
    if kind.subject not in {"sights", "categories", "food"}:
        return ()
    if len(cities) == 1:
        return cities
    if scopes:
        return scopes[-1].cities
    own = owner_of(mention.text, cities) if kind.subject == "sights" else None
    if own:
        return (own,)
    known = [city for city in state.ground.names.cities_of(mention.text) if city in cities]
    if kind.subject == "sights" and len(known) == 1:
        return (known[0],)
    if kind.subject == "sights" and state.eaten_at is not None and state.eaten_at < state.place:
        return ()
    return state.scope or (state.nearby_cities if kind.sure else ())


def _confirm(clause: str, marks: list[Mark], place: int, state: _State) -> None:
    """A clause of tone alone speaks of the items before it: it gives them a tone, or makes theirs firmer."""
    tone = tone_of(marks, softened=_ends_softly(clause))
    if tone is None or tone.neutral or not state.items or state.items[-1].sentence != place:
        return
    last = state.items[-1]
    group = [item for item in _items_of(place, state) if item.tone == last.tone]
    for item in group:
        if item.tone is None or (
            item.tone.positive == tone.positive and tone.force == "firm" and _repeats(clause)
        ):
            item.tone = tone


def _repeats(clause: str) -> bool:
    return not guarded.search(r"太|累|赶|紧|贵|远", clause)


def _findings(item: Item, ground: Ground) -> Iterator[Finding]:
    if item.tone is None:
        return
    named = item.kind.sure or is_telling(item.kind.item, lexicon(ground.language))
    yield from findings_of(item, item.tone, _subject_of(item, ground), named)


def _subject_of(item: Item, ground: Ground) -> Subject:
    """A mild word about sights that no list knows is a kind of sight when kinds were asked about; a firm one that
    may be food is food, because kinds of sight are never insisted on."""
    kind = item.kind
    if kind.item in lexicon(ground.language).both and item.tone is not None and item.tone.force == "firm":
        return "food"
    mild = item.tone is not None and item.tone.force == "mild"
    unknown = kind.subject == "sights" and not kind.sure and not ground.names.kind_of(kind.item)
    asked = "categories" in ground.subjects
    generic = (
        kind.item.endswith(lexicon(ground.language).category_endings) and len(kind.item) <= _LONGEST_KIND
    )
    if unknown and mild and asked and generic and not owner_of(kind.item, ground.cities):
        return "categories"
    return kind.subject
