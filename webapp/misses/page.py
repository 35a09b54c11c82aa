"""What the pages of a run's misses show, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from benchmark.misses import Group, MetricLoss, Miss, RunMisses, SessionMisses
from webapp.misses.models import NamedGroup
from webapp.misses.wording import Words, share_words, waste_words

NO_FIGURE = "unjudged"
"""The cause of those that lost nothing that is known."""
WASTE = "waste."
"""What the keys of groups of wasted steps begin with."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What a run lost by one thing. points: lost a session on average."""

    share: str
    points: str
    count: int
    sessions: int


@dataclass(frozen=True, slots=True)
class Row:
    """One thing by which a run lost points, beside another run. other: None without one; change: what that lost more.

    key: of its group, "" for all of a cause. kind: "" for all of a cause. model_name: what a model calls it.
    """

    key: str
    cause: str
    meaning: str
    kind: str
    own: Figures
    other: Figures | None
    change: str = ""
    more: bool = False
    model_name: NamedGroup | None = None

    @property
    def columns(self) -> Sequence[Figures]:
        """The figures of either run."""
        return [self.own, self.other] if self.other else [self.own]


@dataclass(frozen=True, slots=True)
class MetricPart:
    """What a metric lost. whole: a session on average, of either run; groups: by cause and kind."""

    key: str
    label: str
    name: str
    whole: Sequence[str]
    causes: Sequence[Row]
    groups: Sequence[Row]

    @property
    def causes_differ(self) -> bool:
        """Whether a cause has several kinds, so that the causes by themselves tell something more."""
        return len(self.groups) > len(self.causes)


@dataclass(frozen=True, slots=True)
class WasteRow:
    """Wasted steps of one kind. figures: of either run: (how many, share of steps, sessions)."""

    key: str
    label: str
    meaning: str
    figures: Sequence[tuple[int, str, int]]

    @property
    def is_own(self) -> bool:
        """Whether the first run has any."""
        return self.figures[0][0] > 0


@dataclass(frozen=True, slots=True)
class FailureRow:
    """Failed calls of a tool. misses: those after them, (how many, kind)."""

    tool: str
    error: str
    misses: Sequence[tuple[int, str]]


def metric_parts(
    words: Words,
    own: RunMisses,
    other: RunMisses | None,
    metrics: Sequence[str],
    names: Mapping[str, NamedGroup],
) -> list[MetricPart]:
    """A part for each metric of which a run lost something. names: what a model calls groups, by their keys."""
    runs = [own] if other is None else [own, other]
    by_run = [{lost.metric: lost for lost in run.losses} for run in runs]
    return [
        _part(words, metric, runs, [lost.get(metric) for lost in by_run], names)
        for metric in metrics
        if not all(_is_silent(lost.get(metric)) for lost in by_run)
    ]


def _is_silent(lost: MetricLoss | None) -> bool:
    """Whether nothing says what was lost of a metric in any session."""
    return lost is None or (not lost.points and {cause.cause for cause in lost.causes} <= {NO_FIGURE})


def silent_metrics(words: Words, runs: Sequence[RunMisses]) -> list[tuple[str, int]]:
    """The metrics of which some sessions have no figure, with their number over all runs."""
    counts: Counter[str] = Counter()
    for run in runs:
        for lost in run.losses:
            counts[lost.metric] += sum(cause.sessions for cause in lost.causes if cause.cause == NO_FIGURE)
    return [(words.metric_label(metric), count) for metric, count in counts.items() if count]


def _count_sessions(run: RunMisses, lost: MetricLoss | None) -> int:
    """Over how many sessions a metric's losses are averaged: those that have a figure of it, at least 1."""
    silent = sum(cause.sessions for cause in lost.causes if cause.cause == NO_FIGURE) if lost else 0
    return max(run.sessions - silent, 1)


