"""What the agents of runs took."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from benchmark.core.model_use import ModelUse, total
from webapp.catalogue.models import TaskCollection
from webapp.sessions.models import COUNTED_STATUSES, Run, Session


@dataclass(frozen=True, slots=True)
class Spending:
    """What the agent's models took in a session, on average; None where that is not known of every request."""

    tokens: float | None = None
    cost: float | None = None
    currency: str = ""


def spent_by(runs: Sequence[Run], collection: TaskCollection) -> dict[str, Spending]:
    """What the agent of each run took in a session over the collection's tasks."""
    uses: dict[str, list[ModelUse]] = {run.pk: [] for run in runs}
    sessions: Counter[str] = Counter()
    brought = set()
    counted = Session.objects.filter(run__in=runs, status__in=COUNTED_STATUSES, task__collection=collection)
    rows = counted.order_by().values_list("run", "model_use", "brought_by")
    for run, stored, source in rows.iterator(chunk_size=2000):
        sessions[run] += 1
        uses[run] += [ModelUse.of(use) for use in stored if use["role"] == "agent"]
        if source is not None:
            brought.add(run)
    return {
        pk: Spending() if pk in brought or not sessions[pk] else _mean_spending(total(own), sessions[pk])
        for pk, own in uses.items()
    }


def _mean_spending(use: ModelUse, sessions: int) -> Spending:
    tokens = (use.prompt + use.completion) / sessions if use.tokens_known else None
    if use.uncosted or len(use.costs) > 1:
        return Spending(tokens)
    [(currency, cost)] = use.costs.items() or [("", 0.0)]
    return Spending(tokens, cost / sessions, currency)
