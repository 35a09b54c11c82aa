"""What the agent's message asks of one traveller.

Only the part that follows the traveller's mention counts (GroupTravelBench, D.8, scenario A), or the question just
before a mention that nothing follows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeVar

from benchmark.core.view import AGENT
from benchmark.suites.grouptravel.travellers.scripted.language import Language, language
from benchmark.suites.grouptravel.travellers.scripted.names import (
    Mention,
    city_words,
    find,
    hide,
    marked_mentions,
    open_names,
    other_names,
    pieces,
    vocabulary,
)
from benchmark.suites.grouptravel.travellers.scripted.wishes import CITY_TOPICS, TOPICS, Wish, Wishes
from benchmark.suites.grouptravel.view import GroupView
from benchmark.text import guarded
from benchmark.text.languages import spoken_in
from benchmark.text.lengths import LONGEST_MESSAGE

_T = TypeVar("_T")
Kind = Literal[
    "fields",
    "compromise",
    "confirm",
    "single",
    "errand",
    "others",
    "vague",
    "opinion",
    "unknown",
    "statement",
]


@dataclass(frozen=True, slots=True)
class Ask:
    """One topic that is asked about; `cities` is empty for a topic that knows none.

    rest: only what the traveller has not said yet is asked for, as one of the sentences about it says.
    """

    topic: str
    cities: tuple[str, ...] = ()
    rest: bool = False


@dataclass(frozen=True)
class Hearing:
    """A view, the traveller's wishes in it, and the words to understand by."""

    view: GroupView
    wishes: Wishes
    language: Language

    @cached_property
    def message(self) -> str:
        """The agent's newest message; of an endless one the end, where its questions stand."""
        newest = (m.content for m in reversed(self.view.messages) if m.role == AGENT)
        return next(newest, "")[-LONGEST_MESSAGE:]

    @cached_property
    def words(self) -> dict[str, str]:
        """The words for names this traveller listens for."""
        return vocabulary(self.wishes, self.language)

    @cached_property
    def cities(self) -> tuple[str, ...]:
        """The cities of the trip: those of the table, then those only the query names."""
        head = self.language.patterns["text.cities"].match(self.view.query)
        parts = self.language.patterns["text.city_separator"].split(head.group() if head else "")
        named = [part for part in parts if self.language.patterns["text.city_suffix"].search(part)]
        return tuple(dict.fromkeys((*self.wishes.cities, *named)))

    @cached_property
    def _open_names(self) -> frozenset[str]:
        return open_names(self.wishes)

    @cached_property
    def _city_words(self) -> dict[str, str]:
        return city_words(self.cities, self.language, self.view.query)

    @cached_property
    def sayable(self) -> frozenset[str]:
        """Names of things and cities, as this traveller may say them."""
        glosses: dict[str, str] = self.language.speech["glosses"]
        names = {*self.wishes.names(), *self.cities}
        return frozenset(
            names | {glosses.get(name, name) for name in names} | set(map(self.city_name, self.cities))
        )

    @cached_property
    def others(self) -> guarded.Pattern:
        """The chat names of the other travellers."""
        return other_names(self.view.me, (traveller.name for traveller in self.view.travellers))

    @cached_property
    def own(self) -> guarded.Pattern:
        """This traveller's chat name."""
        return guarded.compile(rf"{guarded.escape(self.view.me)}(?![A-Za-z0-9_])")

    @cached_property
    def addressed_text(self) -> str:
        """The part of the message that is meant for this traveller."""
        mention = guarded.compile(f"@{self.own.pattern}")
        ends = [match.span() for match in mention.finditer(self.message)]
        if not ends:
            return self.message
        after = self.message[ends[-1][1] :]
        if self.has("signal.likewise", after):
            asked = guarded.sub(r"@\w+\s*", "", self.message[: ends[-1][0]], flags=guarded.ASCII)
            return self._closing_question(asked.rstrip()) or after
        if self._asks(after) or not self.language.is_short(after):
            return after
        before = self.message[: ends[-1][0]].rstrip().rpartition("\n")[2]
        return self._closing_question(mention.sub("", before)) + after

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """The sentences of the addressed part."""
        return tuple(self.split(self.addressed_text))

    @cached_property
    def questions(self) -> tuple[str, ...]:
        """The sentences that want an answer, with the list that may follow one."""
        sentences, listing = [], False
        for sentence in self.sentences:
            item = listing and self.has("text.list_item", sentence)
            asks = self._asks(sentence) or self._bare_topic(sentence)
            if asks or item:
                sentences.append(sentence)
            listing = item or asks or (listing and self.has("text.lead", sentence.strip()))
        return tuple(sentences)

    @cached_property
    def _question_set(self) -> frozenset[str]:
        return frozenset(self.questions)

    def remember(self, read: Callable[[], _T], *key: str) -> _T:
        """What `read` reads: done once for each `key`, what it reads and from which text, and not to be changed.

        A message is worded many times over, and what the agent has said is the same for every draft.
        """
        if key not in self._memory:
            self._memory[key] = read()
        memory: _T = self._memory[key]
        return memory

    @cached_property
    def _memory(self) -> dict[tuple[str, ...], Any]:
        return {}

    def has(self, pattern: str, text: str) -> bool:
        """Whether the lexicon's expression `pattern` occurs in `text`."""
        return self.language.has(pattern, text)

    def split(self, text: str) -> Iterator[str]:
        """The sentences of `text`."""
        sentences = pieces(text, self.language.patterns["text.sentence"])
        return (sentence for sentence in sentences if sentence.strip())

    def phrases(self, text: str) -> Iterator[str]:
        """The parts of `text` between commas; an enumeration stays whole."""
        return pieces(text, self.language.patterns["text.phrase"])

    def mentions(self, text: str) -> list[Mention]:
        """The names in `text` that this traveller listens for."""
        return self.remember(lambda: find(text, self.words), "mentions", text)

    def marked_names(self, text: str, before: str, after: str = "") -> frozenset[Mention]:
        """The names in `text` that have the expression `before` before them or `after` after them."""
        return self.remember(
            lambda: marked_mentions(text, self.mentions(text), self.language, before, after),
            "marked", text, before, after,
        )  # fmt: skip

    def has_figure(self, text: str) -> bool:
        """Whether `text` holds an amount, in digits or written out before its unit."""
        if (
            guarded.search(r"\d", text)
            or self.figures(text, "pace_sights")
            or self.figures(text, "pace_hours")
        ):
            return True
        return any(value >= 100 for value, _, _ in self.figures(text, "budget"))

    def figures(self, text: str, topic: str) -> list[tuple[float, int, int]]:
        """The amounts in `text` with the unit of a capped topic (元, sights, hours), each with its place."""
        return self.remember(lambda: self._read_figures(text, topic), "figures", text, topic)

    def _read_figures(self, text: str, topic: str) -> list[tuple[float, int, int]]:
        number, unit = (
            self.language.patterns["text.number"],
            self.language.patterns[f"concession_units.{topic}"],
        )
        matches = guarded.finditer(rf"({number.pattern})\s*{unit.pattern}", text, self.language.reading.flags)
        read = ((self.language.value(match.group(1)), match) for match in matches)
        return [(value, match.start(), match.end(1)) for value, match in read if value is not None]

    def topics(self, text: str) -> tuple[str, ...]:
        """The topics that `text` sounds like, but for those it leaves aside (预算之外); names of the table's own
        places and dishes are not read as topics.
        """
        return self.remember(lambda: self._read_topics(text), "topics", text)

    def _read_topics(self, text: str) -> tuple[str, ...]:
        text, topics_read = hide(text, self._open_names), set[str]()
        text = self.language.patterns["text.except"].sub("□", text)
        for pattern, topics in self.language.topics:
            if pattern.search(text):
                topics_read |= set(topics)
                text = pattern.sub("□", text)
        return tuple(topic for topic in TOPICS if topic in topics_read)

    def city_name(self, city: str) -> str:
        """What people call a city: as the request glosses it, or without 市, 县, unless a wish has that name."""
        words = city_words((city,), self.language, self.view.query)
        return next((word for word in words if word != city and word not in self.wishes.names()), city)

    def named_cities(self, text: str) -> tuple[str, ...]:
        """The trip's cities that `text` names, all of them where it says so."""
        return self.remember(lambda: self._read_cities(text), "cities", text)

    def _read_cities(self, text: str) -> tuple[str, ...]:
        words = self._city_words
        text = hide(text, self._open_names - words.keys())
        named = tuple(dict.fromkeys(mention.name for mention in find(text, words)))
        if not named and self.has("text.all_cities", text):
            return self.cities
        return named

    @cached_property
    def kinds(self) -> dict[str, Kind]:
        """What each sentence of the addressed part wants."""
        return {sentence: self._kind(sentence) for sentence in self.sentences}

    def of_kind(self, *kinds: Kind) -> str:
        """The sentences of these kinds, together."""
        return "".join(sentence for sentence in self.sentences if self.kinds[sentence] in kinds)

    def _kind(self, sentence: str) -> Kind:
        if sentence not in self._question_set:
            return "compromise" if self._concession(sentence) else "statement"
        if self._about_others(sentence):
            return "others"
        if self._concession(sentence):
            return "compromise"
        if self.has("signal.confirm", sentence) and self._concrete(sentence):
            return "confirm"
        if self.has("signal.errand", sentence) or self._fact(sentence):
            return "errand"
        return self._question(sentence)

    @cached_property
    def asks(self) -> tuple[Ask, ...]:
        """The topics asked about, with the cities that each question is about."""
        asks_by_topic: dict[str, dict[str, None]] = {}
        rests: set[str] = set()
        current: tuple[str, ...] = ()
        for sentence, rest in self._with_exclusions():
            fields = self.kinds[sentence] == "fields"
            for phrase in self._questions_in(sentence):
                current = self.named_cities(phrase) or current
                for topic in self._wanted_topics(phrase, sentence) if fields else ():
                    scope = (current or self.cities) if topic in CITY_TOPICS else ()
                    asks_by_topic.setdefault(topic, {}).update(dict.fromkeys(scope))
                    rests |= {topic} if rest else set()
        return tuple(
            Ask(topic, tuple(asks_by_topic[topic]), topic in rests)
            for topic in TOPICS
            if topic in asks_by_topic
        )

    def _with_exclusions(self) -> Iterator[tuple[str, bool]]:
        """Each sentence, and whether it leaves aside what was said; so does what a semicolon joins to such a one."""
        rest = False
        for sentence in self.sentences:
            rest = rest or self.has("signal.rest", sentence)
            yield sentence, rest
            rest = rest and self.has("text.goes_on", sentence)

    def _questions_in(self, sentence: str) -> Iterator[str]:
        """The phrases of a sentence; one that asks something else of each city (杭州去哪、苏州吃啥) is several."""
        for phrase in self.phrases(sentence):
            parts = [part for part in phrase.split(self.language.speech["lists"]["separator"]) if part]
            if len(parts) > 1 and all(self.named_cities(part) and self.topics(part) for part in parts):
                yield from parts
            else:
                yield phrase

    def _wanted_topics(self, phrase: str, sentence: str) -> tuple[str, ...]:
        """The topics of a phrase, unless it only tells why something is asked; else those of the names in it."""
        own = self._asks(phrase) or self.has("signal.open", phrase)
        if not own and (self.has("signal.statement", phrase) or guarded.search(r"\d{3,}", phrase)):
            return ()
        topics = self.topics(phrase)
        if topics or not own or self.topics(sentence):
            return topics
        return tuple(t for t in TOPICS if any(w.topic == t for w in self._named_wishes(sentence)))

    def _named_wishes(self, text: str) -> list[Wish]:
        names = {mention.name for mention in self.mentions(text)}
        return [wish for wish in self.wishes.all if names & set(wish.items)]

    def _question(self, sentence: str) -> Kind:
        topics = self.topics(sentence)
        names = self.mentions(sentence)
        if names and (not self.has("signal.open", sentence) or self._about_names(sentence)):
            return "single"
        if topics:
            return "single" if self._unknown_item(sentence, topics) else "fields"
        if self.has("signal.vague", sentence):
            return "vague"
        if names:
            return "fields"
        return "opinion" if self.has("signal.opinion", sentence) else "unknown"

    def _about_names(self, sentence: str) -> bool:
        """What is thought of the names themselves is asked, or a choice between them; no list is asked for."""
        if self.has("signal.attitude", sentence):
            return True
        return self.has("signal.choice", sentence) and not self.topics(sentence)

    def _unknown_item(self, sentence: str, topics: tuple[str, ...]) -> bool:
        """A yes-or-no question about a place or dish that the table does not know."""
        closed = self.has("signal.yes_no", sentence) and not self.has("signal.open", sentence)
        closed = closed and not self.has_figure(sentence)
        return closed and set(topics) <= set(CITY_TOPICS) and not self.has("signal.request", sentence)

    def _asks(self, text: str) -> bool:
        return self.has("signal.question", text.strip()) or self.has("signal.request", text)

    def _bare_topic(self, sentence: str) -> bool:
        """A field named and nothing more (预算上限：)."""
        if not self.language.is_short(sentence) or self._holds_value(sentence):
            return False
        plain = not (self.has("signal.statement", sentence) or self.has("proposal.act", sentence))
        return plain and not self.has("text.full_stop", sentence) and bool(self.topics(sentence))

    def _about_others(self, sentence: str) -> bool:
        sentence = self.language.patterns["signal.asked_opinion"].sub("", sentence)
        for match in self._other_people(sentence):
            before = sentence[: match.start()]
            theirs = self.language.patterns["signal.other_role"].sub("", before) + sentence[match.end() :]
            if self.has("signal.others", sentence[match.end() :]) and not self.has(
                "signal.second_person", theirs
            ):
                return True
        return False

    def _other_people(self, sentence: str) -> Iterator[guarded.Match]:
        """Where the others are named: by chat name, or as this traveller's own by role (你女友)."""
        yield from self.others.finditer(sentence)
        roles = {t.role for t in self.view.travellers if t.name != self.view.me and t.role}
        for role in sorted(roles, key=len, reverse=True):
            for match in guarded.finditer(guarded.escape(role), sentence):
                if self.has("signal.other_role", sentence[: match.start()]):
                    yield match

    def _concession(self, sentence: str) -> bool:
        """Whether the sentence asks to give up, change or accept something."""
        if not self._pleads(sentence) or self.has("signal.confirm_strict", sentence):
            return False
        if self.has("concession.hard", sentence):
            return not self._open_field(sentence)
        named = self._holds_value(sentence)
        return self.has("concession.soft", sentence) and named and not self.has("concession.open", sentence)

    def _pleads(self, sentence: str) -> bool:
        if self._asks(sentence):
            return not self.has("concession.past", sentence)
        return self.has("concession.plea", sentence) and not self.has("concession.settled", sentence)

    def _open_field(self, sentence: str) -> bool:
        """An open question about a field that only sounds like a request (能接受的上限是多少)."""
        if self.has("concession.raise", sentence):
            return False
        return self.has("concession.open", sentence) and not self.has("concession.yield", sentence)

    def _concrete(self, sentence: str) -> bool:
        return self._holds_value(sentence) or self._is_session_values or self.has("signal.none", sentence)

    @cached_property
    def _is_session_values(self) -> bool:
        return self._holds_value(self.addressed_text)

    def _holds_value(self, text: str) -> bool:
        return bool(self.mentions(text)) or self.has_figure(text)

    def _fact(self, sentence: str) -> bool:
        return self.has("signal.fact", sentence) and not self.has("signal.wish", sentence)

    def _closing_question(self, text: str) -> str:
        """The questions that `text` ends with, unless they are put to someone else."""
        question = ""
        if "@" in text:
            return question
        for sentence in reversed(list(self.split(text))):
            if not self._asks(sentence):
                break
            question = sentence + question
        return question


def hearing_of(view: GroupView, wishes: Wishes) -> Hearing:
    """What a traveller with these wishes hears, in whichever language the agent's newest message is."""
    newest = next((m.content for m in reversed(view.messages) if m.role == AGENT), "")
    return Hearing(view, wishes, language(spoken_in(newest, view.language)))
