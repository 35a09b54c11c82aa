"""The answers that people give at the end, as files too, and what researchers ask of one person's data."""

from __future__ import annotations

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from webapp.accounts.access import researcher_of, researchers_only
from webapp.people.exports import Naming, people_csv, people_jsonl, people_of, sessions_with_people
from webapp.people.models import Guest
from webapp.people.personal import remove_data
from webapp.people.questionnaire import questionnaire, store_answers
from webapp.people.views import at_seat
from webapp.sessions.models import Run, Session


@require_POST
@at_seat
def answers(request: HttpRequest, guest: Guest) -> HttpResponseBase:
    """Keep what a guest answered, once their session has ended."""
    if not guest.seat.session.ended or guest.withdrew_at is not None:
        return redirect(guest)
    form = questionnaire(guest, request.POST)
    if not form.is_valid():
        return render(request, "people/answers.html", {"guest": guest, "form": form}, status=422)
    store_answers(guest, form.cleaned_data)
    return redirect(guest)


@require_POST
@researchers_only
def remove_person(request: HttpRequest, guest_id: str) -> HttpResponse:
    """Remove what one person said, and their name; a button asks before."""
    guest = get_object_or_404(Guest.objects.select_related("seat__session__task"), pk=guest_id)
    if remove_data(guest, by=researcher_of(request)):
        messages.success(request, _("What this person said, and their name, was removed."))
    else:
        messages.info(
            request,
            _("The data is removed once the session, its forks and its re-runs have ended and are scored."),
        )
    return redirect(guest.seat.session)


@researchers_only
def run_people(request: HttpRequest, run_id: str, format_: str) -> HttpResponse:
    """Who sat in the sessions of a run, and what they answered, as a file."""
    run = get_object_or_404(Run, pk=run_id)
    return _people_file(request, f"{run.pk}.people", sessions_with_people(run), format_)


@researchers_only
def session_people(request: HttpRequest, session_id: str, format_: str) -> HttpResponse:
    """The same of a session."""
    session = get_object_or_404(Session, pk=session_id)
    sessions = Session.objects.filter(pk=session.pk).select_related("task", "run")
    return _people_file(request, f"{session.pk}.people", sessions, format_)


def _people_file(request: HttpRequest, name: str, sessions: QuerySet[Session], format_: str) -> HttpResponse:
    rows = people_of(sessions, Naming(request.GET.get("pseudonyms") == "1"))
    if format_ == "csv":
        response = HttpResponse(people_csv(rows), content_type="text/csv; charset=utf-8")
    elif format_ == "jsonl":
        response = HttpResponse(people_jsonl(rows), content_type="application/x-ndjson")
    else:
        raise Http404
    response["Content-Disposition"] = f'attachment; filename="{name}.{format_}"'
    return response
