"""Rewards as reports tell them: by which rule or judge, how high they can be, and DR, CPR and CondR over plans."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from statistics import fmean
from typing import Final, NamedTuple

from benchmark.metrics import Facets
from benchmark.reports import Figure, Note, Report, RunFigures, SessionFigures
from benchmark.suites.tripscore.metrics import COND_REWARD, DELIVERED, FEASIBLE, REWARD, TIME
from benchmark.suites.tripscore.scoring.options import parameters_of as chosen_parameters
from benchmark.suites.tripscore.scoring.parameters import Parameters
from benchmark.suites.tripscore.scoring.reward import highest_of
from benchmark.suites.tripscore.tasks.listing import TYPES
from benchmark.suites.tripscore.tasks.task import REAL, SYNTHETIC

RATES: Final = (DELIVERED, FEASIBLE)
FIGURES: Final = (*RATES, COND_REWARD, REWARD)
WEIGHTS: Final = ("w1", "w2", "w3", "w4", "missing")
_WISHES: Final = {"hotels": "budget", "pacing": "pacing", "effort": "effort", "kinds": "attraction"}
"""The preferences, by the fields of tasks that say them."""
Sessions = Sequence[SessionFigures]


class Way(NamedTuple):
    """How a reward comes about. key: of its metric. name: `rules`, or the judge whose ratings count."""

    key: str
    name: str = "rules"

    @property
    def rated(self) -> bool:
        """Whether a judge rates what rules can't."""
        return self.key != REWARD

    def reward(self, session: SessionFigures) -> float | None:
        """Of a session; a plan behind a gate that is shut has the same whoever rates. None where nobody rated."""
        key = self.key if session.values.get(FEASIBLE) else REWARD
        return session.values.get(key)


def ways_of(report: Report) -> list[Way]:
    """By rules, and by the judge that counts where it has rated some of the plans."""
    rubrics = report.measures.judge_metrics
    joint = [
        metric.key
        for metric in report.measures.of_tasks
        if metric.source == "rater" and metric.key not in rubrics
    ]
    judge = report.pair.judge_label if report.pair else ""
    sessions = [session for run in report.runs for session in run.sessions]
    return [Way(REWARD), *(Way(key, judge) for key in joint if any(key in own.values for own in sessions))]


def parameters_of(run: RunFigures) -> Parameters:
    """The weights by which a run is scored, as it has chosen them; other parameters as published."""
    return chosen_parameters({key: run.conditions[key] for key in WEIGHTS if run.conditions.get(key)})


def of_type(sessions: Sessions, kind: str) -> Sessions:
    """Those over the queries of a type."""
    return [session for session in sessions if session.facets.get("type") == kind]


def types_of(report: Report) -> Iterator[str]:
    """The types of query that these sessions are over, synthetic first."""
    known = {session.facets.get("type") for run in report.runs for session in run.sessions}
    yield from (kind for kind in TYPES if kind in known)


def highest(facets: Facets, parameters: Parameters, *, rated: bool) -> float:
    """What no plan for a query with these fields exceeds."""
    wished = [wish for key, wish in _WISHES.items() if facets.get(key)]
    kind = REAL if facets.get("type") == REAL else SYNTHETIC
    return highest_of(kind, parameters, wished=wished, rated=rated)


def highest_mean(sessions: Sessions, parameters: Parameters, way: Way) -> float | None:
    """What the mean reward of some sessions can be at most."""
    tops = [highest(session.facets, parameters, rated=way.rated) for session in sessions]
    return fmean(tops) if tops else None


def figure(values: Sequence[float | None], of: int, places: int = 3, scale: float = 1.0) -> Figure:
    """The mean of what is known, and of how many of how many sessions it is."""
    known = [value for value in values if value is not None]
    return Figure(scale * fmean(known) if known else None, places, len(known), of)


def figures_of(sessions: Sessions, way: Way) -> dict[str, Figure]:
    """DR, CPR, CondR, Reward and time over sessions; CPR is over the delivered, CondR over the feasible."""
    delivered = [session for session in sessions if session.values.get(DELIVERED)]
    feasible = [session for session in delivered if session.values.get(FEASIBLE)]
    of = len(sessions)
    return {
        DELIVERED: figure([session.values.get(DELIVERED) for session in sessions], of, 1, 100.0),
        FEASIBLE: figure([session.values.get(FEASIBLE) for session in delivered], of, 1, 100.0),
        COND_REWARD: figure([way.reward(session) for session in feasible], of),
        REWARD: figure([way.reward(session) for session in sessions], of),
        TIME: figure([session.values.get(TIME) for session in sessions], of, 1),
    }


def reward_notes(report: Report, ways: Sequence[Way], kinds: Iterable[str] = ()) -> list[Note]:
    """Which rewards a part has, and how high each can be by type of query. kinds: those of the part, none for all."""
    notes = []
    for way, kind in product(ways, tuple(kinds) or tuple(types_of(report))):
        tops = [
            highest(session.facets, parameters_of(run), rated=way.rated)
            for run in report.runs
            for session in of_type(run.sessions, kind)
        ]
        given = {"highest": f"{max(tops, default=0.0):.4g}", "judge": way.name}
        notes.append(Note(f"by_judge_{kind}" if way.rated else f"by_rules_{kind}", given))
    return notes
