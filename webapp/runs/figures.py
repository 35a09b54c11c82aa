"""From how sessions ended to the figures of a run, and from two runs to what lies between them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from benchmark.core.events import CRASHES
from benchmark.core.model_use import ModelUse, merged
from benchmark.core.tool_use import ToolUse, total
from benchmark.suites.grouptravel.scoring import aggregate

PLACES = 6
DIFFICULTIES = ("easy", "medium", "hard")
COMPARED = ("gu", "pc", "gf", "pv", "judge", "plans", "hit_rate", "calls", "simulated", "errors")


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one session came out; session: its id. Scores are those of a profile, None for what there is not.

    uses: by tool; models: by endpoint and role. judge: S, 0 to 100, of the pair that counts.
    """

    session: str
    task_id: str
    difficulty: str
    completion_reason: str
    plan_generated: bool
    pc: float | None
    gu: float | None
    gf: float | None
    pv: bool | None
    uses: Mapping[str, ToolUse] = field(default_factory=dict)
    models: Sequence[ModelUse] = ()
    judge: float | None = None

    @property
    def crashed(self) -> bool:
        """Whether something broke that is not the conversation itself."""
        return self.completion_reason in CRASHES


@dataclass(frozen=True, slots=True)
class Figures:
    """Means over sessions, all None when there are none.

    crashed: sessions that did, which the means take for sessions without a plan. judged: sessions with S. pc: 0 to 1.
    gf: 0 to 100. judge: S, 0 to 100, over the judged sessions alone, None without any. pv, plans, hit_rate,
    simulated: shares of 1, the last two of answered tool calls. calls, errors: of tools, a session.
    """

    sessions: int
    crashed: int
    judged: int
    gu: float | None
    pc: float | None
    gf: float | None
    pv: float | None
    judge: float | None
    plans: float | None
    hit_rate: float | None
    calls: float | None
    simulated: float | None
    errors: float | None


def figures_of(outcomes: Sequence[Outcome]) -> Figures:
    """The figures of some sessions; the scores averaged task by task."""
    scores = aggregate((_score(outcome) for outcome in outcomes), places=PLACES)
    use = total(use for outcome in outcomes for use in outcome.uses.values())
    count = len(outcomes)
    answered = use.hits + use.misses
    return Figures(
        sessions=count,
        crashed=sum(outcome.crashed for outcome in outcomes),
        judged=sum(outcome.judge is not None for outcome in outcomes),
        **scores,
        judge=_judge(outcomes),
        plans=_share(sum(outcome.plan_generated for outcome in outcomes), count),
        hit_rate=use.hit_rate,
        calls=_share(use.calls, count),
        simulated=_share(use.simulated, answered),
        errors=_share(use.error_count, count),
    )


def _judge(outcomes: Iterable[Outcome]) -> float | None:
    """The mean over tasks of the mean of S over a task's judged trials, as reports have it."""
    tasks: dict[str, list[float]] = {}
    for outcome in outcomes:
        if outcome.judge is not None:
            tasks.setdefault(outcome.task_id, []).append(outcome.judge)
    return fmean(map(fmean, tasks.values())) if tasks else None


def _score(outcome: Outcome) -> dict[str, object]:
    return {name: getattr(outcome, name) for name in ("task_id", "pc", "gu", "gf", "pv")}


def _share(part: float, whole: int) -> float | None:
    return part / whole if whole else None


def by_difficulty(outcomes: Sequence[Outcome]) -> list[tuple[str, Figures]]:
    """The figures of all sessions under "", then of each difficulty that there is."""
    groups: dict[str, list[Outcome]] = {difficulty: [] for difficulty in DIFFICULTIES}
    for outcome in outcomes:
        groups.setdefault(outcome.difficulty, []).append(outcome)
    parts = [(difficulty, figures_of(group)) for difficulty, group in groups.items() if group]
    return [("", figures_of(outcomes)), *parts]


def uses_of(outcomes: Iterable[Outcome]) -> dict[str, ToolUse]:
    """How each tool was used, the most called first."""
    uses: dict[str, ToolUse] = {}
    for outcome in outcomes:
        for tool, use in outcome.uses.items():
            uses.setdefault(tool, ToolUse()).add(use)
    return dict(sorted(uses.items(), key=lambda item: (-item[1].calls, item[0])))


def model_uses_of(outcomes: Iterable[Outcome]) -> list[ModelUse]:
    """How each endpoint was used by each role."""
    return merged(use for outcome in outcomes for use in outcome.models)


@dataclass(frozen=True, slots=True)
class ToolRow:
    """One tool, or all. a_session: calls, hits, misses, simulated, live and errors, each a mean; errors: by kind."""

    name: str
    a_session: tuple[float, ...]
    errors: tuple[int, ...]


def tool_rows(uses: Mapping[str, ToolUse], sessions: int, kinds: Sequence[str]) -> list[ToolRow]:
    """A row a tool. sessions: what the means are over, at least 1; kinds: the errors that are told apart."""
    return [
        ToolRow(name, tuple(n / sessions for n in _counts(use)), tuple(use.errors[kind] for kind in kinds))
        for name, use in uses.items()
    ]


def _counts(use: ToolUse) -> tuple[int, ...]:
    return use.calls, use.hits, use.misses, use.simulated, use.live, use.error_count


@dataclass(frozen=True, slots=True)
class Difference:
    """A run against another over the tasks that both have. tasks: how many those are; changes: by figure."""

    tasks: int
    changes: Mapping[str, float | None]


def difference(first: Sequence[Outcome], second: Sequence[Outcome]) -> Difference:
    """What `second` has more than `first` over their common tasks, of S over those that were judged in both.

    None where either has no figure.
    """
    common = _tasks(first) & _tasks(second)
    before, after = (figures_of(_of(common, outcomes)) for outcomes in (first, second))
    changes = {name: _minus(getattr(after, name), getattr(before, name)) for name in COMPARED}
    judged = _tasks(_judged(first)) & _tasks(_judged(second))
    changes["judge"] = _minus(_judge(_of(judged, second)), _judge(_of(judged, first)))
    return Difference(len(common), changes)


def _tasks(outcomes: Iterable[Outcome]) -> set[str]:
    return {outcome.task_id for outcome in outcomes}


def _of(tasks: Collection[str], outcomes: Iterable[Outcome]) -> list[Outcome]:
    return [outcome for outcome in outcomes if outcome.task_id in tasks]


def _judged(outcomes: Iterable[Outcome]) -> list[Outcome]:
    return [outcome for outcome in outcomes if outcome.judge is not None]


def _minus(after: float | None, before: float | None) -> float | None:
    return None if after is None or before is None else after - before
