"""Pages and files of what runs lost."""

from __future__ import annotations

from collections.abc import Sequence

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.utils.text import Truncator

from benchmark.suites import suite_named
from webapp.accounts.access import researchers_only
from webapp.fields import NUL
from webapp.misses.files import misses_csv, misses_json
from webapp.misses.page import (
    WASTE,
    failure_rows,
    group_lines,
    metric_parts,
    silent_metrics,
    waste_lines,
    waste_rows,
)
from webapp.misses.reading import catch_up, fold_run, left_out, misses_of, session_misses
from webapp.misses.wording import Words, waste_words
from webapp.sessions.models import Run

SECONDS = 3.0
"""What an answer may take to find misses before it must be given."""
LINES_A_PAGE = 100
COLUMNS_A_RUN = 3
"""Where two stand side by side."""
MOST_OTHERS = 100
"""Runs that can be chosen to stand beside one."""


@researchers_only
def misses_page(request: HttpRequest, run_id: str) -> HttpResponse:
    """What a run lost, and why; beside another run of its benchmark where `with` names one."""
    run = get_object_or_404(Run, pk=run_id)
    named = request.GET.get("with", "").replace(NUL, "")
    others = Run.objects.filter(suite=run.suite).exclude(pk=run.pk)
    other = others.filter(pk=named).first() if named else None
    runs = [run] if other is None else [run, other]
    if left := catch_up(runs, seconds=SECONDS):
        return render(request, "misses/reading.html", {"run": run, "left": left})
    read = [session_misses(one) for one in runs]
    folded = [fold_run(run.suite, sessions) for sessions, _ in read]
    declared, words = misses_of(run.suite), Words(run.suite)
    context = {
        "run": run,
        "runs": runs,
        "other": other,
        "others": others.order_by("-created_at")[:MOST_OTHERS],
        "refused": bool(named) and other is None,
        "counts": [(one, fold.sessions) for one, fold in zip(runs, folded, strict=True)],
        "unread": [pk for _, failed in read for pk in failed],
        "lacking": [(one, left) for one in runs if any(left := left_out(one))],
        "silent": silent_metrics(words, folded),
        "judges": sorted({one.judge for sessions, _ in read for one in sessions if one.judge}),
        "over_causes": _column_groups(runs, 1),
        "over_groups": _column_groups(runs, 2),
        "explained": declared is not None,
        "benchmark": suite_named(run.suite).title,
        "parts": metric_parts(words, folded[0], folded[1] if other else None, declared.metrics)
        if declared
        else [],
        "steps": [fold.steps for fold in folded],
        "waste": waste_rows(folded),
        "failures": failure_rows(words, folded[0]),
    }
    return render(request, "misses/run.html", context)


def _column_groups(runs: Sequence[Run], heads: int) -> list[tuple[int, str]]:
    """What stands over the heads of a table of two runs: their names; nothing over those of one."""
    if len(runs) == 1:
        return []
    return [(heads, ""), *((COLUMNS_A_RUN, Truncator(run.name).chars(30)) for run in runs), (1, "")]


@researchers_only
def group_page(request: HttpRequest, run_id: str, key: str) -> HttpResponse:
    """The sessions of one group, with the turns that show it."""
    run = get_object_or_404(Run, pk=run_id)
    if left := catch_up([run], seconds=SECONDS):
        return render(request, "misses/reading.html", {"run": run, "left": left})
    folded, words = fold_run(run.suite, session_misses(run)[0]), Words(run.suite)
    if key.startswith(WASTE):
        kind = key.removeprefix(WASTE)
        lines, named, title, share = waste_lines(folded, kind), waste_words(kind), "", None
    else:
        group = folded.group(key)
        lines = None if group is None else group_lines(words, group)
        named = words.cause(group.cause if group else "")
        title = words.kind(group.kind) if group else ""
        share = group
    if lines is None:
        raise Http404
    context = {
        "run": run,
        "cause": named,
        "kind": title,
        "metric": words.metric_label(share.metric) if share else "",
        "page": Paginator(lines, LINES_A_PAGE).get_page(request.GET.get("page")),
        "lines": len(lines),
        "sessions": len({line.session.session_id for line in lines}),
        "share": 100 * share.share if share else None,
        "has_began": any(line.began for line in lines),
        "has_failures": any(line.failed_calls for line in lines),
    }
    return render(request, "misses/group.html", context)


@researchers_only
def misses_csv_file(request: HttpRequest, run_id: str) -> HttpResponse:
    """A line a miss."""
    run = get_object_or_404(Run, pk=run_id)
    catch_up([run])
    response = HttpResponse(misses_csv(run, session_misses(run)[0]), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="misses-{run.pk}.csv"'
    return response


@researchers_only
def misses_json_file(request: HttpRequest, run_id: str) -> HttpResponse:
    """The groups, with their sessions and events."""
    run = get_object_or_404(Run, pk=run_id)
    catch_up([run])
    sessions, failed = session_misses(run)
    response = JsonResponse(
        misses_json(run, fold_run(run.suite, sessions), failed), json_dumps_params={"ensure_ascii": False}
    )
    response["Content-Disposition"] = f'attachment; filename="misses-{run.pk}.json"'
    return response
