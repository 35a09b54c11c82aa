"""Who said what in a conversation: found by the words themselves, so that anyone can look it up."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

from benchmark.suites.grouptravel.preferences import FieldValues, PreferenceField, Topic
from benchmark.suites.grouptravel.scoring.evidence.limits import (
    CLEARLY_MEANT,
    LIMITS,
    MEANT_OTHERWISE,
    POSSIBLY_MEANT,
    Near,
)
from benchmark.suites.grouptravel.scoring.evidence.places import Places, names_in
from benchmark.suites.grouptravel.scoring.evidence.questions import Question, questions
from benchmark.suites.grouptravel.scoring.evidence.tone import tone_of
from benchmark.suites.grouptravel.scoring.run_record import RunRecord
from benchmark.text import guarded
from benchmark.text.numerals.either import Number, numbers_in

_SEPARATOR = "\n"
_CLAUSE = guarded.compile(r"[，；;。！？!?\n]|,(?!\d)|\.(?=\s|$)|(?<!不)但是?|不过|\bbut\b")
_SENTENCE = guarded.compile(r"[。！？!?\n]|\.(?=\s|$)")
_OURSELVES = guarded.compile(r"[我咱]|\b(?:I|my|me|we|our|us)\b", guarded.IGNORECASE)
_BARE = guarded.compile(r"\W*+(?:[一-鿿]\W*+){0,2}(?:[A-Za-z][A-Za-z'’-]*+\W*+){0,4}")
"""What may stand beside names in a clause that says nothing of them itself: 还有, 酒店, and also."""
_MOST = 30
"""Occurrences of one name, or of one number, at which is looked."""
_EARSHOT = 400
"""Characters before and behind a name or number in which its clause and sentence are heard: of what goes on without
a stop for longer, the rest says nothing of it."""

Citations = list[list[Any]]
"""[wish, index of a message in the history]."""


class _Place(NamedTuple):
    """How well an occurrence bears out a wish; the greatest is the best."""

    sure: bool
    city_named: bool
    tier_heard: bool


class Group:
    """What everybody is called, and which cities are meant. references: the tables of all."""

    def __init__(self, wanted: Mapping[str, FieldValues], users: Sequence[str], query: str) -> None:
        self.references = wanted
        self.users = users
        self.places = Places(wanted, query)

    def others(self, user: str) -> guarded.Pattern:
        """The names of the others, where they are spoken of rather than to, or as company."""
        names = "|".join([*map(guarded.escape, self.users), r"User\d+"])
        apart = r"(?<![和跟与同])(?<![A-Za-z0-9_@])(?<!with )"
        return guarded.compile(
            rf"{apart}(?!{guarded.escape(user)}(?![A-Za-z0-9_]))(?:{names})(?![A-Za-z0-9_])"
        )


class TravellerSpeech:
    """All that one traveller said: messages by index in the history, and their whole text."""

    def __init__(self, user: str, messages: Sequence[tuple[int, str]], group: Group) -> None:
        self.text = _SEPARATOR.join([content for _, content in messages])
        self._messages = messages
        self._user, self._group = user, group

    def find(
        self, field: PreferenceField, city: str, wishes: Sequence[Any]
    ) -> tuple[Citations, Citations, bool]:
        """Where each wish was said, None for nowhere; where those that were not are mentioned; whether there are any.

        Said: with words around it that speak of the city, for or against it as the field does, and of nobody else.
        Mentioned: where that is not certain. A name has to stand there as it is.
        """
        text = self.text
        said: Citations = []
        mentioned: Citations = []
        unsaid = False
        for wish in wishes:
            if type(wish) is str and wish not in text:
                said.append([wish, None])
                unsaid = True
                continue
            at, sure = self._citation(field, city, wish)
            said.append([wish, self._index(at) if sure else None])
            unsaid = unsaid or not sure
            if at >= 0 and not sure:
                mentioned.append([wish, self._index(at)])
        return said, mentioned, unsaid

    def _citation(self, field: PreferenceField, city: str, wish: Any) -> tuple[int, bool]:
        """Where it is best cited, -1 for nowhere, and whether that is certain."""
        if type(wish) is str:
            return self._named_wish(field, city, wish) if field.kind == "list" and wish else (-1, False)
        return self._stated_limit(field, wish) if field.kind == "scalar" and _is_number(wish) else (-1, False)

    def _named_wish(self, field: PreferenceField, city: str, wish: str) -> tuple[int, bool]:
        best: tuple[_Place, int] | None = None
        most = _Place(sure=True, city_named=field.scope == "city", tier_heard=True)
        for at in self._occurrences(wish):
            place = self._judge_place(field, city, wish, at)
            if place is not None and (best is None or place > best[0]):
                best = place, at
                if place == most:
                    break
        return (best[1], best[0].sure) if best else (-1, False)

    def _occurrences(self, wish: str) -> Iterator[int]:
        """Where `wish` stands, and not as a part of the name of something else that is wished for."""
        text, at = self.text, self.text.find(wish)
        whole = self._holding(wish)
        taken = [match.span() for match in whole.finditer(text)] if whole else []
        for _ in range(_MOST):
            if at < 0:
                return
            holding = bisect_right(taken, (at, len(text))) - 1
            if holding < 0 or at >= taken[holding][1]:
                yield at
            at = text.find(wish, at + len(wish))

    def _holding(self, wish: str) -> guarded.Pattern | None:
        """What finds the names that `wish` is a part of; None where there is none."""
        if self._names.count(wish) == (wish in self._homes):
            return None
        longer = [name for name in self._homes if wish in name and name != wish]
        return guarded.compile("|".join(map(guarded.escape, longer))) if longer else None

    def _judge_place(self, field: PreferenceField, city: str, wish: str, at: int) -> _Place | None:
        """None where the words around speak of another traveller, of another city, or against the tier."""
        end = at + len(wish)
        clause, sentence = self._spans(at, end)
        whose = self._own(clause, sentence, at)
        tone = tone_of(self._surroundings(at, end, clause))
        if tone.wanted is None and clause != sentence and self._bare(clause):
            tone = tone_of(self._surroundings(at, end, sentence))
        known, named = self._in_city(field, city, wish, clause, at)
        if MEANT_OTHERWISE in (whose, known) or tone.wanted is (not field.positive):
            return None
        sure = tone.wanted is not None and whose == known == CLEARLY_MEANT
        return _Place(sure, named, tone.firm is (field.strength == "strong"))

    def _surroundings(self, at: int, end: int, span: tuple[int, int]) -> str:
        return f"{self.text[span[0] : at]}～{self.text[end : span[1]]}"

    def _bare(self, clause: tuple[int, int]) -> bool:
        """Whether a clause only lists names, so that the rest of its sentence speaks of them."""
        text = self.text[clause[0] : clause[1]]
        for name in self._homes:
            text = text.replace(name, "")
        return _BARE.fullmatch(text) is not None

    def _own(self, clause: tuple[int, int], sentence: tuple[int, int], at: int) -> int:
        """Whether they speak of themselves: not in a clause with another's name and no word for themselves."""
        if not self._others.search(self.text, *sentence):
            return CLEARLY_MEANT
        if self._others.search(self.text, *clause):
            return CLEARLY_MEANT if _OURSELVES.search(self.text, *clause) else MEANT_OTHERWISE
        if not self._others.search(self.text, sentence[0], at):
            return CLEARLY_MEANT
        return CLEARLY_MEANT if _OURSELVES.search(self.text, sentence[0], clause[1]) else POSSIBLY_MEANT

    def _in_city(
        self, field: PreferenceField, city: str, wish: str, clause: tuple[int, int], at: int
    ) -> tuple[int, bool]:
        """Whether the words speak of the city, and whether they name it; a city counts until another is named."""
        if field.scope == "global":
            return CLEARLY_MEANT, False
        several = len(self._homes.get(wish, ())) > 1
        starts, names = self._cities
        here = set(names[bisect_left(starts, clause[0]) : bisect_left(starts, clause[1])])
        if here:
            if city not in here:
                return MEANT_OTHERWISE, False
            return (CLEARLY_MEANT, True) if len(here) == 1 or not several else (POSSIBLY_MEANT, True)
        message = self._starts[bisect_right(self._starts, at) - 1]
        last = bisect_left(starts, at) - 1
        before = last >= 0 and starts[last] >= message
        if before and names[last] == city:
            return CLEARLY_MEANT, True
        if several:
            return (MEANT_OTHERWISE if before else POSSIBLY_MEANT), False
        return (POSSIBLY_MEANT if before and field.topic != "attraction_name" else CLEARLY_MEANT), False

    def _stated_limit(self, field: PreferenceField, wish: float) -> tuple[int, bool]:
        """The first statement of a number that limits what the field limits; else the first that may be one."""
        judge = LIMITS[field.keys[-1]]
        maybe = -1
        for number in islice((number for number in self._numbers if number.value == wish), _MOST):
            clause, sentence = self._spans(number.start, number.end)
            grade = min(
                judge(self._near(number, clause, sentence)), self._own(clause, sentence, number.start)
            )
            if grade == CLEARLY_MEANT:
                return number.start, True
            if grade == POSSIBLY_MEANT and maybe < 0:
                maybe = number.start
        return maybe, False

    def _near(self, number: Number, clause: tuple[int, int], sentence: tuple[int, int]) -> Near:
        text, (first, last), (begin, end) = self.text, clause, sentence
        return Near(text[begin:end], text[first:last], text[first : number.start], text[number.end : end])

    def _spans(self, start: int, end: int) -> tuple[tuple[int, int], tuple[int, int]]:
        """The clause and the sentence in which something stands, as far as they are in earshot of it."""
        near = max(start - _EARSHOT, 0), end + _EARSHOT
        return _overlap(_span(self._clauses, start, end), near), _overlap(
            _span(self._sentences, start, end), near
        )

    def _index(self, at: int) -> int:
        return self._messages[bisect_right(self._starts, at) - 1][0]

    @cached_property
    def _starts(self) -> list[int]:
        starts, length = [], 0
        for _, content in self._messages:
            starts.append(length)
            length += len(content) + len(_SEPARATOR)
        return starts

    @cached_property
    def _clauses(self) -> list[tuple[int, int]]:
        return [match.span() for match in _CLAUSE.finditer(self.text)]

    @cached_property
    def _sentences(self) -> list[tuple[int, int]]:
        return [match.span() for match in _SENTENCE.finditer(self.text)]

    @cached_property
    def _numbers(self) -> list[Number]:
        return list(numbers_in(self.text))

    @cached_property
    def _others(self) -> guarded.Pattern:
        return self._group.others(self._user)

    @cached_property
    def _cities(self) -> tuple[list[int], list[str]]:
        """Where the text names cities, and which."""
        cities = self._group.places.at(self.text)
        return [start for start, _ in cities], [city for _, city in cities]

    @cached_property
    def _names(self) -> str:
        return _SEPARATOR.join(self._homes)

    @cached_property
    def _homes(self) -> dict[str, set[str]]:
        """Every name in the traveller's tables, the longest first, with the cities for which it stands there."""
        homes: dict[str, set[str]] = {}
        for city, held in self._group.references.get(self._user, {}).items():
            for wish in names_in(held.values()):
                homes.setdefault(wish, set()).add(city)
        return {name: homes[name] for name in sorted(homes, key=len, reverse=True)}


