"""What an agent wants to know of tools that answer in words: known from the request, or still to be asked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from tests.model_server.personalities.gathering import call_key
from tests.model_server.scene import Scene
from tests.model_server.wire import Call

Fields = dict[str, str]
_TIMES: Final = re.compile(r"(\d\d?):(\d\d)\s*[–-]\s*(\d\d?):(\d\d)")
_POINT: Final = re.compile(r"longitude: (-?[\d.]+), latitude: (-?[\d.]+)")
_DAY: Final = 1440


class Lookups:
    """Whoever asks for what is not known yet gets "", and the call is made next."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._answers = {call_key(own.name, own.arguments): str(own.answer) for own in scene.results}
        self._missing_calls: dict[str, Call] = {}

    def ask(self, tool: str, **arguments: Any) -> str:
        """The tool's answer."""
        call = Call.of(tool, **arguments)
        key = call_key(call.name, call.arguments)
        if key not in self._answers:
            self._missing_calls[key] = call
        return self._answers.get(key, "")

    def open_calls(self) -> list[Call]:
        """Those that were missed, of tools that are offered: natively, or in a line of the system prompt."""
        scene = self._scene
        return [
            call
            for call in self._missing_calls.values()
            if call.name in scene.tool_names or f"\n{call.name}: " in scene.request.system
        ]


def records(text: str, head: str) -> Iterator[Fields]:
    """Each thing of an answer: its fields, and its first line's parts as "0", "1" …; head: the name of its id."""
    found: Fields = {}
    for line in text.splitlines():
        parts = line.split(" | ")
        for part in parts:
            name, colon, value = part.partition(": ")
            if name == head:
                if found:
                    yield found
                found = {"id": value, **{str(n): own for n, own in enumerate(parts)}}
            elif colon and found:
                found[name] = value
    if found:
        yield found


def point_of(text: str) -> tuple[float, float] | None:
    """Degrees of longitude and latitude."""
    found = _POINT.search(text)
    return (float(found[1]), float(found[2])) if found else None


def times_of(text: str) -> list[tuple[int, int]]:
    """Windows in minutes of the day; those past midnight end after 1440."""
    found = (tuple(map(int, own)) for own in _TIMES.findall(text))
    windows = [(60 * a + b, 60 * c + d) for a, b, c, d in found]
    return [(start, end if end > start else end + _DAY) for start, end in windows]
