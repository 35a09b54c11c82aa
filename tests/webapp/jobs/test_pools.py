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
from webapp.jobs.models import Job, Lane
from webapp.jobs.pools import deserted_lanes, served_lanes
from webapp.jobs.selectors import counts_by_lane, holdups, oldest_due
from webapp.processes.models import Kind
from webapp.processes.services import Heartbeat
from webapp.sessions.services import SESSION

pytestmark = pytest.mark.django_db


def test_a_worker_takes_from_the_queues_that_the_variable_names(settings: Settings) -> None:
    assert served_lanes() == list(Lane)
    settings.CARAVAN_QUEUES = [" judging", "short"]
    assert served_lanes() == [Lane.SHORT, Lane.JUDGING]


def test_a_name_that_is_no_queue_is_refused_with_those_that_are(settings: Settings) -> None:
    settings.CARAVAN_QUEUES = ["models", "judges"]
    with pytest.raises(
        ImproperlyConfigured, match="“judges”, which is no queue: name some of short, models, judging, tools"
    ):
        served_lanes()


def test_every_queue_has_jobs_of_some_kind() -> None:
    assert {kind.lane for kind in kinds()} == set(Lane)


def test_a_queue_without_a_living_worker_is_told_by_its_name(as_researcher: Client) -> None:
    assert deserted_lanes() == set(Lane)
    Heartbeat(Kind.WORKER, {}, ["judging", "short"]).beat()
    assert deserted_lanes() == {Lane.MODELS, Lane.TOOLS, Lane.MAINTENANCE}
    services.add(kind=SESSION, subjects=["waits"])
    Job.objects.update(created_at=clock.now() - timedelta(minutes=3))
    assert [(holdup.lane, holdup.deserted) for holdup in holdups()] == [(Lane.MODELS, True)]
    page = as_researcher.get("/jobs/").content.decode()
    assert "No worker of the queue “models” lives. Its oldest job has been due for 3 minutes." in page
    Heartbeat(Kind.WORKER, {}).beat()
    assert not deserted_lanes() and not holdups(), "a worker without names takes from all queues"


def test_jobs_that_an_earlier_version_adds_count_among_those_of_models() -> None:
    services.add(kind=SESSION, subjects=["new", "old"])
    Job.objects.filter(subject="old").update(lane="long", created_at=clock.now() - timedelta(minutes=2))
    assert oldest_due()[Lane.MODELS] > timedelta(minutes=1)
    assert counts_by_lane()["models", "waiting"] == 2
