"""How far the figures of a run differ from trial to trial, and from judgement to judgement of the same sessions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import fmean, stdev

from benchmark.remarks import Plural, ngettext_noop
from benchmark.remarks import gettext_noop as _
from benchmark.reports import (
    Cell,
    Column,
    Note,
    Part,
    PartWords,
    Report,
    RunFigures,
    SessionFigures,
    Spread,
    Table,
)
from benchmark.reports.session import Verdict
from benchmark.reports.verdicts import who_judged
from benchmark.suites.travelbench.report.figures import Subsets, subsets

FIGURES = ("multi", "single", "accuracy", "overall")
ALL = "all"
"""In the place of a number: the mean and the standard deviation (n − 1)."""


def _columns(repeat: str) -> list[Column]:
    return [Column("run", "name"), Column(repeat, "name"), *map(Column, FIGURES)]


def trials(report: Report) -> Table:
    """A row a run and trial, over the tasks that every trial has, and one with mean and deviation."""
    several = [(run, sessions) for run in report.runs if len(sessions := _trials(run)) > 1]
    rows = [row for run, sessions in several for row in _rows(run, sessions)]
    notes = [Note("sample_deviation"), *who_judged(report)]
    return Table(_columns("trial"), rows, notes if rows else [Note("one_trial")])


def _trials(run: RunFigures) -> list[list[SessionFigures]]:
    sessions_by_trial: dict[int, list[SessionFigures]] = {}
    for session in run.sessions:
        sessions_by_trial.setdefault(session.trial, []).append(session)
    if not sessions_by_trial:
        return []
    shared = set.intersection(*({session.task_id for session in own} for own in sessions_by_trial.values()))
    return [
        [session for session in own if session.task_id in shared]
        for _, own in sorted(sessions_by_trial.items())
    ]


def judgements(report: Report) -> Table:
    """A row a run and number of the judgement, over the sessions that were judged as often as any; then the spread.

    Sessions of unsolvable tasks are judged by rules, the same each time.
    """
    several = [(run, sessions) for run in report.runs if len(sessions := _judgements(run)) > 1]
    rows = [row for run, sessions in several for row in _rows(run, sessions)]
    notes = [Note("sample_deviation"), *_partly(report), *who_judged(report)]
    return Table(_columns("judgement"), rows, notes if rows else [Note("one_judgement")])


def _judgements(run: RunFigures) -> list[list[SessionFigures]]:
    """The sessions of a run once for each judgement, with that one alone."""
    often = _most(run)
    kept = [
        session for session in run.sessions if not session.verdicts or len(_scored_verdicts(session)) == often
    ]
    return [
        [session._replace(verdicts=_scored_verdicts(session)[number : number + 1]) for session in kept]
        for number in range(often)
    ]


def _partly(report: Report) -> Iterator[Note]:
    """How many judged sessions of a run were judged less often."""
    for run in report.runs:
        left = sum(0 < len(_scored_verdicts(session)) < _most(run) for session in run.sessions)
        if left and _most(run) > 1:
            yield Note("judged_less_often", {"run": run.label, "n": left})


def _most(run: RunFigures) -> int:
    return max((len(_scored_verdicts(session)) for session in run.sessions), default=0)


def _scored_verdicts(session: SessionFigures) -> list[Verdict]:
    return [verdict for verdict in session.verdicts if verdict.score is not None]


def _rows(run: RunFigures, repeats: Sequence[Sequence[SessionFigures]]) -> Iterator[list[Cell]]:
    figure_rows = [_figures(subsets(repeat, run.measures.averaging)) for repeat in repeats]
    for number, figures in enumerate(figure_rows, 1):
        yield [run.label, str(number), *figures]
    yield [run.label, ALL, *map(_spread, zip(*figure_rows, strict=True))]


def _figures(subset_figures: Subsets) -> list[float | None]:
    return [
        subset_figures.multi.final,
        subset_figures.single.final,
        subset_figures.accuracy,
        subset_figures.overall,
    ]


def _spread(values: Iterable[float | None]) -> Spread:
    known = [value for value in values if value is not None]
    return Spread(fmean(known) if known else None, stdev(known) if len(known) > 1 else None)


_DEVIATION = _("mean ± deviation")
_NOTES: Mapping[str, str | Plural] = {
    "sample_deviation": _("Standard deviations with n − 1, n being the number of rows above."),
    "one_judgement": _("Judge the sessions of a run at least twice by the same judge."),
    "judged_less_often": ngettext_noop(
        "%(run)s: %(n)s session is left out, since it was judged fewer times.",
        "%(run)s: %(n)s sessions are left out, since they were judged fewer times.",
    ),
}
TRIALS = Part(
    "trial_stability",
    trials,
    words=PartWords(
        _("Stability over trials, by subset"),
        _("Final scores of each trial, over the tasks that every trial has."),
        columns={"trial": _("trial")},
        values={"trial": {ALL: _DEVIATION}},
        notes=_NOTES,
    ),
)
JUDGEMENTS = Part(
    "judge_stability",
    judgements,
    words=PartWords(
        _("Stability of the judge"),
        _("Final scores by the first, second, … judgement of the same sessions."),
        columns={"judgement": _("judgement")},
        values={"judgement": {ALL: _DEVIATION}},
        notes=_NOTES,
    ),
)
