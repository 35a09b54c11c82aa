"""A model with scripted replies, and views of a traveller's turn."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from benchmark.core.actions import Action, Redo
from benchmark.core.view import AGENT, Draft, Message
from benchmark.models import Reply
from benchmark.suites.grouptravel.events import Contract
from benchmark.suites.grouptravel.travellers.llm import LlmUser
from benchmark.suites.grouptravel.travellers.llm.bounds import Bounds
from benchmark.suites.grouptravel.view import Card, GroupTurn, GroupView, Traveller
from tests.benchmark.agents.cast import ScriptedModel

ME = "User1"
TABLE: dict[str, Any] = {
    "global_constraints": {
        "avg_budget": 2500,
        "transport": {"must": ["高铁"], "prefer": [], "avoid": ["火车"], "reject": ["飞机"]},
        "intensity": {"max_poi_per_day": 3, "max_active_hours": 8},
        "hotel_preference": {"prefer": ["民宿"], "avoid": ["豪华型"]},
    },
    "city_specific_preferences": {
        "杭州市": {
            "attractions": {
                "must_visit": ["灵隐寺", "西湖风景名胜区"],
                "reject_visit": ["宋城"],
                "category_pref": {"positive": ["博物馆"], "negative": []},
            },
            "food": {"must_eat": ["杭帮菜"], "prefer_eat": [], "avoid_eat": ["火锅"], "reject_eat": ["川菜"]},
        }
    },
}
GROUP = (Traveller("User2", "女友"), Traveller(ME, "男友"), Traveller("User10", "朋友A"))
CHILDREN = (Traveller("User3", "小女儿"),)
OPENING = ((ME, "灵隐寺我一定要去。"), ("User2", "我想坐飞机去。"))
BUDGET_QUESTION = f"@{ME} 您的预算是多少？"
BUDGET_PLEA = f"@{ME} 预算能放宽到3200元吗？"


def bounds(**changes: Any) -> Bounds:
    """User1 among User2 and User10, asked by the agent for a compromise, and free to agree."""
    given = {
        "others": ("User2", "User10"),
        "roles": ("女友", "朋友A"),
        "solicited": True,
        "compromisable": True,
        "cities": ("杭州市",),
    }
    return Bounds(**{"me": ME, "left": 2, **given, **changes})


def view(
    *said: tuple[str, str] | str,
    language: str = "zh",
    kind: str = "mentioned",
    compromisable: bool = True,
    left: int = 2,
    solicited: bool | None = None,
    problem: str = "",
    refused: Sequence[str] = (),
    drafts: Sequence[Draft] = (),
    opening: Sequence[tuple[str, str]] = OPENING,
    effective: dict[str, Any] | None = None,
    contract: Contract = "strict",
) -> GroupView:
    """User1's view after the opening and `said`: (role, text) pairs, a bare text being the agent's."""
    spoken = [*opening, *((AGENT, item) if isinstance(item, str) else item for item in said)]
    turn = GroupTurn(
        kind,  # type: ignore[arg-type]
        solicited=kind == "mentioned" if solicited is None else solicited,
        problem=problem,
        refused=tuple(refused),
        drafts=tuple(drafts),
    )
    return GroupView(
        me=ME,
        language=language,
        seed=1,
        query="杭州市，三天两夜，4人的旅行计划",
        time="2025-10-01",
        context="出发城市：上海市",
        travellers=GROUP,
        companions=CHILDREN,
        max_turn=15,
        convergence_interval=3,
        round=1,
        messages=tuple(Message(seq, role, text) for seq, (role, text) in enumerate(spoken, 1)),
        turn=turn,
        contract=contract,
        card=Card("男友", deepcopy(TABLE), deepcopy(effective or TABLE), compromisable, left),
    )


def take_turn(replies: Sequence[str | Reply], *said: str, **turn: Any) -> tuple[list[Action], ScriptedModel]:
    """Every action of one turn until words that count, as the engine would ask for them."""
    model, actions, drafts = ScriptedModel(replies), [], []
    while True:
        action = LlmUser(model).act(view(*(said or (BUDGET_QUESTION,)), drafts=drafts, **turn))
        actions.append(action)
        if not isinstance(action, Redo):
            return actions, model
        drafts.append(Draft(len(drafts) + 10, action.content, action.why, action.note))
