"""Pages of caches."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.contrib import messages
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from sandbox.cache import CacheError
from webapp.accounts.access import researchers_only
from webapp.caches import selectors
from webapp.caches.forms import NewCacheForm
from webapp.caches.models import ToolCache
from webapp.caches.parts import index_statuses, open_cache
from webapp.caches.services import create_cache
from webapp.queue import enqueue_index
from webapp.sessions.selectors import sessions

SHOWN_SESSIONS = 20
SHOWN_MISSES = 20


@researchers_only
def cache_list(request: HttpRequest) -> HttpResponse:
    """All caches, and a form for an empty one."""
    form = NewCacheForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        return redirect(create_cache(name=form.cleaned_data["name"]))
    caches = ToolCache.objects.annotate(session_count=Count("sessions")).order_by("name")
    return render(request, "caches/list.html", {"caches": caches, "form": form})


@researchers_only
def cache_page(request: HttpRequest, name: str) -> HttpResponse:
    """What a cache holds, how sessions used it, what it missed."""
    cache = get_object_or_404(ToolCache, name=name)
    context: dict[str, Any] = {"cache": cache, "sessions": sessions(cache=name)[:SHOWN_SESSIONS]}
    try:
        context |= _contents(cache)
    except CacheError as error:
        context["problem"] = str(error)
    return render(request, "caches/cache.html", context)


def _contents(cache: ToolCache) -> dict[str, object]:
    handle = open_cache(cache.name)
    misses = handle.misses()
    missed = Counter(miss.tool for miss in misses)
    return {
        "state": handle.state,
        "learned": sum(handle.learned_counts.values()),
        "missed_count": len(misses),
        "missed": misses[:SHOWN_MISSES],
        "indexes": index_statuses(cache.name, handle.state.digest),
        "rows": selectors.tool_figures(handle.counts, missed, selectors.uses_of(cache)),
    }


@require_POST
@researchers_only
def index(request: HttpRequest, name: str) -> HttpResponse:
    """Have the workers fold what was learned and build the built-in index."""
    cache = get_object_or_404(ToolCache, name=name)
    enqueue_index(cache.name)
    messages.info(request, _("A worker is indexing; reload in a moment."))
    return redirect(cache)
