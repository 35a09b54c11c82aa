"""Answering a request to give something up (GroupTravelBench, D.8: the compromise output protocol).

A traveller who may yield says in words what is given up and ends with a marker that holds the field's whole new
value. Personas: with one seed in five a traveller is attached, and keeps the only must of a field even though the
flag would let it go.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import ceil
from typing import Literal

from benchmark.suites.grouptravel.travellers.scripted.answers import single
from benchmark.suites.grouptravel.travellers.scripted.hearing import Hearing
from benchmark.suites.grouptravel.travellers.scripted.names import (
    CLOSED_LISTS,
    CONTEXT_LENGTH,
    Mention,
    text_before,
)
from benchmark.suites.grouptravel.travellers.scripted.voice import Voice
from benchmark.suites.grouptravel.travellers.scripted.wishes import CAPPED_TOPICS, Wish, figure
from benchmark.suites.grouptravel.view import GroupTurn

ATTACHMENT_RATE = 0.2
RAISE, FARTHEST_RAISE = 1.1, 1.5
"""How much higher a limit becomes where nobody says how much, and at most: who tires after 8 hours refuses 13."""
Act = Literal["drop", "take", "swap", "raise"]
Direction = Literal["drop", "take", ""]


@dataclass(frozen=True, slots=True)
class Change:
    """One request on one field. `names` are given up or accepted, `new` takes their place, `cap` is a raised limit.

    position: where the request stands in the text.
    """

    wish: Wish
    act: Act
    position: int
    names: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    cap: float = 0

    @property
    def value(self) -> list[str] | int | float:
        """The field's complete new value."""
        if self.act == "raise":
            return int(self.cap) if self.cap == int(self.cap) else self.cap
        kept = [name for name in self.wish.items if name not in self.names]
        return list(dict.fromkeys([*kept, *self.new]))

    @property
    def rank(self) -> tuple[bool, bool, int]:
        """Strong tiers first; a refused mode before the must mode that it would replace; then as asked."""
        return (
            not self.wish.strong,
            self.wish.tier != "reject" or self.wish.topic != "transport",
            self.position,
        )


def concession(hearing: Hearing, voice: Voice) -> str:
    """The answer to a compromise request, with a marker when it is agreed to and changes the table."""
    text, change = hearing.of_kind("compromise"), wanted_change(hearing)
    if change is None and _touches_a_must(text, hearing):
        return single(text, hearing, voice)
    if change is None:
        return voice.say("replies.which" if _unclear(text, hearing) else "replies.fine")
    if not _yields(change, hearing, voice):
        return _refusal(change, voice)
    kept = (_refusal(other, voice) for other in _others_asked(change, text, hearing))
    return f"{voice.utterance([_agreement(change, voice), *kept])}\n{_marker(change, hearing.view.turn)}"


def _others_asked(change: Change, text: str, hearing: Hearing) -> Iterator[Change]:
    """The strong wishes on other topics that the same request is about: one answer gives up one field."""
    topics = {change.wish.topic}
    for other in sorted(_changes(text, hearing), key=lambda each: each.rank):
        if other.wish.strong and other.wish.topic not in topics:
            topics.add(other.wish.topic)
            yield other


def wanted_change(hearing: Hearing) -> Change | None:
    """The change that the agent's message asks this traveller for."""
    return requested_change(hearing.of_kind("compromise"), hearing) or requested_change(
        hearing.addressed_text, hearing
    )


def requested_change(text: str, hearing: Hearing) -> Change | None:
    """The change of one field that `text` asks for; the weightiest where it asks for several."""
    return min(_changes(text, hearing), key=lambda change: change.rank, default=None)


def _changes(text: str, hearing: Hearing) -> list[Change]:
    """Every change that `text` asks for; those of the cities it names, where it names one of theirs."""
    return hearing.remember(lambda: _read_changes(text, hearing), "changes", text)


