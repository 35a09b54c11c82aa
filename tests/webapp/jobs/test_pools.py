"""Pools of workers: which queues a worker takes jobs from, and what is said of a queue that nobody takes from."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from pytest_django import Settings

from webapp import clock
from webapp.jobs import services
from webapp.jobs.kinds import kinds
from webapp.jobs.models import Job
from webapp.jobs.pools import Queue, deserted_queues, served_queues
from webapp.jobs.selectors import holdups
from webapp.processes.models import Kind
from webapp.processes.services import Heartbeat
from webapp.sessions.services import SESSION

pytestmark = pytest.mark.django_db


def test_a_worker_takes_from_the_queues_that_the_variable_names(settings: Settings) -> None:
    assert served_queues() == list(Queue)
    settings.CARAVAN_QUEUES = [" judging", "short"]
    assert served_queues() == [Queue.SHORT, Queue.JUDGING]


def test_a_name_that_is_no_queue_is_refused_with_those_that_are(settings: Settings) -> None:
    settings.CARAVAN_QUEUES = ["models", "judges"]
    with pytest.raises(
        ImproperlyConfigured, match="“judges”, which is no queue: name some of short, models, judging, tools"
    ):
        served_queues()


def test_every_queue_has_jobs_of_some_kind() -> None:
    assert {kind.queue for kind in kinds()} == set(Queue)


def test_a_queue_without_a_living_worker_is_told_by_its_name(as_researcher: Client) -> None:
    assert deserted_queues() == set(Queue)
    Heartbeat(Kind.WORKER, {}, ["judging", "short"]).beat()
    assert deserted_queues() == {Queue.MODELS, Queue.TOOLS, Queue.MAINTENANCE}
    services.add(kind=SESSION, subjects=["waits"])
    Job.objects.update(created_at=clock.now() - timedelta(minutes=3))
    assert [(holdup.queue, holdup.deserted) for holdup in holdups()] == [(Queue.MODELS, True)]
    page = as_researcher.get("/jobs/").content.decode()
    assert "No worker of the queue “models” lives. Its oldest job has been due for 3 minutes." in page
    Heartbeat(Kind.WORKER, {}).beat()
    assert not deserted_queues() and not holdups(), "a worker without names takes from all queues"
