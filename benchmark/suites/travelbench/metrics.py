"""The metrics of TravelBench, in the order in which a session shows them.

A session has what judges and rules say of it. A run has a score for each subtask, and their mean.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from benchmark.metrics import Metric, RunRule, Trial, TrialRule, known_mean, over_tasks
from benchmark.metrics import gettext_noop as _
from benchmark.suites.travelbench.modes import SUBTASKS, Subtask
from benchmark.suites.travelbench.scoring.aggregate import exact_overall, rounded_overall
from benchmark.suites.travelbench.scoring.sessions import by_instance

_PERCENT = 100.0


def _subtask(trial: Trial) -> Subtask:
    """By the figures that only sessions of a subtask have."""
    if trial.values.get("unsolved") is not None:
        return "unsolved"
    return "single" if trial.values.get("turns") is None else "multi"


def _score(trials: Sequence[Trial], by_profile: TrialRule, subtask: Subtask) -> float | None:
    """0 to 100: judged runs, or flags, of a subtask; None without any.

    `published` pools the trials of all tasks, `paper` averages those of a task first.
    """
    key, scale = ("unsolved", _PERCENT) if subtask == "unsolved" else ("judge", 1.0)
    own = [trial for trial in trials if _subtask(trial) == subtask]
    if by_profile is not by_instance:
        found = known_mean([trial.values.get(key) for trial in own])
    else:
        tasks: dict[str, list[float | None]] = {}
        for trial in own:
            tasks.setdefault(trial.task, []).append(trial.values.get(key))
        found = over_tasks(tasks.values(), by_profile)
    return None if found is None else found * scale


def _of(subtask: Subtask) -> RunRule:
    def rule(trials: Sequence[Trial], by_profile: TrialRule) -> float | None:
        return _score(trials, by_profile, subtask)

    return rule


def _overall(trials: Sequence[Trial], by_profile: TrialRule) -> float | None:
    """The mean of the three subset scores; `published` rounds each before. None where a subset has none."""
    scores = [_score(trials, by_profile, subtask) for subtask in SUBTASKS]
    known = [score for score in scores if score is not None]
    if len(known) < len(SUBTASKS):
        return None
    mean: Callable[[Sequence[float]], float] = exact_overall if by_profile is by_instance else rounded_overall
    return mean(known)


def _of_subtasks() -> Iterator[Metric]:
    yield Metric(
        key="overall",
        label=_("overall"),
        name=_("overall score, 0 to 100"),
        meaning=_(
            "the mean of the scores of the three subtasks; in points, 0 to 100. Nothing where a run lacks a subtask, "
            "or its sessions are not judged."
        ),
        scope="run",
        of_run=_overall,
        headline=True,
    )
    yield Metric(
        key="multi",
        label=_("multi-turn"),
        name=_("multi-turn score, 0 to 100"),
        meaning=_("the judge's scores of the judged multi-turn sessions; in points, 0 to 100."),
        scope="run",
        of_run=_of("multi"),
    )
    yield Metric(
        key="single",
        label=_("single-turn"),
        name=_("single-turn score, 0 to 100"),
        meaning=_("the judge's scores of the judged single-turn sessions; in points, 0 to 100."),
        scope="run",
        of_run=_of("single"),
    )


METRICS = (
    Metric(
        key="judge",
        label=_("S"),
        name=_("the judge's score, 0 to 100"),
        of_runs=_("the judge's score, less tool errors, 0 to 100; over judged sessions"),
        meaning=_(
            "S, the score of the LLM judge: its mean rating, less the share of tool errors, calibrated by the "
            "meta-judge; in points, 0 to 100."
        ),
        digits=1,
        source="rater",
        trials=known_mean,
    ),
    Metric(
        key="unsolved",
        evidence=("unsolved",),
        label=_("unsolvable"),
        name=_("unsolvable, and said so"),
        of_runs=_("share of unsolvable tasks that were recognised"),
        short=_("recognised %"),
        help=_("whether the agent said that the task can't be solved"),
        meaning=_("how many of the unsolvable tasks the agent recognised as such; in %, 0 to 100."),
        unit="flag",
        met=_("recognised"),
        missed=_("not recognised"),
        digits=1,
    ),
    Metric(
        key="error_rate",
        evidence=("errors",),
        label=_("tool errors"),
        name=_("tool errors, %"),
        of_runs=_("share of tool errors"),
        help=_("calls that the tools refused, of all calls"),
        meaning=_("tool calls with an error, of all tool calls of a session; in %, 0 to 100."),
        unit="share",
        better="low",
        digits=1,
    ),
    Metric(
        key="turns",
        label=_("turns"),
        name=_("turns of the agent, multi-turn"),
        of_runs=_("turns of the agent, over multi-turn sessions"),
        help=_("how often the agent spoke until the user was content"),
        unit="count",
        better="low",
        digits=1,
        trials=known_mean,
    ),
    *_of_subtasks(),
)
