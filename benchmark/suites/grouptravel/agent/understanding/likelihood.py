"""Whether words that no list and no tool knows are a name, and which of them are the name."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from benchmark.suites.grouptravel.agent.lexicon import lexicon
from benchmark.suites.grouptravel.agent.lexicon.model import Lexicon
from benchmark.suites.grouptravel.agent.understanding.mentions import Mention, vocabulary
from benchmark.suites.grouptravel.agent.understanding.names import Names
from benchmark.suites.grouptravel.agent.understanding.tone import Mark
from benchmark.text import guarded

_OBJECT_CUES = frozenset({"must", "lose"})


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The clause around a name: its cues, what tools know, and how the message has gone so far.

    asked: whether the question was about sights or food. listed: whether the clause is an answer made of names.
    toned: whether the sentence has already taken a stand.
    """

    clause: str
    marks: tuple[Mark, ...]
    names: Names
    asked: bool
    listed: bool
    toned: bool


def shed(mention: Mention, names: Names, language: str) -> Mention:
    """A name without the words that describe it: 三月底的太子湾公园 is 太子湾公园. Quoted and known names stay."""
    text = mention.text
    if mention.quoted or text in names.kinds or text in vocabulary(language):
        return mention
    kept = _without_modifiers(text, names, language)
    start = mention.start + text.rindex(kept)
    return replace(mention, start=start, end=start + len(kept), text=kept)


def _without_modifiers(text: str, names: Names, language: str) -> str:
    words = lexicon(language)
    while match := guarded.match(words.modifier_pattern, text):
        rest = text[match.end() :]
        bare = not match.group().endswith("的")
        if len(rest) < 2 or (bare and not (rest in names.kinds or is_telling(rest, words))):
            break
        text = rest
    text = guarded.sub(words.dish_of_pattern, "", text)
    head, of, rest = text.rpartition("的")
    if not of or text in names.kinds:
        return text
    kind = rest in words.categories or not (rest in vocabulary(language) or is_telling(rest, words))
    if kind and rest not in names.kinds and _is_place(head, names, language):
        return head
    known = rest in names.kinds or rest in vocabulary(language)
    return (
        rest
        if known or (guarded.search(words.description_pattern, head) and is_telling(rest, words))
        else text
    )


def _is_place(text: str, names: Names, language: str) -> bool:
    """Whether a name by itself is that of a place (杭州宋城的演出 means 杭州宋城)."""
    words = lexicon(language)
    whole = len(text) > 2 and text.endswith(words.place_endings) and text not in vocabulary(language)
    return text in names.kinds or (whole and not guarded.search(words.speech_pattern, text))


@lru_cache
def _clear_endings(language: str) -> tuple[str, ...]:
    """Endings of several characters: what ends so is a name even after another name."""
    words = lexicon(language)
    return tuple(ending for ending in (*words.place_endings, *words.dish_endings) if len(ending) > 1)


def is_telling(text: str, words: Lexicon) -> bool:
    """Whether the end of a text says that it names a place or a dish."""
    return len(text) > 1 and text.endswith((*words.place_endings, *words.dish_endings))


def is_believable(mention: Mention, before: Mention | None, around: Surroundings, language: str) -> bool:
    """Whether unlisted words are a name: a tool knows it, its end tells, or it stands where names stand.

    before: the name before it in the clause.
    """
    words = lexicon(language)
    text = mention.text
    if mention.quoted or text in around.names.kinds:
        return True
    if guarded.match(rf"的[{''.join(left for left, _ in words.quotes)}]", around.clause[mention.end :]):
        return False
    if guarded.search(words.speech_pattern, text) or guarded.fullmatch(words.measure_pattern, text):
        return False
    stray = before is not None and not _is_joined(before, mention, around, words)
    if is_telling(text, words) and not (stray and not text.endswith(_clear_endings(language))):
        return bool(around.marks) or around.asked or len(text) > 2
    if guarded.match(words.describing_pattern, around.clause[mention.end :]):
        return False
    if stray:
        return False
    if not around.marks:
        told = guarded.search(words.story_pattern, around.clause) and _stands_free(mention, around, words)
        return bool(told) or (around.listed and not around.toned)
    return before is not None or _stands_free(mention, around, words)


def _is_joined(before: Mention, mention: Mention, around: Surroundings, words: Lexicon) -> bool:
    between = around.clause[before.end : mention.start]
    return bool(guarded.search(words.joins_pattern, between))


def _stands_free(mention: Mention, around: Surroundings, words: Lexicon) -> bool:
    """At the head of the clause with its cue behind it, or right after a verb of going, seeing or eating."""
    ahead = around.clause[: mention.start]
    if guarded.search(words.object_pattern, ahead):
        return True
    last = next((mark for mark in reversed(around.marks) if mark.end <= mention.start), None)
    return last is None or last.cue in _OBJECT_CUES
