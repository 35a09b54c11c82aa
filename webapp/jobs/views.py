"""The page of background work."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from webapp.accounts.access import researchers_only
from webapp.jobs import selectors
from webapp.jobs.kinds import kind_named
from webapp.jobs.models import Job, State


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
