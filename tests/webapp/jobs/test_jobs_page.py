"""The page of background work: what it says of each job, and what can be done there."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from tests.markup import text
from tests.webapp.conftest import HOSTILE
from webapp import clock
from webapp.caches.jobs import INDEX
from webapp.endpoints.jobs import TEST
from webapp.endpoints.models import ModelEndpoint
from webapp.forms import ChoiceRefused
from webapp.jobs import kinds, services
from webapp.jobs.kinds import Kind
from webapp.jobs.models import Job
from webapp.jobs.selectors import SHOWN_JOBS, board
from webapp.processes.models import Kind as ProcessKind
from webapp.processes.services import Heartbeat

pytestmark = pytest.mark.storage

PARTS = ("Stuck", "Running", "Waiting", "Ended lately")


def _parts(page: HttpResponse) -> dict[str, str]:
    """What the page says under each of its headings."""
    whole = text(page).partition('id="zone"')[0]
    found: dict[str, str] = {}
    for piece in whole.split("<h2>")[1:]:
        title = piece.partition(" <small>")[0]
        found[title] = piece
    return found


def _claim_job(kind: Kind, subject: str) -> services.Claim:
    services.enqueue(kind=kind, subject=subject)
    claimed = services.claim(kind=kind, subject=subject)
    assert claimed
    return claimed


@pytest.fixture
def third() -> Iterator[Kind]:
    """A kind of jobs with a page of no subject, which is given up after two attempts."""
    kind = kinds.register(Kind("third", "Third kind", link=lambda _job: None, attempts=2))
    yield kind
    kinds._kinds.pop("third")
    kinds._retries.pop("third", None)


def test_the_page_says_when_nothing_is_to_be_done(as_researcher: Client) -> None:
    page = as_researcher.get("/jobs/")
    assert page.status_code == 200 and 'href="/jobs/" aria-current="page"' in page.content.decode()
    parts = _parts(page)
    assert list(parts) == ["Running", "Waiting", "Ended lately"]
    assert "No job is running" in parts["Running"] and "every 10s" in page.content.decode()


def test_each_job_stands_where_it_belongs(as_researcher: Client) -> None:
    services.enqueue(kind=TEST, subject="waits")
    running = _claim_job(INDEX, "runs")
    services.progress(claimed=running, done=1200, of=5000)
    _claim_job(INDEX, "died")
    Job.objects.filter(subject="died").update(expires_at=timezone.now() - timedelta(minutes=1))
    Job.objects.filter(pk=services.claim(kind=TEST, subject="waits").job_id).update(  # type: ignore[union-attr]
        expires_at=None, waits_for="tiny-chat"
    )
    services.fail(claimed=_claim_job(TEST, "failed"), error=HOSTILE)
    good = _claim_job(TEST, "good")
    services.progress(claimed=good, done=1, of=2)
    services.finish(claimed=good)
    page = as_researcher.get("/jobs/")
    assert HOSTILE not in page.content.decode() and "every 2s" in page.content.decode()
    parts = _parts(page)
    assert tuple(parts) == PARTS
    for title, subject, words in (
        ("Stuck", "died", "its worker stopped 1 minute ago"),
        ("Running", "runs", "1,200 of 5,000"),
        ("Waiting", "waits", "waits for a place at tiny-chat"),
        ("Ended lately", "failed", HOSTILE),
        ("Ended lately", "good", "Done"),
        ("Ended lately", "good", "2 of 2"),
    ):
        assert f">{subject}</a>" in parts[title] and words in parts[title]
        assert sum(f">{subject}</a>" in said for said in parts.values()) == 1
    assert 'href="/caches/runs/"' in parts["Running"] and 'href="/models/good/"' in parts["Ended lately"]
    assert "Index of a cache" in parts["Running"] and "Test of a model" in parts["Waiting"]
    owner = Job.objects.get(pk=running.job_id).owner
    assert owner and owner in parts["Running"]


def test_a_job_that_has_ended_as_many_workers_as_its_kind_allows_is_stuck(db: None, third: Kind) -> None:
    for kind, subject, attempts in (
        (third, "two", 2),
        (third, "one", 1),
        (INDEX, "two", 2),
        (INDEX, "five", 5),
    ):
        services.enqueue(kind=kind, subject=subject)
        Job.objects.filter(kind=kind.name, subject=subject).update(attempts=attempts)
    assert [(row.label, row.job.subject) for row in board().stuck_jobs.rows] == [
        ("Third kind", "two"),
        (INDEX.label, "five"),
    ]
    services.claim(kind=third, subject="two")
    assert [row.job.subject for row in board().running.rows] == ["two"], "somebody gives it up just now"


def test_a_job_of_another_version_is_shown_by_the_name_of_its_kind(as_researcher: Client) -> None:
    job = Job.objects.create(kind="seance", subject="spirits")
    page = as_researcher.get("/jobs/live/").content.decode()
    assert "seance" in page and '<span title="spirits">' in page and "/cancel/" not in page
    assert as_researcher.post(f"/jobs/{job.pk}/cancel/").status_code == 302
    assert "can't be cancelled" in text(as_researcher.get("/jobs/"))


def test_more_jobs_than_the_page_shows_are_counted(as_researcher: Client) -> None:
    services.add(kind=INDEX, subjects=(f"c{number}" for number in range(SHOWN_JOBS + 3)))
    said = _parts(as_researcher.get("/jobs/"))["Waiting"]
    assert (
        f"<small>{SHOWN_JOBS + 3}</small>" in said
        and "and 3 more" in said
        and f"c{SHOWN_JOBS + 1}" not in said
    )


@pytest.mark.both_engines
def test_what_can_be_cancelled_is_cancelled_once(as_researcher: Client) -> None:
    claimed = _claim_job(INDEX, "mine")
    address = f"/jobs/{claimed.job_id}/cancel/"
    assert f'action="{address}"' in as_researcher.get("/jobs/").content.decode()
    assert as_researcher.get(address).status_code == 405
    as_researcher.post(address)
    assert Job.objects.get().cancel_requested
    page = as_researcher.get("/jobs/").content.decode()
    assert "is being cancelled" in page and f'action="{address}"' not in page
    services.cancelled(claimed=claimed)
    as_researcher.post(address)
    page = as_researcher.get("/jobs/").content.decode()
    assert "has already ended" in page and "Cancelled" in page
    assert as_researcher.post("/jobs/999999/cancel/").status_code == 404


def test_a_test_has_no_button_to_cancel_it(as_researcher: Client) -> None:
    ModelEndpoint.objects.create(name="mine", base_url="http://127.0.0.1:1/v1", model="m")
    services.enqueue(kind=TEST, subject="mine")
    assert "/cancel/" not in as_researcher.get("/jobs/").content.decode()


@pytest.mark.both_engines
def test_what_ended_long_ago_is_forgotten_and_nothing_else(db: None) -> None:
    for subject in ("old", "young"):
        services.finish(claimed=_claim_job(TEST, subject))
    services.enqueue(kind=TEST, subject="open")
    Job.objects.filter(subject="old").update(
        ended_at=timezone.now() - services.KEEP_TIME - timedelta(minutes=1)
    )
    Job.objects.filter(subject="open").update(created_at=timezone.now() - timedelta(days=99))
    services.forget_old()
    assert set(Job.objects.values_list("subject", flat=True)) == {"young", "open"}


@pytest.mark.both_engines
def test_a_paused_job_is_taken_by_nobody_unless_it_is_to_be_cancelled(db: None) -> None:
    services.enqueue(kind=INDEX, subject="mine")
    Job.objects.update(paused=True)
    assert services.due(kind=INDEX) == [] and services.claim(kind=INDEX, subject="mine") is None
    services.cancel(kind=INDEX, subject="mine")
    assert services.due(kind=INDEX) == ["mine"]
    claimed = services.claim(kind=INDEX, subject="mine")
    assert claimed and claimed.cancelled


@pytest.mark.both_engines
def test_the_fence_lets_only_the_last_claim_write(db: None) -> None:
    first = _claim_job(INDEX, "mine")
    services.fence(claimed=first)
    Job.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    second = services.claim(kind=INDEX, subject="mine")
    assert second and second.token == first.token + 1
    services.fence(claimed=second)
    with pytest.raises(services.LeaseLost):
        services.fence(claimed=first)
    assert not services.renew(claimed=first) and services.renew(claimed=second)
    services.finish(claimed=second)
    with pytest.raises(services.LeaseLost):
        services.fence(claimed=second)


@pytest.mark.both_engines
@pytest.mark.parametrize("done", [False, True])
def test_who_lost_a_job_changes_nothing_of_it(db: None, done: bool) -> None:
    """done: the worker that took it over has ended it, and has lost it so as well."""
    late = _claim_job(INDEX, "mine")
    Job.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    newest = services.claim(kind=INDEX, subject="mine")
    assert newest
    if done:
        services.finish(claimed=newest)
    before = Job.objects.values().get()
    for lost in [late, newest] if done else [late]:
        services.progress(claimed=lost, done=7, of=9)
        for give_up in (services.renew, services.release, services.finish, services.cancelled, services.gone):
            assert not give_up(claimed=lost)
        assert not services.fail(claimed=lost, error="late")
        with pytest.raises(services.LeaseLost):
            services.fence(claimed=lost)
    assert Job.objects.values().get() == before


def test_two_kinds_of_one_name_are_refused(third: Kind) -> None:
    with pytest.raises(ValueError, match="third"):
        kinds.register(Kind("third", "Another", link=lambda _job: None))


def _stop_worker(claimed: services.Claim, minutes: int) -> Job:
    """Let the lease of a job have ended so long ago, as when its worker was killed."""
    Job.objects.filter(pk=claimed.job_id).update(expires_at=clock.now() - timedelta(minutes=minutes))
    return Job.objects.get(pk=claimed.job_id)


def test_a_job_whose_worker_has_stopped_is_released_to_others(as_researcher: Client) -> None:
    claimed = _claim_job(TEST, "silent")
    job = _stop_worker(claimed, 7)
    part = _parts(as_researcher.get("/jobs/"))["Stuck"]
    assert "its worker stopped 7 minutes ago" in part
    assert f"/jobs/{job.pk}/release/" in part and f"/jobs/{job.pk}/retry/" not in part
    told = as_researcher.post(f"/jobs/{job.pk}/release/", follow=True).content.decode()
    assert "The next worker that is free takes the job." in told
    assert "Stuck" not in _parts(as_researcher.get("/jobs/"))
    with pytest.raises(services.LeaseLost):
        services.fence(claimed=claimed)
    again = services.claim(kind=TEST, subject="silent")
    assert again is not None and again.attempts == 2


def test_a_job_that_has_ended_its_workers_is_tried_anew(as_researcher: Client, third: Kind) -> None:
    for _ in range(2):
        job = _stop_worker(_claim_job(third, "fatal"), 1)
    part = _parts(as_researcher.get("/jobs/"))["Stuck"]
    assert f"/jobs/{job.pk}/retry/" in part and f"/jobs/{job.pk}/release/" not in part
    as_researcher.post(f"/jobs/{job.pk}/retry/")
    again = services.claim(kind=third, subject="fatal")
    assert again is not None and again.attempts == 1


@pytest.mark.parametrize("act", ["release", "retry"])
def test_a_job_at_work_or_at_its_end_is_left_alone(as_researcher: Client, act: str) -> None:
    claimed = _claim_job(TEST, "busy")
    told = as_researcher.post(f"/jobs/{claimed.job_id}/{act}/", follow=True).content.decode()
    assert "A worker has the job." in told
    services.fence(claimed=claimed)
    services.finish(claimed=claimed)
    told = as_researcher.post(f"/jobs/{claimed.job_id}/{act}/", follow=True).content.decode()
    assert "The job has already ended." in told
    assert as_researcher.post(f"/jobs/0/{act}/").status_code == 404
    assert as_researcher.get(f"/jobs/{claimed.job_id}/{act}/").status_code == 405


def test_a_failed_job_is_done_once_more_in_a_new_one(as_researcher: Client) -> None:
    ModelEndpoint.objects.create(name="mine", base_url="http://127.0.0.1:1/v1", model="m")
    claimed = _claim_job(TEST, "mine")
    services.fail(claimed=claimed, error="nobody answered")
    address = f"/jobs/{claimed.job_id}/retry/"
    assert f'action="{address}"' in as_researcher.get("/jobs/").content.decode()
    told = as_researcher.post(address, follow=True).content.decode()
    assert "It is done once more, in a new job." in told and f'action="{address}"' not in told
    assert services.claim(kind=TEST, subject="mine") is not None
    told = as_researcher.post(address, follow=True).content.decode()
    assert "The job has already ended." in told
    assert Job.objects.count() == 2


def test_why_a_failed_job_is_not_done_once_more_is_said(as_researcher: Client, third: Kind) -> None:
    @kinds.retries(third, grouped=True)
    def refuse(job: Job) -> None:
        raise ChoiceRefused(f"{job.subject} is gone")

    services.enqueue(kind=third, subject="whole", group="many")
    services.enqueue(kind=third, subject="alone")
    shown = {}
    for subject in ("whole", "alone"):
        claimed = services.claim(kind=third, subject=subject)
        assert claimed
        services.fail(claimed=claimed, error="no")
        shown[subject] = f"/jobs/{claimed.job_id}/retry/"
    page = as_researcher.get("/jobs/").content.decode()
    assert shown["whole"] in page and shown["alone"] not in page
    assert "whole is gone" in as_researcher.post(shown["whole"], follow=True).content.decode()
    assert not Job.objects.filter(ended_at=None).exists()


def test_kinds_without_a_retry_have_nothing_left_to_begin_from() -> None:
    lacking = {kind.name for kind in kinds.kinds() if kind.name not in kinds._retries}
    assert lacking == {"record_import", "label_files", "task_preview"}


def test_the_page_says_that_no_worker_lives_or_that_all_are_busy(as_researcher: Client) -> None:
    services.add(kind=TEST, subjects=["waiting"])
    assert "No worker of" not in text(as_researcher.get("/jobs/")), "one may be starting"
    Job.objects.update(created_at=clock.now() - timedelta(minutes=2))
    assert "No worker of the queue “short jobs” lives. Its oldest job has been due for 2 minutes." in text(
        as_researcher.get("/jobs/")
    )
    Heartbeat(ProcessKind.WORKER, {}).beat()
    assert "has been due for" not in text(as_researcher.get("/jobs/"))
    Job.objects.update(created_at=clock.now() - timedelta(hours=3))
    assert "All workers of the queue “short jobs” are busy. Its oldest job has been due for 3 hours." in text(
        as_researcher.get("/jobs/")
    )
