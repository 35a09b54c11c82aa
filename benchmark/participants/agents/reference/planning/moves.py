"""The planner's turn: ask the tools while something is worth asking, then say the plan."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from benchmark.participants.actions import CallTools, Say
from benchmark.participants.agents.reference.brief import Brief
from benchmark.participants.agents.reference.planning import gather
from benchmark.participants.agents.reference.planning.knowledge import read_log
from benchmark.participants.agents.reference.planning.plan import Plan, Planner
from benchmark.participants.agents.reference.planning.tastes import read_tastes
from benchmark.participants.view import ToolEntry

_DATED_FRAMES = 2


def next_move(
    brief: Brief,
    tables: Mapping[str, Any],
    travellers: Sequence[str],
    tool_log: Sequence[ToolEntry],
    tools_allowed: bool,
    seed: int,
) -> CallTools | Say:
    """One step towards the plan: a batch of tool calls that were never made before, or the plan itself.

    tables: {traveller: preference table} as believed, any part may be missing. travellers: everybody with a
    table. tool_log: of the whole session. Depends on nothing but the arguments; never raises on odd answers.
    """
    if tools_allowed:
        calls = gather.missing(_wanted(brief, tables, travellers, tool_log, seed), tool_log)
        if calls:
            return CallTools(calls)
    plan = Planner(brief, tables, travellers, read_log(tool_log), seed).plan()
    return Say(
        f"{sentence(brief, plan)}\n\n```json\n{json.dumps(plan.itinerary, ensure_ascii=False, indent=1)}\n```"
    )


def _wanted(
    brief: Brief,
    tables: Mapping[str, Any],
    travellers: Sequence[str],
    log: Sequence[ToolEntry],
    seed: int,
) -> gather.Calls:
    """The calls of the first stage until it is complete, then those of the second."""
    tastes = read_tastes(tables, travellers, brief.cities)
    first = gather.first_stage(brief, tastes)
    if gather.missing(first, log):
        return first
    known = gather.knowledge_of(first, log)
    frames = Planner(brief, tables, travellers, known, seed).frames.best(_DATED_FRAMES)
    return gather.second_stage(brief, tastes, known, frames)


def sentence(brief: Brief, plan: Plan) -> str:
    """What the plan trades off, in the language of the group."""
    if brief.language.startswith("en"):
        left = f"; left out: {', '.join(plan.unmet)}" if plan.unmet else ""
        return f"Route {' - '.join(plan.order)}, legs and hotels about {plan.cost:.0f} CNY each{left}."
    left = f"，实在排不下的有{'、'.join(plan.unmet)}" if plan.unmet else "，大家点名要去的都安排上了"
    return f"行程按{'、'.join(plan.order)}的顺序走，大交通和住宿人均约{plan.cost:.0f}元{left}。"
