"""From the sessions of a run to the figures of its subsets, by the rules of a profile."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from benchmark.metrics import Averaging, Trial
from benchmark.reports import RunFigures, SessionFigures
from benchmark.reports.verdicts import judged_values
from benchmark.suites.travelbench.judging.rubric import RUBRIC, judge_score
from benchmark.suites.travelbench.modes import Subtask
from benchmark.suites.travelbench.scoring import subsets as scoring
from benchmark.suites.travelbench.scoring.subsets import WHOLE, over_trials, subset_of, subset_score

ERRORS, STEPS = "error_rate", "steps"
"""Values of sessions that the rules give: the share of tool errors, model steps."""
SOLVABLE: tuple[Subtask, ...] = ("multi", "single")
"""In the order of the paper's tables."""
_RAW = "raw"


def sessions_of(sessions: Iterable[SessionFigures], subtask: Subtask) -> list[SessionFigures]:
    """The sessions of one subtask."""
    return [session for session in sessions if subset_of(session.facets) == subtask]


class SubsetFigures(NamedTuple):
    """A judged subset, each figure 0 to 100. raw: of the ratings alone; errors: tool errors a call; final: less tool
    errors, weighted by the meta-judge. None where nothing was judged. judged: sessions.
    """

    raw: float | None
    errors: float | None
    final: float | None
    judged: int


class Subsets(NamedTuple):
    """The three subsets of a run. accuracy, overall: 0 to 100; overall: None where a subset has no figure."""

    multi: SubsetFigures
    single: SubsetFigures
    accuracy: float | None
    overall: float | None


def subsets_of(run: RunFigures) -> Subsets:
    """The figures of a run under its profile."""
    return subsets(run.sessions, run.measures.averaging)


def subsets(sessions: Sequence[SessionFigures], averaging: Averaging) -> Subsets:
    """The figures of some sessions. averaging: the profile's, as `scoring.subsets` has it."""
    multi, single = (
        _subset_figures(sessions_of(sessions, subtask), subtask, averaging) for subtask in SOLVABLE
    )
    accuracy = subset_score(_trials(sessions_of(sessions, "unsolved")), "unsolved", averaging)
    return Subsets(multi, single, accuracy, scoring.overall([multi.final, single.final, accuracy], averaging))


def _subset_figures(
    sessions: Sequence[SessionFigures], subtask: Subtask, averaging: Averaging
) -> SubsetFigures:
    """errors: of the judged sessions, else of all."""
    trials = _trials(sessions)
    judged = [trial for trial in trials if trial.values.get(RUBRIC.metric) is not None]
    errors = over_trials(judged or trials, ERRORS, averaging)
    return SubsetFigures(
        over_trials(judged, _RAW, averaging),
        None if errors is None else WHOLE * errors,
        subset_score(judged, subtask, averaging),
        len(judged),
    )


def dimension_means(sessions: Iterable[SessionFigures], subtask: Subtask) -> Mapping[str, float]:
    """The mean final score of each dimension over the sessions that have it, 0 to 100."""
    judged = [judged_values(RUBRIC, session.verdicts) for session in sessions]
    return scoring.dimension_means([values for values in judged if values], subtask)


def _trials(sessions: Iterable[SessionFigures]) -> list[Trial]:
    return [
        Trial(
            session.task_id,
            {**session.values, **judged_values(RUBRIC, session.verdicts), _RAW: _raw(session)},
            session.facets,
        )
        for session in sessions
    ]


def _raw(session: SessionFigures) -> float | None:
    """Of the ratings alone, 0 to 100: without tool errors and calibration; None of no judged session."""
    scored = [verdict for verdict in session.verdicts if verdict.score is not None]
    raw = [judge_score(verdict.ratings, None) if verdict.ratings else 0.0 for verdict in scored]
    return fmean(raw) if raw else None
