"""What understanding a language takes: one reader of messages and the small questions around it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from benchmark.suites.grouptravel.agent.lexicon import en, lexicon
from benchmark.suites.grouptravel.agent.lexicon.model import Subject
from benchmark.suites.grouptravel.agent.understanding import kinds
from benchmark.suites.grouptravel.agent.understanding.english import kinds as english_kinds
from benchmark.suites.grouptravel.agent.understanding.english import read_english, sentences
from benchmark.suites.grouptravel.agent.understanding.english.names import find_names
from benchmark.suites.grouptravel.agent.understanding.mentions import find_mentions, glue, is_question
from benchmark.suites.grouptravel.agent.understanding.names import NO_NAMES
from benchmark.suites.grouptravel.agent.understanding.reader import read_message
from benchmark.suites.grouptravel.agent.understanding.topics import Ground, Reading
from benchmark.text import guarded
from benchmark.text.lengths import LONGEST_REPLY
from benchmark.text.numerals import chinese, english


@dataclass(frozen=True, slots=True)
class Tongue:
    """A language as the agent understands it.

    read: wishes and caps of a message. subjects: what a text is about. sentences: the sentences of a message.
    asks: whether a sentence asks. names: what a text names, as written. number, numbers: the value of a written
    number, and the expression for one. agree, refuse: answers to a request; turn: what takes consent back.
    """

    read: Callable[[str, Ground], Reading]
    subjects: Callable[[str], tuple[Subject, ...]]
    sentences: Callable[[str], list[str]]
    asks: Callable[[str], bool]
    names: Callable[[str], list[str]]
    number: Callable[[str], float | None]
    numbers: str
    agree: guarded.Pattern
    refuse: guarded.Pattern
    turn: guarded.Pattern


def _chinese_names(text: str) -> list[str]:
    text = text[:LONGEST_REPLY]
    return [
        mention.text for mention in find_mentions(text, [False] * len(text), glue(text, NO_NAMES, "zh"), "zh")
    ]


def _chinese_sentences(text: str) -> list[str]:
    return guarded.split(r"(?<=[。！？!?\n])", text[:LONGEST_REPLY])


def _chinese() -> Tongue:
    words = lexicon("zh")
    return Tongue(
        read=read_message,
        subjects=lambda text: kinds.subjects_in(text, "zh"),
        sentences=_chinese_sentences,
        asks=lambda sentence: is_question(sentence, "zh"),
        names=_chinese_names,
        number=chinese.read_number,
        numbers=chinese.NUMBER,
        agree=guarded.compile(words.agree_pattern),
        refuse=guarded.compile(words.refuse_pattern),
        turn=guarded.compile(r"[，,。]?(?:但|不过|可是|只是|抱歉|不好意思|不行|不能|底线|坚持(?!了))"),
    )


def _english_names(text: str) -> list[str]:
    return [name.text for name in find_names(text[:LONGEST_REPLY], NO_NAMES)]


def _english() -> Tongue:
    return Tongue(
        read=read_english,
        subjects=english_kinds.subjects_in,
        sentences=sentences.asked_and_stated,
        asks=sentences.is_question,
        names=_english_names,
        number=english.read_number,
        numbers=english.NUMBER,
        agree=guarded.compile(en.AGREE, guarded.IGNORECASE),
        refuse=guarded.compile(rf"(?!{en.YIELDING}){en.REFUSE}", guarded.IGNORECASE),
        turn=guarded.compile(en.TURN, guarded.IGNORECASE),
    )


TONGUES: Mapping[str, Tongue] = {"zh": _chinese(), "en": _english()}


def tongue(language: str) -> Tongue:
    """The understanding of a language; Chinese, the language of the published data, where there is none."""
    return TONGUES.get(language, TONGUES["zh"])
