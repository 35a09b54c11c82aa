"""The metrics of TravelBench, in the order in which a session shows them.

A session has what judges and rules say of it. A run has a score for each subtask, and their mean.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmark.metrics import Averaging, Metric, RunRule, Trial
from benchmark.metrics import gettext_noop as _
from benchmark.suites.travelbench.modes import SUBTASKS, Subtask
from benchmark.suites.travelbench.scoring.subsets import JUDGE, UNSOLVED, overall, subset_of, subset_score


def _score(trials: Sequence[Trial], by_profile: Averaging, subtask: Subtask) -> float | None:
    return subset_score(
        [trial for trial in trials if subset_of(trial.facets) == subtask], subtask, by_profile
    )


def _of(subtask: Subtask) -> RunRule:
    def rule(trials: Sequence[Trial], by_profile: Averaging) -> float | None:
        return _score(trials, by_profile, subtask)

    return rule


def _overall(trials: Sequence[Trial], by_profile: Averaging) -> float | None:
    return overall([_score(trials, by_profile, subtask) for subtask in SUBTASKS], by_profile)


def _of_subtasks() -> Iterator[Metric]:
    yield Metric(
        key="overall",
        label=_("overall"),
        name=_("overall score, 0 to 100"),
        meaning=_(
            "the mean of the scores of the three subtasks; in points, 0 to 100. Empty where a run "
            "lacks a subtask, or its sessions are not judged."
        ),
        scope="run",
        of_run=_overall,
        made_of=(JUDGE, UNSOLVED),
        headline=True,
    )
    yield Metric(
        key="multi",
        label=_("multi-turn"),
        name=_("multi-turn score, 0 to 100"),
        meaning=_("the judge's scores of the judged multi-turn sessions; in points, 0 to 100."),
        scope="run",
        of_run=_of("multi"),
        made_of=(JUDGE,),
    )
    yield Metric(
        key="single",
        label=_("single-turn"),
        name=_("single-turn score, 0 to 100"),
        meaning=_("the judge's scores of the judged single-turn sessions; in points, 0 to 100."),
        scope="run",
        of_run=_of("single"),
        made_of=(JUDGE,),
    )


METRICS = (
    Metric(
        key=JUDGE,
        label=_("S"),
        name=_("the judge's score, 0 to 100"),
        of_runs=_("the judge's score, less tool errors, 0 to 100; over judged sessions"),
        meaning=_(
            "S, the score of the LLM judge: its mean rating, less the share of tool errors, calibrated by the "
            "meta-judge; in points, 0 to 100."
        ),
        digits=1,
        source="rater",
    ),
    Metric(
        key=UNSOLVED,
        partial=True,
        evidence=("unsolved",),
        label=_("unsolvable"),
        name=_("unsolvable tasks recognised"),
        of_runs=_("share of unsolvable tasks that were recognised"),
        short=_("recognised %"),
        help=_("whether the agent said that the task can't be solved"),
        meaning=_("how many of the unsolvable tasks the agent recognised as such; in %, 0 to 100."),
        unit="flag",
        met_words=_("recognised"),
        missed_words=_("not recognised"),
        digits=1,
    ),
    Metric(
        key="error_rate",
        evidence=("errors",),
        label=_("tool errors"),
        name=_("tool errors, %"),
        of_runs=_("share of tool errors"),
        help=_("calls that the tools refused, as a share of all calls"),
        meaning=_("tool calls with an error, of all tool calls of a session; in %, 0 to 100."),
        unit="share",
        better="low",
        digits=1,
    ),
    Metric(
        key="turns",
        partial=True,
        label=_("turns taken"),
        name=_("turns of the agent, multi-turn"),
        of_runs=_("turns of the agent, over multi-turn sessions"),
        help=_("how many turns the agent took until the user was satisfied"),
        unit="count",
        better="neither",
        digits=1,
    ),
    Metric(
        key="steps",
        partial=True,
        label=_("steps"),
        name=_("steps of the model, single-turn"),
        of_runs=_("steps of the model, over single-turn sessions"),
        help=_("how often the model was asked until it answered; a step may make several calls"),
        unit="count",
        better="neither",
        digits=1,
    ),
    *_of_subtasks(),
)
