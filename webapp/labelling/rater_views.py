"""Pages on raters: metrics, judges and models, each against what people say of a study's items."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from benchmark.labelling.rater_accuracy import Accuracy, Opinion
from benchmark.suites import suite_named
from webapp.accounts.access import researcher_of, researchers_only
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.selectors import offered_endpoints
from webapp.forms import ChoiceRefused
from webapp.judging.models import Rater
from webapp.labelling.comparing import retry_comparison, start_runs, stop_comparison
from webapp.labelling.comparisons import comparisons
from webapp.labelling.models import Comparison, Kind, LabelStudy
from webapp.labelling.rater_accuracy import Pairs, judges_of
from webapp.labelling.table import people_labels

MOST_ITEMS = 200
"""Disagreements that a page lists."""
MOST_RUNS = 9
VERBS = {"stop": stop_comparison, "again": retry_comparison}


def _study(study_id: str) -> LabelStudy:
    return get_object_or_404(LabelStudy, pk=study_id)


def _profile(request: HttpRequest, study: LabelStudy) -> str:
    profiles = suite_named(study.suite).scoring.profiles
    asked = request.GET.get("profile", "")
    return asked if asked in profiles else next(iter(profiles), "")


@researchers_only
def raters(request: HttpRequest, study_id: str) -> HttpResponse:
    """All raters against people; of a study of pairs, where models are asked too."""
    return _page(request, _study(study_id), CompareForm())


def _page(request: HttpRequest, study: LabelStudy, form: CompareForm, status: int = 200) -> HttpResponse:
    context: dict[str, Any] = {"study": study, "tab": "raters", "form": form}
    if study.kind == Kind.PAIRWISE:
        profile = _profile(request, study)
        pairs = Pairs(study, profile)
        people = people_labels(study, only_counting=not study.pilot)
        context |= {
            "pairs": pairs,
            "lines": pairs.lines(),
            "profile": profile,
            "profiles": list(suite_named(study.suite).scoring.profiles),
            "ticked": people.filter(ticks=True).count(),
            "answers": people.count(),
            "people": pairs.people,
            "ceiling": pairs.ceiling(),
            **_live(study),
        }
    elif study.kind == Kind.RUBRIC:
        context["judges"] = judges_of(study)
    return render(request, "labelling/raters.html", context, status=status)


def _live(study: LabelStudy) -> dict[str, Any]:
    rows = comparisons(study)
    return {
        "study": study,
        "comparisons": rows,
        "going": any(row.progress.going for row in rows),
        "pause_s": 2 if all(row.progress.all < MOST_ITEMS for row in rows) else 10,
    }


@researchers_only
def live(request: HttpRequest, study_id: str) -> HttpResponse:
    """How far the comparisons are."""
    return render(request, "labelling/comparisons.html", _live(_study(study_id)))


@researchers_only
def rater(request: HttpRequest, study_id: str, source: str) -> HttpResponse:
    """One rater in detail: slices, calibration, and the items on which it disagrees with people."""
    study = _study(study_id)
    if study.kind == Kind.RUBRIC:
        return _judge(request, study, source)
    profile = _profile(request, study)
    pairs = Pairs(study, profile)
    rater_source = pairs.source(source)
    if rater_source is None or study.kind != Kind.PAIRWISE:
        raise Http404
    against = pairs.comparison_with(rater_source)
    wrong = against.disagreements[:MOST_ITEMS]
    context = {
        "study": study,
        "tab": "raters",
        "source": rater_source,
        "profile": profile,
        "against": against,
        "ceiling": pairs.ceiling(against.accuracy.ties_in.value),
        "wrong": [(item_at(study, opinion.item), opinion, said_by(opinion)) for opinion in wrong],
        "slices": _telling(against.slices),
    }
    return render(request, "labelling/rater.html", context)


def _telling(slices: Mapping[str, Mapping[str, Accuracy]]) -> dict[str, Mapping[str, Accuracy]]:
    """The facets that split items, each way of splitting once: strata are often the difficulty."""
    opinions: dict[str, Mapping[str, Accuracy]] = {}
    for facet, values in slices.items():
        if len(values) > 1 and all(values != other for other in opinions.values()):
            opinions[facet] = values
    return opinions


def _judge(request: HttpRequest, study: LabelStudy, source: str) -> HttpResponse:
    judge = next((judge_lines for judge_lines in judges_of(study) if judge_lines.key == source), None)
    if judge is None:
        raise Http404
    rows = [
        (
            item_at(study, session.item.number),
            session.item.number,
            [session.gap(line.name) for line in judge.lines],
        )
        for session in judge.widest[:MOST_ITEMS]
    ]
    context = {"study": study, "tab": "raters", "judge": judge, "rows": rows}
    return render(request, "labelling/rater_judge.html", context)


def item_at(study: LabelStudy, number: int | str) -> str:
    """The address of an item's page."""
    return reverse("label_item", args=[study.pk, number])


def said_by(opinion: Opinion) -> str:
    """What a rater says, as people could have said it; of equal values a tie."""
    return opinion.choice or {1: "A", -1: "B"}.get(opinion.sign or 0, "tie")


@require_POST
@researchers_only
def compare(request: HttpRequest, study_id: str) -> HttpResponse:
    """Ask a model about the pairs that it has not compared."""
    study, form = _study(study_id), CompareForm(request.POST)
    if form.is_valid():
        try:
            asked = {**form.cleaned_data, "runs": form.cleaned_data["runs"] or 1}
            start_runs(study=study, created_by=researcher_of(request), **asked)
            return redirect("label_raters", study.pk)
        except ChoiceRefused as refusal:
            form.add_error(refusal.field if refusal.field in form.fields else None, str(refusal))
    return _page(request, study, form, 409)


@require_POST
@researchers_only
def move(request: HttpRequest, study_id: str, comparison_id: str, verb: str) -> HttpResponse:
    """Stop a comparison, or ask again for what has no answer."""
    comparison = get_object_or_404(Comparison, pk=comparison_id, study=study_id)
    if verb not in VERBS:
        raise Http404
    VERBS[verb](comparison=comparison)
    return redirect("label_raters", study_id)


# The form by which a model is asked about the pairs of a study.


class CompareForm(forms.Form):
    """Which model, and how it is asked."""

    endpoint = forms.ModelChoiceField(
        ModelEndpoint.objects.none(), to_field_name="name", label=_("Model"), empty_label=_("choose a model")
    )
    method = forms.ChoiceField(
        choices=[
            (Rater.Kind.PAIRWISE, _("pair by pair: which of the two is better")),
            (Rater.Kind.POINTWISE, _("plan by plan: 0 to 100 points for each plan alone")),
        ],
        label=_("Method"),
        help_text=_(
            "Two requests per pair, or one in one order. Where the two orders disagree, or both plans have the same "
            "points, the model says “neither”."
        ),
    )
    orders = forms.ChoiceField(
        choices=Comparison.Orders.choices, required=False, label=_("Orders, pair by pair")
    )
    runs = forms.IntegerField(
        min_value=1,
        max_value=MOST_RUNS,
        initial=1,
        required=False,
        label=_("Number of runs"),
        help_text=_(
            "Each run asks about every pair anew and is a rater of its own. Three show how steady a model is."
        ),
    )

    def __init__(self, data: Any = None, **options: Any) -> None:
        super().__init__(data, **options)
        field = self.fields["endpoint"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = offered_endpoints()
        self.has_models = offered_endpoints().exists()
