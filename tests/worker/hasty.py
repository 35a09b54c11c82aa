"""A built-in agent that plans at once, for tests of what a worker does with a session, whatever is said in it."""

from __future__ import annotations

import json

import pytest

from benchmark.core.actions import Action, CallTools, Say, ToolCall
from benchmark.core.participant import BuiltIn
from benchmark.core.view import AGENT
from benchmark.suites.grouptravel.participants import AGENTS
from benchmark.suites.grouptravel.view import GroupView

MUSEUM = {
    "type": "attraction",
    "location": "苏州博物馆",
    "start_time": "10:00",
    "end_time": "12:00",
    "participants": ["All"],
    "avg_cost": 0,
}
PLAN = {"days": [{"day": 1, "city_segments": [{"city": "苏州市", "activities": [MUSEUM]}]}]}
ASKED_FIRST = 2
SEARCH_WORDS = ("博物馆", "餐厅", "公园")


class HastyAgent:
    """Asks twice what everybody wants, looks for three kinds of places, and plans one museum."""

    def act(self, view: GroupView) -> Action:
        """A question in its first turns; after them its calls, and the plan."""
        if view.turn.kind == "summary":
            return Say("{}")
        said = sum(message.role == AGENT for message in view.messages)
        if said < ASKED_FIRST and view.turn.kind != "final":
            return Say("What do you want?")
        if not view.tool_log:
            city = view.query.partition("，")[0]
            return CallTools(
                tuple(ToolCall("search_poi", {"keywords": word, "city": city}) for word in SEARCH_WORDS)
            )
        return Say(f"```json\n{json.dumps(PLAN, ensure_ascii=False)}\n```")


def play_hastily(patch: pytest.MonkeyPatch) -> None:
    """Have it act for the reference agent: a session takes a tenth of the time, through all stages of the worker."""
    patch.setitem(AGENTS, "reference", BuiltIn(lambda context: HastyAgent()))
