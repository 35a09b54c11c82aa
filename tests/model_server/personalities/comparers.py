"""Models that compare plans: points for one, or the better of two, which are Plan or Route A and B.

Signs: the system prompt has a scale from 0 to 100, or asks for a `choice` or a route.
"""

from __future__ import annotations

import json
import re
from typing import Final
from zlib import crc32

from tests.model_server.scene import Scene
from tests.model_server.wire import Answer

_PAIR: Final = ('"choice"', "Route A or Route B", "Route A 或 Route B")
_SCALE: Final = ("0 to 100", "0 到 100")
_SIDES: Final = re.compile(r"^[\[【](?:Plan|计划|Route) ([AB])[\]】]$", re.M)
_SIGHT: Final = re.compile(r'"(?:type": "poi|period)"')


def is_asked(scene: Scene) -> bool:
    """Whether the request is one to compare."""
    return any(sign in scene.request.system for sign in (*_PAIR, *_SCALE))


def good(scene: Scene) -> Answer:
    """The more sights and periods, the better; of as many, the plans' words decide. Two orders agree."""
    system, shown = scene.request.system, scene.request.last
    in_json = '{"reasons"' in system
    if not any(sign in system for sign in _PAIR):
        score = _points(shown)
        return Answer(json.dumps({"reasons": "As I count.", "score": score}) if in_json else str(score))
    _request, _a, first, _b, second = _SIDES.split(shown)
    choice = "A" if _rank(first) >= _rank(second) else "B"
    return Answer(json.dumps({"reasons": "As I count.", "choice": choice}) if in_json else f"Route {choice}")


def _points(plan: str) -> int:
    return min(100, 40 + 2 * len(_SIGHT.findall(plan)))


def _rank(plan: str) -> tuple[int, int]:
    return _points(plan), crc32("".join(plan.rpartition("}")[:2]).strip().encode())