class Speech:
    """What was said aloud, by its place in a record's `conversation_history`."""

    def __init__(self, record: RunRecord, wanted: Mapping[str, FieldValues]) -> None:
        self._messages = [message for message in record.messages if not message.private]
        self._group = Group(wanted, list(dict.fromkeys([*wanted, *record.users])), record.query)
        self._by_topic: dict[Topic, list[tuple[Question, frozenset[str]]]] = {}

    def speech_of(self, user: str) -> TravellerSpeech:
        """What `user` said."""
        own = [(message.at, message.content) for message in self._messages if message.role == user]
        return TravellerSpeech(user, own, self._group)

    def question_about(self, user: str, topic: Topic, city: str) -> int | None:
        """The index of the first question about wishes of a kind, for `city`, that was put to `user` or to all."""
        for question, named in self._about(topic):
            if question.put_to(user) and (not named or not city or city in named):
                return question.at
        return None

    def _about(self, topic: Topic) -> list[tuple[Question, frozenset[str]]]:
        """The questions about a topic; one that names cities asks about these alone."""
        if topic not in self._by_topic:
            self._by_topic[topic] = [
                (question, self._group.places.cities_named(question.text))
                for question in self.questions
                if question.about(topic)
            ]
        return self._by_topic[topic]

    @cached_property
    def questions(self) -> list[Question]:
        """All that were asked, in order."""
        return list(questions(self._messages, self._group.users))


def _span(marks: Sequence[tuple[int, int]], start: int, end: int) -> tuple[int, int]:
    """From the last mark before `start` to the first behind `end`."""
    after = bisect_left(marks, (end, 0))
    before = bisect_right(marks, (start, 0)) - 1
    return (marks[before][1] if before >= 0 else 0), (marks[after][0] if after < len(marks) else 2**31)


def _overlap(span: tuple[int, int], near: tuple[int, int]) -> tuple[int, int]:
    return max(span[0], near[0]), min(span[1], near[1])


def _is_number(item: Any) -> bool:
    return isinstance(item, (int, float)) and not isinstance(item, bool) and abs(item) < 2**53
