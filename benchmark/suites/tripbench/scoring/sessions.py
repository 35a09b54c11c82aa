"""Scoring sessions: each reply of the agent by the rules, at its turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from benchmark.core.setting import Setting
from benchmark.core.sheets import Missing, Sheet
from benchmark.core.state import fold_events
from benchmark.metrics import BY_TASK, Averaging
from benchmark.suites.base import Log
from benchmark.suites.tripbench.conversation.state import SessionState
from benchmark.suites.tripbench.metrics import (
    F_FEAS,
    F_SOUND,
    F_USER,
    LOOSE,
    LOOSE_TURNS,
    STRICT,
    STRICT_TURNS,
    TURNS,
    USER_SHARE,
)
from benchmark.suites.tripbench.plans.parameters import Parameters
from benchmark.suites.tripbench.scoring.options import parameters_of
from benchmark.suites.tripbench.scoring.statistics import mean
from benchmark.suites.tripbench.scoring.turns import judge_turn, marks_of
from benchmark.suites.tripbench.scoring.verdict import FEASIBILITY, SOUNDNESS, Flags, Verdict
from benchmark.suites.tripbench.tasks.task import Task
from benchmark.suites.tripbench.turns import AgentTurn
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
    return {PUBLISHED: _sheet(judged, parameters)}


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
    told = [marks_of(verdict) for _, verdict in judged]
    return {
        "marks": [mark._asdict() for mark in told[-1]] if told else [],
        "turns": [
            {
                "turn": number,
                "message": turn.seq,
                "told": list(turn.told_ids),
                "needs_plan": turn.needs_plan,
                **verdict.as_json(),
                "marks": [mark._asdict() for mark in marks],
            }
            for number, ((turn, verdict), marks) in enumerate(zip(judged, told, strict=True), 1)
        ],
        "parameters": parameters.model_dump(mode="json"),
    }