def _read_changes(text: str, hearing: Hearing) -> list[Change]:
    mentions = hearing.mentions(text)
    cities = hearing.named_cities(text)
    changes = [*_named_changes(text, hearing), *_raise_changes(text, hearing)]
    if not changes and not mentions:
        changes = [*_vaguely_raised(text, hearing), *_only_wish(text, hearing)]
    here = [c for c in changes if c.wish.city in ("", *cities)] if cities else []
    return here or changes


def _directions(text: str, hearing: Hearing) -> dict[Mention, Direction]:
    """Whether each mention is to be dropped or accepted, where the words say so."""
    taken = hearing.marked_names(text, "concession.undo_before", "concession.instead_after")
    dropped = hearing.marked_names(text, "concession.drop_before", "concession.drop_after")
    accepted = hearing.marked_names(text, "concession.take_before")
    return {
        m: "take" if m in taken else "drop" if m in dropped else "take" if m in accepted else ""
        for m in hearing.mentions(text)
    }


def _named_changes(text: str, hearing: Hearing) -> Iterator[Change]:
    directions = _directions(text, hearing)
    yields = hearing.has("concession.yield", text)
    dropped = [m for m, way in directions.items() if way == "drop" or (not way and yields)]
    taken = [m for m, way in directions.items() if way != "drop"]
    for wish in hearing.wishes.all:
        hits = [m for m in (dropped if wish.wanted else taken) if m.name in wish.items]
        if wish.topic == "categories":
            hits = [m for m in hits if hearing.has("text.word_start", text_before(text, m.start))]
        if hits:
            yield _change(wish, hits, taken)
        elif wish.topic == "transport" and wish.tier == "must":
            yield from _swap_changes(wish, taken)


def _change(wish: Wish, hits: list[Mention], taken: list[Mention]) -> Change:
    names = tuple(name for name in wish.items if any(m.name == name for m in hits))
    new = _fellows(wish, taken) if wish.wanted else ()
    act: Act = "swap" if new else "drop" if wish.wanted else "take"
    return Change(wish, act, hits[0].start, names, new)


def _swap_changes(wish: Wish, taken: list[Mention]) -> Iterator[Change]:
    """Accepting another mode gives up the one that must be."""
    new = _fellows(wish, taken)
    if new and not any(m.name in wish.items for m in taken):
        yield Change(wish, "swap", min(m.start for m in taken), wish.items, new)


def _fellows(wish: Wish, taken: Iterable[Mention]) -> tuple[str, ...]:
    """The accepted modes or hotel classes that the wish does not hold."""
    names = CLOSED_LISTS.get(wish.topic, ())
    return tuple(dict.fromkeys(m.name for m in taken if m.name in names and m.name not in wish.items))


def _raise_changes(text: str, hearing: Hearing) -> Iterator[Change]:
    for wish in hearing.wishes.all:
        if wish.topic not in CAPPED_TOPICS:
            continue
        asked = [(_amount(text, figure, wish, hearing), figure[1]) for figure in _about(text, wish, hearing)]
        higher = [(value, position) for value, position in asked if value > wish.cap]
        if higher:
            value, position = max(higher)
            yield Change(wish, "raise", position, cap=value)


def _about(text: str, wish: Wish, hearing: Hearing) -> list[tuple[float, int, int]]:
    """The figures in `text` that can be limits of this wish."""
    figures = hearing.figures(text, wish.topic)
    if wish.topic != "budget":
        return figures
    if "budget" not in hearing.topics(text):
        return []
    return [
        f for f in figures if f[0] >= 10 and not hearing.has("concession.not_mine", text_before(text, f[1]))
    ]


def _amount(text: str, figure: tuple[float, int, int], wish: Wish, hearing: Hearing) -> float:
    """The limit that a figure means: itself, or the present one and so much more."""
    value, start, end = figure
    if wish.topic == "budget" and hearing.has("concession.percent", text[end : end + CONTEXT_LENGTH]):
        return round(wish.cap * (1 + value / 100))
    if value < wish.cap and hearing.has("concession.delta", text_before(text, start)):
        return wish.cap + value
    return value


