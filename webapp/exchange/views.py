"""Pages of imports, and exports as downloads."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from shutil import make_archive
from tempfile import TemporaryDirectory
from typing import Any

from django.http import (
    FileResponse,
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    StreamingHttpResponse,
)
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _

from benchmark.exports.rows import NoParquet
from benchmark.exports.training import SFT
from benchmark.inputs import LineProblem
from webapp.accounts.access import researcher_of, researchers_only
from webapp.audits.models import Act, Way
from webapp.audits.services import note_access
from webapp.exchange.formats import (
    RUN_ENDINGS,
    SESSION_ENDINGS,
    SET_ENDINGS,
    NotEnded,
    set_lines,
    write_run,
    write_session,
)
from webapp.exchange.forms import ImportForm
from webapp.exchange.jobs import RUN_FILE
from webapp.exchange.models import RunFile
from webapp.exchange.run_files import file_name, file_path, start_run_file
from webapp.exchange.training import PARQUET, WHOLE_ROLLOUTS, NoTraining, TrainingOptions
from webapp.exchange.uploads import start_import
from webapp.forms import gone_to
from webapp.jobs.selectors import open_job
from webapp.repairs.models import Repair
from webapp.sessions.models import RecordImport, Run, Session
from webapp.sets.models import SessionSet

MOST_DOWNLOADED = 300
"""Sessions of a run that are written while a browser waits."""


@researchers_only
def new_import(request: HttpRequest) -> HttpResponse:
    """Choose a file of run records, and have it brought in."""
    form = ImportForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        return gone_to(request, start_import(**form.creation(), created_by=researcher_of(request)))
    return render(request, "exchange/new_import.html", {"form": form})


@researchers_only
def record_import(request: HttpRequest, pk: int) -> HttpResponse:
    """How far an import is, the run that it became, or what is wrong with its file."""
    return render(request, "exchange/import.html", _import(pk))


@researchers_only
def import_live(request: HttpRequest, pk: int) -> HttpResponse:
    """The part of that page that changes."""
    return render(request, "exchange/import_live.html", _import(pk))


@researchers_only
def session_file(request: HttpRequest, session_id: str, format_: str) -> HttpResponseBase:
    """A session as a file of a format; one that goes on has no file but its record."""
    session = get_object_or_404(Session.objects.select_related("task"), pk=session_id)
    if format_ not in SESSION_ENDINGS:
        raise Http404
    file = BytesIO()
    try:
        write_session(session, format_, file, pseudonyms=_pseudonyms(request))
    except NotEnded:
        return _refusal_page(request, _("The session has not ended: wait for its end, or stop it."))
    file.seek(0)
    return FileResponse(file, as_attachment=True, filename=f"{session.pk}{SESSION_ENDINGS[format_]}")


@researchers_only
def set_file(request: HttpRequest, pk: int, format_: str) -> HttpResponseBase:
    """The ended sessions of a set as one file."""
    chosen = get_object_or_404(SessionSet, pk=pk)
    if format_ not in SET_ENDINGS:
        raise Http404
    lines = set_lines(chosen, format_, pseudonyms=_pseudonyms(request))
    response = StreamingHttpResponse(lines, content_type="application/x-ndjson; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="set-{chosen.pk}{SET_ENDINGS[format_]}"'
    return response


@researchers_only
def run_export(request: HttpRequest, run_id: str, format_: str) -> HttpResponseBase:
    """The ended sessions of a run as one file; a folder comes packed. POST has a worker make the file."""
    run = get_object_or_404(Run, pk=run_id)
    if format_ not in RUN_ENDINGS:
        raise Http404
    return _run_file(request, run, format_, run.pk)


@researchers_only
def repair_file(request: HttpRequest, run_id: str, repair_id: str, format_: str) -> HttpResponseBase:
    """The conversations of a repair to learn from."""
    repair = get_object_or_404(Repair.objects.select_related("run"), pk=repair_id, run=run_id)
    if format_.removesuffix(PARQUET) != SFT:
        raise Http404
    options = TrainingOptions(repair=repair)
    return _run_file(request, repair.run, format_, f"{run_id}.{repair.pk}", options)


def _run_file(
    request: HttpRequest,
    run: Run,
    format_: str,
    name: str,
    options: TrainingOptions = WHOLE_ROLLOUTS,
) -> HttpResponseBase:
    """name: of the file, without its end."""
    if request.method == "POST":
        wanted = start_run_file(
            run=run,
            format_=format_,
            pseudonyms=_pseudonyms(request),
            repair=options.repair,
            created_by=researcher_of(request),
        )
        return gone_to(request, wanted)
    if (count := run.sessions.count()) > MOST_DOWNLOADED:
        context = {"run": run, "count": count, "here": request.get_full_path()}
        return render(request, "exchange/large_file.html", context)
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}{RUN_ENDINGS[format_]}"
        try:
            write_run(run, format_, path, pseudonyms=_pseudonyms(request), training=options)
        except NoTraining:
            raise Http404 from None
        except NoParquet:
            return _refusal_page(
                request, _("Parquet needs pyarrow, which is not installed here. Take JSON lines.")
            )
        if path.is_dir():
            path = Path(make_archive(str(path), "zip", root_dir=folder, base_dir=path.name))
        file = path.open("rb")  # what is open can still be read once its folder is gone
    return FileResponse(file, as_attachment=True, filename=path.name)


@researchers_only
def run_file_page(request: HttpRequest, pk: int) -> HttpResponse:
    """How far the file of a large run is, or where to download it."""
    return render(request, "exchange/run_file.html", _file(pk))


@researchers_only
def run_file_live(request: HttpRequest, pk: int) -> HttpResponse:
    """The part of that page that changes."""
    return render(request, "exchange/run_file_live.html", _file(pk))


@researchers_only
def run_file_download(request: HttpRequest, pk: int) -> FileResponse:
    """The file itself."""
    file = get_object_or_404(RunFile, pk=pk, complete=True)
    path = file_path(file)
    if not path.exists():
        raise Http404
    note_access(
        account=researcher_of(request),
        act=Act.EXPORTED,
        way=Way.PAGE,
        place="run_file_download",
        kind="run",
        subject=file.run_id,
    )
    return FileResponse(path.open("rb"), as_attachment=True, filename=file_name(file))


def _file(pk: int) -> dict[str, Any]:
    file = get_object_or_404(RunFile.objects.select_related("run"), pk=pk)
    path = file_path(file)
    size = path.stat().st_size if path.exists() else 0
    return {"file": file, "job": open_job(RUN_FILE, str(pk)), "size": size}


def _pseudonyms(request: HttpRequest) -> bool:
    """Whether people are to have no names in it."""
    return request.GET.get("pseudonyms") == "1"


def _refusal_page(request: HttpRequest, why: str) -> HttpResponse:
    return render(request, "exchange/no_file.html", {"why": why}, status=409)


def _import(pk: int) -> dict[str, Any]:
    incoming = get_object_or_404(RecordImport.objects.select_related("run"), pk=pk)
    problems = [LineProblem(*problem) for problem in incoming.problems]
    more = incoming.problem_count - len(problems)
    return {"incoming": incoming, "problems": problems, "more": more}
