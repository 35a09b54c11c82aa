"""The table of sessions, as a page and as files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from benchmark.jsonlines import json_line
from webapp.accounts.access import researcher_of, researchers_only
from webapp.sessions.models import Session
from webapp.spreadsheets import csv_text
from webapp.tables import selectors
from webapp.tables.columns import Column
from webapp.tables.forms import Look, ViewForm
from webapp.tables.models import Entry, SavedView
from webapp.tables.services import delete_view, save_view

REMEMBERED = "table_columns"
WRITTEN_AT_ONCE = 1000


@researchers_only
def session_table(request: HttpRequest) -> HttpResponse:
    """Sessions, as filters leave them and in any order."""
    look = _look(request)
    if look.chosen:
        request.session[REMEMBERED] = look.keys
    said = _said(look)
    page = selectors.page(
        selectors.entries(look.wanted, look.known, said), look.order, request.GET.get("after", "")
    )
    context = {
        "look": look,
        "rows": _rows(page.entries, look.shown, said),
        "said": said,
        "looked_through": selectors.LOOKED_THROUGH,
        "slice": page,
        "counted": selectors.COUNTED,
        "query": look.query(),
        "next": look.query(after=page.after) if page.after else "",
        "begun": bool(request.GET.get("after")),
        "views": SavedView.objects.filter(user=researcher_of(request)),
        "choosable": [(column, column.key in look.keys) for column in look.known.values()],
    }
    return render(request, "tables/sessions.html", context)


def _look(request: HttpRequest) -> Look:
    given = request.GET.copy()
    if picked := given.getlist("column"):
        given["columns"] = ",".join(picked)
    return Look(given, request.session.get(REMEMBERED, []))


def _said(look: Look) -> selectors.Saying | None:
    return selectors.saying(look.wanted["said"]) if look.wanted.get("said") else None


def _rows(
    entries: Sequence[Entry], shown: list[Column], said: selectors.Saying | None
) -> list[tuple[Session, list[tuple[Column, str]], selectors.Hit | None]]:
    """Each session with its cells, and where in it what is looked for was said; titles need the task."""
    ids = [entry.pk for entry in entries]
    found = Session.objects.filter(pk__in=ids).select_related("task", "agent_model", "user_model")
    found = found.prefetch_related("seats__model").defer(
        *("task__definition", "tool_use", "model_use", "agent_model__findings", "user_model__findings")
    )
    sessions = found.in_bulk()
    hits = selectors.hits(said.what, ids) if said else {}
    return [
        (sessions[entry.pk], [(column, column.words(entry)) for column in shown], hits.get(entry.pk))
        for entry in entries
        if entry.pk in sessions
    ]


@researchers_only
def table_file(request: HttpRequest, ending: str) -> HttpResponseBase:
    """The same rows as CSV or JSON lines: all of them, with the columns that are shown."""
    if ending not in ("csv", "jsonl"):
        raise Http404
    look = _look(request)
    found = selectors.ordered(selectors.entries(look.wanted, look.known, _said(look)), look.order)
    write = _csv if ending == "csv" else _jsonl
    kind = "text/csv" if ending == "csv" else "application/x-ndjson"
    response = StreamingHttpResponse(
        write(found.iterator(chunk_size=WRITTEN_AT_ONCE), look.shown), content_type=f"{kind}; charset=utf-8"
    )
    response["Content-Disposition"] = f'attachment; filename="sessions.{ending}"'
    return response


def _plain(entry: Entry, shown: list[Column]) -> dict[str, Any]:
    told = {column.key: column.read(entry) for column in shown}
    for key, value in told.items():
        if hasattr(value, "isoformat"):
            told[key] = value.isoformat()
    return {"session": entry.pk, **told}


def _csv(entries: Iterator[Entry], shown: list[Column]) -> Iterator[str]:
    keys = ["session", *(column.key for column in shown)]
    yield csv_text(keys, [])
    for entry in entries:
        yield csv_text(keys, [_plain(entry, shown)]).partition("\r\n")[2]


def _jsonl(entries: Iterator[Entry], shown: list[Column]) -> Iterator[bytes]:
    for entry in entries:
        yield json_line(_plain(entry, shown))


@require_POST
@researchers_only
def save(request: HttpRequest) -> HttpResponseBase:
    """Keep the view whose address is `query` under a name."""
    form = ViewForm(request.POST)
    user = researcher_of(request)
    if form.is_valid() and user is not None:
        save_view(user=user, name=form.cleaned_data["name"], query=request.POST.get("query", ""))
    return redirect(f"{reverse('sessions')}?{request.POST.get('query', '')}")


@require_POST
@researchers_only
def delete(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Forget a view."""
    user = researcher_of(request)
    if user is not None:
        delete_view(user=user, pk=pk)
    return redirect("sessions")
