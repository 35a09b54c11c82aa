"""What sessions of TRIP-Bench lost: constraints that plans violate, at the end and turn by turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from benchmark.core.events import Event
from benchmark.core.setting import Setting
from benchmark.misses import CauseWords, Miss, share_points
from benchmark.remarks import gettext_noop as _
from benchmark.suites.base import Figures, Misses, Ratings
from benchmark.suites.tripbench.metrics import CONSTRAINTS, LOOSE, STRICT, STRICT_TURNS
from benchmark.suites.tripbench.misses.faults import fault_misses
from benchmark.suites.tripbench.misses.reading import JudgedTurn, LostTrip
from benchmark.suites.tripbench.misses.wishes import wish_miss
from benchmark.suites.tripbench.rubrics.labels import LABELS
from benchmark.suites.tripbench.tasks.task import Task
from sandbox.toolsets.tripbench.records import TripWorld

NO_PLAN: Final = "no_plan"
_METRICS: Final = (LOOSE, STRICT, STRICT_TURNS)


def _find(
    log: Sequence[Event], setting: Setting[Task, TripWorld], figures: Figures, ratings: Ratings
) -> Iterator[Miss]:
    end = (log[-1].seq,)
    if figures.get(STRICT) is None or setting.world is None:
        for metric in _METRICS:
            yield Miss(metric, NO_PLAN, "unjudged", 0.0, seqs=end)
        return
    session = LostTrip.of(log, setting, setting.world, figures)
    if not session.turns:
        for metric in _METRICS:
            yield Miss(metric, NO_PLAN, NO_PLAN, 1.0, seqs=end)
        return
    last = session.turns[-1]
    if not last.strict:
        yield from _share(session, STRICT, last, last.violations, 1.0)
    if not last.loose:
        yield from _share(session, LOOSE, last, last.too_many(session.parameters), 1.0)
    for turn in session.turns:
        if not turn.strict:
            yield from _share(session, STRICT_TURNS, turn, turn.violations, 1 / len(session.turns))


def _share(
    session: LostTrip, metric: str, turn: JudgedTurn, violated: Sequence[str], points: float
) -> Iterator[Miss]:
    """What each violated constraint loses; all of them equally, and so the findings of one."""
    for key in violated:
        found = [wish_miss(session, turn, key)] if key in turn.user else fault_misses(session, turn, key)
        for miss in share_points(found, points / len(violated)):
            yield miss._replace(metric=metric)


MISSES: Final = Misses(
    version="1",
    find=_find,
    metrics=_METRICS,
    kinds={
        **LABELS,
        **{key: label for group in CONSTRAINTS.values() for key, (label, _name) in group.items()},
        NO_PLAN: _("no plan"),
    },
    causes={
        "vague": CauseWords(
            _("said vaguely, not asked"),
            _("The user only hinted at it, and the agent did not ask what was meant."),
        ),
        "stale": CauseWords(
            _("changed, and kept as before"),
            _("The user changed what they wish, and the plan keeps to what held before."),
        ),
    },
)
