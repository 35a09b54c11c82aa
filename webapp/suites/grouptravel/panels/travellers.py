"""A lane a traveller over the whole session, and who clashes with whom on what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from benchmark.core.events import MessagePosted, TurnPassed
from benchmark.core.view import AGENT
from benchmark.suites.grouptravel.events import CompromiseApplied, MarkerAttempted, TableInferred
from benchmark.suites.grouptravel.preferences import Conflict, conflicts, filled_fields
from benchmark.suites.grouptravel.provenance import Sources
from webapp.sessions.outline import Section, sections
from webapp.sessions.reading import Reading
from webapp.suites.grouptravel.wording.fields import path_label, value_words
from webapp.wording.numbers import number_words


@dataclass(frozen=True, slots=True)
class LaneMark:
    """Something that happened to a traveller. kind: asked, heard, ignored, yielded, refused or passed."""

    kind: str
    sign: str
    title: str
    seq: int


@dataclass(slots=True)
class Lane:
    """One traveller: marks by section, then what came of it.

    clashes: conflicts with others. got_count, lost_count: wishes that earned points, and refused things that cost
    some; None before there are scores.
    """

    user: str
    cells: list[list[LaneMark]] = field(default_factory=list)
    clashes: int = 0
    got_count: int | None = None
    lost_count: int | None = None


@dataclass(frozen=True, slots=True)
class Clash:
    """Two travellers and an item. how: resolved by compromise, split or overruled, in words; seq: the compromise."""

    liker: str
    disliker: str
    what: str
    how: str
    tone: str
    seq: int | None = None


@dataclass(frozen=True, slots=True)
class Wish:
    """An item of a traveller's table. noted: the agent has it in its table now; points: in the plan, if there is one.

    words: the field, the city and the item.
    """

    words: str
    noted: bool
    points: float | None

    @property
    def signed_points(self) -> str:
        """The points with their sign."""
        return number_words(self.points, 0, signed=True)


@dataclass(frozen=True, slots=True)
class ToldWishes:
    """A message, and the wishes that a traveller first told in it."""

    seq: int
    wishes: list[Wish]


def context(reading: Reading, _traveller: str) -> dict[str, Any]:
    """Lanes by section of the outline, and the clashes of the original tables."""
    parts = sections(reading)
    score = reading.score if reading.whole else None
    points = score.figures.get("evidence", {}).get("utility", ()) if score is not None else None
    original = {user: card.preference for user, card in reading.state.cards.items()}
    original_conflicts = conflicts(original)
    lanes = [_lane(user, reading, parts, original_conflicts, points) for user in reading.users]
    return {
        "parts": parts,
        "lanes": lanes,
        "clashes": [_clash(conflict, reading, points) for conflict in original_conflicts],
        "kinds": kinds(),
        "told": [(user, told) for user in reading.users if (told := _wish_messages(user, reading, points))],
        "scored": points is not None,
    }


def _wish_messages(
    user: str, reading: Reading, points: Sequence[Mapping[str, Any]] | None
) -> list[ToldWishes]:
    """The messages of a traveller in which items of their original table were said first, and what became of them."""
    sources, noted = Sources(reading.events), set(_items(reading.state.table.get(user)))
    by_message: dict[int, list[Wish]] = {}
    for field_, city, value in filled_fields(
        reading.state.cards[user].preference if user in reading.state.cards else None
    ):
        path = field_.path_in(city)
        for item in value if isinstance(value, list) else [value]:
            if (seq := sources.message_with(user, item)) is not None:
                words = f"{path_label(path)}: {value_words(item, field_)}"
                wish = Wish(words, (path, str(item)) in noted, _points_of(points, user, path, item))
                by_message.setdefault(seq, []).append(wish)
    return [ToldWishes(seq, wishes) for seq, wishes in sorted(by_message.items())]


def _points_of(points: Sequence[Mapping[str, Any]] | None, user: str, path: str, item: Any) -> float | None:
    if points is None:
        return None
    own = (p for p in points if p["user"] == user and p["path"] == path and str(p["item"]) == str(item))
    return sum(float(point["points"]) for point in own)


def kinds() -> list[tuple[str, str, str]]:
    """What the signs mean: kind, sign, words."""
    return [
        ("asked", "?", _("asked")),
        ("heard", "●", _("heard: afterwards the agent noted something new about them")),
        ("ignored", "○", _("said, but the agent noted nothing new about them")),
        ("yielded", "▼", _("gave way")),
        ("refused", "✕", _("offered to give way, not applied")),
        ("passed", "·", _("passed")),
    ]


def _lane(
    user: str,
    reading: Reading,
    parts: Sequence[Section],
    conflicts_found: Sequence[Conflict],
    points: Sequence[Mapping[str, Any]] | None,
) -> Lane:
    lane = Lane(user, [[] for _part in parts])
    starts = [part.seq for part in parts]
    for mark in _marks(user, reading):
        lane.cells[max(0, sum(start <= mark.seq for start in starts) - 1)].append(mark)
    lane.clashes = sum(user in (conflict.liker, conflict.disliker) for conflict in conflicts_found)
    if points is not None:
        own = [point for point in points if point["user"] == user]
        lane.got_count = sum(point["points"] > 0 for point in own)
        lane.lost_count = sum(point["points"] < 0 for point in own)
    return lane


def _marks(user: str, reading: Reading) -> Iterator[LaneMark]:
    signs = {kind: (sign, words) for kind, sign, words in kinds()}

    def mark(kind: str, seq: int, more: str = "") -> LaneMark:
        sign, words = signs[kind]
        return LaneMark(kind, sign, f"#{seq} {words}{more}", seq)

    noted = _belief_notes(user, reading)
    for event in reading.events:
        match event.body:
            case MessagePosted(role=role, content=content) if role == AGENT and f"@{user}" in content:
                yield mark("asked", event.seq)
            case MessagePosted(role=role) if role == user:
                yield mark("heard" if _heard(event.seq, user, reading, noted) else "ignored", event.seq)
            case CompromiseApplied(user=who, path=path) if who == user:
                yield mark("yielded", event.seq, f": {path_label(path)}")
            case MarkerAttempted(user=who, verdict=verdict) if who == user and verdict != "accepted":
                yield mark("refused", event.seq)
            case TurnPassed(user=who) if who == user:
                yield mark("passed", event.seq)


def _belief_notes(user: str, reading: Reading) -> list[tuple[int, int]]:
    """The agent's notes: the event, and how many items it then held of a traveller that it did not hold before."""
    notes = []
    before: set[tuple[str, str]] = set()
    for event in reading.events:
        if isinstance(event.body, TableInferred) and event.body.table:
            now = set(_items(event.body.table.get(user)))
            notes.append((event.seq, len(now - before)))
            before = now
    return notes


