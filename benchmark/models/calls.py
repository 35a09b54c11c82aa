"""Tool calls put together from the pieces of a stream, as the servers of the world send them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from benchmark.models.chat import Delta, RequestedCall
from benchmark.text import guarded


@dataclass(slots=True)
class _Call:
    id: str = ""
    name: str = ""
    pieces: list[str] = field(default_factory=list)

    @property
    def arguments(self) -> str:
        return arguments_in(self.pieces)

    def call(self, name: str) -> str:
        """Take a name, or a piece of it; the new part. Some servers repeat it with every piece of the arguments."""
        if name == self.name:
            return ""
        new = name.removeprefix(self.name)
        self.name += new
        return new

    def ended_before(self, piece: _Piece) -> bool:
        """Whether a piece that would belong here begins another call."""
        if not piece.name:
            return False
        if self.id and piece.id and self.id != piece.id:
            return True
        written = object_in(self.arguments)
        if written is None or not (piece.arguments.strip() or piece.name != self.name):
            return False
        return not (self._is_same(piece) and (not written or object_in(piece.arguments) == written))

    def _is_same(self, piece: _Piece) -> bool:
        """Whether a piece names this very call, whose arguments it may then repeat or write at last."""
        return piece.name == self.name and (piece.index is not None or bool(piece.id))


@dataclass(frozen=True, slots=True)
class _Piece:
    index: int | None
    id: str
    name: str
    arguments: str


class CallAssembly:
    """The calls of one answer.

    A piece belongs to the call of its index; without one to the call of its id; without either to the last call.
    But it begins another call where it has a name and the call is finished, has another id, or stood in the same
    chunk: some servers give every call the same index, and some send whole calls.

    id_bytes: of the calls' ids, which are told to nobody.
    """

    def __init__(self) -> None:
        self.id_bytes = 0
        self._calls: list[_Call] = []
        self._by_index: dict[int, _Call] = {}
        self._by_id: dict[str, _Call] = {}

    def take(self, pieces: Sequence[Any]) -> list[Delta]:
        """The pieces of one chunk, or the calls of a whole message; what is not an object is passed over."""
        together: set[int] = set()
        told: list[Delta] = []
        for written in pieces:
            if isinstance(written, Mapping):
                piece = _read(written)
                call = self._call_of(piece, together)
                together.add(id(call))
                told += self._join_piece(call, piece)
        return told

    def calls(self) -> tuple[RequestedCall, ...]:
        """Every call in the order of its first piece; those without an id are called call_1, call_2, …"""
        asked = [call for call in self._calls if call.name or call.pieces]
        return tuple(
            RequestedCall(call.id or f"call_{number}", call.name, call.arguments)
            for number, call in enumerate(asked, 1)
        )

    def _call_of(self, piece: _Piece, together: Set[int]) -> _Call:
        call = self._candidate(piece)
        twice = bool(piece.name) and id(call) in together
        if call is None or twice or call.ended_before(piece):
            call = _Call()
            self._calls.append(call)
            if piece.index is not None:
                self._by_index[piece.index] = call
        return call

    def _candidate(self, piece: _Piece) -> _Call | None:
        """The newest call that a piece may belong to."""
        if piece.index is not None:
            return self._by_index.get(piece.index)
        return self._by_id.get(piece.id) or (self._calls[-1] if self._calls else None)

    def _join_piece(self, call: _Call, piece: _Piece) -> list[Delta]:
        if piece.id and not call.id:
            call.id = piece.id
            self._by_id[call.id] = call
            self.id_bytes += len(call.id.encode("utf-8", "surrogatepass"))
        new = call.call(piece.name) if piece.name else ""
        call.pieces += [piece.arguments] if piece.arguments else []
        return [Delta("call", text) for text in (new, piece.arguments) if text]


def arguments_in(pieces: Sequence[str]) -> str:
    """The arguments that a call's pieces make, taken once where a server sends them twice.

    Some begin with `{}` and write the real object after it, some repeat the whole at the end, some write all that
    there is so far in every piece. What makes no object in any of these ways stays to the letter.
    """
    whole = "".join(pieces)
    if len(whole) <= len("{}") or object_in(whole) is not None:
        return whole
    last = pieces[-1]
    if len(pieces) > 1 and _repeats_all(pieces) and object_in(last) is not None:
        return last
    return _once(whole)


def _repeats_all(pieces: Sequence[str]) -> bool:
    """Whether each piece begins with the one before, or the last with all before it."""
    return all(after.startswith(before) for before, after in pairwise(pieces)) or pieces[-1].startswith(
        "".join(pieces[:-1])
    )


def _once(whole: str) -> str:
    """One of several objects that are alike, after empty ones; all as it is where they differ."""
    written, at = _EMPTY.sub("", whole), 0
    first = ""
    while (end := _object_end(written, at)) is not None:
        text = written[at:end].strip()
        if not object_in(first or "{}"):
            first = text
        elif object_in(text) not in ({}, object_in(first)):
            return whole
        at = end
    rest = written[at:].strip()
    if not first or (rest and object_in(first)):
        return whole
    return rest if rest.startswith("{") else whole if rest else first


def _object_end(text: str, at: int) -> int | None:
    """Where the object that begins there ends, None where none does."""
    while at < len(text) and text[at].isspace():
        at += 1
    try:
        value, end = _DECODER.raw_decode(text, at)
    except (ValueError, RecursionError):
        return None
    return end if isinstance(value, dict) else None


_DECODER = json.JSONDecoder()
_EMPTY = guarded.compile(r"^\s*(?:(?:null|\"\")\s*(?=\{))?")
"""What stands before an object for no arguments yet."""


def _read(piece: Mapping[str, Any]) -> _Piece:
    named = (piece.get(name) for name in ("function", "function_call", "custom"))
    function = next((part for part in named if isinstance(part, Mapping)), piece)
    written = (function.get(name) for name in _ARGUMENTS)
    index = piece.get("index")
    return _Piece(
        index if isinstance(index, int) else None,
        _text(piece.get("id")),
        _text(function.get("name")),
        _arguments(next((value for value in written if value is not None), None)),
    )


_ARGUMENTS = ("arguments", "parameters", "input", "args")
"""What servers call a call's arguments: OpenAI; templates of Llama; Anthropic; Gemini."""


def _arguments(value: object) -> str:
    """The raw text. Some servers send the object itself."""
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def object_in(text: str) -> dict[str, Any] | None:
    """The JSON object that a text is, None where it is none."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
