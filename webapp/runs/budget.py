"""What the sessions of a run may spend on models."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import QuerySet, Sum
from django.utils.translation import gettext as _

from benchmark.core.model_use import ModelUse
from webapp import clock
from webapp.forms import ChoiceRefused
from webapp.sessions.models import BUDGET_ALARM, ENDED_STATUSES, TOKENS, ModelSpending, Run, Session
from webapp.sessions.services import pause_sessions
from webapp.sessions.spending import spending_by_run
from webapp.statements import row_about

MOST = 1e15


@dataclass(frozen=True, slots=True)
class Budget:
    """amount: in unit, which is `TOKENS` (of prompts and answers) or a currency. alarm: the part of it, in per cent,
    at which an alarm is raised; None for no alarm.
    """

    amount: float
    unit: str = TOKENS
    alarm: int | None = BUDGET_ALARM

    def amount_spent(self, use: ModelUse) -> float:
        """How much of it was spent."""
        return float(use.prompt + use.completion) if self.unit == TOKENS else use.costs.get(self.unit, 0.0)

    def share(self, use: ModelUse) -> float:
        """The same as a part of 1, at most 1."""
        return min(self.amount_spent(use) / self.amount, 1.0)

    def words(self) -> str:
        """As a person reads it."""
        return (
            f"{self.amount:,.0f} " + _("tokens") if self.unit == TOKENS else f"{self.amount:,.4g} {self.unit}"
        )

    def is_alarming(self, use: ModelUse) -> bool:
        """Whether so much was spent that an alarm is raised."""
        return self.alarm is not None and self.amount_spent(use) >= self.amount * self.alarm / 100

    def used_up(self, use: ModelUse) -> bool:
        """Whether nothing is left."""
        return self.amount_spent(use) >= self.amount


def budget_of(run: Run) -> Budget | None:
    """The budget of a run, None for none."""
    return None if run.budget is None else Budget(run.budget, run.budget_unit, run.budget_alarm)


def refuse_budget(budget: Budget | None, models: Iterable[dict[str, Any] | None]) -> None:
    """Raise ChoiceRefused for a budget that can't be held: money, where a model has no price in that currency.

    models: `ModelSetup` of each as JSON, None for seats without one.
    """
    if budget is None:
        return
    if not (math.isfinite(budget.amount) and 0 < budget.amount <= MOST):
        raise ChoiceRefused(_("A budget must be a number above 0."), "budget")
    if budget.alarm is not None and not 1 <= budget.alarm <= 100:
        raise ChoiceRefused(_("The alarm of a budget must be 1 to 100 per cent of it."), "budget_alarm")
    if budget.unit == TOKENS:
        return
    lacking = [model["name"] for model in models if model and not _priced(model, budget.unit)]
    if lacking:
        words = _("A budget in %(unit)s needs prices in %(unit)s of all models; these have none: %(names)s.")
        given = {"unit": budget.unit, "names": ", ".join(dict.fromkeys(lacking))}
        raise ChoiceRefused(words % given, "budget")


def _priced(model: dict[str, Any], currency: str) -> bool:
    prices = (model["input_price"], model["output_price"])
    return None not in prices and model["currency"] == currency


def models_of(setup: dict[str, Any]) -> list[dict[str, Any] | None]:
    """All models of a run's setup."""
    seats = [seat["model"] for seat in setup.get("seats", {}).values()]
    seats.append(setup.get("attendance", {}).get("model"))
    return [*(setup.get(name) for name in ("agent_model", "user_model", "simulator_model")), *seats]


def lock_run(run_id: str) -> Run:
    """A run that nobody else changes until this transaction ends.

    Sessions that store what belongs to it do not wait for that.

    Raises:
        ChoiceRefused: it was deleted.
    """
    run = Run.objects.select_for_update(no_key=True).filter(pk=run_id).first()
    if run is None:
        raise ChoiceRefused(_("This run was deleted."))
    return run


def keep_to_budget(run_id: str | None) -> bool:
    """Pause a run that has spent its budget, and say whether it has; who asks may take no further step.

    The alarm of the budget is raised before. Called before each step and after each that was stored: of two that end
    at once, the later one sees both.
    """
    if run_id is None or row_about(run_id, _limited_runs) is None:
        return False
    run = Run.objects.filter(pk=run_id).first()
    budget = budget_of(run) if run else None
    if run is None or budget is None:
        return False
    spending = spending_by_run([run.pk])[run.pk]
    if run.alarm_raised_at is None and budget.is_alarming(spending):
        Run.objects.filter(pk=run.pk, alarm_raised_at=None).update(alarm_raised_at=clock.now())
    if not budget.used_up(spending):
        return False
    with transaction.atomic():
        run = Run.objects.select_for_update(no_key=True).filter(pk=run_id).first()
        if run is None or not _spends_too_much(run):  # deleted, or raised, meanwhile
            return False
        Run.objects.filter(pk=run_id).update(budget_used_up=True)
        pause_sessions(run.sessions.all())
    return True


def _limited_runs(run_id: str) -> QuerySet[Run, str]:
    return Run.objects.filter(pk=run_id, budget__isnull=False).values_list("pk", flat=True)


def _spends_too_much(run: Run | None) -> bool:
    budget = budget_of(run) if run else None
    return budget is not None and run is not None and budget.used_up(spending_by_run([run.pk])[run.pk])


LEAST_ENDED = 3
"""Sessions of a run that have to end before its spending can be foreseen."""


def expected_spending(run: Run, budget: Budget, spent: ModelUse, *, ended: int, left: int) -> float | None:
    """What a run will have spent at its end, in the unit of its budget; None while that can't be told.

    ended, left: its sessions that have ended and that have not. Those spend what these did, on average.
    """
    own = ModelSpending.objects.filter(run=run.pk, session__run=run.pk)
    rows = own.values_list("session__status", "currency")
    by_state = {True: ModelUse(), False: ModelUse()}
    for status, currency, tokens, cost in rows.annotate(Sum("tokens"), Sum("cost")):
        costs = {currency: cost} if currency else {}
        by_state[status in ENDED_STATUSES].add(ModelUse(prompt=tokens, costs=costs))
    if ended < LEAST_ENDED or not left:
        return None
    begun = budget.amount_spent(by_state[False])
    return budget.amount_spent(spent) - begun + max(begun, left * budget.amount_spent(by_state[True]) / ended)


def raised_alarms() -> list[tuple[Run, float, Budget]]:
    """The runs with sessions that have not ended and a budget whose alarm was raised, and the part that is spent."""
    going = Session.objects.exclude(status__in=ENDED_STATUSES).values("run")
    runs = Run.objects.exclude(alarm_raised_at=None).exclude(budget=None).filter(pk__in=going)
    budgets = {run: budget for run in runs if (budget := budget_of(run)) is not None}
    spending = spending_by_run([run.pk for run in budgets]) if budgets else {}
    return [(run, budget.share(spending[run.pk]), budget) for run, budget in budgets.items()]
