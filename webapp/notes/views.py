"""Pages of notes, and what is done on them."""

from __future__ import annotations

from itertools import chain

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from webapp.accounts.access import researcher_of, researchers_only
from webapp.notes import services
from webapp.notes.files import FORMATS, as_file
from webapp.notes.forms import FORMS, CommentForm, NoteForm, NotesFilterForm
from webapp.notes.models import Kind, Note
from webapp.notes.selectors import notes
from webapp.sessions.models import Session
from webapp.sessions.panels import panel_context
from webapp.sessions.reading import Reading

PAGE = 50


@researchers_only
def note_list(request: HttpRequest) -> HttpResponse:
    """All notes, newest first."""
    form = NotesFilterForm(request.GET)
    wanted = form.filters()
    page = Paginator(notes(**wanted), PAGE).get_page(request.GET.get("page"))
    return render(request, "notes/list.html", {"form": form, "page": page, "query": _query(request)})


@researchers_only
def note_file(request: HttpRequest, written_as: str) -> HttpResponse:
    """The notes of the list as a file."""
    if written_as not in FORMATS:
        raise Http404
    kinds = {"jsonl": "application/x-ndjson", "csv": "text/csv; charset=utf-8"}
    response = HttpResponse(
        as_file(notes(**NotesFilterForm(request.GET).filters()), written_as), content_type=kinds[written_as]
    )
    response["Content-Disposition"] = f'attachment; filename="notes.{written_as}"'
    return response


def _query(request: HttpRequest) -> str:
    given = request.GET.copy()
    given.pop("page", None)
    return given.urlencode()


@require_POST
@researchers_only
def add(request: HttpRequest, session_id: str, kind: str) -> HttpResponse:
    """A new tag or comment, or a star that is set or taken away."""
    session = get_object_or_404(Session.objects.select_related("task", "world"), pk=session_id)
    form = FORMS[kind](session, request.POST, auto_id=f"{kind}_%s") if kind in FORMS else None
    if form is None:
        raise Http404
    if not form.is_valid():
        return _panel(request, session, form)
    author, seq = researcher_of(request), form.cleaned_data["seq"]
    if kind == Kind.STAR:
        services.toggle_star(session=session, author=author, seq=seq)
    else:
        text = form.cleaned_data["text"]
        services.add(session=session, author=author, kind=kind, seq=seq, text=text)
    return _panel(request, session)


@require_POST
@researchers_only
def change(request: HttpRequest, pk: int) -> HttpResponse:
    """Another text for one's own comment."""
    note = _own(request, pk)
    form = CommentForm(note.session, request.POST)
    if note.kind != Kind.COMMENT:
        raise Http404
    if form.is_valid():
        services.edit(note=note, text=form.cleaned_data["text"])
    return _panel(request, note.session, None if form.is_valid() else form)


@require_POST
@researchers_only
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Take one's own note away."""
    note = _own(request, pk)
    note.delete()
    return _panel(request, note.session)


def _own(request: HttpRequest, pk: int) -> Note:
    note = get_object_or_404(Note.objects.select_related("session__task", "session__world"), pk=pk)
    if note.author_id != researcher_of(request).pk:
        raise PermissionDenied
    return note


def _panel(request: HttpRequest, session: Session, refused: Form | None = None) -> HttpResponse:
    """What htmx asked for as it is now; else the session's page, which says what was wrong."""
    if not request.headers.get("HX-Request"):
        for words in chain.from_iterable(refused.errors.values()) if refused else ():
            messages.warning(request, str(words))
        return redirect(f"{session.get_absolute_url()}?tab=notes#side")
    if request.headers.get("HX-Target") == "head-notes":
        return render(request, "notes/head.html", {"session": session})
    context = panel_context(Reading.of(session), "notes", "")
    if isinstance(refused, NoteForm):
        context[f"{refused.kind}_form"] = refused
    return render(request, "sessions/panel.html", context)
