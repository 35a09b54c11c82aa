"""Whose verdicts the figures of runs hold, and S of their sessions: chosen and averaged as reports do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from benchmark.judging import Pair, Rubric, prompts_apart
from benchmark.metrics import Values
from benchmark.reports.verdicts import judged_values
from benchmark.suites import first_profile, joint_metrics, metrics_of, suite_named
from webapp.judging.joint_values import joint_values_by
from webapp.judging.values import scores_by
from webapp.judging.verdicts import Verdicts, counting_pairs, pairs_of, verdicts_by, verdicts_in
from webapp.runs.figures import Outcome
from webapp.sessions.models import Run


@dataclass(frozen=True, slots=True)
class Judging:
    """Who judged some runs of a benchmark.

    pairs: all of them, in the order of `pairs_of`. counting: those that count, one a rubric. scores: what these gave,
    by session and metric, and what the benchmark makes of them and figures together. metrics: the keys of all these.
    parts: the parts of those scores by dimension, by session, where figures of whole runs are made of them.
    """

    pairs: Sequence[Pair]
    counting: Sequence[Pair]
    scores: Mapping[str, Mapping[str, float]]
    metrics: Sequence[str]
    parts: Mapping[str, Values] = field(default_factory=dict)

    @property
    def judge_pairs(self) -> list[tuple[Pair, str]]:
        """The pairs that count, with the versions of prompts that alone tell one from another pair, or ""."""
        return [(pair, prompts_apart(pair, self.pairs)) for pair in self.counting]

    @property
    def others(self) -> list[tuple[Pair, str]]:
        """Who gave some of the sessions a score too, with the versions of prompts that alone tell it apart, or ""."""
        others = [pair for pair in self.pairs if pair not in self.counting and pair.sessions]
        return [(pair, prompts_apart(pair, self.pairs)) for pair in others]


Outcomes = Mapping[str, Sequence[Outcome]]
"""By run."""


def judging_of(runs: Sequence[Run], outcomes: Outcomes) -> Judging:
    """Who judged the sessions of these outcomes."""
    sessions = [outcome.session for own in outcomes.values() for outcome in own]
    verdicts = verdicts_in(runs)
    pairs = pairs_of(sessions, verdicts)
    rubrics = suite_named(runs[0].suite).rating.rubrics if runs else ()
    counting = sorted(counting_pairs(pairs), key=lambda pair: pair.rubric)
    metrics = [metric.key for metric in metrics_of(runs[0].suite) if metric.source == "rater"] if runs else []
    if not rubrics or not pairs:
        return Judging(pairs, counting, {}, metrics)
    parted = any(metric.scope == "run" for metric in metrics_of(runs[0].suite))
    parts = _parts(rubrics, counting, verdicts) if parted else {}
    scores = _scores(rubrics, counting, runs)
    joint = (
        joint_values_by(counting, runs, first_profile(runs[0].suite)) if joint_metrics(runs[0].suite) else {}
    )
    for session, values in joint.items():
        scores.setdefault(session, {}).update(values)
    return Judging(pairs, counting, scores, metrics, parts)


def _scores(
    rubrics: Sequence[Rubric], counting: Sequence[Pair], runs: Sequence[Run]
) -> dict[str, dict[str, float]]:
    metrics = {rubric.name: rubric.metric for rubric in rubrics}
    scores: dict[str, dict[str, float]] = {}
    for pair in counting:
        if metric := metrics.get(pair.rubric):
            for session, score in scores_by(pair, metric, runs).items():
                scores.setdefault(session, {})[metric] = score
    return scores


def _parts(rubrics: Sequence[Rubric], counting: Sequence[Pair], verdicts: Verdicts) -> dict[str, Values]:
    metrics = {rubric.metric for rubric in rubrics}
    return {
        session: {
            key: value
            for rubric in rubrics
            for key, value in judged_values(rubric, own).items()
            if key not in metrics
        }
        for session, given in verdicts.items()
        if (own := verdicts_by(counting, given))
    }


def with_judge(outcomes: Outcomes, judging: Judging) -> dict[str, list[Outcome]]:
    """The outcomes with S of each session."""
    return {run: _judged_outcomes(own, judging) for run, own in outcomes.items()}


def _judged_outcomes(outcomes: Iterable[Outcome], judging: Judging) -> list[Outcome]:
    scores = judging.scores
    return [
        replace(
            outcome,
            values={
                **outcome.values,
                **judging.parts.get(outcome.session, {}),
                **scores[outcome.session],
            },
        )
        if outcome.session in scores
        else outcome
        for outcome in outcomes
    ]
