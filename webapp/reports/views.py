"""Pages and files of reports."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.conf import settings
from django.core.paginator import Paginator
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import get_language
from django.views.decorators.http import require_POST

from benchmark.exports.charts import NoMatplotlib, chart_files, matplotlib_is_here, read_chart
from benchmark.reports import Report
from benchmark.suites import DEFAULT_SUITE, reporting_of, suite_named
from webapp.accounts.access import researcher_of, researchers_only
from webapp.catalogue.models import TaskCollection
from webapp.fields import NUL
from webapp.forms import gone_to
from webapp.jobs.services import open_jobs
from webapp.reports import leaderboard
from webapp.reports.archives import archive_path, start_archive
from webapp.reports.files import FORMATS, PART_FORMATS, table_csv
from webapp.reports.folding import catch_up
from webapp.reports.jobs import ARCHIVE
from webapp.reports.judges import choices
from webapp.reports.models import ReportArchive
from webapp.reports.page import shown_part, shown_parts
from webapp.reports.paper_results import conditions_beside
from webapp.reports.request import ReportRequest, asked_by
from webapp.reports.selectors import MOST_RUNS, count_unscored, report_of, results_of
from webapp.reports.wording import Words, no_matplotlib_words
from webapp.runs.selectors import runs as all_runs

PAGE = 30
FIGURE_KINDS: Mapping[str, str] = {
    "svg": "image/svg+xml",
    "png": "image/png",
    "pdf": "application/pdf",
}
"""The content types of charts by the endings of their files."""
FOLDED_AT_ONCE = 400
"""Sessions that an answer may fold before it must be given."""


@researchers_only
def report_page(request: HttpRequest) -> HttpResponse:
    """The report of the runs that are named, else runs to choose from."""
    asked = asked_by(request.GET)
    if not asked.runs:
        return _choice(request, asked)
    if left := catch_up(asked.runs, most=FOLDED_AT_ONCE):
        return render(request, "reports/counting.html", {"left": left})
    report = report_of(asked.runs, asked.profile, asked.judges, published=asked.published)
    results = results_of(asked.suite)
    given = {
        "paper": results.paper if results else "",
        "conditions_beside": conditions_beside(report, report.paper_results, report.runs)
        if report.paper_results
        else [],
        "runs": [(run, own, asked.led_by(run)) for run, own in zip(asked.runs, report.runs, strict=True)],
        "asked": asked,
        "problems": asked.problems + asked.lacking_judge(report.pair),
        "profiles": {name: asked.query(name) for name in asked.profiles},
        "query": asked.query(asked.profile),
        "pairs": choices(report),
        "formats": FORMATS,
        "code_version": report.measures.code_version,
        "unscored": count_unscored(asked.runs, asked.profile),
        "counterparts": Words(report.measures).counterparts,
        "parts": shown_parts(report),
        "part_formats": PART_FORMATS,
        "figure_formats": FIGURE_KINDS if matplotlib_is_here() else (),
        "no_figures": "" if matplotlib_is_here() else no_matplotlib_words(),
    }
    return render(request, "reports/report.html", given)


def _choice(request: HttpRequest, asked: ReportRequest) -> HttpResponse:
    """Runs to choose from; not found where a run was asked for and none of them is there."""
    page = Paginator(all_runs(), PAGE).get_page(request.GET.get("page"))
    suites = {run.suite: None for run in page} or [DEFAULT_SUITE]
    profiles = [name for suite in suites for name in suite_named(suite).scoring.profiles]
    given = {
        "page": page,
        "profiles": profiles if len(suites) == 1 else ["", *profiles],
        "most": MOST_RUNS,
        "problems": asked.problems,
    }
    return render(
        request, "reports/choose.html", given, status=404 if "runs" in request.GET and asked.problems else 200
    )


@researchers_only
def report_file(request: HttpRequest, ending: str) -> HttpResponse:
    """The same as a file."""
    if ending not in FORMATS:
        raise Http404
    kind, write = FORMATS[ending]
    return _file(request, write, kind, f"report.{ending}")


@researchers_only
def part_file(request: HttpRequest, part: str, ending: str) -> HttpResponse:
    """One table, or the data of a chart, as a file."""
    report_part = reporting_of(asked_by(request.GET).suite).part(part)
    if report_part is None or ending not in PART_FORMATS:
        raise Http404
    kind, write = PART_FORMATS[ending]
    return _file(request, lambda report: write(shown_part(report, report_part)), kind, f"{part}.{ending}")


@researchers_only
def figure_file(request: HttpRequest, chart: str, ending: str) -> HttpResponse:
    """One chart in print style."""
    part = reporting_of(asked_by(request.GET).suite).part(chart.rpartition("-")[0] or chart)
    if part is None or ending not in FIGURE_KINDS:
        raise Http404

    def draw(report: Report) -> bytes:
        charts = {one.id: one for one in shown_part(report, part).charts}
        if chart not in charts:
            raise Http404
        return chart_files(read_chart(charts[chart].plotly), [ending]).files[ending]

    try:
        return _file(request, draw, FIGURE_KINDS[ending], f"{chart}.{ending}")
    except NoMatplotlib:
        return _no_file(request, [no_matplotlib_words()])


def _file(request: HttpRequest, write: Callable[[Report], str | bytes], kind: str, name: str) -> HttpResponse:
    """A file can't say what it lacks: it is there if all that was asked for is."""
    asked = asked_by(request.GET)
    if not asked.runs or asked.problems:
        return _no_file(request, asked.problems)
    catch_up(asked.runs)
    report = report_of(asked.runs, asked.profile, asked.judges, published=asked.published)
    if lacking := asked.lacking_judge(report.pair):
        return _no_file(request, lacking)
    content = write(report)
    response = HttpResponse(
        content, content_type=kind if isinstance(content, bytes) else f"{kind}; charset=utf-8"
    )
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _no_file(request: HttpRequest, problems: Sequence[str]) -> HttpResponse:
    """Why there is none; without problems, because no run was named."""
    return render(request, "reports/no_file.html", {"problems": problems}, status=404)


