"""Pages of judgements."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from benchmark.core.model_use import total
from webapp.accounts.access import researcher_of, researchers_only
from webapp.forms import ChoiceRefused, gone_to
from webapp.judging import selectors
from webapp.judging.forms import JudgeForm
from webapp.judging.models import JudgeBatch
from webapp.judging.services import retry_batch, start_batch, stop_batch
from webapp.sessions.models import Run

PAGE = 20
JUDGEMENTS_A_PAGE = 50
LARGE = 200
"""Judgements from which a page asks for news less often: each answer reads all of them."""


def _batch(batch_id: str) -> JudgeBatch:
    batch = selectors.batch_named(batch_id)
    if batch is None:
        raise Http404
    return batch


@researchers_only
def batch_list(request: HttpRequest) -> HttpResponse:
    """All batches, newest first."""
    page = Paginator(selectors.batches(), PAGE).get_page(request.GET.get("page"))
    shown = list(page.object_list)
    progress = selectors.progress(shown)
    rows = [(batch, progress[batch.pk], selectors.figures_of(batch)) for batch in shown]
    return render(request, "judging/list.html", {"page": page, "rows": rows})


@researchers_only
def batch_page(request: HttpRequest, batch_id: str) -> HttpResponse:
    """One batch: how far it is, what it costs, its figures, its judgements."""
    return render(request, "judging/batch.html", _live(_batch(batch_id), request))


@researchers_only
def live(request: HttpRequest, batch_id: str) -> HttpResponse:
    """The part of a batch's page that changes."""
    return render(request, "judging/live.html", _live(_batch(batch_id), request))


def _live(batch: JudgeBatch, request: HttpRequest) -> dict[str, Any]:
    progress = selectors.progress([batch])[batch.pk]
    page = Paginator(selectors.judgements(batch), JUDGEMENTS_A_PAGE).get_page(request.GET.get("page"))
    uses = selectors.uses_of(batch)
    return {
        "batch": batch,
        "progress": progress,
        "pause_s": 2 if progress.all < LARGE else 10,
        "figures": selectors.figures_of(batch),
        "dimensions": batch.criteria.names,
        "uses": uses,
        "total": total(uses),
        "page": page,
    }


@researchers_only
def new_batch(request: HttpRequest) -> HttpResponse:
    """Choose what is judged and by whom, and start it."""
    form = JudgeForm(request.POST if request.method == "POST" else None, initial=request.GET.dict())
    named = request.GET.get("run", "")
    if request.method == "GET" and named and not Run.objects.filter(pk=named).exists():
        messages.warning(request, _("There is no run %(name)s.") % {"name": named})
    if request.method == "POST" and form.is_valid():
        try:
            batch = start_batch(**form.creation(), created_by=researcher_of(request))
            if form.left_out:
                messages.info(request, form.left_out)
            return gone_to(request, batch)
        except ChoiceRefused as refusal:
            form.add_error(refusal.field, str(refusal))
    return render(request, "judging/new.html", {"form": form})


@require_POST
@researchers_only
def stop(request: HttpRequest, batch_id: str) -> HttpResponse:
    """Make no further request."""
    batch = _batch(batch_id)
    stop_batch(batch=batch)
    return redirect(batch)


@require_POST
@researchers_only
def ask_again(request: HttpRequest, batch_id: str) -> HttpResponse:
    """Ask again for what has no score."""
    batch = _batch(batch_id)
    retry_batch(batch=batch)
    return gone_to(request, batch)
