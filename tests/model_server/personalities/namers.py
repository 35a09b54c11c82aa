"""Models that name groups of failures: what they are shown stands between <group> and </group>."""

from __future__ import annotations

import json
from typing import Any, Final

from tests.model_server.scene import Scene
from tests.model_server.wire import Answer

_SIGN: Final = "<group>"


def is_asked(scene: Scene) -> bool:
    """Whether the request is one for a name."""
    return _SIGN in scene.request.system and '"sentence"' in scene.request.system


def good(scene: Scene) -> Answer:
    """Calls a group by its kind and cause, and counts what it was shown."""
    shown: Any = json.loads(scene.request.last.partition(_SIGN)[2].partition("</group>")[0])
    sentence = f"{len(shown['examples'])} of {shown['misses']} failures were shown."
    return Answer(json.dumps({"name": f"{shown['kind']}: {shown['cause']}"[:60], "sentence": sentence}))
