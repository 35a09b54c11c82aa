"""Thoughts that stand in an answer's own text, between the marks of a thinking model's template.

Where a server does not read its model's template, the marks come in the text: `<think>` (DeepSeek, Qwen, GLM and
most others), `<thinking>`, `<thought>` (Gemini), `<seed:think>` (Doubao), `[THINK]` (Mistral), `◁think▷` (Kimi), the
channels of gpt-oss (harmony).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from benchmark.models.chat import Delta, RequestedCall
from benchmark.text import guarded

_TAGS = (
    *("think", "thinking", "thought", "thoughts", "reason", "reasoning"),
    *("seed:think", "longcat_think", "mm:think"),
)
_PAIRS = {
    **{f"<{tag}>": f"</{tag}>" for tag in _TAGS},
    "[think]": "[/think]",
    "◁think▷": "◁/think▷",
    "<|start_thinking|>": "<|end_thinking|>",  # Cohere
    "<|begin_of_thought|>": "<|end_of_thought|>",  # OpenThoughts
    "<|channel>thought": "<channel|>",  # Gemma
}
"""How a block of thoughts begins and ends, in lower case."""


_WRAPPERS = ("<|begin_of_solution|>", "<|end_of_solution|>", "<|start_response|>", "<|end_response|>")
"""What stands around the words, in lower case: OpenThoughts, Cohere. They are no words."""


def _any_of(marks: Iterable[str]) -> str:
    return "|".join(map(_expression, sorted(marks, key=len, reverse=True)))


def _expression(mark: str) -> str:
    """Of a mark; a tag may have attributes."""
    escaped = guarded.escape(mark)
    return (
        rf"{escaped.removesuffix('>')}(?:\s[^<>\n]{{0,80}})?>"
        if mark.strip("</>") in _TAGS and mark[0] == "<"
        else escaped
    )


_CHANNEL = (
    r"<\|channel\|>\s*(?P<channel>\w+)(?P<to>[^<\n`]{0,120})(?:<\|constrain\|>[^<\n`]{0,40})?<\|message\|>"
)
_START = r"<\|start\|>assistant(?P<started>[^<\n`]{0,120})(?=<\|)"
_START_MARK = "<|start|>"
_END = r"<\|(?:end|return|call)\|>"
_MARK = guarded.compile(
    rf"(?P<ticks>`+|~+)|(?P<wrapper>{_any_of(_WRAPPERS)})|(?P<line>\n)|(?P<open>{_any_of(_PAIRS)})|(?P<close>{_any_of(_PAIRS.values())})"
    rf"|{_CHANNEL}|{_START}|(?P<end>{_END})",
    guarded.IGNORECASE,
)
_CLOSINGS = {close: guarded.compile(_expression(close), guarded.IGNORECASE) for close in _PAIRS.values()} | {
    "": guarded.compile(rf"{_END}|(?=<\|(?:start|channel)\|>)")
}
"""What ends a block; "" for a message in a channel."""
_TICKS = guarded.compile(r"`+")
_ATTRIBUTES = guarded.compile(r"\s[^>]*>")
_BEGUN_TAG = guarded.compile(rf"</?({'|'.join(_TAGS)})\s[^<>\n]{{0,80}}", guarded.IGNORECASE)
_RECIPIENT = guarded.compile(r"to=(\S+)")
_FENCE = 3
_MOST_HELD = 4_000
"""Characters of an unfinished line that wait for what follows, while people watch."""
_LONGEST_MARK = 300
_STRIPPED_CHANNEL, _FINAL = "analysis", "assistantfinal"
"""What is left of channels where a server takes their marks out of the text."""


@dataclass(frozen=True, slots=True)
class Split:
    """What stands in an answer's text. calls: those in a channel of their own."""

    thoughts: str
    words: str
    calls: tuple[RequestedCall, ...] = ()


def split(content: str) -> Split:
    """A whole answer's thoughts, words and calls.

    Words before a block stay words. A block that is not closed reaches to the end: the answer broke off. A closing
    mark without an opening one, at the end of its line, ends thoughts whose beginning was part of the prompt, and
    anywhere what follows a block within a block; else it is a word inside a line, and so is any mark in a code span
    or a fenced block, or behind a backslash.
    """
    if content.startswith(_STRIPPED_CHANNEL) and _FINAL in content:
        thoughts, _, words = content.removeprefix(_STRIPPED_CHANNEL).partition(_FINAL)
        return Split(thoughts.strip(), words.strip())
    splitter = ThoughtSplitter()
    splitter.take(content)
    splitter.end()
    return splitter.split()


