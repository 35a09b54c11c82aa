"""Pages that belong to no single part."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from webapp.accounts.access import researchers_only
from webapp.catalogue.models import Task, World
from webapp.home import guides, home_status
from webapp.sessions.demo import demo_session, demo_task, play_demo


@login_not_required
def health(_request: HttpRequest) -> HttpResponse:
    """Says `ok` while this process answers; touches nothing else."""
    return HttpResponse("ok", content_type="text/plain")


@researchers_only
def home(request: HttpRequest) -> HttpResponse:
    """What Caravan is, what its figures mean, what goes on, and what failed."""
    context = {
        "now": home_status(),
        "guides": guides(),
        "demo": demo_session(),
        "can_play_demo": demo_task() is not None,
        "has_tasks": Task.objects.exists(),
        "has_worlds": World.objects.exists(),
    }
    return render(request, "home.html", context)


@researchers_only
def home_live(request: HttpRequest) -> HttpResponse:
    """The part of home that changes."""
    return render(request, "partials/home_live.html", {"now": home_status()})


@researchers_only
@require_POST
def demo(request: HttpRequest) -> HttpResponseBase:
    """Play the demo, or go to the one that was played already."""
    if demo_task() is None:
        raise Http404
    return redirect(demo_session() or play_demo())
