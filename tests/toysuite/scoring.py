"""What a game is worth: the fewer questions, the better; a run also has its best game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmark.core.setting import Setting
from benchmark.core.sheets import Sheet
from benchmark.core.state import fold_events
from benchmark.core.view import AGENT
from benchmark.metrics import BY_TASK, Averaging, Metric, Trial
from benchmark.suites.base import Log, Ratings, Scoring
from tests.toysuite.options import FREE
from tests.toysuite.rules import ToyState


def _score(log: Log, setting: Setting[Any, None]) -> dict[str, Sheet]:
    state = fold_events(ToyState(), log)
    asked = [message.content for message in state.messages if message.role == AGENT]
    counted = max(0, len(asked) - int(setting.options.get(FREE.key, 0)))
    return {"plain": Sheet({"questions": counted}, {"asked": asked})}


def _best(trials: Sequence[Trial], by_profile: Averaging) -> float | None:
    return min(
        (asked for trial in trials if (asked := trial.values.get("questions")) is not None), default=None
    )


def _join(figures: Mapping[str, object], ratings: Ratings) -> dict[str, float]:
    """What a judge gives by both rubrics, less the questions."""
    questions = figures.get("questions")
    if not isinstance(questions, int) or not {"", "wit"} <= ratings.keys():
        return {}
    return {"worth": ratings[""].score + 10 * ratings["wit"].ratings.get("wit", 0.0) - questions}


METRICS = (
    Metric(key="questions", label="Questions", name="questions asked", unit="count", better="low"),
    Metric(key="judge", label="Manners", name="manners", digits=1, source="rater", averaging=BY_TASK),
    Metric(key="wit", label="Wit", name="wit of both", digits=1, source="rater", averaging=BY_TASK),
    Metric(key="worth", label="Worth", name="worth of the game", source="rater"),
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
SCORING = Scoring(
    code_version="1",
    profiles={"plain": BY_TASK},
    score=_score,
    metrics=METRICS,
    options=(FREE,),
    join_ratings=_join,
)