class ThoughtSplitter:
    """The same while the answer comes: a mark may come in pieces, and what can't be told yet is held back.

    Only what a closing mark without an opening one makes of the words before it is told late: by `split` alone.
    """

    def __init__(self) -> None:
        self._text, self._at, self._has_ended = "", 0, False
        self._words: list[str] = []
        self._thoughts: list[list[str]] = []
        self._calls: list[tuple[str, list[str]]] = []
        self._since = 0
        """The first piece of the words after the last block."""
        self._kind: Literal["text", "reasoning", "call"] = "text"
        self._closing, self._inner = "", 0
        self._fence, self._line_begun, self._last = "", False, ""
        self._channels, self._recipient = False, ""
        self._deltas: list[Delta] = []
        self._spans = _Spans("", 0, over=False)

    def take(self, piece: str) -> list[Delta]:
        """What can be told now."""
        self._text, self._at = self._text[self._at :] + piece, 0
        self._read()
        return self._take_deltas()

    def end(self) -> list[Delta]:
        """What was held back."""
        self._has_ended = True
        self._read()
        return self._take_deltas()

    def split(self) -> Split:
        """What was read; to be asked after `end`."""
        words = "".join(self._words)
        thoughts = "\n\n".join(filter(None, ("".join(block).strip() for block in self._thoughts)))
        calls = tuple(
            RequestedCall(f"call_{number}", name, "".join(parts).strip())
            for number, (name, parts) in enumerate(self._calls, 1)
        )
        return Split(thoughts, words.lstrip() if self._thoughts or self._channels else words, calls)

    def _take_deltas(self) -> list[Delta]:
        told, self._deltas = self._deltas, []
        return told

    def _read(self) -> None:
        self._spans = _Spans(self._text, self._at, over=self._has_ended)
        while self._at < len(self._text) and (self._speak() if self._kind == "text" else self._inside()):
            pass

    def _inside(self) -> bool:
        """Read on in a block or a channel; False where nothing more can be read now."""
        match = _CLOSINGS[self._closing].search(self._text, self._at)
        while match and self._closing and (quoted := self._quoted(match)) is not False:
            if quoted is None:
                self._pass(match.start())
                return False
            match = _CLOSINGS[self._closing].search(self._text, match.end())
        if match is None:
            self._pass(len(self._text) - self._partial_mark_length())
            return False
        self._pass(match.start())
        self._at, self._kind, self._since, self._last = match.end(), "text", len(self._words), ""
        self._inner = self._begun_within() if self._closing else 0
        return True

    def _begun_within(self) -> int:
        """How many blocks began within the last one, each of which may still be closed."""
        text = "".join(self._thoughts[-1])
        marks = (mark for mark in _MARK.finditer(text) if mark["open"])
        return sum(_PAIRS[_mark_name(mark)] == self._closing and not _is_quoted(text, mark) for mark in marks)

    def _quoted(self, mark: guarded.Match) -> bool | None:
        """Whether a closing mark stands in backticks of its own; None where that is not known yet."""
        before = self._text[mark.start() - 1] if mark.start() else self._last
        if before != "`":
            return False
        if mark.end() == len(self._text) and not self._has_ended:
            return None
        return self._text[mark.end() : mark.end() + 1] == "`"

    def _speak(self) -> bool:
        """Read on in words, up to and with the next mark."""
        mark = _MARK.search(self._text, self._at)
        if mark is None:
            self._pass(len(self._text) - self._partial_mark_length())
            return False
        self._pass(mark.start())
        return self._marked(mark)

    def _marked(self, mark: guarded.Match) -> bool:
        if mark["line"]:
            self._pass(mark.end())
            self._line_begun = False
            return True
        if mark["ticks"]:
            return self._ticked(mark)
        if self._fence:
            self._pass(mark.end())
            return True
        if (mark["open"] or mark["close"]) and self._last == "\\":
            self._pass(mark.end())
            return True
        if mark["close"]:
            return self._ended(mark)
        if mark["end"] and not self._channels:
            return self._first_ended(mark)
        self._at = mark.end()
        if mark["open"]:
            self._begin("reasoning", _PAIRS[_mark_name(mark)])
        elif not mark["wrapper"]:
            self._in_channels(mark)
        return True

    def _ticked(self, mark: guarded.Match) -> bool:
        """A code span is passed over whole, a fence begins or ends."""
        if mark.end() == len(self._text) and not self._has_ended:
            return False
        if len(mark["ticks"]) >= _FENCE and not self._line_begun:
            if self._may_fence(self._spans.rest(mark.end())) and self._waits():
                return False
            if self._fences(mark):
                self._pass(mark.end())
                return True
        spans = mark["ticks"][0] == "`" and not self._fence
        end = self._spans.end_of(mark.start(), mark.end()) if spans else None
        if end is None and spans and self._waits():
            return False
        self._pass(mark.end() if end is None else end)
        return True

    def _may_fence(self, rest: str) -> bool:
        """Whether a line with this behind its ticks may be the first or the last of a fenced block."""
        return not rest.strip() if self._fence else "`" not in rest

    def _fences(self, mark: guarded.Match) -> bool:
        ticks = mark["ticks"]
        if self._fence:
            closes = ticks.startswith(self._fence) and self._may_fence(self._spans.rest(mark.end()))
            self._fence = "" if closes else self._fence
            return True
        if not self._may_fence(self._spans.rest(mark.end())):
            return False  # a span, and words behind it
        self._fence = ticks
        return True

    def _ended(self, mark: guarded.Match) -> bool:
        """A closing mark without an opening one, or that of a block in which another one began."""
        if self._inner:
            self._inner -= 1
            self._were_thoughts(mark)
            return True
        rest = self._spans.rest(mark.end())
        if rest.strip():
            self._pass(mark.end())
            return True
        if self._waits():
            return False
        self._were_thoughts(mark)
        return True

    def _were_thoughts(self, mark: guarded.Match) -> None:
        """The words since the last block were thoughts, which this mark ends."""
        self._thoughts.append(self._words[self._since :])
        del self._words[self._since :]
        self._at, self._since = mark.end(), len(self._words)

    def _first_ended(self, mark: guarded.Match) -> bool:
        """The end of a message in a channel that the prompt began, where another message follows; else a word."""
        rest = self._text[mark.end() : mark.end() + len(_START_MARK)]
        if rest == _START_MARK:
            self._were_thoughts(mark)
            self._channels = True
        elif not self._has_ended and _START_MARK.startswith(rest):
            return False
        else:
            self._pass(mark.end())
        return True

    def _in_channels(self, mark: guarded.Match) -> None:
        """A mark of the channels: it says what follows and is no word itself."""
        self._channels = True
        if mark["end"]:
            return
        if mark["started"] is not None:
            self._recipient = mark["started"]
            return
        recipient = _RECIPIENT.search(f"{self._recipient} {mark['to']}")
        self._recipient = ""
        if mark["channel"].lower() == "analysis":
            self._begin("reasoning", "")
        elif recipient:
            self._calls.append((recipient[1], []))
            self._deltas.append(Delta("call", recipient[1]))
            self._begin("call", "")

    def _begin(self, kind: Literal["reasoning", "call"], closing: str) -> None:
        self._kind, self._closing, self._last = kind, closing, ""
        if kind == "reasoning":
            self._thoughts.append([])

    def _pass(self, end: int) -> None:
        """Take the text up to there as what it is."""
        piece = self._text[self._at : end]
        if not piece:
            return
        self._at, self._last = end, piece[-1]
        self._line_begun = self._line_begun or bool(piece.strip())
        self._into().append(piece)
        self._deltas.append(Delta(self._kind, piece))

    def _into(self) -> list[str]:
        if self._kind == "call":
            return self._calls[-1][1]
        return self._words if self._kind == "text" else self._thoughts[-1]

    def _waits(self) -> bool:
        """Whether the line is unfinished and may still say what a mark in it is."""
        return not self._has_ended and not self._spans.whole and len(self._text) - self._at < _MOST_HELD

    def _partial_mark_length(self) -> int:
        """How many characters at the end may be the beginning of a mark."""
        if self._has_ended:
            return 0
        tail = self._text[max(self._at, len(self._text) - _LONGEST_MARK) :]
        begun = max(tail.rfind("<|start|>"), tail.rfind("<|channel|>"))
        if begun < 0 or "\n" in tail[begun:]:
            begun = max(tail.rfind(first) for first in "<[◁")
        rest = tail[begun:].lower()
        return len(rest) if begun >= 0 and _may_become_mark(rest) else 0


