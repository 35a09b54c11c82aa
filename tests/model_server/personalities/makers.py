"""Models that help to make data (TravelBench): whether a request can be carried out, and profiles without names."""

from __future__ import annotations

import json
import re

from tests.model_server.scene import Scene
from tests.model_server.wire import Answer

_QUERY = re.compile(r"^(?:【用户的请求】|\[The user's request\])\n(.*?)\n\n", re.M | re.S)
_SECRETS = re.compile(r"[\u4e00-\u9fff]{2,8}路\d+号|[\u4e00-\u9fff][A-Z]·?[A-Z0-9]{5}")
_NOTHING = ("tool", "context", "intent")


def is_asked(scene: Scene) -> bool:
    """Whether the request is one of these."""
    return '"executable"' in scene.request.system or "### 兴趣偏好" in scene.request.system


def good_maker(scene: Scene) -> Answer:
    """A query that ends in `(CAUSE)` can't be carried out for that; a profile loses plates and addresses."""
    if '"executable"' not in scene.request.system:
        return Answer(_SECRETS.sub("住宅小区", scene.request.last))
    return Answer(_cause_block(_cause(scene)))


def contrary_maker(scene: Scene) -> Answer:
    """Everything can be carried out; profiles are left as they are."""
    return Answer(_cause_block(None) if '"executable"' in scene.request.system else scene.request.last)


def vague_maker(scene: Scene) -> Answer:
    """Says neither yes nor no."""
    return Answer('{"reasoning": "It depends.", "executable": "perhaps"}')


def _cause(scene: Scene) -> str | None:
    query = _QUERY.findall(scene.request.last)[-1]
    return next((cause for cause in _NOTHING if query.endswith(f"({cause})")), None)


def _cause_block(cause: str | None) -> str:
    said = {"reasoning": "So it seems.", "executable": cause is None, "cause": cause}
    return f"```json\n{json.dumps(said)}\n```"
