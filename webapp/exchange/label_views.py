"""Pages on which two files of run records become a study of pairs."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from benchmark.inputs import LineProblem
from webapp.accounts.access import researcher_of, researchers_only
from webapp.exchange.label_files import pair_of, start_pair
from webapp.exchange.label_forms import LabelFilesForm
from webapp.forms import gone_to
from webapp.sessions.models import RecordImport


@researchers_only
def new_pair(request: HttpRequest) -> HttpResponse:
    """Choose two files, and have them brought in."""
    form = LabelFilesForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        made = start_pair(**form.pair(), user=researcher_of(request))
        return gone_to(request, reverse("label_files_pair", args=[made.first.pk, made.second.pk]))
    return render(request, "exchange/new_label_files.html", {"form": form})


@researchers_only
def pair(request: HttpRequest, first: int, second: int) -> HttpResponse:
    """How far both imports are, the study that they became, or what is wrong with a file."""
    return render(request, "exchange/label_files.html", _pair_summary(first, second))


@researchers_only
def pair_live(request: HttpRequest, first: int, second: int) -> HttpResponse:
    """The part of that page that changes."""
    return render(request, "exchange/label_files_live.html", _pair_summary(first, second))


def _pair_summary(first: int, second: int) -> dict[str, Any]:
    pair = pair_of(first, second)
    if pair is None:
        raise Http404
    pairs = pair.study.items.count() if pair.study else 0
    return {"pair": pair, "files": [_file(file) for file in pair.files], "pairs": pairs}


def _file(incoming: RecordImport) -> dict[str, Any]:
    problems = [LineProblem(*problem) for problem in incoming.problems]
    more = incoming.problem_count - len(problems)
    return {"incoming": incoming, "problems": problems, "more": more}
