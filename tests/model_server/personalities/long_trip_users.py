"""The user of TRIP-Bench: says some of what its brief allows, and names the ids of that.

Signs: the system prompt shows the form of an answer, with `instruction_ids` and `user_query`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Final
from zlib import crc32

from tests.model_server.request import text_of
from tests.model_server.scene import Scene
from tests.model_server.wire import Answer

_SIGNS: Final = ('"instruction_ids"', '"user_query"')
_BLOCKS: Final = ("HISTORY", "NEW", "MODIFY", "ISSUE", "SPECIAL")
_ITEM: Final = re.compile(
    r"^(\S+?)(?: ?[（(](?:holds now|现在有效|takes the place of|取代)[^）)]*[）)])?(?:[:：] ?(.*))?$"
)
_MARK: Final = re.compile(r"\s*[（(](?:say this vaguely|现在只含糊地说)[^）)]*[）)]$")
_NEEDED_IDS: Final = re.compile(r"(?:these ids now: |必须说出这些编号：)([^.。]+)")
_MOST: Final = re.compile(r"(?:At most|最多) (\d+)")
_SHARES: Final = {"NEW": 2, "MODIFY": 1, "ISSUE": 1, "SPECIAL": 1}
"""How many of a block it says at once."""
_WORDS: Final = {
    "ContentMod": ("第一天的安排换一个轻松点的吧。", "Please put something calmer into the first day."),
    "ClarifyExp": ("第一天为什么这样安排？", "Why is the first day planned this way?"),
    "ExploreQues": ("也许晚上可以散散步，还没想好。", "Perhaps a walk one evening, I am not sure."),
    "": ("请继续。", "Please go on."),
}
_ONE_IN: Final = 4
"""First answers that are wrong, where no option says how."""


def is_asked(scene: Scene) -> bool:
    """Whether the request is for this user."""
    return all(sign in scene.request.system for sign in _SIGNS)


def answer(scene: Scene) -> Answer:
    """What it says; wrong at first in a share of its turns, or as the option `user` of the model's name has it."""
    brief = _Brief(scene)
    way = scene.request.name.options.get("user", "")
    is_first = not any(message["role"] == "assistant" for message in scene.request.messages)
    draw = crc32(scene.request.last.encode())
    if not way and is_first and draw % _ONE_IN == 0:
        usual = ("unknown-ids", "broken")
        return Answer(_WAYS[usual[draw // _ONE_IN % len(usual)]](brief))
    if way == "stubborn" or (way in _WAYS and is_first):
        return Answer(_WAYS["unknown-ids" if way == "stubborn" else way](brief))
    return Answer(_request(brief.chosen_ids, brief.words))


class _Brief:
    """What stands in the prompt."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._now = next(text_of(each) for each in scene.request.messages if each["role"] == "user")

    def block(self, name: str) -> dict[str, str]:
        """Words by ids, in their order."""
        told = re.search(rf"^{name}\n(.*?)(?:\n\n|\Z)", self._now, re.M | re.S)
        found = (_ITEM.match(line) for line in (told[1] if told else "").splitlines())
        return {item[1]: _MARK.sub("", item[2] or "") for item in found if item and item[1] != "–"}

    @cached_property
    def items(self) -> dict[str, str]:
        """Of all blocks."""
        return {id_: words for name in _BLOCKS for id_, words in self.block(name).items()}

    @cached_property
    def chosen_ids(self) -> list[str]:
        """Those that have to be said, else some of each block but HISTORY, in all as many as may be."""
        found = _NEEDED_IDS.search(self._now)
        needed = re.split(r"[,，] ?", found[1]) if found else []
        rest = [id_ for name, most in _SHARES.items() for id_ in [*self.block(name)][:most]]
        most = _MOST.search(self._scene.request.system)
        return [*dict.fromkeys((*needed, *rest))][: int(most[1]) if most else 1]

    @cached_property
    def words(self) -> str:
        """The trip at first, then the words of what is chosen."""
        own = self._scene.english
        begins = not re.search(r"^(?:Assistant: |助手：)", self._now, re.M)
        trip = re.search(r"^TRIP\n(.*)$", self._now, re.M)
        told = [trip[1]] if begins and trip else []
        told += [self.items.get(id_) or _WORDS.get(id_, _WORDS[""])[own] for id_ in self.chosen_ids]
        return (" " if own else "").join(told) or _WORDS[""][own]


def _request(ids: list[str], words: str) -> str:
    said: dict[str, Any] = {"instruction_ids": ids, "user_query": words}
    return f"```json\n{json.dumps(said, ensure_ascii=False)}\n```"


_WAYS: Final[Mapping[str, Callable[[_Brief], str]]] = {
    "unknown-ids": lambda brief: _request([*brief.chosen_ids, "c99"], brief.words),
    "broken": lambda brief: _request(brief.chosen_ids, brief.words)[:-12],
    "prose": lambda brief: brief.words,
    "too-many": lambda brief: _request(
        [*brief.items] * 2 + ["c97", "c98", "c99", "c100", "c101"], brief.words
    ),
}
USER_OPTION: Final = (
    "user",
    f"what TRIP-Bench's user writes first, before it is right: {', '.join(_WAYS)}; stubborn: always unknown-ids",
)
