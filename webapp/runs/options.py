"""What commands take and tell of runs."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError

from webapp.commands import BAD_INPUT, page_address
from webapp.runs.budget import Budget, budget_of, expected_spending
from webapp.runs.outages import outages_of
from webapp.runs.selectors import pace, progress
from webapp.sessions.models import BUDGET_ALARM, MOST_FAILED, PAUSE_AFTER, TOKENS, Run
from webapp.sessions.spending import spending_by_run

COUNTS = ("sessions", "queued", "running", "finished", "crashed", "stopped", "paused")


def add_limits(parser: Any) -> None:
    """The options of a run's limits."""
    parser.add_argument(
        "--at-once", type=int, metavar="N", help="Sessions that go on at once, over all workers"
    )
    parser.add_argument(
        "--budget",
        default="",
        metavar="AMOUNT",
        help="What its models may cost, such as “200000 tokens” or “5 USD”; then the run is paused",
    )
    parser.add_argument(
        "--budget-alarm",
        type=int,
        metavar="PERCENT",
        help=f"The part of the budget at which an alarm is raised, 0 for no alarm ({BUDGET_ALARM})",
    )
    parser.add_argument(
        "--pause-after",
        type=int,
        metavar="N",
        help=f"Failed requests to one model in a row with which the run is paused, 0 for never ({PAUSE_AFTER})",
    )


def budget_in(words: str, alarm: int | None = None) -> Budget | None:
    """A budget as it is written: a number, and `tokens` or a currency; tokens without.

    alarm: the per cent at which it is raised, 0 for never, None for as usual.

    Raises:
        CommandError: it can't be read.
    """
    if not words:
        return None
    amount, unit = (*words.replace(",", "").split(), TOKENS)[:2]
    try:
        at = BUDGET_ALARM if alarm is None else alarm or None
        return Budget(float(amount), unit if unit == TOKENS else unit.upper(), at)
    except ValueError:
        said = f"--budget takes a number with “tokens” or a currency, such as “5 USD”, not “{words}”"
        raise CommandError(said, returncode=BAD_INPUT) from None


def pause_after_in(options: dict[str, Any]) -> int | None:
    """After how many failed requests in a row a run is paused, None where it is not said.

    Raises:
        CommandError: it is no such number.
    """
    after: int | None = options["pause_after"]
    if after is not None and not 0 <= after <= MOST_FAILED:
        raise CommandError(f"--pause-after takes 0 to {MOST_FAILED}, not {after}", returncode=BAD_INPUT)
    return after


def paused_words(run: Run) -> str:
    """Why a run is paused."""
    run.refresh_from_db()
    if run.paused_failing:
        return f"{run.pause_after} requests to a model in a row had no answer; {_outage_words(run)}"
    budget = budget_of(run)
    return (
        f"its budget of {budget.words()} is used up"
        if budget and run.budget_used_up
        else "somebody asked for it"
    )


def state_of(run: Run) -> dict[str, Any]:
    """How far a run is, as JSON."""
    now, use, budget = progress([run])[run.pk], spending_by_run([run.pk])[run.pk], budget_of(run)
    speed = pace(run, now)
    return {
        "run": run.pk,
        "name": run.name,
        "page": page_address(run),
        **{name: getattr(now, name) for name in COUNTS},
        "sessions_a_minute": speed.per_minute and round(speed.per_minute, 2),
        "seconds_left": speed.left_s and round(speed.left_s),
        "tokens": use.prompt,
        "costs": use.costs,
        "at_once": run.at_once,
        "budget": budget and {"amount": budget.amount, "unit": budget.unit, "used": budget.amount_spent(use)},
        "budget_expected": budget
        and expected_spending(run, budget, use, ended=now.ended, left=now.sessions - now.ended),
        "budget_alarm": run.budget_alarm,
        "alarm_raised_at": run.alarm_raised_at and run.alarm_raised_at.isoformat(),
        "budget_used_up": run.budget_used_up,
        "pause_after": run.pause_after,
        "paused_failing": run.paused_failing,
        "failing": [
            {
                "model": outage.endpoint,
                "failed": outage.failed,
                "since": outage.since.isoformat(),
                "last": outage.last,
            }
            for outage in outages_of([run])[run.pk]
        ],
    }


def _outage_words(run: Run) -> str:
    """The models that do not answer it."""
    return ", ".join(
        f"all requests to {outage.endpoint} fail, {outage.failed} in a row since {outage.since:%H:%M:%S} UTC, "
        f"last: {outage.last}"
        for outage in outages_of([run])[run.pk]
    )


def state_words(run: Run) -> str:
    """The same in a line."""
    state = state_of(run)
    counts = ", ".join(f"{state[name]} {name}" for name in COUNTS if state[name])
    costs = ", ".join(f"{cost:.4f} {currency}" for currency, cost in state["costs"].items())
    rate = state["sessions_a_minute"]
    left = state["seconds_left"]
    parts = [
        counts,
        f"{rate} sessions a minute" if rate else "",
        f"about {left} s left" if left else "",
        f"{state['tokens']:,} tokens" if state["tokens"] else "",
        costs,
        _outage_words(run) if state["failing"] else "",
    ]
    return f"run {run.pk}, {run.name}: {'; '.join(filter(None, parts))}"