def _items(table: Any) -> Iterator[tuple[str, str]]:
    for field_, city, value in filled_fields(table):
        for item in value if isinstance(value, list) else [value]:
            yield field_.path_in(city), str(item)


def _heard(seq: int, user: str, reading: Reading, noted: Sequence[tuple[int, int]]) -> bool:
    """Whether the first note after a message has something new of its speaker."""
    after = next((new for at, new in noted if at > seq), None)
    return bool(after)


def _clash(conflict: Conflict, reading: Reading, points: Sequence[Mapping[str, Any]] | None) -> Clash:
    what = f"{path_label(conflict.like_path)}: {value_words(conflict.item)}"
    how, tone, seq = _resolution(conflict, reading, points)
    return Clash(conflict.liker, conflict.disliker, what, how, tone, seq)


def _resolution(
    conflict: Conflict, reading: Reading, points: Sequence[Mapping[str, Any]] | None
) -> tuple[str, str, int | None]:
    """How a clash ended: words, a tone, and the compromise that ended it."""
    sides = {(conflict.liker, conflict.like_path), (conflict.disliker, conflict.dislike_path)}
    for event in reading.events:
        body = event.body
        if isinstance(body, CompromiseApplied) and (body.user, body.path) in sides:
            words = _("compromise: %(user)s gave way") % {"user": body.user}
            return words, "good", event.seq
    if points is None:
        return _("open"), "", None
    liked = _scored(points, conflict.liker, conflict.like_path, conflict.item)
    suffered = _scored(points, conflict.disliker, conflict.dislike_path, conflict.item)
    if liked and suffered:
        return _("overruled: the plan has it for %(user)s") % {"user": conflict.disliker}, "bad", None
    if liked:
        return _("split: %(user)s does it separately") % {"user": conflict.liker}, "good", None
    if suffered:
        return _("the plan has it for %(user)s alone") % {"user": conflict.disliker}, "bad", None
    return _("overruled: %(user)s goes without") % {"user": conflict.liker}, "stale", None


def _scored(points: Sequence[Mapping[str, Any]], user: str, path: str, item: str) -> bool:
    return any(
        point["user"] == user and point["path"] == path and str(point["item"]) == item for point in points
    )
