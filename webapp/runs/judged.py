"""Whose verdicts the figures of runs hold, and S of their sessions: chosen and averaged as reports do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from benchmark.judging.stability import Spread, spread
from benchmark.reports import Pair, prompts_told
from benchmark.suites import first_profile, suite_named
from webapp.judging.verdicts import (
    Verdict,
    Verdicts,
    pairs_of,
    scores_by,
    verdicts_by,
    verdicts_in,
    verdicts_of,
)
from webapp.runs.figures import Outcome
from webapp.runs.selectors import scored
from webapp.sessions.models import Run, Session


@dataclass(frozen=True, slots=True)
class Judging:
    """Who judged some runs of a benchmark.

    pairs: first the one that counts. scores: what it gave, by session. metric: the key of the metric that this is,
    "" where the benchmark has no judge.
    """

    pairs: Sequence[Pair]
    scores: Mapping[str, float]
    metric: str

    @property
    def pair(self) -> Pair | None:
        """The one that counts; None where nobody judged."""
        return self.pairs[0] if self.pairs else None

    @property
    def others(self) -> list[tuple[Pair, str]]:
        """Who gave some of the sessions a score too, with the versions of prompts that alone tell it apart, or ""."""
        return [(pair, prompts_told(pair, self.pairs)) for pair in self.pairs[1:] if pair.sessions]

    @property
    def prompts(self) -> str:
        """The versions of the pair's prompts where they tell it from another one."""
        return prompts_told(self.pair, self.pairs) if self.pair else ""


Outcomes = Mapping[str, Sequence[Outcome]]
"""By run."""


def judging_of(runs: Sequence[Run], outcomes: Outcomes) -> Judging:
    """Who judged the sessions of these outcomes."""
    sessions = [outcome.session for own in outcomes.values() for outcome in own]
    verdicts = verdicts_in(runs)
    pairs = pairs_of(sessions, verdicts)
    counted = {session: verdicts[session] for session in sessions if session in verdicts}
    rubric = suite_named(runs[0].suite).judging if runs else None
    return Judging(pairs, scores_by(pairs[0], counted) if pairs else {}, rubric.metric if rubric else "")


def pair_of_run(run: Run, verdicts: Verdicts) -> Pair | None:
    """The pair that counts for a run. verdicts: of all its sessions."""
    sessions = scored([run.pk], first_profile(run.suite)).values_list("pk", flat=True)
    return next(iter(pairs_of(sessions, verdicts)), None)


@dataclass(frozen=True, slots=True)
class SessionScore:
    """S of one session: over the verdicts of a pair. others: how many other pairs gave it a score."""

    pair: Pair
    spread: Spread
    others: int


def score_of(session: Session) -> SessionScore | None:
    """S of a session by the pair that counts for its run, else by the pair that was asked last; None without any."""
    own = _scored(verdicts_of([session.pk]), session)
    counts: Pair | None = None
    if len({one.pair for one in own}) > 1 and session.run:
        verdicts = verdicts_in([session.run])  # what is one pair shows in the whole run
        own, counts = _scored(verdicts, session), pair_of_run(session.run, verdicts)
    if not own:
        return None
    newest = max(own, key=lambda one: one.asked).pair
    pair = next((one.pair for one in own if one.pair == counts), newest)
    found = spread([one.score for one in verdicts_by(pair, own) if one.score is not None])
    assert found is not None
    return SessionScore(pair, found, len({one.pair for one in own}) - 1)


def _scored(verdicts: Verdicts, session: Session) -> list[Verdict]:
    return [one for one in verdicts.get(session.pk, ()) if one.score is not None]


def with_judge(outcomes: Outcomes, judging: Judging) -> dict[str, list[Outcome]]:
    """The outcomes with S of each session."""
    return {run: _judged(own, judging) for run, own in outcomes.items()}


def _judged(outcomes: Iterable[Outcome], judging: Judging) -> list[Outcome]:
    scores = judging.scores
    return [
        replace(one, values={**one.values, judging.metric: scores[one.session]})
        if one.session in scores
        else one
        for one in outcomes
    ]
