"""GroupTravelBench as agents over a model need it."""

from __future__ import annotations

import json

from benchmark.agents.briefing import Briefing
from benchmark.plans.view import Plan
from benchmark.suites.grouptravel.briefing.mending import mend, plan_anywhere
from benchmark.suites.grouptravel.briefing.review import faults
from benchmark.suites.grouptravel.briefing.wording import PROMPTS, fault
from benchmark.suites.grouptravel.itineraries import plan_in_message
from benchmark.suites.grouptravel.view import GroupView


def _facts(view: GroupView) -> dict[str, str]:
    return {
        "participants": _participants(view),
        "query": view.query,
        "time": view.time,
        "context": view.context,
    }


def _participants(view: GroupView) -> str:
    """A line for each member, young children last."""
    kinds = [("member", traveller) for traveller in view.travellers]
    kinds += [("companion", child) for child in view.companions]
    return "\n".join(PROMPTS.fill(view.language, kind, name=who.name, role=who.role) for kind, who in kinds)


def _own_table(view: GroupView) -> str:
    """The agent's own table."""
    if not view.table:
        return ""
    table = json.dumps(view.table, ensure_ascii=False, separators=(",", ":"))
    return PROMPTS.fill(view.language, "known", table=table)


def _faults(plan: Plan | None, view: GroupView) -> tuple[str, ...]:
    return (f"- {fault(view.language, 'unreadable')}",) if plan is None else faults(plan, view)


BRIEFING = Briefing(
    prompts=PROMPTS,
    facts=_facts,
    instructions={
        "polled": "turn",
        **{kind: kind for kind in ("mentioned", "convergence", "final", "summary")},
    },
    talking=(
        *("role", "group", "duties", "mentions", "speaking", "asking", "decision", "strengths"),
        *("compromise", "splitting", "table", "plan"),
    ),
    planning=("planner", "group", "strengths", "splitting", "table", "plan"),
    notes=_own_table,
    summary="summary",
    final="final",
    plan=plan_in_message,
    plan_anywhere=plan_anywhere,
    repair=mend,
    faults=_faults,
)
