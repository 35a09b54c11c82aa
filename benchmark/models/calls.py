"""Tool calls put together from the pieces of a stream, as the servers of the world send them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from benchmark.models.chat import Delta, RequestedCall


@dataclass(slots=True)
class _Call:
    id: str = ""
    name: str = ""
    arguments: str = ""

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
        return (
            bool(piece.arguments.strip() or piece.name != self.name) and object_in(self.arguments) is not None
        )


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
        """The pieces of one chunk, or the calls of a whole message; what is no object is passed over."""
        together: set[int] = set()
        told: list[Delta] = []
        for written in pieces:
            if isinstance(written, Mapping):
                piece = _read(written)
                call = self._call_of(piece, together)
                together.add(id(call))
                told += self._joined(call, piece)
        return told

    def calls(self) -> tuple[RequestedCall, ...]:
        """Every call in the order of its first piece; those without an id are called call_1, call_2, …"""
        asked = [call for call in self._calls if call.name or call.arguments]
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

    def _joined(self, call: _Call, piece: _Piece) -> list[Delta]:
        if piece.id and not call.id:
            call.id = piece.id
            self._by_id[call.id] = call
            self.id_bytes += len(call.id.encode("utf-8", "surrogatepass"))
        new = call.call(piece.name) if piece.name else ""
        call.arguments += piece.arguments
        return [Delta("call", text) for text in (new, piece.arguments) if text]


def _read(piece: Mapping[str, Any]) -> _Piece:
    function = piece.get("function")
    function = function if isinstance(function, Mapping) else {}
    index = piece.get("index")
    return _Piece(
        index if isinstance(index, int) else None,
        _text(piece.get("id")),
        _text(function.get("name")),
        _arguments(function.get("arguments")),
    )


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
