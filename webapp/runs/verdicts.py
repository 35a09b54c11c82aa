"""Whose verdicts the figures of runs hold, and S of their sessions: chosen and averaged as reports do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from benchmark.judging import Pair, Rubric, prompts_apart
from benchmark.metrics import Values
from benchmark.reports.verdicts import judged_values
from benchmark.suites import metrics_of, suite_named
from webapp.judging.values import scores_by
from webapp.judging.verdicts import Verdicts, pairs_of, verdicts_by, verdicts_in
from webapp.runs.figures import Outcome
from webapp.sessions.models import Run


@dataclass(frozen=True, slots=True)
class Judging:
    """Who judged some runs of a benchmark.

    pairs: first the one that counts. scores: what it gave, by session. metric: the key of the metric that this is,
    "" where the benchmark has no judge. parts: the parts of those scores by dimension, by session, where figures of
    whole runs are made of them.
    """

    pairs: Sequence[Pair]
    scores: Mapping[str, float]
    metric: str
    parts: Mapping[str, Values] = field(default_factory=dict)

    @property
    def pair(self) -> Pair | None:
        """The one that counts; None where nobody judged."""
        return self.pairs[0] if self.pairs else None

    @property
    def others(self) -> list[tuple[Pair, str]]:
        """Who gave some of the sessions a score too, with the versions of prompts that alone tell it apart, or ""."""
        return [(pair, prompts_apart(pair, self.pairs)) for pair in self.pairs[1:] if pair.sessions]

    @property
    def prompts(self) -> str:
        """The versions of the pair's prompts where they tell it from another one."""
        return prompts_apart(self.pair, self.pairs) if self.pair else ""


Outcomes = Mapping[str, Sequence[Outcome]]
"""By run."""


def judging_of(runs: Sequence[Run], outcomes: Outcomes) -> Judging:
    """Who judged the sessions of these outcomes."""
    sessions = [outcome.session for own in outcomes.values() for outcome in own]
    verdicts = verdicts_in(runs)
    pairs = pairs_of(sessions, verdicts)
    rubric = suite_named(runs[0].suite).rating.rubric if runs else None
    if rubric is None or not pairs:
        return Judging(pairs, {}, rubric.metric if rubric else "")
    parted = any(metric.scope == "run" for metric in metrics_of(runs[0].suite))
    parts = _parts(rubric, pairs[0], verdicts) if parted else {}
    return Judging(pairs, scores_by(pairs[0], runs), rubric.metric, parts)


def _parts(rubric: Rubric, pair: Pair, verdicts: Verdicts) -> dict[str, Values]:
    return {
        session: {key: value for key, value in judged_values(rubric, own).items() if key != rubric.metric}
        for session, given in verdicts.items()
        if (own := verdicts_by(pair, given))
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
                judging.metric: scores[outcome.session],
            },
        )
        if outcome.session in scores
        else outcome
        for outcome in outcomes
    ]
