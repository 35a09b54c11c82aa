"""Scoring sessions: each reply of the agent by the rules, at its turn."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from statistics import fmean
from typing import Any, Final

from benchmark.core.events import ModelCalled
from benchmark.core.setting import Setting
from benchmark.core.sheets import Missing, Sheet
from benchmark.core.state import fold_events
from benchmark.core.view import AGENT
from benchmark.metrics import BY_TASK, Averaging
from benchmark.suites.base import Log
from benchmark.suites.tripbench.conversation.state import SessionState
from benchmark.suites.tripbench.metrics import (
    COST,
    F_FEAS,
    F_SOUND,
    F_USER,
    LOOSE,
    LOOSE_TURNS,
    OUTPUT_TOKENS,
    STRICT,
    STRICT_TURNS,
    TURNS,
    USER_SHARE,
)
from benchmark.suites.tripbench.plans.parameters import Parameters
from benchmark.suites.tripbench.rubrics import RUBRICS
from benchmark.suites.tripbench.rubrics.labels import figure_key
from benchmark.suites.tripbench.scoring.options import parameters_of
from benchmark.suites.tripbench.scoring.statistics import mean
from benchmark.suites.tripbench.scoring.turns import judge_turn, marks_of
from benchmark.suites.tripbench.scoring.verdict import FEASIBILITY, SOUNDNESS, Flags, Verdict
from benchmark.suites.tripbench.tasks.task import Task
from benchmark.suites.tripbench.turns import AgentTurn
from benchmark.suites.tripbench.world import world_of
from sandbox.toolsets.tripbench.records import TripWorld

PUBLISHED: Final = "published"
PROFILES: Final[Mapping[str, Averaging]] = {PUBLISHED: BY_TASK}
AnySetting = Setting[Task, TripWorld]
Figures = dict[str, float | None]


def score_session(log: Log, setting: AnySetting) -> dict[str, Sheet]:
    """The figures of each turn; those of a session are its last turn's. Without a turn no verdict is passed."""
    now = fold_events(SessionState(), log)
    task, world = now.task or setting.task, setting.world
    parameters = parameters_of(setting.options)
    if world is None:
        return {PUBLISHED: _sheet_without_world()}
    judged = [(turn, judge_turn(turn, task, world, parameters)) for turn in now.turns]
    sheet = _sheet(judged, parameters)
    more = {**_rubric_shares(judged, task), **_spending(log)}
    return {PUBLISHED: replace(sheet, figures={**sheet.figures, **more})}


def evidence_of_turns(log: Log, setting: AnySetting) -> list[dict[str, Any]]:
    """What holds and what is broken at each turn of a log that goes on; nothing without a world."""
    now = fold_events(SessionState(), log)
    world = world_of(setting)
    if world is None or now.task is None:
        return []
    parameters = parameters_of(setting.options)
    return _turns([(turn, judge_turn(turn, now.task, world, parameters)) for turn in now.turns])


def _rubric_shares(judged: list[tuple[AgentTurn, Verdict]], task: Task) -> dict[str, float]:
    """How many of a rubric's constraints the last plan meets, by the keys of their figures."""
    if not judged:
        return {}
    turn, verdict = judged[-1]
    met = defaultdict[str, list[float]](list)
    for id_, instruction in task.demand_after(turn.issued_ids).constraints.items():
        if (is_met := verdict.user.get(id_)) is not None and instruction.rubric in RUBRICS:
            met[figure_key(instruction.rubric)].append(float(is_met))
    return {key: fmean(values) for key, values in met.items()}


def _spending(log: Log) -> dict[str, float]:
    """The tokens that the agent's model gave, and what it cost; left out where nobody knows."""
    calls = [event.body for event in log if isinstance(event.body, ModelCalled) and event.body.seat == AGENT]
    tokens = [call.tokens.completion for call in calls if call.tokens is not None]
    costs = [call.cost for call in calls if call.cost is not None]
    return {**({OUTPUT_TOKENS: sum(tokens)} if tokens else {}), **({COST: sum(costs)} if costs else {})}


def _sheet(judged: list[tuple[AgentTurn, Verdict]], parameters: Parameters) -> Sheet:
    turns = [figures_of(verdict) for _, verdict in judged]
    last = turns[-1] if turns else dict.fromkeys((*FEASIBILITY, *SOUNDNESS, F_FEAS, F_SOUND, F_USER))
    own = {} if turns else {STRICT: 0.0, LOOSE: 0.0}
    shares = {STRICT_TURNS: STRICT, LOOSE_TURNS: LOOSE}
    figures: dict[str, object] = {
        **own,
        **{key: None for key, value in last.items() if value is None},
        **{key: mean([turn[of] or 0.0 for turn in turns]) or 0.0 for key, of in shares.items()},
        TURNS: len(turns),
    }
    missing = {key: Missing("not_reached") for key, value in last.items() if value is None}
    if judged and not judged[-1][1].user:
        missing[USER_SHARE] = Missing("undefined")
    values = [{key: value for key, value in turn.items() if value is not None} for turn in turns]
    return Sheet(figures, _evidence(judged, parameters), missing, values)


def _sheet_without_world() -> Sheet:
    """Nothing can be judged."""
    keys = (STRICT, LOOSE, STRICT_TURNS, LOOSE_TURNS, F_FEAS, F_SOUND, F_USER, *FEASIBILITY, *SOUNDNESS)
    return Sheet(dict.fromkeys(keys), {"marks": []}, {key: Missing("unjudged", "world") for key in keys})


def figures_of(verdict: Verdict) -> Figures:
    """Of a turn; None where something was not judged."""
    flags: Flags = {**verdict.feasibility, **verdict.soundness}
    user = verdict.user.values()
    return {
        STRICT: float(verdict.strict),
        LOOSE: float(verdict.loose),
        USER_SHARE: mean([float(is_met) for is_met in user if is_met is not None]),
        F_FEAS: float(verdict.feasibility_violations),
        F_SOUND: _number(verdict.soundness_violations),
        F_USER: _number(verdict.user_violations),
        **{key: _number(is_met) for key, is_met in flags.items()},
    }


def _number(value: int | None) -> float | None:
    return None if value is None else float(value)


def _evidence(judged: list[tuple[AgentTurn, Verdict]], parameters: Parameters) -> dict[str, Any]:
    """What is against the last plan, and, turn by turn, what holds and what is broken."""
    turns = _turns(judged)
    return {
        "marks": turns[-1]["marks"] if turns else [],
        "turns": turns,
        "parameters": parameters.model_dump(mode="json"),
    }


def _turns(judged: list[tuple[AgentTurn, Verdict]]) -> list[dict[str, Any]]:
    return [
        {
            "turn": number,
            "message": turn.seq,
            "told": list(turn.told_ids),
            "needs_plan": turn.needs_plan,
            **verdict.as_json(),
            "marks": [mark._asdict() for mark in marks_of(verdict)],
        }
        for number, (turn, verdict) in enumerate(judged, 1)
    ]