def _part(
    words: Words,
    metric: str,
    runs: Sequence[RunMisses],
    lost: Sequence[MetricLoss | None],
    names: Mapping[str, NamedGroup],
) -> MetricPart:
    sessions = [_count_sessions(run, own) for run, own in zip(runs, lost, strict=True)]
    whole = [(one.points if one else 0) / n for one, n in zip(lost, sessions, strict=True)]
    causes = [{(share.cause, ""): share for share in one.causes} if one else {} for one in lost]
    groups = [{(group.cause, group.kind): group for group in one.groups} if one else {} for one in lost]
    return MetricPart(
        metric,
        words.metric_label(metric),
        words.metric_name(metric),
        [words.points(metric, points) for points in whole],
        list(
            _rows(
                words,
                metric,
                sessions,
                [{key: (s.points, s.share, s.count, s.sessions) for key, s in own.items()} for own in causes],
            )
        ),
        list(
            _rows(
                words,
                metric,
                sessions,
                [
                    {key: (g.points, g.share, g.count, len(g.members)) for key, g in own.items()}
                    for own in groups
                ],
                names,
            )
        ),
    )


_Sums = tuple[float, float, int, int]
"""points, share, count, sessions"""
_NONE: _Sums = (0.0, 0.0, 0, 0)


def _rows(
    words: Words,
    metric: str,
    sessions: Sequence[int],
    told: Sequence[dict[tuple[str, str], _Sums]],
    names: Mapping[str, NamedGroup] = MappingProxyType({}),
) -> Iterator[Row]:
    keys = dict.fromkeys(key for own in told for key in own)
    for cause, kind in sorted(keys, key=lambda key: -max(own.get(key, _NONE)[1] for own in told)):
        columns = [own.get((cause, kind), _NONE) for own in told]
        figures = [
            Figures(share_words(share), words.points(metric, points / n), count, among)
            for (points, share, count, among), n in zip(columns, sessions, strict=True)
        ]
        named = words.cause(cause)
        more = columns[1][0] / sessions[1] - columns[0][0] / sessions[0] if len(columns) > 1 else 0.0
        key = f"{metric}.{cause}.{kind}" if kind else ""
        yield Row(
            key,
            named.label,
            named.meaning,
            words.kind(kind) if kind else "",
            figures[0],
            figures[1] if len(figures) > 1 else None,
            words.points(metric, more, signed=True) if len(figures) > 1 else "",
            more > 0,
            name if (name := names.get(key)) and name.name else None,
        )


def waste_rows(runs: Sequence[RunMisses]) -> list[WasteRow]:
    """The kinds of wasted steps of one run or two."""
    by_run = [{kind.kind: kind for kind in run.waste} for run in runs]
    rows = []
    for key in dict.fromkeys(key for own in by_run for key in own):
        named = waste_words(key)
        figures = [
            (kind.count, share_words(kind.share), len(kind.turns)) if (kind := own.get(key)) else (0, "0", 0)
            for own in by_run
        ]
        rows.append(WasteRow(f"{WASTE}{key}", named.label, named.meaning, figures))
    return rows


def failure_rows(words: Words, run: RunMisses) -> list[FailureRow]:
    """The failed tool calls after which misses came."""
    return [
        FailureRow(tool, error, [(count, words.kind(kind)) for kind, count in led])
        for (tool, error), led in run.failures
    ]


@dataclass(frozen=True, slots=True)
class MissLine:
    """A miss of a session, or its wasted steps. failed_calls: the events of those before it."""

    session: SessionMisses
    who: str
    item: str
    points: str
    seqs: Sequence[int]
    began: int | None = None
    failed_calls: Sequence[int] = ()


def group_lines(words: Words, group: Group) -> list[MissLine]:
    """The misses of a group, session by session."""
    return [_line(words, member.session, miss) for member in group.members for miss in member.misses]


def _line(words: Words, session: SessionMisses, miss: Miss) -> MissLine:
    failed = [failure.seq for failure in miss.failures]
    points = words.points(miss.metric, miss.points)
    return MissLine(session, miss.who, words.item(miss), points, miss.seqs, miss.began, failed)


def waste_lines(run: RunMisses, kind: str) -> list[MissLine] | None:
    """The wasted steps of a kind, session by session; None where there are none."""
    found = next((one for one in run.waste if one.kind == kind), None)
    if found is None:
        return None
    tools = {
        (session.session_id, turn.seq): turn.tool
        for session, _ in found.turns
        for turn in session.waste.turns
    }
    return [
        MissLine(
            session,
            "",
            ", ".join(dict.fromkeys(filter(None, (tools[session.session_id, seq] for seq in seqs)))),
            "",
            seqs,
        )
        for session, seqs in found.turns
    ]
