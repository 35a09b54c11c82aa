"""What sessions spend on models while they go on; `model_use` tells the same once they have ended."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.db.models import Sum

from benchmark.core.events import ModelCalled
from benchmark.core.model_use import ModelUse
from webapp.sessions.models import ModelSpending, Session
from webapp.statements import add_to_rows

_SUMS = ("requests", "tokens", "cost", "unknown", "uncosted")


def spend(*, session: Session, calls: Iterable[ModelCalled]) -> None:
    """Add these requests to what a session has spent, in the transaction that stores them."""
    uses: dict[str, ModelUse] = {}
    for call in calls:
        currency = call.currency if call.cost is not None else ""
        uses.setdefault(currency, ModelUse()).add_call(call)
    for currency, use in uses.items():
        _add(session, currency, use)


def _add(session: Session, currency: str, use: ModelUse) -> None:
    more = {
        "requests": use.calls,
        "tokens": use.prompt + use.completion,
        "cost": use.costs.get(currency, 0.0),
        "unknown": use.unknown,
        "uncosted": use.uncosted,
    }
    if not add_to_rows(ModelSpending, more, {"session": session.pk, "currency": currency}):
        ModelSpending.objects.create(session=session, run_id=session.run_id, currency=currency, **more)


def spending_by_run(runs: Collection[str]) -> dict[str, ModelUse]:
    """What the sessions of each run have spent so far, those included that were played again.

    All tokens are in `prompt`.
    """
    spending = {run: ModelUse() for run in runs}
    rows = ModelSpending.objects.filter(run__in=list(spending)).values("run", "currency")
    sums = rows.annotate(*map(Sum, _SUMS))
    columns = ("run", "currency", *(f"{name}__sum" for name in _SUMS))
    for run, currency, requests, tokens, cost, unknown, uncosted in sums.values_list(*columns):
        costs = {currency: cost} if currency else {}
        counts = {"prompt": tokens, "counted": int(tokens > 0), "unknown": unknown, "uncosted": uncosted}
        spending[run].add(ModelUse(calls=requests, costs=costs, **counts))
    return spending
