"""Pages of imports, and exports as downloads."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from benchmark.inputs import LineProblem
from webapp.accounts.access import researcher_of, researchers_only
from webapp.exchange.forms import ImportForm
from webapp.exchange.uploads import start_import
from webapp.forms import gone_to
from webapp.sessions.models import RecordImport


@researchers_only
def new_import(request: HttpRequest) -> HttpResponse:
    """Choose a file of run records, and have it brought in."""
    form = ImportForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        return gone_to(request, start_import(**form.creation(), created_by=researcher_of(request)))
    return render(request, "exchange/new_import.html", {"form": form})


@researchers_only
def record_import(request: HttpRequest, pk: int) -> HttpResponse:
    """How far an import is, the run that it became, or what is wrong with its file."""
    return render(request, "exchange/import.html", _import(pk))


@researchers_only
def import_live(request: HttpRequest, pk: int) -> HttpResponse:
    """The part of that page that changes."""
    return render(request, "exchange/import_live.html", _import(pk))


def _import(pk: int) -> dict[str, Any]:
    incoming = get_object_or_404(RecordImport.objects.select_related("run"), pk=pk)
    problems = [LineProblem(*problem) for problem in incoming.problems]
    more = incoming.problem_count - len(problems)
    return {"incoming": incoming, "problems": problems, "more": more}
