"""Pages of a study's annotators: who is invited, their links, how far they are."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from webapp.accounts.access import researchers_only
from webapp.judging.models import Rater
from webapp.labelling.annotators import PANEL, NotAdmitted, admit, renew_link, revoke
from webapp.labelling.forms import InviteForm
from webapp.labelling.models import Annotator, LabelStudy
from webapp.labelling.people import annotator_rows, invite_known, invite_people, known_raters, panel_address
from webapp.labelling.study_views import study_named
from webapp.spreadsheets import csv_text


def _context(request: HttpRequest, study: LabelStudy, form: InviteForm | None = None) -> dict[str, Any]:
    return {
        "study": study,
        "tab": "annotators",
        "rows": annotator_rows(study, request),
        "panel_address": panel_address(study, request),
        "form": form or InviteForm(),
        "known": known_raters(study),
        "going": study.status == LabelStudy.Status.OPEN,
    }


@researchers_only
def annotators(request: HttpRequest, study_id: str) -> HttpResponse:
    """Who is invited."""
    return render(request, "labelling/annotators.html", _context(request, study_named(study_id)))


@researchers_only
def live(request: HttpRequest, study_id: str) -> HttpResponse:
    """The part of that which changes."""
    return render(request, "labelling/annotators_live.html", _context(request, study_named(study_id)))


@require_POST
@researchers_only
def invite(request: HttpRequest, study_id: str) -> HttpResponse:
    """Invite people by name, one or many."""
    study = study_named(study_id)
    form = InviteForm(request.POST)
    if form.is_valid():
        given = form.cleaned_data
        try:
            invite_people(study=study, people=given["people"], valid_for=timedelta(days=given["days"]))
            return redirect("label_annotators", study.pk)
        except ValueError as refusal:
            form.add_error("people", str(refusal))
    return render(request, "labelling/annotators.html", _context(request, study, form), status=422)


@require_POST
@researchers_only
def invite_others(request: HttpRequest, study_id: str) -> HttpResponse:
    """Invite people of other studies."""
    study = study_named(study_id)
    raters = list(Rater.objects.filter(pk__in=request.POST.getlist("raters"), kind=Rater.Kind.PERSON))
    try:
        if not raters:
            raise ValueError(_("Choose whom to invite."))
        invite_known(study=study, raters=raters, valid_for=timedelta(days=30))
    except ValueError as refusal:
        context = {**_context(request, study), "refused": (str(refusal),)}
        return render(request, "labelling/annotators.html", context, status=422)
    return redirect("label_annotators", study.pk)


DO: dict[str, Callable[[Annotator], None]] = {
    "renew": lambda annotator: renew_link(annotator=annotator),
    "withdraw": lambda annotator: revoke(annotator=annotator),
    "admit": lambda annotator: admit(annotator=annotator),
}
"""What can be done with a link."""


@require_POST
@researchers_only
def link(request: HttpRequest, study_id: str, annotator_id: str, verb: str) -> HttpResponse:
    """Make a new link for an annotator, or withdraw it."""
    if verb not in DO:
        raise Http404
    study = study_named(study_id)
    told = ""
    try:
        DO[verb](get_object_or_404(Annotator, study=study, pk=annotator_id))
    except NotAdmitted as refusal:
        told = str(refusal)
    if request.headers.get("HX-Request"):
        return render(request, "labelling/annotators_live.html", {**_context(request, study), "told": told})
    if told:
        messages.error(request, told)
    return redirect("label_annotators", study.pk)


@researchers_only
def links(request: HttpRequest, study_id: str) -> HttpResponse:
    """The links, as a file."""
    study = study_named(study_id)
    columns = ("name", "cities", "link", "works_until", "state", "answered", *PANEL)
    lines = (
        {
            "name": row.annotator.rater.name,
            **{name: row.annotator.panel.get(name, "") for name in PANEL},
            "cities": ", ".join(row.annotator.rater.cities),
            "link": row.address,
            "works_until": row.annotator.expires_at.isoformat(timespec="seconds") if row.address else "",
            "state": row.state,
            "answered": row.answered,
        }
        for row in annotator_rows(study, request)
    )
    response = HttpResponse(csv_text(columns, lines), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="links-{study.pk}.csv"'
    return response
