"""Pages and files of what runs lost."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from benchmark.suites import suite_named
from webapp.accounts.access import researcher_of, researchers_only
from webapp.endpoints.selectors import offered_endpoints
from webapp.fields import NUL
from webapp.forms import ChoiceRefused
from webapp.misses.files import misses_csv, misses_json
from webapp.misses.naming import names_of, start_naming
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
from webapp.prompts.fields import set_choices
from webapp.prompts.services import version_named
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
    folded = [fold_run(run.suite, sessions) for sessions, _failed in read]
    declared, words = misses_of(run.suite), Words(run.suite)
    naming, names = names_of(run)
    context = {
        "run": run,
        "runs": runs,
        "other": other,
        "others": others.order_by("-created_at")[:MOST_OTHERS],
        "refused": bool(named) and other is None,
        "counts": [(one, fold.sessions) for one, fold in zip(runs, folded, strict=True)],
        "unread": [pk for _sessions, failed in read for pk in failed],
        "lacking": [(one, lacks) for one in runs if any(lacks := left_out(one))],
        "silent": silent_metrics(words, folded),
        "judges": sorted({one.judge for sessions, _failed in read for one in sessions if one.judge}),
        "over_causes": _column_groups(runs, 1),
        "over_groups": _column_groups(runs, 2),
        "explained": declared is not None,
        "benchmark": suite_named(run.suite).title,
        "naming": naming,
        "refused_names": [(group, _(group.problem)) for group in names.values() if not group.name],
        "named": sum(bool(group.name) for group in names.values()),
        "models": offered_endpoints(),
        "sets": [choice for choice in set_choices(run.suite) if choice[0]],
        "parts": metric_parts(words, folded[0], folded[1] if other else None, declared.metrics, names)
        if declared
        else [],
        "steps": [fold.steps for fold in folded],
        "waste": waste_rows(folded),
        "failures": failure_rows(words, folded[0]),
    }
    return render(request, "misses/run.html", context)


@require_POST
@researchers_only
def name_groups(request: HttpRequest, run_id: str) -> HttpResponse:
    """Have a model name the groups."""
    run = get_object_or_404(Run, pk=run_id)
    named = request.POST.get("model", "").replace(NUL, "")
    endpoint = offered_endpoints().filter(name=named).first()
    if endpoint is None:
        messages.warning(request, _("Choose a model that is there."))
    else:
        words = request.POST.get("prompt_set", "").replace(NUL, "")
        try:
            start_naming(
                run=run,
                endpoint=endpoint,
                prompt_set=version_named(words) if words else None,
                created_by=researcher_of(request),
            )
        except ChoiceRefused as refused:
            messages.warning(request, str(refused))
    return redirect(f"{reverse('run_misses', args=[run.pk])}#names")


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
    naming, names = names_of(run)
    context = {
        "run": run,
        "naming": naming,
        "model_name": names.get(key),
        "cause": named,
        "kind": title,
        "metric": words.metric_label(share.metric) if share else "",
        "page": Paginator(lines, LINES_A_PAGE).get_page(request.GET.get("page")),
        "lines": len(lines),
        "sessions": len({line.session.session_id for line in lines}),
        "share": 100 * share.share if share else None,
        "has_who": any(line.who for line in lines),
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
        misses_json(run, fold_run(run.suite, sessions), failed, names_of(run)[1]),
        json_dumps_params={"ensure_ascii": False},
    )
    response["Content-Disposition"] = f'attachment; filename="misses-{run.pk}.json"'
    return response
