"""The tables of sessions, runs and tasks, as pages and as files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString
from django.views.decorators.http import require_POST

from benchmark.core.participant import INBOX
from benchmark.jsonlines import json_line
from benchmark.text.search_query import parse
from webapp.accounts.access import researcher_of, researchers_only
from webapp.catalogue.models import Task
from webapp.catalogue.selectors import definition_line, sessions_of
from webapp.catalogue.selectors import tasks as narrowed_tasks
from webapp.endpoints.selectors import known_names
from webapp.runs import selectors as run_selectors
from webapp.sessions.models import Session
from webapp.spreadsheets import csv_text
from webapp.tables import run_columns, selectors, session_columns, task_columns
from webapp.tables.columns import Column, cell, keys_joined
from webapp.tables.entries import refresh_runs
from webapp.tables.expressions import MatchedText
from webapp.tables.finding import MOST_COUNTED, Saying, SessionHits, hits, saying
from webapp.tables.forms import Look, Table, TaskFilters, ViewForm, of_runs, of_sessions, of_tasks
from webapp.tables.models import Entry, RunEntry, SavedView
from webapp.tables.search import AmongValues
from webapp.tables.services import delete_view, save_view

SESSION_COLUMNS_KEY, REMEMBERED_OF_RUNS, REMEMBERED_OF_TASKS = "table_columns", "run_columns", "task_columns"
WRITTEN_AT_ONCE = 1000
SEATS = ("agent", "users")


@researchers_only
def session_table(request: HttpRequest) -> HttpResponse:
    """Sessions, as filters leave them and in any order."""
    table = of_sessions()
    if chosen := _columns_chosen(request, table, SESSION_COLUMNS_KEY):
        return chosen
    look = look_of(request, table, SESSION_COLUMNS_KEY)
    said = _saying(look)
    entries = selectors.entries(look.filters, look.column_by_key)
    page = selectors.page(entries, look.order, request.GET.get("after", ""), said=said)
    if page.entries:
        look.settle(session_columns.usual(look.column_by_key, {entry.suite for entry in page.entries}))
    context = {
        "look": look,
        "rows": _rows(page.entries, look, said),
        "said": said,
        **_page_context(request, look, page),
        "views": SavedView.objects.filter(user=researcher_of(request)),
    }
    return render(request, "tables/sessions.html", context)


def look_of(request: HttpRequest, table: Table, remembered: str) -> Look:
    """remembered: where the person's columns of this table are kept; those in an address are of that visit."""
    return Look(table, request.GET, request.session.get(remembered, []))


def _columns_chosen(request: HttpRequest, table: Table, remembered: str) -> HttpResponse | None:
    """Keep the columns that somebody picks, or forget them; then on to an address that holds the view."""
    picked = [key for key in request.GET.getlist("column") if key in table.column_by_key]
    if picked:
        request.session[remembered] = picked
    elif "usual" in request.GET:
        request.session.pop(remembered, None)
    else:
        return None
    given = request.GET.copy()
    given["columns"] = keys_joined(picked) if picked else ""
    return redirect(f"{request.path}?{Look(table, given, []).query()}")


def _saying(look: Look) -> Saying | None:
    return saying(parse(look.filters["said"])) if look.filters.get("said") else None


Cells = tuple[SafeString, str, str]
"""Cells of a row, whose cell the page draws after them ("agent", "users", "" for none), and the end of the address
that leaves the rows with its value.
"""


def _rows(
    entries: Sequence[Entry], look: Look, said: Saying | None
) -> list[tuple[Session, list[Cells], SessionHits | None]]:
    """Each session with its cells, and where in it what is looked for was said; titles need the task."""
    ids = [entry.pk for entry in entries]
    session_rows = Session.objects.filter(pk__in=ids).select_related("task", "agent_model", "user_model")
    session_rows = session_rows.prefetch_related("seats__model").defer(
        *("task__definition", "tool_use", "model_use", "agent_model__findings", "user_model__findings")
    )
    sessions = session_rows.in_bulk()
    hits_by_session = hits(said.plan, ids) if said else {}
    for entry in entries:
        if entry.pk in sessions:
            entry.session = sessions[entry.pk]
    shown = look.shown_columns
    return [
        (sessions[entry.pk], _cells(look, shown, entry, sessions[entry.pk]), hits_by_session.get(entry.pk))
        for entry in entries
        if entry.pk in sessions
    ]