class _Spans:
    """The code spans of a text's lines, of each line when it is first asked for. over: the text does not grow."""

    def __init__(self, text: str, start: int, *, over: bool) -> None:
        self._text, self._start, self._end, self._has_ended = text, start, -1, over
        self._runs: dict[int, list[int]] = {}

    @property
    def whole(self) -> bool:
        """Whether the line that was asked for last has an end."""
        return self._end < len(self._text)

    def rest(self, at: int) -> str:
        """What follows on the line of a place."""
        self._look(at)
        return self._text[at : self._end]

    def end_of(self, start: int, end: int) -> int | None:
        """The end of the code span that begins with these backticks, None where they begin none."""
        self._look(start)
        ends = self._runs.get(end - start, [])
        after = bisect_right(ends, end)
        return ends[after] if after < len(ends) else None

    def _look(self, at: int) -> None:
        if self._start <= at <= self._end:
            return
        end = self._text.find("\n", at)
        self._start, self._end, self._runs = at, len(self._text) if end < 0 else end, {}
        for run in _TICKS.finditer(self._text[at : self._end]):
            if self._has_ended or at + run.end() < len(self._text):  # else it may be longer
                self._runs.setdefault(run.end() - run.start(), []).append(at + run.end())


def _mark_name(mark: guarded.Match) -> str:
    """An opening mark as `_PAIRS` has it."""
    return _ATTRIBUTES.sub(">", mark["open"].lower())


def _is_quoted(text: str, mark: guarded.Match) -> bool:
    return text[: mark.start()].endswith("`") and text[mark.end() :].startswith("`")


def _may_become_mark(rest: str) -> bool:
    if rest.startswith("<|"):
        return len(rest) < _LONGEST_MARK and "\n" not in rest
    return bool(_BEGUN_TAG.fullmatch(rest)) or any(
        mark.startswith(rest) for mark in (*_PAIRS, *_PAIRS.values())
    )
