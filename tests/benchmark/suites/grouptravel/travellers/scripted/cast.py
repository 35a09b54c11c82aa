"""A traveller with a full table, and views of a chat, for the tests of scripted travellers."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from benchmark.core.view import AGENT, Message
from benchmark.suites.grouptravel.view import Card, GroupTurn, GroupView, Traveller

ME = "User1"
TABLE: dict[str, Any] = {
    "global_constraints": {
        "avg_budget": 2500,
        "transport": {"must": ["高铁"], "prefer": ["自驾"], "avoid": ["火车"], "reject": ["飞机"]},
        "intensity": {"max_poi_per_day": 3, "max_active_hours": 8},
        "hotel_preference": {"prefer": ["民宿", "舒适型"], "avoid": ["豪华型"]},
    },
    "city_specific_preferences": {
        "杭州市": {
            "attractions": {
                "must_visit": ["灵隐寺", "西湖风景名胜区"],
                "reject_visit": ["宋城"],
                "category_pref": {"positive": ["博物馆"], "negative": ["游乐园"]},
            },
            "food": {
                "must_eat": ["杭帮菜"],
                "prefer_eat": ["火锅"],
                "avoid_eat": ["西式快餐"],
                "reject_eat": ["川菜"],
            },
        },
        "苏州市": {
            "attractions": {
                "must_visit": ["拙政园"],
                "reject_visit": [],
                "category_pref": {"positive": [], "negative": ["寺庙"]},
            },
            "food": {"must_eat": [], "prefer_eat": [], "avoid_eat": [], "reject_eat": []},
        },
    },
}
EMPTY: dict[str, Any] = {"global_constraints": {}, "city_specific_preferences": {}}
OPENING = ((ME, "大家好，灵隐寺我一定要去。"), ("User2", "我想坐飞机去。"))
QUERY = "杭州市、苏州市，三天两夜，3人的旅行计划"
CALM = 3
"""A seed with which User1 is not attached to an only must."""


def table(**changes: Any) -> dict[str, Any]:
    """A copy of the full table with some global fields replaced."""
    copy = deepcopy(TABLE)
    copy["global_constraints"] |= changes
    return copy


def view(
    *said: tuple[str, str] | str,
    kind: str = "mentioned",
    wishes: dict[str, Any] | None = None,
    seed: int = CALM,
    compromisable: bool = True,
    left: int = 2,
    attempt: int = 1,
    problem: str = "",
    solicited: bool | None = None,
    query: str = QUERY,
    round_: int = 3,
) -> GroupView:
    """User1's view after the opening and `said`: (role, text) pairs, a bare text being the agent's."""
    spoken = [*OPENING, *((AGENT, item) if isinstance(item, str) else item for item in said)]
    effective = deepcopy(TABLE) if wishes is None else wishes
    return GroupView(
        me=ME,
        language="zh",
        seed=seed,
        query=query,
        time="2025-10-01",
        context="出发城市：上海市",
        travellers=(Traveller("User2", "女友"), Traveller(ME, "男友"), Traveller("User10", "朋友")),
        companions=(),
        max_turn=15,
        convergence_interval=3,
        round=round_,
        messages=tuple(Message(seq, role, text) for seq, (role, text) in enumerate(spoken, 1)),
        turn=GroupTurn(
            kind,  # type: ignore[arg-type]
            attempt=attempt,
            solicited=kind == "mentioned" if solicited is None else solicited,
            problem=problem,
        ),
        card=Card("男友", deepcopy(TABLE), effective, compromisable, left),
    )