def _cells(look: Look, shown: Sequence[Column], entry: Entry, session: Session) -> list[Cells]:
    cells: list[Cells] = []
    plain: list[str] = []
    for column in shown:
        if column.key in SEATS and _needs_more(column.key, session):
            cells.append((SafeString("".join(plain)), column.key, look.only(column, entry)))
            plain = []
        else:
            classes = "n" if column.number else f"status-{entry.status}" if column.key == "status" else ""
            plain.append(cell(column.words(entry), classes, look.only(column, entry)))
    return [*cells, (SafeString("".join(plain)), "", "")]


def _needs_more(role: str, session: Session) -> bool:
    """Whether more is to be said of who sits there than a kind: a model, a program, travellers unlike the rest."""
    if role == "agent":
        return session.agent == INBOX or session.agent_model_id is not None
    return session.users == INBOX or session.user_model_id is not None or bool(session.seat_overrides)


@researchers_only
def table_file(request: HttpRequest, ending: str) -> HttpResponseBase:
    """The same rows as CSV or JSON lines: all of them, with the columns that are shown."""
    look = look_of(request, of_sessions(), SESSION_COLUMNS_KEY)
    entries, said = selectors.entries(look.filters, look.column_by_key), _saying(look)
    if said is not None:
        entries = entries.filter(said.filter())
    if suites := _suites_in(entries):
        look.settle(session_columns.usual(look.column_by_key, suites))
    if session_columns.reads_tasks(look.shown_columns):
        entries = entries.select_related("session__task").defer(
            *(f"session__{name}" for name in ("tool_use", "model_use", "task__definition"))
        )
    return _file("session", look, selectors.order_rows(entries, look.order), ending)


@researchers_only
def run_table(request: HttpRequest) -> HttpResponse:
    """Runs, as filters leave them and in any order."""
    refresh_runs()
    table = of_runs()
    if chosen := _columns_chosen(request, table, REMEMBERED_OF_RUNS):
        return chosen
    look = look_of(request, table, REMEMBERED_OF_RUNS)
    page = selectors.page(
        selectors.run_entries(look.filters, look.column_by_key),
        look.order,
        request.GET.get("after", ""),
        RunEntry.objects.select_related("run"),
    )
    if page.entries:
        look.settle(run_columns.usual(look.column_by_key, {entry.suite for entry in page.entries}))
    progress = run_selectors.progress([entry.run for entry in page.entries])
    context = {
        "look": look,
        "rows": [
            (
                entry.run,
                progress[entry.pk],
                [(column, column.words(entry), look.only(column, entry)) for column in look.shown_columns],
            )
            for entry in page.entries
        ],
        **_page_context(request, look, page),
        "known_endpoints": known_names(),
    }
    return render(request, "tables/runs.html", context)


@researchers_only
def run_table_file(request: HttpRequest, ending: str) -> HttpResponseBase:
    """The rows of runs as CSV or JSON lines."""
    refresh_runs()
    look = look_of(request, of_runs(), REMEMBERED_OF_RUNS)
    entries = selectors.run_entries(look.filters, look.column_by_key)
    if suites := _suites_in(entries):
        look.settle(run_columns.usual(look.column_by_key, suites))
    return _file("run", look, selectors.order_rows(entries, look.order), ending)


@researchers_only
def task_table(request: HttpRequest) -> HttpResponse:
    """Tasks, as filters leave them and in any order."""
    table = of_tasks()
    if chosen := _columns_chosen(request, table, REMEMBERED_OF_TASKS):
        return chosen
    look = look_of(request, table, REMEMBERED_OF_TASKS)
    whole = Task.objects.select_related("collection").defer("definition")
    page = selectors.page(tasks_of(look), look.order, request.GET.get("after", ""), whole)
    tasks = page.entries
    if tasks:
        look.settle(task_columns.usual(look.column_by_key, {task.suite for task in tasks}))
    counts = sessions_of(tasks)
    context = {
        "look": look,
        "rows": [
            (
                task,
                counts.get(task.pk, 0),
                [
                    cell(column.words(task), "n" if column.number else "", look.only(column, task))
                    for column in look.shown_columns
                ],
            )
            for task in tasks
        ],
        **_page_context(request, look, page),
    }
    return render(request, "tables/tasks.html", context)