def _vaguely_raised(text: str, hearing: Hearing) -> Iterator[Change]:
    """More is asked for, but not how much: a tenth of the budget, one sight, one hour."""
    topics = hearing.topics(text)
    if hearing.has_figure(text) or not hearing.has("concession.hard", text):
        return
    for wish in hearing.wishes.all:
        if wish.topic in CAPPED_TOPICS and wish.topic in topics:
            more = ceil(wish.cap * RAISE / 100) * 100 if wish.topic == "budget" else wish.cap + 1
            yield Change(wish, "raise", 0, cap=more)


def _only_wish(text: str, hearing: Hearing) -> Iterator[Change]:
    """A request that names a topic but no item can only mean the one strong item there is."""
    strong = [w for w in _generic(text, hearing) for _ in w.items]
    if len(strong) == 1:
        wish = strong[0]
        yield Change(wish, "drop" if wish.wanted else "take", 0, wish.items)


def _touches_a_must(text: str, hearing: Hearing) -> bool:
    """A must is named without a word that says whether to keep or to drop it: consent could mean either."""
    open_ended = {m.name for m, way in _directions(text, hearing).items() if not way}
    return any(w.strong and w.wanted and open_ended & set(w.items) for w in hearing.wishes.all)


def _unclear(text: str, hearing: Hearing) -> bool:
    """Something should give, but neither the name nor the one thing it could be is said."""
    return not hearing.mentions(text) and hearing.has("concession.generic", text)


def _generic(text: str, hearing: Hearing) -> list[Wish]:
    """The strong wishes, caps aside, on the topics of a request that says only that something should give."""
    if not hearing.has("concession.generic", text):
        return []
    topics, cities = hearing.topics(text), hearing.named_cities(text) or hearing.cities
    return [
        w
        for w in hearing.wishes.all
        if w.strong and w.items and w.topic in topics and w.city in ("", *cities)
    ]


def _yields(change: Change, hearing: Hearing, voice: Voice) -> bool:
    card, turn = hearing.view.card, hearing.view.turn
    if card is None or not card.compromisable or card.compromises_left < 1 or not turn.solicited:
        return False
    if turn.problem and (turn.problem != "malformed" or turn.attempt > 2):
        return False
    if change.act == "raise" and change.cap > change.wish.cap * FARTHEST_RAISE:
        return False
    return _expressible(change.wish.city) and not _attached(change, voice)


def _attached(change: Change, voice: Voice) -> bool:
    only = change.wish.tier == "must" and set(change.names) >= set(change.wish.items)
    return only and voice.chance("attached") < ATTACHMENT_RATE


def _expressible(city: str) -> bool:
    """Whether a dotted path and a marker can carry the city's name."""
    return not any(sign in city for sign in ".[]:\n")


def _agreement(change: Change, voice: Voice) -> str:
    verb = voice.verb(change.wish.topic, (*change.names, *change.new))
    if change.act == "raise":
        return voice.say(f"concede.{change.wish.topic}", n=figure(change.cap))
    if change.act == "swap":
        old, new = voice.join_names(change.names), voice.join_names(change.new)
        return voice.say("concede.swap", old=old, new=new, verb=verb)
    return voice.say(f"concede.{change.act}", change.names, verb=verb)


def _refusal(change: Change, voice: Voice) -> str:
    wish, end = change.wish, voice.language.speech["lists"]["end"]
    lead = voice.say("refuse.strong" if wish.strong else "refuse.weak")
    tail = voice.say("refuse.tail") if wish.strong else ""
    return voice.utterance([f"{lead}{voice.of_wish(wish, change.names)}{tail}{end}"])


def _marker(change: Change, turn: GroupTurn) -> str:
    """`[path : JSON]`; brackets inside names are escaped, after a refused attempt everything that is not ASCII."""
    value = change.value
    if isinstance(value, list):
        names = (json.dumps(name, ensure_ascii=turn.attempt > 1) for name in value)
        text = f"[{', '.join(_escape(name) for name in names)}]"
    else:
        text = json.dumps(value)
    return f"[{change.wish.path} : {text}]"


def _escape(name: str) -> str:
    return name.replace("[", "\\u005b").replace("]", "\\u005d")
