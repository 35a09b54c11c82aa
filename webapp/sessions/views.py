"""Pages of sessions."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from secrets import token_hex
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import get_language
from django.views.decorators.http import require_POST

from benchmark.core.events import ToolReturned
from benchmark.suites import SUITES, suite_named
from benchmark.text.prompts import prompts_of
from webapp import clock
from webapp.accounts.access import researcher_of, researchers_only
from webapp.catalogue.wording import task_title
from webapp.forms import ChoiceRefused, gone_to
from webapp.pages import pages_of
from webapp.sessions import outline as outlines
from webapp.sessions import timeline as timelines
from webapp.sessions.chat import chat_html
from webapp.sessions.forms import SessionForm
from webapp.sessions.frames import viewer_of
from webapp.sessions.head import figures, options, status_line
from webapp.sessions.log import as_json, event_of, seq_in, visible
from webapp.sessions.models import Session
from webapp.sessions.panels import panel_context, panels_of
from webapp.sessions.reading import Reading
from webapp.sessions.scoring import record_file
from webapp.sessions.services import (
    create_session,
    pause_sessions,
    request_stop,
    resume_sessions,
)
from webapp.templating import stream_page

LONG_CHAT = 1_000
"""Events. A longer conversation stands in blocks, and is still being rendered when the top of its page is sent."""
SCORING_TAKES = timedelta(minutes=1)
"""How long a page asks again for the scores of a session that has ended."""


def _session(session_id: str) -> Session:
    return get_object_or_404(
        Session.objects.select_related("task__brought_by", "world", "prompt_set__prompt_set", "archive"),
        pk=session_id,
    )


def _moment(request: HttpRequest) -> int | None:
    """The event that `?at=` names, None for the end of the log."""
    return seq_in(request.GET.get("at", ""))


@researchers_only
def session_page(request: HttpRequest, session_id: str) -> HttpResponseBase:
    """One session, live or ended: everything so far, then the socket goes on from there."""
    session = _session(session_id)
    reading = Reading.of(session)
    viewer = viewer_of(request.user, session)
    if viewer is None:
        raise PermissionDenied
    shown = list(visible(reading.events, viewer))
    long = len(shown) > LONG_CHAT
    language = get_language() or "en"
    chat = partial(chat_html, shown, session=session, viewer=viewer, language=language, blocks=long)
    context = {
        "title": task_title(session.task),
        "chat": mark_safe(place := f"<!--{token_hex(8)}-->") if long else chat(),
        "cursor": shown[-1].seq if shown else 0,
        **_outline(reading),
        **_timeline(reading),
        **_outcome(reading),
        **_page_at(request, reading),
    }
    page = render(request, "sessions/session.html", context)
    return stream_page(page, place, chat) if long else page


def _page_at(request: HttpRequest, reading: Reading) -> dict[str, Any]:
    """The head and the panel at the moment that the address names, from a log that is read already."""
    at = _moment(request)
    then = reading if at is None else reading.until(at)
    panel = panel_context(then, request.GET.get("tab", ""), request.GET.get("traveller", ""))
    return {**_head(then), **panel}


def _outcome(reading: Reading) -> dict[str, Any]:
    """What the session came to, by the benchmark's own template; nothing before its end."""
    suite = reading.session.suite
    outcome = pages_of(suite).session.outcome(reading)
    return {"outcome": outcome, "outcome_template": f"suites/{suite}/outcome.html" if outcome else ""}


def _timeline(reading: Reading) -> dict[str, Any]:
    letters: dict[str, list[str]] = {}
    for kind in timelines.kinds_of(reading.session.suite):
        letters.setdefault(kind.letter, []).append(str(kind.label))
    named = [(letter, labels) for letter, labels in letters.items() if letter not in ("", "j")]
    return {"timeline": timelines.timeline(reading), "letters": named}


def _head(reading: Reading) -> dict[str, Any]:
    session = reading.session
    return {
        "session": session,
        "figures": figures(reading),
        "options": options(reading),
        "has_tools": suite_named(reading.session.suite).play.has_tools,
        "status": status_line(reading),
        "at": reading.at,
        "scored": session.ended and reading.score is not None,
        "unscored": session.ended and reading.score is None,
        "just_ended": session.finished_at and clock.now() - session.finished_at < SCORING_TAKES,
    }


def _outline(reading: Reading) -> dict[str, Any]:
    return {
        "session": reading.session,
        "sections": outlines.sections(reading),
        "marks": outlines.marks(reading),
    }


