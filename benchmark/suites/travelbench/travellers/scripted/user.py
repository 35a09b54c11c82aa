"""The user without a model: it tells what it is asked from what it knows, and ends the talk once it is answered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmark.core.actions import Action, Say
from benchmark.suites.travelbench.conversation.answers import OUT_OF_STEPS, apology
from benchmark.suites.travelbench.conversation.views import RequestView
from benchmark.suites.travelbench.modes import END_MARK
from benchmark.suites.travelbench.travellers.scripted.topics import Topic, asked_about
from benchmark.text import guarded
from benchmark.text.lengths import LONGEST_MESSAGE

_NO_PREFERENCE = {"zh": "这个没有特别要求，你看着办。", "en": "I have no preference there."}
_GO_ON = {"zh": "好的，你说。", "en": "All right, go ahead."}
_STOPS = {"zh": ("，", "。"), "en": (", ", ".")}
_MOST_PIECES = 3
"""Pieces of knowledge that one question brings out."""
_FAILURES = (OUT_OF_STEPS, apology("").content[:30])


class ScriptedUser:
    """The same view always gets the same words; a program, not a person, but one that keeps the simulator's rules."""

    def act(self, view: RequestView) -> Action:
        """An answer, or the tag that ends the conversation."""
        heard = [message.content for message in view.messages if message.role != view.me]
        own = [message.content for message in view.messages if message.role == view.me]
        return Say(_words(view, heard, own))


def _words(view: RequestView, heard: Sequence[str], own: Sequence[str]) -> str:
    last, language = heard[-1] if heard else "", "zh" if view.language == "zh" else "en"
    if repeats(last, heard[:-1]) or last.startswith(_FAILURES):
        return END_MARK
    asked = questions(last)
    if not asked:
        waits = announces(last) and _GO_ON[language] not in own
        return _GO_ON[language] if waits else END_MARK
    words = _answer(view, asked, language, own)
    return END_MARK if words in own and words == own[-1] else words


def _answer(view: RequestView, asked: Sequence[str], language: str, own: Sequence[str]) -> str:
    """What answers the questions, else all that was meant; else that nothing is preferred."""
    topics = dict.fromkeys(topic for question in asked for topic in asked_about(question))
    pieces = list(dict.fromkeys(piece for topic in topics for piece in _told_pieces(view, topic)))
    fresh = [piece for piece in pieces if not any(piece in said for said in own[1:])]
    if not topics:
        whole = own_words(view.intent or "")
        fresh = [whole] if whole and not any(whole in said for said in own[1:]) else []
    if not fresh:
        return _NO_PREFERENCE[language]
    between, end = _STOPS[language]
    return between.join(said_once(fresh)) + end


def _told_pieces(view: RequestView, topic: Topic) -> list[str]:
    """What was meant goes before what is usual."""
    pieces = meant_pieces(view.intent or "", topic) or usual(view.profile or "", topic)
    return pieces[:_MOST_PIECES]


# What an agent's message asks, and whether it answers.


_SENTENCE = guarded.compile(r"[^。！？!?.\n]*[。！？!?.\n]|[^。！？!?.\n]+$")
_ASKS = guarded.compile(
    r"[？?]\s*$|请(?:告诉我|提供|说明|补充|确认)|\b(?:please (?:tell|give|let)|let me know|could you tell)\b",
    guarded.IGNORECASE,
)
_OFFERS = guarded.compile(
    r"需要我|要我|是否需要|还需要|要不要|还有什么|如果需要|如需|would you like me|shall i|do you want me"
    r"|anything else|if you (?:need|want|like)",
    guarded.IGNORECASE,
)
_FAILS = guarded.compile(
    r"抱歉|对不起|没有找到|没有查到|无法|办不到|\bsorry\b|\bcan't\b|\bcannot\b", guarded.IGNORECASE
)
_FIGURE = guarded.compile(r"\d")
_SHORT = 40
"""Characters of a message that announces and does not answer."""


def questions(message: str) -> list[str]:
    """The sentences of a message that want an answer; offers of more do not."""
    sentences = (match[0].strip() for match in _SENTENCE.finditer(message[:LONGEST_MESSAGE]))
    return [sentence for sentence in sentences if _ASKS.search(sentence) and not _OFFERS.search(sentence)]


def announces(message: str) -> bool:
    """Whether a message that asks nothing only says that an answer will come."""
    short = len(message.strip()) <= _SHORT and not _FIGURE.search(message)
    return short and not _FAILS.search(message)


def repeats(message: str, before: Sequence[str]) -> bool:
    """Whether a message was said before."""
    return message.strip() in {earlier.strip() for earlier in before}


# What the user knows, piece by piece: what was meant, and who they are.


_PIECES = guarded.compile(r"[，；。]+\s*|(?:(?<!\d)[,:：]|[,:：](?!\d)|;|\.(?=\s|$))+\s*")
"""Not at 、, which joins what belongs together, nor within a number or a time: 1,000, 3.5, 10:30."""
_ITEM = guarded.compile(
    r"^\s*[-*]\s*(?:\*\*)?(?P<label>[^：:\n]{1,12}[：:])?\s*(?P<value>.+?)\s*$", guarded.MULTILINE
)
_JOIN = "、"
_MARKS = guarded.compile(r"\*\*|`")
_THIRD_PERSON = (
    (guarded.compile(r"为用户|帮用户|给用户"), "帮我"),
    (guarded.compile(r"用户"), "我"),
    (guarded.compile(r"^(?:the user )?(?:wants|needs)\b", guarded.IGNORECASE), "I want"),
    (guarded.compile(r"\bthe user's\b", guarded.IGNORECASE), "my"),
    (guarded.compile(r"\bthe user\b", guarded.IGNORECASE), "I"),
)


def own_words(text: str) -> str:
    """A sentence about the user as the user says it."""
    for about, mine in _THIRD_PERSON:
        text = about.sub(mine, text)
    return text.strip()


def meant_pieces(intent: str, topic: Topic) -> list[str]:
    """The pieces of what was meant that answer a question about a topic."""
    pieces = (piece.strip() for piece in _PIECES.split(intent))
    return [own_words(piece) for piece in pieces if piece and topic.answer_words.search(piece)]


def usual(profile: str, topic: Topic) -> list[str]:
    """The items of a profile that answer a question about a topic, without their labels."""
    return [value for value in _items(profile) if topic.answer_words.search(value)] if topic.habit else []


def said_once(pieces: Sequence[str]) -> list[str]:
    """The pieces without what another of them says too: 爱喝早茶，想看岭南建筑、喝早茶 names 早茶 once."""
    parts = [piece.split(_JOIN) for piece in pieces]
    kept = [
        [
            part
            for part in mine
            if not any(_says(other, part) for theirs in parts if theirs is not mine for other in theirs)
        ]
        for mine in parts
    ]
    return [_JOIN.join(left) for left in kept if left]


def _says(whole: str, part: str) -> bool:
    return part != whole and part in whole


def _items(profile: str) -> Iterator[str]:
    for item in _ITEM.finditer(profile):
        yield _MARKS.sub("", item["value"]).strip(" 。.")
