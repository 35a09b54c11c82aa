"""Pages of studies: the list, a new one, its settings, and how far it is."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from webapp.accounts.access import researcher_of, researchers_only
from webapp.fields import plain_name
from webapp.labelling.figures import get_ready
from webapp.labelling.forms import StudyForm
from webapp.labelling.models import LabelStudy
from webapp.labelling.progress import Progress, briefly
from webapp.labelling.retention import due_at
from webapp.labelling.studies import (
    VERBS,
    StudyRefused,
    change_study,
    create_study,
    delete_study,
    duplicate,
    has_labels,
)
from webapp.sessions.models import Run

PAGE = 30
LARGE = 2_000
"""Items from which a page asks for news less often."""


def study_named(study_id: str) -> LabelStudy:
    """The study with this id, or a page that says there is none."""
    return get_object_or_404(LabelStudy, pk=study_id)


@researchers_only
def study_list(request: HttpRequest) -> HttpResponse:
    """All studies, newest first."""
    page = Paginator(LabelStudy.objects.order_by("-created_at"), PAGE).get_page(request.GET.get("page"))
    rows = briefly(page.object_list)
    return render(request, "labelling/list.html", {"page": page, "rows": rows})


@researchers_only
def new_study(request: HttpRequest) -> HttpResponse:
    """Choose what is asked, of whom, and on what terms."""
    initial = {**_suite_of_runs(request.GET.get("runs", "")), **request.GET.dict()}
    form = StudyForm(request.POST or None, instance=LabelStudy(), initial=initial)
    if form.is_bound and form.is_valid():
        try:
            study = create_study(created_by=researcher_of(request), **form.settings())
        except StudyRefused as refusal:
            form.add_error(refusal.field or None, str(refusal))
        else:
            runs = request.GET.get("runs", "")
            at = redirect("label_items", study.pk)
            at["Location"] += f"?add=runs&runs={runs}" if runs else "?add=runs"
            return at
    return render(request, "labelling/edit.html", {"form": form, "runs": request.GET.get("runs", "")})


def _suite_of_runs(ids: str) -> dict[str, str]:
    """The benchmark that a study over these runs is of."""
    run = Run.objects.filter(pk__in=ids.split(",")).first()
    return {} if run is None else {"suite": run.suite}


@researchers_only
def edit_study(request: HttpRequest, study_id: str) -> HttpResponse:
    """Look at the settings, and change them."""
    study = study_named(study_id)
    form = StudyForm(request.POST or None, instance=study_named(study_id))
    if form.is_bound and form.is_valid():
        try:
            change_study(study=study, **form.settings())
            return redirect("label_study", study.pk)
        except StudyRefused as refusal:
            form.add_error(refusal.field or None, str(refusal))
    context = {"form": form, "study": study, "labelled": has_labels(study), "tab": "settings"}
    return render(request, "labelling/edit.html", context)


@researchers_only
def overview(request: HttpRequest, study_id: str) -> HttpResponse:
    """How far a study is, and what to do next."""
    get_ready()
    return render(request, "labelling/study.html", _context(study_named(study_id)))


@researchers_only
def live(request: HttpRequest, study_id: str) -> HttpResponse:
    """The part of that which changes."""
    return render(request, "labelling/study_live.html", _context(study_named(study_id)))


def _context(study: LabelStudy, refused: tuple[str, ...] = ()) -> dict[str, Any]:
    progress = Progress(study)
    return {
        "study": study,
        "progress": progress,
        "pause_s": 3 if progress.items < LARGE else 15,
        "refused": refused,
        "labelled": has_labels(study),
        "removed_on": due_at(study),
        "tab": "overview",
    }


@require_POST
@researchers_only
def move(request: HttpRequest, study_id: str, verb: str) -> HttpResponse:
    """Open, pause or close a study."""
    study = study_named(study_id)
    if verb not in VERBS:
        raise Http404
    try:
        VERBS[verb](study=study)
    except StudyRefused as refusal:
        return render(request, "labelling/study.html", _context(study, refusal.reasons), status=409)
    return redirect(study)


@require_POST
@researchers_only
def copy(request: HttpRequest, study_id: str) -> HttpResponse:
    """The same study again without answers, as a pilot or not."""
    study = study_named(study_id)
    name = plain_name(request.POST.get("name", ""), 100) or _("%(name)s, copy") % {"name": study.name}
    options = {"pilot": "pilot" in request.POST, "annotators": "annotators" in request.POST}
    try:
        made = duplicate(study=study, name=name[:100], created_by=researcher_of(request), **options)
    except StudyRefused as refusal:
        return render(request, "labelling/study.html", _context(study, refusal.reasons), status=409)
    messages.success(request, _("This is the copy. Nobody has answered it yet."))
    return redirect(made)


@require_POST
@researchers_only
def delete(request: HttpRequest, study_id: str) -> HttpResponse:
    """Delete a study that nobody has answered."""
    study = study_named(study_id)
    try:
        delete_study(study=study)
    except StudyRefused as refusal:
        return render(request, "labelling/study.html", _context(study, refusal.reasons), status=409)
    messages.success(request, _("The study %(name)s was deleted.") % {"name": study.name})
    return redirect("label_studies")
