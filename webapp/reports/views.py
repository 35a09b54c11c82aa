"""Pages and files of reports."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from benchmark.reports import PARTS, Report
from benchmark.scoring import CODE_VERSION, PROFILES
from webapp.accounts.access import researchers_only
from webapp.fields import NUL
from webapp.reports.files import FORMATS, table_csv
from webapp.reports.folding import catch_up
from webapp.reports.page import shown
from webapp.reports.selectors import MOST_RUNS, report_of, unscored
from webapp.runs.models import Run
from webapp.runs.selectors import runs as all_runs
from webapp.runs.selectors import runs_named
from webapp.sessions.selectors import PROFILE

PAGE = 30
FOLDED_AT_ONCE = 400
"""Sessions that an answer may fold before it must be given."""


@researchers_only
def report_page(request: HttpRequest) -> HttpResponse:
    """The report of the runs that are named, else runs to choose from."""
    runs, profile = _asked(request)
    if not runs:
        page = Paginator(all_runs(), PAGE).get_page(request.GET.get("page"))
        return render(request, "reports/choose.html", {"page": page, "profiles": PROFILES, "most": MOST_RUNS})
    if left := catch_up(runs, most=FOLDED_AT_ONCE):
        return render(request, "reports/counting.html", {"left": left})
    report = report_of(runs, profile)
    given = {
        "runs": list(zip(runs, report.runs, strict=True)),
        "profile": profile,
        "profiles": {name: _query(runs, name) for name in PROFILES},
        "query": _query(runs, profile),
        "formats": FORMATS,
        "code_version": CODE_VERSION,
        "unscored": unscored(runs, profile),
        "parts": shown(report),
    }
    return render(request, "reports/report.html", given)


@researchers_only
def report_file(request: HttpRequest, ending: str) -> HttpResponse:
    """The same as a file."""
    if ending not in FORMATS:
        raise Http404
    kind, write = FORMATS[ending]
    return _file(request, write, kind, f"report.{ending}")


@researchers_only
def part_file(request: HttpRequest, part: str) -> HttpResponse:
    """The data of one table or chart as CSV."""
    if part not in PARTS:
        raise Http404
    return _file(request, lambda report: table_csv(PARTS[part].build(report)), "text/csv", f"{part}.csv")


def _file(request: HttpRequest, write: Callable[[Report], str], kind: str, name: str) -> HttpResponse:
    runs, profile = _asked(request)
    if not runs:
        raise Http404
    catch_up(runs)
    response = HttpResponse(write(report_of(runs, profile)), content_type=f"{kind}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _asked(request: HttpRequest) -> tuple[list[Run], str]:
    """The runs that `?runs=a,b` or `?runs=a&runs=b` names, as far as there are such, and the profile."""
    ids = [pk for given in request.GET.getlist("runs") for pk in given.replace(NUL, "").split(",")]
    profile = request.GET.get("profile", PROFILE)
    return runs_named(ids[:MOST_RUNS]), profile if profile in PROFILES else PROFILE


def _query(runs: Sequence[Run], profile: str) -> str:
    return urlencode({"runs": ",".join(run.pk for run in runs), "profile": profile}, safe=",")
