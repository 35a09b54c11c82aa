"""How a scripted traveller puts things: wordings and chances, both fixed by the seed and the chat so far."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from benchmark.core.view import AGENT, Message
from benchmark.suites.grouptravel.travellers.scripted.language import Language
from benchmark.suites.grouptravel.travellers.scripted.wishes import Wish, figure
from benchmark.suites.grouptravel.view import GroupView
from benchmark.text import guarded


@dataclass(frozen=True, slots=True)
class Voice:
    """One traveller at one moment. Nothing is remembered: what was said is read from the chat.

    draft: the number of this attempt to word what there is to say; it changes wordings, never what they mean.
    """

    view: GroupView
    language: Language
    draft: int = 0

    def chance(self, *key: object) -> float:
        """A number in [0, 1) that the seed, the traveller and `key` decide."""
        digest = blake2b(repr((self.view.seed, self.view.me, key)).encode(), digest_size=8).digest()
        return int.from_bytes(digest) / 2**64

    def say(self, key: str, names: Sequence[str] = (), **slots: str) -> str:
        """One wording of `key` with its slots filled; `names` fill {items}, in one of the ways a list is joined."""
        wording = self.pick(self.wordings(key), key, names, tuple(slots.items()))
        return wording.format(items=self.join_names(names), **slots)

    def pick(self, options: Sequence[str], *key: object) -> str:
        """One of `options`, which one depending on the chat so far, the draft and `key`."""
        return options[int(self.chance(len(self.view.messages), self.draft, *key) * len(options))]

    def utterance(self, sentences: Iterable[str]) -> str:
        """One message of these sentences, each with a capital where the language has them."""
        said = self.language.join(sentences)
        if not self.language.speech["lists"]["capitals"]:
            return said
        return guarded.sub(r"(?:^|(?<=[.!?] ))[a-z]", lambda first: first.group().upper(), said)

    def own_messages(self) -> list[str]:
        """What this traveller has said so far, oldest first, the opening included."""
        return [m.content for m in self.view.messages if m.role == self.view.me]

    def join_names(self, names: Sequence[str], exact: bool = False) -> str:
        """The names joined as the language joins a list.

        exact: every name verbatim; else a name that this traveller has said is called by its gloss, if it has one.
        """
        lists = self.language.speech["lists"]
        told = [self.name_for(name, exact) for name in names]
        if len(told) == 2:
            return str(self.pick(lists["pair"], "list", tuple(names)).format(*told))
        before = lists["separator"].join(told[:-1])
        return str(lists["last"].join([part for part in (before, *told[-1:]) if part]))

    def name_for(self, name: str, exact: bool = False) -> str:
        """What a name is called: itself, where it has a gloss that with it in brackets or, once said, that alone."""
        gloss = self.gloss(name)
        if gloss and not exact and any(name in message for message in self.own_messages()):
            return gloss
        return str(self.language.speech["lists"]["gloss"].format(gloss=gloss, name=name)) if gloss else name

    def gloss(self, name: str) -> str:
        """The word of the language for a value of the tables, "" where it has none."""
        return str(self.language.speech["glosses"].get(name, ""))

    def verb(self, topic: str, names: Sequence[str] = ()) -> str:
        """What one does with an item of `topic`: go, eat, stay; as suits the first of `names`."""
        manner = self.manner(topic, names[0]) if names else topic
        return str(self.language.speech["verbs"].get(manner, self.language.speech["verbs"].get(topic, "")))

    def manner(self, topic: str, name: str) -> str:
        """The wordings that suit a name: those of its topic, or of a narrower kind (a teahouse is no dish)."""
        kinds: Mapping[str, str] = self.language.speech["manners"].get(topic, {})
        return next((kind for kind, pattern in kinds.items() if guarded.search(pattern, name)), topic)

    def of_wish(
        self, wish: Wish, names: Sequence[str] | None = None, exact: bool = False, tone: str = ""
    ) -> str:
        """The clauses that state `wish`, or only some of its names, in `tone` where the topic has it, else in that of
        its tier.
        """
        if not wish.items:
            return self.say(f"{wish.topic}.{wish.tier}", n=figure(wish.cap))
        groups = self._by_manner(wish.topic, wish.items if names is None else names)
        return self.join_clauses(
            (self._clause(key, self._tone(key, tone, wish), group, exact), wish.tier) for key, group in groups
        )

    def join_clauses(self, clauses: Iterable[tuple[str, str]]) -> str:
        """Clauses, each with its tier, one after the other; only a mild wish and an aversion are set apart."""
        said, last = "", ""
        for clause, tier in clauses:
            way = "other" if last == "prefer" and tier in ("avoid", "reject") else "same"
            said += (self.pick(self.language.speech["lists"][way], "join", clause) if said else "") + clause
            last = tier
        return said

    def wordings(self, key: str) -> list[str]:
        """All wordings of a dotted key; KeyError for a key that the language lacks."""
        node: Any = self.language.speech
        for part in key.split("."):
            node = node[part]
        return list(node)

    def asked_by_anyone(self, key: str, name: str) -> bool:
        """Whether a traveller has put the question `key` about `name`."""
        meant = "|".join(
            guarded.escape(word) for word in {name, self.name_for(name, exact=True), self.gloss(name) or name}
        )
        return any(
            _pattern_with(wording, meant).search(m.content)
            for wording in self.wordings(key)
            for m in self._travellers()
        )

    def is_question(self, content: str) -> bool:
        """Whether a message is one of the questions to the agent."""
        return _is_question(self.language, content)

    def _travellers(self) -> Iterator[Message]:
        return (message for message in self.view.messages if message.role != AGENT)

    def _by_manner(self, topic: str, names: Sequence[str]) -> list[tuple[str, tuple[str, ...]]]:
        groups: dict[str, list[str]] = {}
        for name in names:
            groups.setdefault(self.manner(topic, name), []).append(name)
        return [(manner, tuple(group)) for manner, group in groups.items()]

    def _tone(self, manner: str, tone: str, wish: Wish) -> str:
        return tone if tone in self.language.speech[manner] else wish.tier

    def _clause(self, manner: str, tone: str, names: tuple[str, ...], exact: bool) -> str:
        key = f"{manner}.{tone}"
        wording = self.pick(self.wordings(key), key, names)
        return wording.format(items=self.join_names(names, exact), verb=self.verb(manner, names))


@lru_cache(maxsize=4096)
def _is_question(language: Language, content: str) -> bool:
    kinds: Mapping[str, Sequence[str]] = language.speech["ask"]
    return any(
        _pattern_with(wording, ".+").fullmatch(content) for wordings in kinds.values() for wording in wordings
    )


@lru_cache(maxsize=4096)
def _pattern_with(wording: str, meant: str) -> guarded.Pattern:
    """An expression for `wording` with `meant`, an expression, in the slot of its name."""
    parts = guarded.split(r"\{\w+\}", wording)
    return guarded.compile(f"(?:{meant})".join(guarded.escape(part) for part in parts))