@researchers_only
@require_POST
def start_report_archive(request: HttpRequest) -> HttpResponse:
    """Have a worker make the zip of the report that the address names."""
    asked = asked_by(request.GET)
    if not asked.runs or asked.problems:
        return _no_file(request, asked.problems)
    archive = start_archive(
        query=asked.query(asked.profile),
        language=get_language() or settings.LANGUAGE_CODE,
        created_by=researcher_of(request),
    )
    return gone_to(request, archive)


@researchers_only
def report_archive_page(request: HttpRequest, pk: int) -> HttpResponse:
    """How far a zip is, or where to download it."""
    return render(request, "reports/archive.html", _archive(pk))


@researchers_only
def report_archive_live(request: HttpRequest, pk: int) -> HttpResponse:
    """The part of that page that changes."""
    return render(request, "reports/archive_live.html", _archive(pk))


def _archive(pk: int) -> dict[str, Any]:
    archive = get_object_or_404(ReportArchive, pk=pk)
    path = archive_path(archive)
    return {
        "archive": archive,
        "job": open_jobs(ARCHIVE).filter(subject=str(pk)).first(),
        "size": path.stat().st_size if path.exists() else 0,
    }


@researchers_only
def report_archive_file(request: HttpRequest, pk: int) -> FileResponse:
    """The zip itself."""
    path = archive_path(get_object_or_404(ReportArchive, pk=pk, complete=True))
    if not path.exists():
        raise Http404
    return FileResponse(path.open("rb"), as_attachment=True, filename="paper.zip")


@researchers_only
def leaderboard_page(request: HttpRequest) -> HttpResponse:
    """The runs over a collection of tasks, the best first."""
    collections = list(leaderboard.collections())
    collection = _collection(request, collections)
    if collection is None:
        return render(request, "reports/leaderboard.html", {"collections": []})
    runs = leaderboard.runs_over(collection)
    if left := catch_up(runs, most=FOLDED_AT_ONCE):
        return render(request, "reports/counting.html", {"left": left})
    asked = leaderboard.asked_by(request.GET, collection, runs[0].suite)
    board = leaderboard.leaderboard(asked, runs)
    given = {
        "board": board,
        "collections": collections,
        "spent": leaderboard.SPENDING,
        "most": leaderboard.MOST if len(runs) == leaderboard.MOST else 0,
        "query": request.GET.urlencode(),
    }
    return render(request, "reports/leaderboard.html", given)


@researchers_only
def leaderboard_file(request: HttpRequest) -> HttpResponse:
    """The same as CSV."""
    collection = _collection(request, list(leaderboard.collections()))
    if collection is None:
        return _no_file(request, [])
    runs = leaderboard.runs_over(collection)
    catch_up(runs)
    board = leaderboard.leaderboard(leaderboard.asked_by(request.GET, collection, runs[0].suite), runs)
    response = HttpResponse(table_csv(board.table()), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="leaderboard.csv"'
    return response


def _collection(request: HttpRequest, known: Sequence[TaskCollection]) -> TaskCollection | None:
    """The one that is asked for, else the first; not found where it has no run."""
    name = request.GET.get("collection", "").replace(NUL, "")
    if not name:
        return next(iter(known), None)
    collection = next((known_collection for known_collection in known if known_collection.name == name), None)
    if collection is None:
        raise Http404
    return collection
