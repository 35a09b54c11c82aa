"""How a scripted traveller puts things: wordings and chances, both fixed by the seed and the chat so far."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from benchmark.participants.users.language import Language
from benchmark.participants.users.wishes import Wish, figure
from benchmark.participants.view import View


@dataclass(frozen=True, slots=True)
class Voice:
    """One traveller at one moment. Nothing is remembered: what was said is read from the chat."""

    view: View
    language: Language

    def chance(self, *key: object) -> float:
        """A number in [0, 1) that the seed, the traveller and `key` decide."""
        digest = blake2b(repr((self.view.seed, self.view.me, key)).encode(), digest_size=8).digest()
        return int.from_bytes(digest) / 2**64

    def say(self, key: str, names: Sequence[str] = (), **slots: str) -> str:
        """One wording of `key` with its slots filled; `names` fill {items}, in one of the ways a list is joined."""
        options = self._suited(key, names)
        wording = self._pick(options, key, names, tuple(slots.items()))
        return wording.format(items=self.listed(names), **slots)

    def has_said(self, key: str, names: Sequence[str] = (), **slots: str) -> bool:
        """Whether an earlier message of this traveller holds any wording of `key` with these slots."""
        spoken = self.spoken()
        listings = self._listings(names)
        said = (w.format(items=listed, **slots) for w in self.wordings(key) for listed in listings)
        return any(wording in message for wording in said for message in spoken)

    def uttered(self, sentences: Iterable[str]) -> str:
        """One message of these sentences, each with a capital where the language has them."""
        said = self.language.join(sentences)
        if not self.language.speech["lists"]["capitals"]:
            return said
        return re.sub(r"(?:^|(?<=[.!?] ))[a-z]", lambda first: first.group().upper(), said)

    def spoken(self) -> list[str]:
        """What this traveller has said so far, oldest first, the opening included."""
        return [m.content for m in self.view.messages if m.role == self.view.me]

    def listed(self, names: Sequence[str]) -> str:
        """The names, verbatim, joined as the language joins a list."""
        return self._pick(self._listings(names), "list", names)

    def verb(self, topic: str, names: Sequence[str] = ()) -> str:
        """What one does with an item of `topic`: go, eat, stay; a plainer word where that does not suit `names`."""
        verbs = self.language.speech["verbs"]
        verb = str(verbs.get(topic, ""))
        return str(verbs["other"]) if verb in self._barred(names) else verb

    def of_wish(self, key: str, wish: Wish, names: Sequence[str] | None = None) -> str:
        """A wording of `key` about `wish`, or about only some of its names."""
        names = wish.items if names is None else names
        return self.say(key, names, n=figure(wish.cap), verb=self.verb(wish.topic, names))

    def wordings(self, key: str) -> list[str]:
        """All wordings of a dotted key; KeyError for a key that the language lacks."""
        node: Any = self.language.speech
        for part in key.split("."):
            node = node[part]
        return list(node)

    def _suited(self, key: str, names: Sequence[str]) -> list[str]:
        barred = self._barred(names)
        return [w for w in self.wordings(key) if not any(word in w for word in barred)]

    def _barred(self, names: Sequence[str]) -> list[str]:
        unsuited = self.language.speech["unsuited"]
        return [word for name, words in unsuited.items() if name in names for word in words]

    def _listings(self, names: Sequence[str]) -> list[str]:
        lists = self.language.speech["lists"]
        told = [self._glossed(name) for name in names]
        if len(told) == 2:
            return [pair.format(*told) for pair in lists["pair"]]
        return [
            lists["last"].join([part for part in (lists["separator"].join(told[:-1]), *told[-1:]) if part])
        ]

    def _glossed(self, name: str) -> str:
        """The name verbatim, with a word of the language beside it where a value of the tables needs one."""
        gloss = self.language.speech["glosses"].get(name)
        return self.language.speech["lists"]["gloss"].format(gloss=gloss, name=name) if gloss else name

    def _pick(self, options: Sequence[str], *key: object) -> str:
        return options[int(self.chance(len(self.view.messages), *key) * len(options))]
