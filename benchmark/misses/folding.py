"""The misses of the sessions of a run, folded into groups."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from benchmark.misses.kinds import Miss
from benchmark.misses.waste import Waste


class SessionMisses(NamedTuple):
    """What was found in a session. session_id: "" where it is known by its task alone. judge: the name of the one
    whose ratings were looked at, "" for none.
    """

    session_id: str
    task_id: str
    trial: int
    misses: Sequence[Miss]
    waste: Waste
    judge: str = ""


class Member(NamedTuple):
    """What a session has of a group."""

    session: SessionMisses
    misses: Sequence[Miss]

    @property
    def points(self) -> float:
        """What it lost by them."""
        return sum(miss.points for miss in self.misses)


@dataclass(frozen=True)
class Group:
    """Misses of one metric, cause and kind. share: of all that the metric lost, 0 to 1; 0 where it lost nothing."""

    metric: str
    cause: str
    kind: str
    members: Sequence[Member]
    points: float
    share: float

    @property
    def key(self) -> str:
        """Its name in addresses and files."""
        return f"{self.metric}.{self.cause}.{self.kind}"

    @property
    def count(self) -> int:
        """How many misses there are."""
        return sum(len(member.misses) for member in self.members)


@dataclass(frozen=True)
class CauseShare:
    """What a metric lost by one cause. sessions: in how many."""

    cause: str
    points: float
    share: float
    count: int
    sessions: int


@dataclass(frozen=True)
class MetricLoss:
    """What one metric lost over a run. points: in its unit, over all sessions. groups: those that lost most first."""

    metric: str
    points: float
    causes: Sequence[CauseShare]
    groups: Sequence[Group]


@dataclass(frozen=True)
class WastedKind:
    """Wasted steps of one kind. share: of all steps. turns: by session, the numbers of their events."""

    kind: str
    count: int
    share: float
    turns: Sequence[tuple[SessionMisses, Sequence[int]]]


@dataclass(frozen=True)
class RunMisses:
    """What was found in a run. failures: how many misses of which kind came after failed calls of which tool, by
    (tool, kind of error), most first.
    """

    sessions: int
    losses: Sequence[MetricLoss]
    steps: int
    waste: Sequence[WastedKind]
    failures: Sequence[tuple[tuple[str, str], Sequence[tuple[str, int]]]] = field(default_factory=tuple)

    def group(self, key: str) -> Group | None:
        """The group of this key, None where the run has none."""
        return next((group for lost in self.losses for group in lost.groups if group.key == key), None)


def fold_misses(sessions: Sequence[SessionMisses], metrics: Sequence[str]) -> RunMisses:
    """The misses of a run, by the metrics in this order; a metric that no session lost anything of is left out."""
    held: dict[str, dict[tuple[str, str], list[Member]]] = defaultdict(lambda: defaultdict(list))
    for session in sessions:
        own: dict[tuple[str, str, str], list[Miss]] = defaultdict(list)
        for miss in session.misses:
            own[miss.metric, miss.cause, miss.kind].append(miss)
        for (metric, cause, kind), misses in own.items():
            held[metric][cause, kind].append(Member(session, misses))
    steps = sum(session.waste.steps for session in sessions)
    return RunMisses(
        len(sessions),
        [_metric_loss(metric, held[metric]) for metric in metrics if metric in held],
        steps,
        _waste_kinds(sessions, steps),
        _failures(sessions),
    )


def _metric_loss(metric: str, members: Mapping[tuple[str, str], Sequence[Member]]) -> MetricLoss:
    points = {key: sum(member.points for member in own) for key, own in members.items()}
    whole = sum(points.values())
    groups = [
        Group(metric, cause, kind, _by_points(own), points[cause, kind], points[cause, kind] / (whole or 1))
        for (cause, kind), own in members.items()
    ]
    groups.sort(key=lambda group: (-group.points, -group.count, group.cause, group.kind))
    return MetricLoss(metric, whole, _causes(groups, whole), groups)


def _by_points(members: Sequence[Member]) -> list[Member]:
    return sorted(members, key=lambda member: -member.points)


def _causes(groups: Sequence[Group], whole: float) -> list[CauseShare]:
    by_cause: dict[str, list[Group]] = defaultdict(list)
    for group in groups:
        by_cause[group.cause].append(group)
    shares = [
        CauseShare(
            cause,
            points := sum(group.points for group in own),
            points / (whole or 1),
            sum(group.count for group in own),
            len({member.session.session_id for group in own for member in group.members}),
        )
        for cause, own in by_cause.items()
    ]
    return sorted(shares, key=lambda share: (-share.points, -share.count, share.cause))


def _waste_kinds(sessions: Sequence[SessionMisses], steps: int) -> list[WastedKind]:
    by_kind: dict[str, list[tuple[SessionMisses, list[int]]]] = defaultdict(list)
    for session in sessions:
        own: dict[str, list[int]] = defaultdict(list)
        for turn in session.waste.turns:
            own[turn.kind].append(turn.seq)
        for kind, seqs in own.items():
            by_kind[kind].append((session, seqs))
    kinds = []
    for kind, turns in by_kind.items():
        count = sum(len(seqs) for _, seqs in turns)
        kinds.append(
            WastedKind(kind, count, count / (steps or 1), sorted(turns, key=lambda turn: -len(turn[1])))
        )
    return sorted(kinds, key=lambda kind: (-kind.count, kind.kind))


def _failures(
    sessions: Iterable[SessionMisses],
) -> list[tuple[tuple[str, str], list[tuple[str, int]]]]:
    led: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for session in sessions:
        for miss in session.misses:
            for failure in {(failure.tool, failure.kind) for failure in miss.failures}:
                led[failure][miss.kind] += 1
    found = [(failure, kinds.most_common()) for failure, kinds in led.items()]
    return sorted(found, key=lambda entry: (-sum(n for _, n in entry[1]), entry[0]))
