"""Pages of quality and of statistics."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from webapp.accounts.access import researchers_only
from webapp.labelling.annotator_quality import care_of, check_leaks
from webapp.labelling.charts import scores_chart, votes_chart
from webapp.labelling.figures import Figures, file_lines
from webapp.labelling.models import Kind, LabelStudy
from webapp.labelling.study_views import study_named
from webapp.sessions.log import seq_in
from webapp.spreadsheets import csv_text


@researchers_only
def quality(request: HttpRequest, study_id: str) -> HttpResponse:
    """How carefully annotators work; and, where it is asked for, whether names are told."""
    study = study_named(study_id)
    first = seq_in(request.GET.get("leaks", ""))
    context = {
        "study": study,
        "tab": "quality",
        "rows": care_of(study),
        "leaks": check_leaks(study, first=first) if first is not None else None,
    }
    return render(request, "labelling/quality.html", context)


def _figures(request: HttpRequest, study: LabelStudy) -> Figures:
    return Figures(study, "regularised" in request.GET, _share(request.GET.get("model", "")))


def _share(text: str) -> float | None:
    """Per cent as a share; None for what is none."""
    try:
        share = float(text.replace(",", ".").removesuffix("%")) / 100
    except ValueError:
        return None
    return share if 0 <= share <= 1 else None


@researchers_only
def statistics(request: HttpRequest, study_id: str) -> HttpResponse:
    """Every statistic of what people say."""
    return render(request, "labelling/statistics.html", _context(request, study_named(study_id)))


@researchers_only
def live(request: HttpRequest, study_id: str) -> HttpResponse:
    """The part of that which changes."""
    return render(request, "labelling/statistics_live.html", _context(request, study_named(study_id)))


def _context(request: HttpRequest, study: LabelStudy) -> dict[str, Any]:
    figures = _figures(request, study)
    asked = request.GET.get("model", "")
    return {
        "study": study,
        "tab": "statistics",
        "figures": figures,
        "query": request.GET.urlencode(),
        "asked_model": asked,
        "wrong_model": bool(asked) and figures.model is None,
        "charts": _charts(figures),
        "rubric": study.kind == Kind.RUBRIC,
        "pairwise": study.kind == Kind.PAIRWISE,
    }


def _charts(figures: Figures) -> dict[str, Any]:
    if figures.study.kind == Kind.RUBRIC or not figures.rows:
        return {}
    votes = votes_chart(figures.votes, _("votes"), _("items"))
    scores = None
    if figures.study.kind == Kind.PAIRWISE:
        scores = scores_chart(figures.preference.scores, _("score, 95 % interval"))
    return {"votes": votes, "scores": scores}


@researchers_only
def statistics_file(request: HttpRequest, study_id: str, ending: str) -> HttpResponse:
    """The same figures for other programs."""
    study = study_named(study_id)
    lines = file_lines(list(_figures(request, study).lines()))
    named = f'attachment; filename="statistics-{study.pk}.{ending}"'
    if ending == "json":
        given = {"study": study.pk, "name": study.name, "version": study.version, "statistics": lines}
        return JsonResponse(given, headers={"Content-Disposition": named})
    if ending != "csv":
        raise Http404
    columns = list(lines[0]) if lines else ["part", "of", "statistic", "value"]
    text = csv_text(columns, lines)
    return HttpResponse(text, content_type="text/csv; charset=utf-8", headers={"Content-Disposition": named})