def tasks_of(look: Look) -> QuerySet[Task]:
    """The tasks that the filters leave."""
    assert isinstance(look.form, TaskFilters)
    rows = narrowed_tasks(look.form.task_filter()).select_related(None)
    find = look.filters.get("find")
    return rows.filter(AmongValues("found_by", find.values)) if isinstance(find, MatchedText) else rows


@researchers_only
def task_table_file(request: HttpRequest, ending: str) -> HttpResponseBase:
    """The rows of tasks as CSV or JSON lines."""
    look = look_of(request, of_tasks(), REMEMBERED_OF_TASKS)
    tasks = tasks_of(look).select_related("collection").defer("definition")
    if suites := _suites_in(tasks):
        look.settle(task_columns.usual(look.column_by_key, suites))
    tasks = selectors.order_rows(tasks, look.order)
    return _file("task", look, tasks, ending, by="task_id")


@researchers_only
def task_definitions(request: HttpRequest) -> HttpResponseBase:
    """The tasks themselves in the published format, as `import_tasks` reads them."""
    look = look_of(request, of_tasks(), REMEMBERED_OF_TASKS)
    tasks = selectors.order_rows(tasks_of(look), look.order).iterator(chunk_size=WRITTEN_AT_ONCE)
    lines = (definition_line(task) for task in tasks)
    response = StreamingHttpResponse(lines, content_type="application/x-ndjson; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="task-definitions.jsonl"'
    return response


def _page_context(request: HttpRequest, look: Look, page: selectors.Slice[Any]) -> dict[str, Any]:
    """What the templates of all tables need of a page."""
    return {
        "slice": page,
        "counted": MOST_COUNTED,
        "query": look.query(),
        "next": look.query(after=page.after) if page.after else "",
        "begun": bool(request.GET.get("after")),
        "choosable": [(column, column.key in look.keys) for column in look.column_by_key.values()],
    }


def _file(what: str, look: Look, rows: QuerySet[Any], ending: str, *, by: str = "pk") -> HttpResponseBase:
    """All rows as a download; what: the name of the first column, of ids; by: the field that holds these."""
    if ending not in ("csv", "jsonl"):
        raise Http404
    write, kind = (_csv, "text/csv") if ending == "csv" else (_jsonl, "application/x-ndjson")
    plain = (
        {what: getattr(row, by), **_plain(row, look.shown_columns)}
        for row in rows.iterator(chunk_size=WRITTEN_AT_ONCE)
    )
    keys = list(dict.fromkeys([what, *(column.key for column in look.shown_columns)]))
    response = StreamingHttpResponse(write(keys, plain), content_type=f"{kind}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{what}s.{ending}"'
    return response


def _suites_in(rows: QuerySet[Any]) -> set[str]:
    """The benchmarks of some rows: what is usual depends on them."""
    return set(rows.order_by().values_list("suite", flat=True).distinct())


def _plain(row: Any, shown: list[Column]) -> dict[str, Any]:
    told = {column.key: column.read(row) for column in shown}
    for key, value in told.items():
        if hasattr(value, "isoformat"):
            told[key] = value.isoformat()
    return told


def _csv(keys: list[str], rows: Iterator[dict[str, Any]]) -> Iterator[str]:
    yield csv_text(keys, [])
    for row in rows:
        yield csv_text(keys, [row]).partition("\r\n")[2]


def _jsonl(keys: list[str], rows: Iterator[dict[str, Any]]) -> Iterator[bytes]:
    for row in rows:
        yield json_line(row)


@require_POST
@researchers_only
def save(request: HttpRequest) -> HttpResponseBase:
    """Keep the view whose address is `query` under a name."""
    form = ViewForm(request.POST)
    user = researcher_of(request)
    if not form.is_valid():
        return render(request, "tables/save_view.html", {"form": form}, status=400)
    if user is not None:
        save_view(user=user, **form.cleaned_data)
    return redirect(f"{reverse('sessions')}?{form.cleaned_data['query']}")


@require_POST
@researchers_only
def delete(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Forget a view."""
    user = researcher_of(request)
    if user is not None:
        delete_view(user=user, pk=pk)
    return redirect("sessions")
