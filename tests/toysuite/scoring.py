"""What a game is worth: the fewer questions, the better; a run also has its best game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmark.core.setting import Setting
from benchmark.core.sheets import Sheet
from benchmark.core.state import fold_events
from benchmark.core.view import AGENT
from benchmark.metrics import BY_TASK, Averaging, Metric, Trial
from benchmark.suites.base import Log, Scoring
from tests.toysuite.rules import ToyState


def _score(log: Log, setting: Setting[Any, None]) -> dict[str, Sheet]:
    state = fold_events(ToyState(), log)
    asked = [message.content for message in state.messages if message.role == AGENT]
    return {"plain": Sheet({"questions": len(asked)}, {"asked": asked})}


def _best(trials: Sequence[Trial], by_profile: Averaging) -> float | None:
    return min(
        (asked for trial in trials if (asked := trial.values.get("questions")) is not None), default=None
    )


METRICS = (
    Metric(key="questions", label="Questions", name="questions asked", unit="count", better="low"),
    Metric(key="judge", label="Manners", name="manners", digits=1, source="rater", averaging=BY_TASK),
    Metric(
        key="best",
        label="Best",
        name="fewest questions",
        unit="count",
        better="low",
        scope="run",
        of_run=_best,
    ),
)
SCORING = Scoring(code_version="1", profiles={"plain": BY_TASK}, score=_score, metrics=METRICS)
