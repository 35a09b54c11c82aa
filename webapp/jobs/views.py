"""The page of background work."""

from __future__ import annotations

import logging

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from webapp.accounts.access import researcher_of, researchers_only
from webapp.forms import ChoiceRefused
from webapp.jobs import selectors, services
from webapp.jobs.kinds import kind_named, retry_of
from webapp.jobs.models import Job, State

log = logging.getLogger(__name__)


@researchers_only
def job_list(request: HttpRequest) -> HttpResponse:
    """What runs, waits, is stuck, and has ended lately."""
    return render(request, "jobs/list.html", {"board": selectors.board()})


@researchers_only
def live(request: HttpRequest) -> HttpResponse:
    """The part of the page that changes."""
    return render(request, "jobs/live.html", {"board": selectors.board()})


@require_POST
@researchers_only
def cancel(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask for the end of a job."""
    job = get_object_or_404(Job, pk=pk)
    kind = kind_named(job.kind)
    if kind is None or kind.cancel is None:
        messages.warning(request, _("This job can't be cancelled."))
    elif job.state != State.OPEN:
        messages.info(request, _("The job has already ended."))
    else:
        kind.cancel(job.subject)
    return redirect("jobs")


@require_POST
@researchers_only
def release(request: HttpRequest, pk: int) -> HttpResponse:
    """Give a job whose worker has stopped to the others at once."""
    return _give_to_others(request, pk, anew=False)


@require_POST
@researchers_only
def retry(request: HttpRequest, pk: int) -> HttpResponse:
    """The same, with as many attempts as a new job has; one that has failed is done once more in a new job."""
    job = get_object_or_404(selectors.with_followed(Job.objects.all()), pk=pk)
    repeat = retry_of(job)
    if repeat is None or not selectors.Row(job).repeatable:
        return _give_to_others(request, pk, anew=True)
    try:
        repeat(job)
    except ChoiceRefused as refusal:
        messages.warning(request, str(refusal))
    else:
        log.info("user %s has retried job %s", researcher_of(request).pk, pk)
        messages.success(request, _("It is done once more, in a new job."))
    return redirect("jobs")


def _give_to_others(request: HttpRequest, pk: int, *, anew: bool) -> HttpResponse:
    job = get_object_or_404(Job, pk=pk)
    if services.give_to_others(job, anew=anew):
        log.info("user %s has %s job %s", researcher_of(request).pk, "retried" if anew else "released", pk)
        messages.success(request, _("The next worker that is free takes the job."))
    elif job.ended_at is not None:
        messages.info(request, _("The job has already ended."))
    else:
        messages.info(request, _("A worker has the job."))
    return redirect("jobs")
