"""Verdicts as reports read them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache

import numpy as np

from benchmark.judging import Pair, Rubric, prompts_apart
from benchmark.metrics import Values
from benchmark.reports.report import Report
from benchmark.reports.run import RunFigures
from benchmark.reports.session import Verdict
from benchmark.reports.table import Cell, Note
from benchmark.reports.tasks import Floats

RATINGS = (1, 2, 3, 4, 5)
"""Those of meta-judges."""
NO_JUDGE = Note("no_judge")


def verdicts_of(run: RunFigures) -> Iterator[Verdict]:
    """Every verdict on its sessions."""
    for session in run.sessions:
        yield from session.verdicts


def rated(verdict: Verdict) -> bool:
    """Whether it has ratings."""
    return bool(verdict.ratings)


def scored(verdict: Verdict) -> bool:
    """Whether it has a score, which needs the calibration of the meta-judge where there is one."""
    return verdict.score is not None


def part_of(metric: str, dimension: str) -> str:
    """The key of the part that a dimension has in the judge's score, beside the score itself."""
    return f"{metric}.{dimension}"


def judged_values(rubric: Rubric, verdicts: Iterable[Verdict]) -> Values:
    """The judge's score of a session by the key of its metric, and its part by dimension; each 0 to 100.

    Over the verdicts by this rubric that have a score; nothing without any. A part is what the rubric makes of one
    rating alone, weighed as the verdict's whole score is, by calibration and tool errors. A dimension without a
    rating has no part, and so has a session that counts 0 without being judged.
    """
    scores: dict[str, list[float]] = {}
    for verdict in verdicts:
        if verdict.score is not None and verdict.rubric == rubric.name:
            scores.setdefault(rubric.metric, []).append(verdict.score)
            for name, part in _parts(rubric, verdict.ratings, verdict.score):
                scores.setdefault(part_of(rubric.metric, name), []).append(part)
    return {key: sum(values) / len(values) for key, values in scores.items()}


def _parts(rubric: Rubric, ratings: Mapping[str, int], score: float) -> Iterator[tuple[str, float]]:
    plain = rubric.score(ratings, None) if ratings else 0.0
    weight = score / plain if plain else 0.0
    for name, rating in ratings.items():
        yield name, weight * rubric.score({name: rating}, None)


def who_judged(report: Report, counts: Callable[[Verdict], bool] = scored) -> list[Note]:
    """Whose verdicts a part holds, rubric by rubric; that nobody judged. counts: which verdicts the part takes."""
    rubrics = {verdict.rubric for verdict in _all(report) if counts(verdict)}
    return [note for pair in report.counting if pair.rubric in rubrics for note in _who(pair, report)] or [
        _nobody(report)
    ]


def _who(pair: Pair, report: Report) -> list[Note]:
    notes = [Note("judged_by", _rater_cells(pair))]
    prompts = prompts_apart(pair, report.others)
    return [*notes, Note("prompts", {"prompts": prompts})] if prompts else notes


def _rater_cells(pair: Pair) -> dict[str, Cell]:
    return {"judge": pair.full_label, "meta": pair.meta_label}


def how_much_was_judged(report: Report) -> list[Note]:
    """How many sessions of each run have a score of the judge; who judged some of them too."""
    if report.pair is None:
        return []
    judged = [
        (run, sum(any(map(scored, session.verdicts)) for session in run.sessions)) for run in report.runs
    ]
    counts = [
        Note("judged", {"run": run.label, "n": n, "sessions": len(run.sessions)}) for run, n in judged if n
    ]
    return counts + [_other(pair, report) for pair in report.others if pair.sessions]


def _other(pair: Pair, report: Report) -> Note:
    given = {**_rater_cells(pair), "n": pair.sessions}
    prompts = prompts_apart(pair, report.pairs)
    return Note("other_prompts", {**given, "prompts": prompts}) if prompts else Note("other_judges", given)


def _all(report: Report) -> Iterator[Verdict]:
    return (verdict for run in report.runs for verdict in verdicts_of(run))


def _nobody(report: Report) -> Note:
    if report.pair is None or not any(_all(report)):
        return NO_JUDGE
    return Note("not_calibrated", _rater_cells(report.pair))


def dimension_scores(run: RunFigures, rubric: Rubric) -> Floats:
    """The mean score a task (rows, by id) and dimension of a rubric (columns), NaN without any.

    What the rubric makes of one rating alone; a session that counts 0 without being judged has 0 in each. Averaged as
    the judge's figure is: over a session's verdicts, then over a task's judged sessions.
    """
    dimensions = rubric.names

    @cache  # verdicts are many, and what they can say is little
    def points(name: str, rating: int | None, meta: int | None) -> float:
        return np.nan if rating is None else rubric.score({name: rating}, meta)

    known = [
        (row, verdict)
        for row, session in enumerate(run.sessions)
        for verdict in session.verdicts
        if scored(verdict) and verdict.rubric == rubric.name
    ]
    scores = [
        [
            points(name, verdict.ratings.get(name), verdict.meta) if verdict.ratings else 0.0
            for name in dimensions
        ]
        for _, verdict in known
    ]
    values = np.array(scores).reshape(len(known), len(dimensions))
    by_session = _means(values, [row for row, _ in known], len(run.sessions))
    return _means(
        by_session, [run.tasks.place[session.task_id] for session in run.sessions], len(run.tasks.ids)
    )


def _means(values: Floats, rows: Sequence[int], groups: int) -> Floats:
    """The mean of every column over the values of each group, NaN left out."""
    known, of = ~np.isnan(values), np.array(rows, dtype=int)
    sums, counts = (
        np.stack([np.bincount(of, column, groups) for column in columns.T], axis=1)
        for columns in (np.where(known, values, 0.0), known.astype(float))
    )
    with np.errstate(invalid="ignore"):
        means: Floats = sums / counts
    return means
