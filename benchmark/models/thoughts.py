"""Thoughts that stand in an answer's own text, between <think> and </think> at its beginning."""

from __future__ import annotations

from benchmark.models.chat import Delta

_OPEN, _CLOSE = "<think>", "</think>"


def split_thoughts(content: str) -> tuple[str, str]:
    """(thoughts, words) of a whole answer.

    Where only the closing tag stands, the opening one was part of the prompt; where only the opening one does, the
    answer broke off while the model thought.
    """
    stripped = content.lstrip()
    if stripped.startswith(_OPEN):
        thoughts, _, words = stripped.removeprefix(_OPEN).partition(_CLOSE)
        return thoughts.strip(), words.lstrip()
    thoughts, closed, words = content.partition(_CLOSE)
    return (thoughts.strip(), words.lstrip()) if closed else ("", content)


class ThoughtSplitter:
    """The same while the answer comes, as well as can be known by then: a tag may come in pieces."""

    def __init__(self) -> None:
        self._held, self._thinking, self._begun = "", False, False

    def take(self, piece: str) -> list[Delta]:
        """What can be told now."""
        self._held += piece
        if not self._begun and piece.strip():
            self._begin()
        if not self._begun:
            return []
        return self._thought() if self._thinking else self._told("text", len(self._held))

    def end(self) -> list[Delta]:
        """What was held back."""
        return self._told("reasoning" if self._thinking else "text", len(self._held))

    def _begin(self) -> None:
        start = self._held.lstrip()
        if start.startswith(_OPEN):
            self._held, self._thinking, self._begun = start.removeprefix(_OPEN), True, True
        elif not _OPEN.startswith(start):
            self._begun = True

    def _thought(self) -> list[Delta]:
        thoughts, closed, words = self._held.partition(_CLOSE)
        if not closed:
            return self._told("reasoning", max(len(self._held) - len(_CLOSE) + 1, 0))
        self._thinking, self._held = False, thoughts
        told = self._told("reasoning", len(thoughts))
        self._held = words
        return told + self._told("text", len(words))

    def _told(self, kind: str, length: int) -> list[Delta]:
        piece, self._held = self._held[:length], self._held[length:]
        if not piece:
            return []
        return [Delta("reasoning" if kind == "reasoning" else "text", piece)]
