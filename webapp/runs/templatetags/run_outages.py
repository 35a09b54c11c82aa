"""Runs whose models do not answer, for the pages that name them."""

from __future__ import annotations

from django import template

from webapp.endpoints.long_requests import LongRequests, long_requests
from webapp.endpoints.outages import Outage
from webapp.runs.budget import Budget, raised_alarms
from webapp.runs.outages import failing, outages_of
from webapp.sessions.models import Run

register = template.Library()


@register.simple_tag
def failing_runs() -> list[tuple[Run, list[Outage]]]:
    """The runs that still go on, or were paused for it, with the models that do not answer them."""
    return failing()


@register.simple_tag
def alarming_runs() -> list[tuple[Run, float, Budget]]:
    """The runs that go on and have raised the alarm of their budget, with the part that is spent."""
    return raised_alarms()


@register.simple_tag
def outages_of_run(run: Run) -> list[Outage]:
    """The models that do not answer one run."""
    return outages_of([run])[run.pk]


@register.simple_tag
def long_requests_of_run(run: Run) -> list[LongRequests]:
    """The requests that take long to the models of a run, of whatever run they are."""
    roles = (run.setup.get(role) for role in ("agent_model", "user_model", "simulator_model"))
    seats = (seat["model"] for seat in run.seat_overrides)
    return long_requests([model["name"] for model in (*roles, *seats) if model])
