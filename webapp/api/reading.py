"""Single runs, sessions, tasks and reports, as the API gives them."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from benchmark.core.model_use import ModelUse
from benchmark.core.tool_use import ToolUse
from benchmark.reports import Report
from benchmark.suites import reporting_of
from webapp.api import schemas
from webapp.api.lists import run_fields, session_fields, task_fields
from webapp.apis import Place, Refusal
from webapp.catalogue.models import Task
from webapp.catalogue.selectors import tasks_with_page
from webapp.reports.files import PART_FORMATS, report_json, table_rows
from webapp.reports.folding import catch_up
from webapp.reports.page import ShownCell, ShownPart, shown_part
from webapp.reports.request import ReportRequest, asked_by
from webapp.reports.selectors import report_of
from webapp.runs.options import state_of
from webapp.runs.selectors import progress
from webapp.sessions.models import MetricValue, Run, Session
from webapp.tables.entries import refresh_runs
from webapp.tables.models import Entry, RunEntry

COUNTED_AT_ONCE = 400
"""Sessions that a report may count before it must be given, as on its page."""
COUNTING_S = 1
"""After which a program asks again for a report that is being counted."""


def refusal_of_unknown(what: str) -> Refusal:
    """What is said where there is no such thing."""
    return Refusal(404, "unknown", what)


def run_named(pk: str) -> Run:
    """Raises Refusal."""
    run = Run.objects.filter(pk=pk).first()
    if run is None:
        raise refusal_of_unknown(_("There is no run %(id)s.") % {"id": pk[:60]})
    return run


def session_named(pk: str) -> Session:
    """Raises Refusal."""
    session = Session.objects.filter(pk=pk).first()
    if session is None:
        raise refusal_of_unknown(_("There is no session %(id)s.") % {"id": pk[:60]})
    return session


def whole_run(request: HttpRequest, run: Run) -> schemas.Run:
    """A run as it is now."""
    refresh_runs()
    entry = RunEntry.objects.select_related("run").get(run=run)
    now = progress([entry.run])[run.pk]
    told = run_fields(request, entry, now)
    further = {name: value for name, value in state_of(run).items() if name not in told and name != "run"}
    if budget := further["budget"]:
        further["budget"] = {**budget, "amount_spent": budget["used"]}
    return schemas.Run(**told, options=dict(entry.run.options), **further)


def whole_session(request: HttpRequest, session: Session) -> schemas.Session:
    """A session as it is now."""
    entry = Entry.objects.filter(pk=session.pk).first()
    if entry is None:
        raise refusal_of_unknown(_("There is no session %(id)s.") % {"id": session.pk})
    (told,) = session_fields(request, [entry])
    scores: dict[str, dict[str, float]] = {}
    rows = MetricValue.objects.filter(session=session, rater="").order_by("profile", "key")
    for profile, key, value in rows.values_list("profile", "key", "value"):
        scores.setdefault(profile, {})[key] = value
    return schemas.Session(
        **told,
        options=dict(session.options),
        seats=[
            schemas.SeatItem(
                name=seat.name, role=seat.role, kind=seat.kind, model=seat.model.name if seat.model else ""
            )
            for seat in session.seats.select_related("model").order_by("pk")
        ],
        tools={name: ToolUse.of(use).summary() for name, use in session.tool_use.items()},
        models=[ModelUse.of(use).summary() for use in session.model_use],
        scores=scores,
    )


def whole_task(request: HttpRequest, task_id: str) -> schemas.Task:
    """A task with its definition; also an earlier version, and one that only run records tell of."""
    task: Task | None = tasks_with_page().filter(task_id=task_id).first()
    if task is None:
        raise refusal_of_unknown(_("There is no task %(id)s.") % {"id": task_id[:60]})
    return schemas.Task(**task_fields(request, task), definition=task.definition)


# Reports: what their pages and `manage.py report` tell of the same runs.


def report_asked(request: HttpRequest) -> Report:
    """The report that an address names, as that of its page does.

    Raises:
        Refusal: a run, a profile or a judge is not there, or sessions are still being counted.
    """
    asked = asked_by(request.GET)
    known = ("runs", "profile", "judge", "published")
    problems = [
        Place(
            where=name[:60],
            what=_("There is no such filter; there are: %(known)s.") % {"known": ", ".join(known)},
        )
        for name in request.GET
        if name not in known
    ]
    problems += [Place(where="runs", what=words) for words in asked.problems]
    if not asked.runs and not problems:
        problems.append(Place(where="runs", what=_("Name at least one run: ?runs=ID,ID.")))
    _refuse(problems)
    if left := catch_up(asked.runs, most=COUNTED_AT_ONCE):
        words = _("The sessions of these runs are being counted; %(left)s are left. Ask again.")
        raise Refusal(503, "counting", words % {"left": left}, again_in_s=COUNTING_S)
    report = report_of(asked.runs, asked.profile, asked.judges, published=asked.published)
    _refuse([Place(where="judge", what=words) for words in _lacking(asked, report)])
    return report


def _lacking(asked: ReportRequest, report: Report) -> list[str]:
    return asked.lacking_judge(report.pair)


def _refuse(places: list[Place]) -> None:
    if places:
        raise Refusal(422, "unfit", " ".join(place.what for place in places), places=places)


def whole_report(request: HttpRequest) -> HttpResponse:
    """All of it, as the file `report.json` has it."""
    return HttpResponse(report_json(report_asked(request)), content_type="application/json")


def _part(request: HttpRequest, name: str) -> tuple[Report, ShownPart]:
    report = report_asked(request)
    reporting = reporting_of(asked_by(request.GET).suite)
    part = reporting.part(name)
    if part is None:
        known = ", ".join(sorted(each.name for each in reporting.parts))
        words = _("This benchmark's reports have no table “%(name)s”; there are: %(known)s.")
        raise refusal_of_unknown(words % {"name": name[:60], "known": known})
    return report, shown_part(report, part)


def report_file(request: HttpRequest, name: str, ending: str) -> HttpResponse:
    """One of its tables as the page's file."""
    kind, write = PART_FORMATS[ending]
    return HttpResponse(write(_part(request, name)[1]), content_type=f"{kind}; charset=utf-8")


def report_table(request: HttpRequest, name: str) -> schemas.ReportTable:
    """One of its tables."""
    report, shown = _part(request, name)
    columns: list[Any] = [
        schemas.ReportColumn(key=column.key, label=str(head.label), meaning=str(head.meaning))
        for column, head in zip(shown.table.columns, shown.heads, strict=True)
    ]
    return schemas.ReportTable(
        part=shown.part.name,
        title=shown.title,
        about=shown.about,
        profile=report.measures.profile,
        columns=columns,
        rows=table_rows(shown.table),
        words=[[_cell_words(cell) for cell in line] for line in shown.lines],
        notes=[str(note) for note in (*shown.limits, *shown.notes)],
    )


def _cell_words(cell: ShownCell) -> str:
    return f"{cell.words} ({cell.note})" if cell.note else str(cell.words)
