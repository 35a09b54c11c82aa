"""Pages of caches."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

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
from webapp.caches.resources import index_statuses, open_cache
from webapp.caches.selectors import ToolFigures
from webapp.caches.services import create_cache, request_index
from webapp.wording.numbers import share_words

SHOWN_MISSES = 20


@researchers_only
def cache_list(request: HttpRequest) -> HttpResponse:
    """All caches, and a form for an empty one."""
    form = NewCacheForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        return redirect(create_cache(**form.cleaned_data))
    caches = ToolCache.objects.annotate(session_count=Count("sessions")).order_by("name")
    rows = [(cache, *_current_state(cache)) for cache in caches]
    return render(request, "caches/list.html", {"rows": rows, "form": form})


def _current_state(cache: ToolCache) -> tuple[dict[str, int], str]:
    """Entries by tool, and what is wrong."""
    try:
        return dict(open_cache(cache.name).counts), ""
    except CacheError as error:
        return {}, str(error)


@researchers_only
def cache_page(request: HttpRequest, name: str) -> HttpResponse:
    """What a cache holds, how sessions used it, what it missed."""
    cache = get_object_or_404(ToolCache, name=name)
    context: dict[str, Any] = {"cache": cache}
    try:
        context |= _contents(cache)
    except CacheError as error:
        context["problem"] = str(error)
    return render(request, "caches/cache.html", context)


def _contents(cache: ToolCache) -> dict[str, object]:
    handle = open_cache(cache.name)
    missed = handle.missed_counts()
    rows = selectors.tool_figures(handle.counts, missed, selectors.uses_of(cache))
    return {
        "state": handle.state,
        "learned": sum(handle.learned_counts.values()),
        "missed_count": sum(missed.values()),
        "missed": handle.last_misses(SHOWN_MISSES),
        "indexes": index_statuses(cache.name, handle.state.digest),
        "rows": rows,
        "chart": entries_chart(rows, _("cached calls")),
    }


@require_POST
@researchers_only
def index(request: HttpRequest, name: str) -> HttpResponse:
    """Have the workers fold what was learned and build the built-in index."""
    cache = get_object_or_404(ToolCache, name=name)
    try:
        open_cache(cache.name)
    except CacheError:
        return redirect(cache)  # where it is told
    request_index(cache.name)
    return redirect(cache)


# Charts of a cache as Plotly takes them; static/js/charts.js draws them in the theme's colours.


ROW = 36
"""Pixels of a bar with the space after it."""


def entries_chart(rows: Sequence[ToolFigures], count: str) -> dict[str, Any] | None:
    """Cached calls by tool, the most on top, each with its share (TravelBench, figure 10); None of an empty cache.

    rows: the fullest first. count: the title of the axis.
    """
    filled = [row for row in rows if row.entries]
    if not filled:
        return None
    names = [escape(row.tool, quote=False) for row in filled]  # Plotly reads some tags in any text
    bar = {
        "type": "bar",
        "orientation": "h",
        "x": [row.entries for row in filled],
        "y": names,
        "text": [f"{share_words(row.share)} %" for row in filled],
        "textposition": "auto",
        "cliponaxis": False,
        "marker": {"color": "var(--accent)"},
    }
    labels = [
        name.replace(".", ".<br>", 1) for name in names
    ]  # a phone has no room for a toolset beside its tool
    along = {"type": "category", "categoryarray": names, "autorange": "reversed", "showgrid": False}
    along |= {"tickvals": names, "ticktext": labels}
    layout = {"height": 90 + ROW * len(filled), "xaxis": {"title": {"text": count}, "rangemode": "tozero"}}
    return {"data": [bar], "layout": layout | {"yaxis": along}}
