"""Pages that belong to no single part."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from webapp.accounts.access import researchers_only
from webapp.catalogue.models import Task, World
from webapp.sessions import selectors

RECENT = 12


@login_not_required
def health(_request: HttpRequest) -> HttpResponse:
    """Says `ok` while this process answers; touches nothing else."""
    return HttpResponse("ok", content_type="text/plain")


@researchers_only
def home(request: HttpRequest) -> HttpResponse:
    """What runs now, and what ran lately."""
    context = {
        "running": selectors.running(),
        "recent": selectors.ended()[:RECENT],
        "has_tasks": Task.objects.exists(),
        "has_worlds": World.objects.exists(),
    }
    return render(request, "home.html", context)


@researchers_only
def home_live(request: HttpRequest) -> HttpResponse:
    """The part of home that changes."""
    context = {"running": selectors.running(), "recent": selectors.ended()[:RECENT]}
    return render(request, "partials/home_live.html", context)
