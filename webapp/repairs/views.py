"""Pages of repairs."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from benchmark.repairing import ROUNDS
from webapp.accounts.access import researcher_of, researchers_only
from webapp.endpoints.selectors import known_names
from webapp.forms import ChoiceRefused, gone_to
from webapp.repairs import selectors
from webapp.repairs.forms import RepairForm
from webapp.repairs.models import Repair
from webapp.repairs.services import (
    can_repair,
    continue_repair,
    delete_repair,
    is_outdated,
    start_repair,
    stop_repair,
)
from webapp.sessions.models import Run

SESSIONS_A_PAGE = 50


def _repair(run_id: str, repair_id: str) -> Repair:
    return get_object_or_404(Repair.objects.select_related("run", "endpoint"), pk=repair_id, run=run_id)


@researchers_only
def repairs(request: HttpRequest, run_id: str) -> HttpResponse:
    """The repairs of a run, and the form of a new one."""
    run = get_object_or_404(Run, pk=run_id)
    if not can_repair(run.suite):
        raise Http404
    form = RepairForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            repair = start_repair(
                run=run, endpoint=form.cleaned_data["model"], created_by=researcher_of(request)
            )
            return gone_to(request, repair)
        except ChoiceRefused as refused:
            form.add_error(refused.field if refused.field in form.fields else None, str(refused))
    given = {"run": run, "form": form, "rows": selectors.repairs_of(run), "rounds": ROUNDS}
    return render(request, "repairs/list.html", given)


@researchers_only
def repair_page(request: HttpRequest, run_id: str, repair_id: str) -> HttpResponse:
    """One repair: how far it is, what became of its sessions, what it took, its files."""
    return render(request, "repairs/repair.html", _context(_repair(run_id, repair_id), request))


@researchers_only
def live(request: HttpRequest, run_id: str, repair_id: str) -> HttpResponse:
    """The part of that which changes; the whole page once it has ended."""
    repair = _repair(run_id, repair_id)
    if repair.going:
        return render(request, "repairs/live.html", _context(repair, request))
    return HttpResponse(headers={"HX-Refresh": "true"})


def _context(repair: Repair, request: HttpRequest) -> dict[str, Any]:
    use = selectors.use_of(repair)
    counts = selectors.counts_of(repair)
    may_continue = repair.status in (Repair.Status.FAILED, Repair.Status.STOPPED) or counts.unanswered > 0
    return {
        "run": repair.run,
        "repair": repair,
        "counts": counts,
        "replies": list(counts.replies.items()),
        "may_continue": may_continue and not repair.going,
        "outdated": is_outdated(repair),
        "uses": [use],
        "total": use,
        "known_endpoints": known_names(),
        "page": Paginator(selectors.rows_of(repair), SESSIONS_A_PAGE).get_page(request.GET.get("page")),
        "command": f"manage.py export_run {repair.run_id} --format sft --repair {repair.pk} --out FILE",
    }


@require_POST
@researchers_only
def stop(request: HttpRequest, run_id: str, repair_id: str) -> HttpResponse:
    """End it; what is done stays."""
    repair = _repair(run_id, repair_id)
    stop_repair(repair=repair)
    return redirect(repair)


@require_POST
@researchers_only
def go_on(request: HttpRequest, run_id: str, repair_id: str) -> HttpResponse:
    """Go on where it was."""
    repair = _repair(run_id, repair_id)
    try:
        continue_repair(repair=repair)
    except ChoiceRefused as refused:
        messages.warning(request, str(refused))
    return redirect(repair)


@require_POST
@researchers_only
def delete(request: HttpRequest, run_id: str, repair_id: str) -> HttpResponse:
    """Delete it with all that the model said; the run stays."""
    repair = _repair(run_id, repair_id)
    try:
        delete_repair(repair=repair)
    except ChoiceRefused as refused:
        messages.warning(request, str(refused))
        return redirect(repair)
    messages.success(request, _("The repair %(id)s was deleted.") % {"id": repair_id})
    return redirect("repairs", run_id)
