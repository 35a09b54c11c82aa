"""From the sessions of a run to the figures of its subsets, by the rules of a profile."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from benchmark.reports import RunFigures, SessionFigures
from benchmark.reports.session import Verdict
from benchmark.suites.travelbench.judging.rubric import judge_score
from benchmark.suites.travelbench.modes import DIMENSIONS, SUBTASKS, Subtask, mode_of
from benchmark.suites.travelbench.scoring.aggregate import by_instance, exact_overall, rounded_overall
from benchmark.suites.travelbench.scoring.scores import normalised
from benchmark.suites.travelbench.scoring.sessions import PAPER

ERRORS, UNSOLVED, STEPS = "error_rate", "unsolved", "steps"
"""Values of sessions that the rules give: the share of tool errors, whether [Unsolved] was said, model steps."""
SOLVABLE: tuple[Subtask, ...] = ("multi", "single")
"""In the order of the paper's tables."""
WHOLE = 100.0


def subtask_of(task_id: str) -> Subtask:
    """The subtask that is part of a task's id; of an id of any other form, that of single turns."""
    parts = task_id.split("-")
    return next((one for one in SUBTASKS if len(parts) > 1 and parts[1] == one), "single")


def within(sessions: Iterable[SessionFigures], subtask: Subtask) -> list[SessionFigures]:
    """The sessions of one subtask."""
    return [one for one in sessions if subtask_of(one.task_id) == subtask]


class Solved(NamedTuple):
    """A judged subset, each figure 0 to 100. raw: of the ratings alone; errors: tool errors a call; final: less tool
    errors, weighted by the meta-judge. None where nothing was judged. judged: sessions.
    """

    raw: float | None
    errors: float | None
    final: float | None
    judged: int


class Subsets(NamedTuple):
    """The three subsets of a run. accuracy, overall: 0 to 100; overall: None where a subset has no figure."""

    multi: Solved
    single: Solved
    accuracy: float | None
    overall: float | None


def subsets_of(run: RunFigures) -> Subsets:
    """The figures of a run under its profile."""
    return subsets(run.sessions, run.measures.profile)


def subsets(sessions: Sequence[SessionFigures], profile: str) -> Subsets:
    """`published` pools the judged trials and rounds before the overall mean; `paper` averages instances, and rounds
    nothing.
    """
    multi, single = (_solved(within(sessions, one), one, profile) for one in SOLVABLE)
    accuracy = _mean(within(sessions, "unsolved"), lambda one: one.values.get(UNSOLVED), profile)
    shown = None if accuracy is None else WHOLE * accuracy
    every = [known for known in (multi.final, single.final, shown) if known is not None]
    together = exact_overall if profile == PAPER else rounded_overall
    return Subsets(multi, single, shown, together(every) if len(every) == len(SUBTASKS) else None)


def _solved(sessions: Sequence[SessionFigures], subtask: Subtask, profile: str) -> Solved:
    judged = [one for one in sessions if _scores(one)]
    errors = _mean(judged or sessions, lambda one: one.values.get(ERRORS), profile)
    return Solved(
        _mean(judged, _raw, profile),
        None if errors is None else WHOLE * errors,
        _final(judged, subtask, profile),
        len(judged),
    )


def _final(judged: Sequence[SessionFigures], subtask: Subtask, profile: str) -> float | None:
    """By the paper the mean of the sessions' scores; as published that of the dimensions' means."""
    if not judged:
        return None
    if profile == PAPER:
        return _mean(judged, lambda one: fmean(_scores(one)), profile)
    means = dimension_means(judged, subtask)
    return fmean(means.get(name, 0.0) for name in DIMENSIONS[mode_of(subtask)])


def dimension_means(sessions: Iterable[SessionFigures], subtask: Subtask) -> Mapping[str, float]:
    """The mean final score of each dimension over the sessions that have it, 0 to 100."""
    found: dict[str, list[float]] = {}
    for session in sessions:
        for name, value in _dimensions(session, subtask).items():
            found.setdefault(name, []).append(value)
    return {name: fmean(values) for name, values in found.items()}


def _dimensions(session: SessionFigures, subtask: Subtask) -> Mapping[str, float]:
    """A session's final scores by dimension, over its verdicts."""
    found: dict[str, list[float]] = {}
    for verdict in session.verdicts:
        if verdict.score is not None:
            for name, value in _of_verdict(verdict, verdict.score, subtask).items():
                found.setdefault(name, []).append(value)
    return {name: fmean(values) for name, values in found.items()}


def _of_verdict(verdict: Verdict, score: float, subtask: Subtask) -> Mapping[str, float]:
    """Every dimension weighs as the verdict does; without ratings, of a crash, all are 0."""
    if not verdict.ratings:
        return dict.fromkeys(DIMENSIONS[mode_of(subtask)], 0.0)
    plain = judge_score(verdict.ratings, None)
    weight = score / plain if plain else 0.0
    return {name: weight * normalised(rating) for name, rating in verdict.ratings.items()}


def _scores(session: SessionFigures) -> list[float]:
    return [one.score for one in session.verdicts if one.score is not None]


def _raw(session: SessionFigures) -> float:
    scored = [one for one in session.verdicts if one.score is not None]
    return fmean(judge_score(one.ratings, None) if one.ratings else 0.0 for one in scored)


def _mean(
    sessions: Iterable[SessionFigures], value: Callable[[SessionFigures], float | None], profile: str
) -> float | None:
    """Over all trials, or by the paper over the means of instances; values that there are none of left out."""
    trials: dict[str, list[float]] = {}
    for session in sessions:
        if (found := value(session)) is not None:
            trials.setdefault(session.task_id if profile == PAPER else "", []).append(found)
    return by_instance(trials)
