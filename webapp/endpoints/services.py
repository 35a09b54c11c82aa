"""Writing model endpoints, and what their tests found."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import ProtectedError

from webapp import clock
from webapp.endpoints.choice import setup_of
from webapp.endpoints.findings import Findings
from webapp.endpoints.hosts import check_host
from webapp.endpoints.jobs import TEST
from webapp.endpoints.keys import bind_first, check_key
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.outages import note_answer
from webapp.jobs.kinds import retries
from webapp.jobs.models import Job
from webapp.jobs.services import enqueue

ASKED_FOR = ("base_url", "model", "key_variable", "thinking", "dialect", "logprobs")
"""What a test's findings depend on."""


@transaction.atomic
def create_endpoint(**settings: Any) -> ModelEndpoint:
    """A new endpoint; what is not named has its default. A key that no server had yet is bound to its server."""
    endpoint = ModelEndpoint.objects.create(**settings)
    bind_first(variable=endpoint.key_variable, address=endpoint.base_url)
    return endpoint


@transaction.atomic
def change_endpoint(*, endpoint: ModelEndpoint, **settings: Any) -> None:
    """Change settings, for later sessions; what a test found of another model is dropped.

    A key that no server had yet is bound to the endpoint's.
    """
    if any(settings.get(name, getattr(endpoint, name)) != getattr(endpoint, name) for name in ASKED_FOR):
        settings |= {"findings": {}, "tested_at": None}
        note_answer(endpoint_name=endpoint.name)  # what failed was another model
    ModelEndpoint.objects.filter(pk=endpoint.pk).update(**settings)
    endpoint.refresh_from_db()
    bind_first(variable=endpoint.key_variable, address=endpoint.base_url)


def retire(*, endpoint: ModelEndpoint, retired: bool = True) -> None:
    """Offer it no longer to new sessions, or again."""
    ModelEndpoint.objects.filter(pk=endpoint.pk).update(retired=retired)


def delete_endpoint(*, endpoint: ModelEndpoint) -> bool:
    """Delete it; False for one that sessions have used, which stays."""
    try:
        endpoint.delete()
    except ProtectedError:
        return False
    return True


def request_test(*, endpoint: ModelEndpoint) -> None:
    """Have a worker test it: the keys are in the workers' environment."""
    _store(endpoint.name, Findings(state="asked", at=clock.now()))
    if not enqueue(kind=TEST, subject=endpoint.name):
        _store(endpoint.name, Findings(state="unreachable", at=clock.now()))


def run_test(*, name: str) -> Findings | None:
    """Test an endpoint from this process, and store what was found; None where there is no such endpoint."""
    endpoint = ModelEndpoint.objects.filter(name=name).first()
    if endpoint is None:
        return None
    _store(name, Findings(state="begun", at=clock.now()))
    findings = _probe_endpoint(endpoint)
    _store(name, findings, tested_at=findings.at)
    if findings.working:
        note_answer(endpoint_name=name)
    return findings


def fail_test(name: str, problem: str) -> None:
    """Say that a test has ended without findings, and why."""
    _store(name, Findings(state="failed", at=clock.now(), problem=problem))


def _probe_endpoint(endpoint: ModelEndpoint) -> Findings:
    from benchmark.models.probe import probe  # late: it brings a client along

    try:
        setup = setup_of(endpoint, "", for_agent=True)
        check_host(setup.base_url)
        check_key(variable=setup.key_variable, address=setup.base_url)
        return Findings.of_probe(probe(setup), setup, clock.now())
    except ValueError as error:
        return Findings(state="failed", at=clock.now(), problem=str(error))


def _store(name: str, findings: Findings, **more: Any) -> None:
    ModelEndpoint.objects.filter(name=name).update(findings=findings.as_json(), **more)


def apply_suggestion(*, endpoint: ModelEndpoint) -> None:
    """Take over what the last test suggests."""
    if suggested := Findings.of(endpoint).suggested_settings(endpoint):
        ModelEndpoint.objects.filter(pk=endpoint.pk).update(**suggested)


@retries(TEST)
def _test_again(job: Job) -> None:
    if (endpoint := ModelEndpoint.objects.filter(name=job.subject).first()) is not None:
        request_test(endpoint=endpoint)
