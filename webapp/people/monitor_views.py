"""The monitor: the seats of a session or of a run, and what a researcher does there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from webapp.accounts.access import researcher_of, researchers_only
from webapp.forms import ChoiceRefused
from webapp.people import monitor, seating
from webapp.people.invitations import open_lobby, revoke
from webapp.people.models import Guest, Invitation
from webapp.people.seating import SeatRefused
from webapp.people.tabs import notify_pages
from webapp.seats.models import Role, Seat
from webapp.sessions.models import Run, Session
from webapp.sessions.reading import Reading
from webapp.sessions.services import pause_sessions, request_stop, resume_sessions
from webapp.spreadsheets import csv_text

SEATS_A_PAGE = 60


def _session(session_id: str) -> Session:
    return get_object_or_404(Session.objects.select_related("task", "run"), pk=session_id)


@researchers_only
def seats(request: HttpRequest, session_id: str) -> HttpResponse:
    """The seats of a session."""
    return render(request, "people/monitor/session.html", _context(request, session_id))


@researchers_only
def live(request: HttpRequest, session_id: str) -> HttpResponse:
    """The part of that which changes."""
    return render(request, "people/monitor/live.html", _context(request, session_id))


def _context(request: HttpRequest, session_id: str) -> dict[str, Any]:
    return monitor.session_context(request, _session(session_id))


def _monitor_part(request: HttpRequest, session_id: str, refused: str) -> HttpResponse:
    """The part that changes, or the way back to the page."""
    if request.headers.get("HX-Request"):
        context = {**_context(request, session_id), "refused": refused}
        return render(request, "people/monitor/live.html", context)
    if refused:
        messages.error(request, refused)
    return redirect("seats", session_id)


def _extend(seat: Seat, request: HttpRequest) -> None:
    by_s = request.POST.get("by_s", "")
    seating.extend(seat, _state(seat), int(by_s) if by_s in map(str, seating.LONGER_S) else 0)


def _state(seat: Seat) -> Any:
    return Reading.of(Session.objects.get(pk=seat.session_id)).state


AT_SEAT: dict[str, Callable[[Seat, HttpRequest], object]] = {
    "link": lambda seat, request: seating.new_link(
        seat, researcher_of(request), seating.valid_for(request.POST.get("days", ""))
    ),
    "withdraw": lambda seat, _: revoke(Invitation.objects.filter(seat=seat)),
    "again": lambda seat, request: seating.let_in_again(seat, researcher_of(request)),
    "nudge": lambda seat, _: seating.nudge(seat, _state(seat)),
    "extend": _extend,
    "replace": lambda seat, request: seating.replace(
        seat, request.POST.get("who", ""), researcher_of(request)
    ),
}
"""What can be done at a seat."""


@require_POST
@researchers_only
def at_seat(request: HttpRequest, session_id: str, seat_id: int, verb: str) -> HttpResponse:
    """Do something at a seat of a session."""
    if verb not in AT_SEAT:
        raise Http404
    seats = Seat.objects.select_related("model").exclude(role=Role.SIMULATOR)
    seat = get_object_or_404(seats, session=_session(session_id), pk=seat_id)
    try:
        AT_SEAT[verb](seat, request)
    except (SeatRefused, ChoiceRefused) as refusal:
        return _monitor_part(request, session_id, str(refusal))
    return _monitor_part(request, session_id, "")


def _lobby(request: HttpRequest, session: Session) -> None:
    if not session.ended and not seating.usable().filter(session=session, seat=None).exists():
        open_lobby(session=session, created_by=researcher_of(request))


def _links(request: HttpRequest, session: Session) -> None:
    seating.invite_all(Session.objects.filter(pk=session.pk), researcher_of(request))


OF_SESSION: dict[str, Callable[[HttpRequest, Session], object]] = {
    "links": _links,
    "lobby": _lobby,
    "close": lambda _, session: revoke(Invitation.objects.filter(session=session, seat=None)),
    "pause": lambda _, session: pause_sessions(Session.objects.filter(pk=session.pk)),
    "resume": lambda _, session: resume_sessions(Session.objects.filter(pk=session.pk)),
    "end": lambda _, session: request_stop(Session.objects.filter(pk=session.pk)),
}
"""What can be done with all seats of a session."""


@require_POST
@researchers_only
def of_session(request: HttpRequest, session_id: str, verb: str) -> HttpResponse:
    """Do something with a session."""
    if verb not in OF_SESSION:
        raise Http404
    OF_SESSION[verb](request, _session(session_id))
    if verb in ("pause", "resume"):
        for guest_id in Guest.objects.filter(seat__session=session_id, holds=True).values_list(
            "pk", flat=True
        ):
            notify_pages(guest_id)
    return _monitor_part(request, session_id, "")


@researchers_only
def run_seats(request: HttpRequest, run_id: str) -> HttpResponse:
    """All seats of a run that people and programs take."""
    return render(request, "people/monitor/run.html", _run_context(request, run_id))


@researchers_only
def run_live(request: HttpRequest, run_id: str) -> HttpResponse:
    """The part of that which changes."""
    return render(request, "people/monitor/run_live.html", _run_context(request, run_id))


def _run_context(request: HttpRequest, run_id: str) -> dict[str, Any]:
    run = get_object_or_404(Run, pk=run_id)
    page = Paginator(monitor.seats_of_run(run), SEATS_A_PAGE).get_page(request.GET.get("page"))
    first = page.start_index() - 1 if page.paginator.count else 0
    shown = monitor.seats_of_run(run)[first : first + SEATS_A_PAGE]
    return {
        "run": run,
        "page": page,
        "rows": monitor.rows_of(request, shown),
        "lobby": monitor.lobby_of(request, run.sessions.all(), Q(run=run), monitor.run_attendance(run)),
    }


def _run_lobby(request: HttpRequest, run: Run) -> None:
    if not seating.usable().filter(run=run, seat=None).exists():
        open_lobby(run=run, created_by=researcher_of(request))


OF_RUN: dict[str, Callable[[HttpRequest, Run], object]] = {
    "links": lambda request, run: seating.invite_all(run.sessions.all(), researcher_of(request)),
    "lobby": _run_lobby,
    "close": lambda _, run: revoke(Invitation.objects.filter(run=run, seat=None)),
    "withdraw": lambda _, run: revoke(Invitation.objects.filter(seat__session__run=run)),
}
"""What can be done with all seats of a run."""


@require_POST
@researchers_only
def of_run(request: HttpRequest, run_id: str, verb: str) -> HttpResponse:
    """Do something with a run."""
    if verb not in OF_RUN:
        raise Http404
    OF_RUN[verb](request, get_object_or_404(Run, pk=run_id))
    if request.headers.get("HX-Request"):
        return render(request, "people/monitor/run_live.html", _run_context(request, run_id))
    return redirect("run_seats", run_id)


@researchers_only
def run_links(request: HttpRequest, run_id: str) -> HttpResponse:
    """The links to the seats of a run, as a file."""
    run = get_object_or_404(Run, pk=run_id)
    columns = ("session", "task", "seat", "for", "link", "works_until", "taken")
    lines = (
        {
            "session": row.seat.session_id,
            "task": row.seat.session.task.task_id,
            "seat": row.seat.name,
            "for": row.seat.kind,
            "link": row.link.address if row.link else "",
            "works_until": row.link.invitation.expires_at.isoformat(timespec="seconds") if row.link else "",
            "taken": int(row.guest is not None),
        }
        for row in monitor.rows_of(request, monitor.seats_of_run(run))
    )
    response = HttpResponse(csv_text(columns, lines), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="links-{run.pk}.csv"'
    return response
