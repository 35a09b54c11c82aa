"""What a text is found by: pairs of characters where words have no spaces, whole words elsewhere.

The tokenizers of SQLite and PostgreSQL find no Chinese word of two characters. So texts are cut here: a run of such
characters into all pairs that stand in it, with its last character by itself, anything else into its words. Two
characters are then found as a pair, one by the beginnings of pairs, and a word by its beginning.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from operator import add

LONGEST_WORD = 60
"""Characters of a word that it is found by."""

_UNSPACED_SCRIPTS = "\u2e80-\u9fff\ua000-\ua4cf\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
"""Chinese, Japanese and Korean."""
_UNCASED_CHARACTERS = re.compile(f"[{_UNSPACED_SCRIPTS}0-9]+")
"""No other character becomes one of these when capitals are made small."""
_PIECE = re.compile(rf"([^\W_{_UNSPACED_SCRIPTS}]+)|((?:(?![\W_])[{_UNSPACED_SCRIPTS}])+)")
_LOST_CHARACTERS = re.compile("[\x00\ud800-\udfff]")


def plain(text: str) -> str:
    """A text on one line: full-width letters and digits as ordinary ones, one space for any white space."""
    return " ".join(unicodedata.normalize("NFKC", _LOST_CHARACTERS.sub("", text)).split())


def fold(text: str) -> str:
    """A plain text without the difference of capitals, as it is compared."""
    return plain(text).casefold()


def _pieces(compared: str) -> Iterable[tuple[str, str]]:
    """Words and runs of characters without spaces, one of both a time, "" the other."""
    return ((word[:LONGEST_WORD], run) for word, run in _PIECE.findall(compared))


def grams(text: str) -> set[str]:
    """All that a text is found by; no gram has white space or punctuation in it."""
    all_grams: set[str] = set()
    for word, run in set(_pieces(fold(text))):
        if word:
            all_grams.add(word)
        else:
            all_grams.update(map(add, run, run[1:]), run[-1])
    return all_grams


@dataclass(frozen=True, slots=True)
class SearchTerms:
    """Words that are looked for, and what a text must have that holds all of them.

    parts: the words as they are compared. pairs: of characters, grams that the text must have; beginnings: for each,
    the text must have a gram that begins so. unsure: of the parts, those that a text may lack which has all of these,
    so that it must be looked at.
    """

    parts: tuple[str, ...]
    beginnings: frozenset[str]
    pairs: frozenset[str]
    unsure: tuple[str, ...]

    @property
    def exact(self) -> bool:
        """Whether a text that has all grams holds the parts."""
        return not self.unsure

    @property
    def without_capitals(self) -> bool:
        """Whether the unsure parts stand in a plain text as they are compared: of what has no capitals alone."""
        return all(map(_UNCASED_CHARACTERS.fullmatch, self.unsure))

    def is_within(self, text: str) -> bool:
        """Whether a plain text holds all parts."""
        compared = text.casefold()
        return all(part in compared for part in self.parts)


def search_terms(words: str, most: int = 8) -> SearchTerms:
    """What to look for; words beyond `most` count no more."""
    return terms_of(fold(words).split()[:most])


def terms_of(compared: Iterable[str]) -> SearchTerms:
    """What to look for: words, or phrases with spaces between their words, as they are compared."""
    parts = tuple(dict.fromkeys(compared))
    beginnings: set[str] = set()
    pairs: set[str] = set()
    unsure: list[str] = []
    for part in parts:
        pieces = list(_pieces(part))
        for word, run in pieces:
            pairs.update(run[at : at + 2] for at in range(len(run) - 1))
            beginnings.update([] if len(run) > 1 else [word or run])
        if len(pieces) != 1 or part not in (pieces[0][0], pieces[0][1][:2]):
            unsure.append(part)
    return SearchTerms(parts, frozenset(beginnings), frozenset(pairs), tuple(unsure))
