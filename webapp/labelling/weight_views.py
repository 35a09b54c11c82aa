"""Pages of searches for weights."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from benchmark.labelling.weights import MOST_POINTS
from benchmark.suites import suite_named
from webapp.accounts.access import researcher_of, researchers_only
from webapp.forms import ChoiceRefused
from webapp.labelling.models import Kind, LabelStudy, WeightSearch
from webapp.labelling.weight_forms import WeightsForm
from webapp.labelling.weights import Result, is_outdated, points_words, start_search, stop_search
from webapp.wording.remarks import remark_words

GOING = (WeightSearch.Status.QUEUED, WeightSearch.Status.RUNNING)


def _study(study_id: str) -> LabelStudy:
    return get_object_or_404(LabelStudy, pk=study_id)


def _search(study_id: str, search_id: str) -> WeightSearch:
    searches = WeightSearch.objects.select_related("study").defer("pairs")
    return get_object_or_404(searches, pk=search_id, study=study_id)


@researchers_only
def weights(request: HttpRequest, study_id: str) -> HttpResponse:
    """The searches of a study, and the form of a new one."""
    study = _study(study_id)
    if study.kind != Kind.PAIRWISE:
        return render(request, "labelling/weights.html", {"study": study, "tab": "weights"})
    form = WeightsForm(request.POST if request.method == "POST" else None, study=study)
    if request.method == "POST" and form.is_valid():
        try:
            weight_search = start_search(study=study, created_by=researcher_of(request), **form.creation())
            for remark in _joined_spellings(form):
                messages.warning(request, remark)
            return redirect("label_search", study.pk, weight_search.pk)
        except ChoiceRefused as refusal:
            form.add_error(refusal.field if refusal.field in form.fields else None, str(refusal))
    context = {
        "study": study,
        "tab": "weights",
        "form": form,
        "searches": study.searches.defer("pairs", "result"),
        "metrics": list(form.pairs.values),
        "labels": sorted(form.pairs.labels.items()),
        "pairs": len(form.pairs.rows),
        **_points(form),
    }
    return render(request, "labelling/weights.html", context, status=409 if form.errors else 200)


def _points(form: WeightsForm) -> dict[str, Any]:
    """How large the grid of the form is; why there is none, once something is written."""
    if not form.says_grid:
        return {"points": ""}
    try:
        grid = form.chosen_grid()
    except ChoiceRefused as refusal:
        return {"points": "", "refused_grid": str(refusal)}
    told = " ".join([points_words(grid), *_joined_spellings(form)])
    return {"points": told, "too_many": grid.points > MOST_POINTS, "most": MOST_POINTS}


def _joined_spellings(form: WeightsForm) -> list[str]:
    """Which spellings of the own grid were taken as one, a sentence each."""
    return [f"{sentence}." for sentence in dict.fromkeys(map(remark_words, form.spellings.remarks))]


@researchers_only
def points(request: HttpRequest, study_id: str) -> HttpResponse:
    """How large the grid is that the form has just now."""
    form = WeightsForm(request.GET, study=_study(study_id))
    return render(request, "labelling/weight_points.html", {"study": _study(study_id), **_points(form)})


@researchers_only
def search(request: HttpRequest, study_id: str, search_id: str) -> HttpResponse:
    """One search: how far it is, then its result."""
    weight_search = _search(study_id, search_id)
    return render(request, "labelling/weight_search.html", _context(weight_search))


@researchers_only
def live(request: HttpRequest, study_id: str, search_id: str) -> HttpResponse:
    """The part of that which changes; the whole page once the search has ended."""
    weight_search = _search(study_id, search_id)
    if weight_search.status in GOING:
        return render(request, "labelling/weight_live.html", _context(weight_search))
    return HttpResponse(headers={"HX-Refresh": "true"})


def _context(weight_search: WeightSearch) -> dict[str, Any]:
    labels = {metric.key: metric.name for metric in suite_named(weight_search.study.suite).scoring.metrics}
    return {
        "study": weight_search.study,
        "tab": "weights",
        "search": weight_search,
        "going": weight_search.status in GOING,
        "done": round(100 * weight_search.done, 1),
        "result": Result(weight_search.result, labels) if weight_search.result else None,
        "outdated": is_outdated(weight_search) if weight_search.result else False,
    }


@researchers_only
def result(request: HttpRequest, study_id: str, search_id: str) -> HttpResponse:
    """All that a search found, as JSON."""
    weight_search = _search(study_id, search_id)
    if not weight_search.result:
        raise Http404
    response = JsonResponse(weight_search.result, json_dumps_params={"indent": 1, "ensure_ascii": False})
    response["Content-Disposition"] = f'attachment; filename="weights-{weight_search.pk}.json"'
    return response


@require_POST
@researchers_only
def stop(request: HttpRequest, study_id: str, search_id: str) -> HttpResponse:
    """End a search without a result."""
    weight_search = _search(study_id, search_id)
    stop_search(search=weight_search)
    return redirect("label_search", study_id, weight_search.pk)