@researchers_only
def prompts(request: HttpRequest, version: str) -> HttpResponse:
    """The words that a model is given, of a version; not found where this code has others."""
    for suite in map(suite_named, SUITES):
        suite.play.cast()  # whoever has prompts is imported with it; judges come with the suite
    prompt_set = prompts_of(version)
    parts = (
        [(language, prompt_set[0].templates(language)) for language in prompt_set[1]] if prompt_set else []
    )
    context = {"version": version, "parts": parts}
    return render(request, "sessions/prompts.html", context, status=200 if prompt_set else 404)


@researchers_only
def head(request: HttpRequest, session_id: str) -> HttpResponse:
    """Status line and figures, at a moment of the log."""
    return render(request, "sessions/head.html", _head(Reading.of(_session(session_id), _moment(request))))


@researchers_only
def outcome(request: HttpRequest, session_id: str) -> HttpResponse:
    """What the session came to."""
    reading = Reading.of(_session(session_id))
    return render(request, "sessions/outcome.html", {"session": reading.session, **_outcome(reading)})


@researchers_only
def timeline(request: HttpRequest, session_id: str) -> HttpResponse:
    """The events after `?after=` as the time line has them."""
    after = seq_in(request.GET.get("after", "")) or 0
    return JsonResponse(timelines.timeline(Reading.of(_session(session_id)), after))


@researchers_only
def outline(request: HttpRequest, session_id: str) -> HttpResponse:
    """Rounds and marks."""
    return render(request, "sessions/outline.html", _outline(Reading.of(_session(session_id))))


@researchers_only
def panel(request: HttpRequest, session_id: str, tab: str) -> HttpResponse:
    """One panel, at a moment of the log; with `head` in the address, the head as well for htmx to put in place."""
    session = _session(session_id)
    if tab not in panels_of(session.suite):
        raise Http404
    reading = Reading.of(session, _moment(request))
    context = panel_context(reading, tab, request.GET.get("traveller", ""))
    answer = render(request, "sessions/panel.html", context)
    if "head" in request.GET:
        answer.write(render_to_string("sessions/head.html", {**_head(reading), "beside": True}, request))
    return answer


def _changing(change: Callable[[QuerySet[Session]], None]) -> Callable[..., HttpResponseBase]:
    """A view that changes a session; it shows the head alone where the page asks for no more, and keeps its place."""

    @require_POST
    @researchers_only
    def view(request: HttpRequest, session_id: str) -> HttpResponseBase:
        session = _session(session_id)
        change(Session.objects.filter(pk=session_id))
        return head(request, session_id) if request.headers.get("HX-Request") else redirect(session)

    return view


stop, pause, resume = map(_changing, (request_stop, pause_sessions, resume_sessions))


@researchers_only
def record(request: HttpRequest, session_id: str) -> HttpResponse:
    """The published run record as a file of one line."""
    session = _session(session_id)
    response = HttpResponse(record_file(session), content_type="application/x-ndjson")
    response["Content-Disposition"] = f'attachment; filename="{session.pk}.jsonl"'
    return response


@researchers_only
def result(request: HttpRequest, session_id: str, seq: int) -> HttpResponse:
    """A tool's whole answer, as the agent got it."""
    row = get_object_or_404(_session(session_id).events, seq=seq)
    body = event_of(row).body
    if not isinstance(body, ToolReturned):
        raise Http404
    return HttpResponse(body.result, content_type="text/plain; charset=utf-8")


@researchers_only
def event(request: HttpRequest, session_id: str, seq: int) -> HttpResponse:
    """An event of the log as it is stored."""
    row = get_object_or_404(_session(session_id).events, seq=seq)
    shown = {"indent": 2, "ensure_ascii": False}
    return JsonResponse(as_json(row), json_dumps_params=shown)


@researchers_only
def new_session(request: HttpRequest) -> HttpResponse:
    """Choose what to run, and start it; `look` in the data only draws the form for what is chosen so far."""
    if request.method != "POST" or "look" in request.POST:
        given = request.POST if request.method == "POST" else request.GET
        return render(request, "sessions/new.html", {"form": SessionForm(initial=given.dict())})
    form = SessionForm(request.POST)
    if form.is_valid():
        try:
            session = create_session(**form.creation(), created_by=researcher_of(request))
            return gone_to(request, reverse("seats", args=[session.pk]) if form.has_outside() else session)
        except ChoiceRefused as refusal:
            form.refuse(refusal)
    return render(request, "sessions/new.html", {"form": form})
