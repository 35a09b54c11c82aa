"""Small canned conversations for tests."""

from __future__ import annotations

import json
from typing import Any

from benchmark.core.engine import Conversation, run
from benchmark.core.view import AGENT
from benchmark.suites.grouptravel.conversation.rules import RULES
from benchmark.suites.grouptravel.conversation.scenarios import (
    CannedAgent,
    CannedUser,
    NoTools,
    Scenario,
    converse,
    opening_of,
)

PLAN = json.dumps({"days": [{"day": 1, "city_segments": [{"city": "杭州市", "activities": []}]}]})


def table() -> dict[str, Any]:
    return {
        "global_constraints": {
            "avg_budget": 3000,
            "transport": {"must": ["高铁"], "prefer": [], "avoid": [], "reject": ["飞机"]},
            "intensity": {"max_poi_per_day": 3, "max_active_hours": 8},
            "hotel_preference": {"prefer": ["民宿"], "avoid": []},
        },
        "city_specific_preferences": {
            "杭州市": {
                "attractions": {
                    "must_visit": ["灵隐寺"],
                    "reject_visit": [],
                    "category_pref": {"positive": ["公园"], "negative": []},
                },
                "food": {"must_eat": [], "prefer_eat": ["火锅"], "avoid_eat": [], "reject_eat": []},
            }
        },
    }


def scenario(
    *,
    say: dict[str, list[str]],
    turns: list[str | dict[str, Any]] | None = None,
    convergence: list[str] | None = None,
    final: list[str] | None = None,
    limits: tuple[int, int] = (2, 5),
    compromisable: bool = True,
    opening: list[tuple[str, str]] | None = None,
) -> Scenario:
    """Users in the order of `say`; what is not given is something that ends nothing."""
    lines = [turn if isinstance(turn, dict) else {"say": turn} for turn in turns or ["好的。"]]
    cards = {u: {"role": "", "preference": table(), "compromisable": compromisable} for u in say}
    return Scenario.model_validate(
        {
            "id": "test",
            "users": list(say),
            "preferences": cards,
            "opening": [
                {"role": role, "content": text} for role, text in opening or [(u, "大家好") for u in say]
            ],
            "max_turn": limits[0],
            "convergence_interval": limits[1],
            "agent": {"convergence": convergence or ["开始。"], "turns": lines, "final": final or [PLAN]},
            "say": say,
        }
    )


def converse_in_lines(case: Scenario, protocol: Any = "published") -> dict[str, Any]:
    """What `converse` gives, the messages as «role: text» lines."""
    found = converse(case, {"protocol": protocol})
    return {**found, "messages": [f"{role}: {text}" for role, text in found["messages"]]}


def play_scenario(case: Scenario, protocol: Any = "published") -> Conversation:
    """The whole log of a scenario."""
    seats = {user: CannedUser(case.say[user]) for user in case.users}
    agent, opening = CannedAgent(case.agent), opening_of(case, {"protocol": protocol})
    return run(Conversation(RULES), {**seats, AGENT: agent}, NoTools(), opening)
