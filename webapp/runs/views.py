"""Pages of runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.forms import Form
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from benchmark.core import model_use
from benchmark.core.model_use import ModelUse
from benchmark.core.tool_use import total
from benchmark.metrics import summary_metrics
from benchmark.suites import DEFAULT_SUITE, suite_named
from webapp.accounts.access import researcher_of, researchers_only
from webapp.endpoints.selectors import known_names
from webapp.fields import NUL
from webapp.forms import ChoiceRefused, gone_to
from webapp.pages import pages_of
from webapp.runs import by_task_page, control, selectors
from webapp.runs.budget import Budget, budget_of, expected_spending
from webapp.runs.comparison import Row, compare_runs
from webapp.runs.deletion import delete_run, delete_session, deletion_of_run, deletion_of_session
from webapp.runs.failures import causes, sessions_of
from webapp.runs.figures import (
    Outcome,
    by_difficulty,
    compared_metrics,
    model_uses_of,
    tool_rows,
    uses_of,
)
from webapp.runs.forms import LimitsForm, NameForm, RunForm, TrialsForm
from webapp.runs.health import run_health
from webapp.runs.services import create_run
from webapp.runs.tables import comparison_csv, sessions_csv
from webapp.runs.verdicts import Judging, Outcomes, judging_of, with_judge
from webapp.runs.wording import means_by_group, of_page, shown_means
from webapp.sessions.models import Run, Session
from webapp.sessions.spending import spending_by_run
from webapp.sets.models import SessionSet
from webapp.sets.selectors import task_ids
from webapp.wording.metrics import listed_together, run_head

SESSIONS_A_PAGE = 50
MOST_COMPARED = 20
LARGE = 200
"""Sessions from which a page asks for news less often: each answer reads all of them."""


@researchers_only
def run_page(request: HttpRequest, run_id: str) -> HttpResponse:
    """One run: how far it is, its figures, its tools, its sessions."""
    run = get_object_or_404(Run, pk=run_id)
    return _page(request, run)


def _page(request: HttpRequest, run: Run, **forms: Form) -> HttpResponse:
    """The page of a run. forms: those in place of unfilled ones, with what is wrong in them."""
    changing = {"name_form": NameForm, "limits_form": LimitsForm, "trials_form": TrialsForm}
    now = {
        name: getattr(run, name)
        for name in ("name", "at_once", "budget", "budget_unit", "budget_alarm", "pause_after", "trials")
    }
    if run.budget is not None and run.budget.is_integer():
        now["budget"] = int(run.budget)
    shown = {name: made(initial=now) for name, made in changing.items()} | forms
    context = {"run": run, **shown, "open": bool(forms), **_live(run, request)}
    return render(request, "runs/run.html", context)


@researchers_only
def live(request: HttpRequest, run_id: str) -> HttpResponse:
    """The part of a run's page that changes."""
    run = get_object_or_404(Run, pk=run_id)
    return render(request, "runs/live.html", {"run": run, **_live(run, request)})


@researchers_only
def health(request: HttpRequest, run_id: str) -> HttpResponse:
    """How the requests of a run do: the part of its page that htmx asks for, else a page."""
    run = get_object_or_404(Run, pk=run_id)
    progress = selectors.progress([run])[run.pk]
    context = {"run": run, "progress": progress, "health": run_health(run), "known_endpoints": known_names()}
    part = request.headers.get("HX-Request") and not request.headers.get("HX-Boosted")
    return render(request, "runs/health.html" if part else "runs/health_page.html", context)


@researchers_only
def failing_runs(request: HttpRequest) -> HttpResponse:
    """The part of the list of runs that changes: runs whose models do not answer."""
    return render(request, "runs/failing.html")


def _live(run: Run, request: HttpRequest) -> dict[str, Any]:
    progress = selectors.progress([run])[run.pk]
    budget, spending = budget_of(run), spending_by_run([run.pk])[run.pk]
    judged, judging = _judged_outcomes([run])
    outcomes, metrics = judged[run.pk], of_page(run.suite)
    summary, levels = summary_metrics(metrics), by_difficulty(outcomes, run.suite)
    page = Paginator(selectors.sessions_of(run), SESSIONS_A_PAGE).get_page(request.GET.get("page"))
    rated = [metric for metric in metrics if metric.key in judging.metrics]
    return {
        "progress": progress,
        "pace": selectors.pace(run, progress),
        "spending": spending,
        "budget": budget,
        "share": budget.share(spending) if budget else None,
        "expected": _budget_forecast(run, budget, spending, progress),
        "causes": causes(run) if progress.crashed or progress.stopped else [],
        "retried": list(run.retried.order_by("created_at").values_list("pk", flat=True)),
        "pause_s": 2 if progress.sessions < LARGE else 8,
        "columns": [run_head(metric) for metric in summary],
        "figures": [(level, f, shown_means(f, summary)) for level, f in levels],
        "levels": [level for level, _figures in levels],
        "grouped": means_by_group(run.suite, [f for _level, f in levels]),
        "averages": pages_of(run.suite).figures.averages,
        "reasons": Counter(outcome.completion_reason for outcome in outcomes).most_common(),
        "page": page,
        "listed": listed_together([run.suite]),
        "rated": rated,
        "sessions": [
            (session, [(m, judging.scores.get(session.pk, {}).get(m.key)) for m in rated])
            for session in page.object_list
        ],
        "judging": judging,
        "has_tools": suite_named(run.suite).play.has_tools,
        **_tools(outcomes),
        **_models(outcomes),
    }


def _budget_forecast(
    run: Run, budget: Budget | None, spending: ModelUse, progress: selectors.Progress
) -> tuple[float, str] | None:
    """The part of its budget that a run will have spent at its end, and the amount in words."""
    if budget is None:
        return None
    left = progress.sessions - progress.ended
    amount = expected_spending(run, budget, spending, ended=progress.ended, left=left)
    return (
        None
        if amount is None
        else (amount / budget.amount, replace(budget, amount=float(f"{amount:.3g}")).words())
    )


def _judged_outcomes(runs: Sequence[Run]) -> tuple[dict[str, list[Outcome]], Judging]:
    outcomes = selectors.outcomes(runs)
    judging = judging_of(runs, outcomes)
    return with_judge(outcomes, judging), judging


def _tools(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    uses = uses_of(outcomes)
    whole = total(uses.values())
    kinds = sorted(whole.errors)
    rows = tool_rows({**uses, "": whole}, len(outcomes), kinds) if uses else []
    return {"uses": list(uses.items()), "total": whole, "kinds": kinds, "tools": rows}


def _models(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    uses = model_uses_of(outcomes)
    return {"model_uses": uses, "model_total": model_use.total(uses), "known_endpoints": known_names()}


def _changing(change: Callable[[Run, HttpRequest], object]) -> Callable[..., HttpResponseBase]:
    """A view that changes a run; it shows what changes where the page asks for no more."""

    @require_POST
    @researchers_only
    def view(request: HttpRequest, run_id: str) -> HttpResponseBase:
        run = get_object_or_404(Run, pk=run_id)
        refused = ""
        try:
            change(run, request)
        except ChoiceRefused as refusal:
            refused = str(refusal)
        run = get_object_or_404(Run, pk=run_id)
        if request.headers.get("HX-Request"):
            return render(request, "runs/live.html", {"run": run, "refused": refused, **_live(run, request)})
        return redirect(run)

    return view


def _retry(run: Run, request: HttpRequest) -> None:
    key = request.POST.get("cause", "")
    control.retry(run, sessions_of(run, key) if key else None, researcher_of(request))


pause, resume = _changing(lambda run, _: control.pause(run)), _changing(lambda run, _: control.resume(run))
stop, retry = _changing(lambda run, _: control.cancel(run)), _changing(_retry)


def _edit_view(
    name: str, made: type[Form], change: Callable[[Run, HttpRequest, dict[str, Any]], object]
) -> Callable[..., HttpResponseBase]:
    """A view that changes a run by a form of its page; `name` is the form's in the page."""

    @require_POST
    @researchers_only
    def view(request: HttpRequest, run_id: str) -> HttpResponseBase:
        run = get_object_or_404(Run, pk=run_id)
        form = made(request.POST)
        if form.is_valid():
            try:
                change(run, request, form.limits() if isinstance(form, LimitsForm) else form.cleaned_data)
            except ChoiceRefused as refusal:
                form.add_error(refusal.field or None, str(refusal))
            else:
                return redirect(run)
        return _page(request, run, **{name: form})

    return view


rename = _edit_view("name_form", NameForm, lambda run, _, given: control.rename(run, given["name"]))
limits = _edit_view("limits_form", LimitsForm, lambda run, _, given: control.set_limits(run, **given))
trials = _edit_view(
    "trials_form",
    TrialsForm,
    lambda run, request, given: control.set_trials(run, given["trials"], researcher_of(request)),
)


@researchers_only
def delete(request: HttpRequest, run_id: str) -> HttpResponse:
    """Ask whether a run is to be deleted, with all that goes with it; then do so."""
    run = get_object_or_404(Run, pk=run_id)
    refused = ""
    if request.method == "POST":
        try:
            delete_run(run)
            messages.success(request, _("The run “%(name)s” is deleted.") % {"name": run.name})
            return redirect("runs")
        except ChoiceRefused as refusal:
            refused = str(refusal)
    context = {"run": run, "goes": deletion_of_run(run), "refused": refused}
    return render(request, "runs/delete.html", context)


@researchers_only
def delete_one_session(request: HttpRequest, session_id: str) -> HttpResponse:
    """Ask whether a session is to be deleted, with all that goes with it; then do so."""
    session = get_object_or_404(Session, pk=session_id)
    refused = ""
    if request.method == "POST":
        try:
            delete_session(session)
            messages.success(request, _("The session %(id)s is deleted.") % {"id": session_id})
            return redirect("sessions")
        except ChoiceRefused as refusal:
            refused = str(refusal)
    context = {"session": session, "goes": deletion_of_session(session), "refused": refused}
    return render(request, "runs/delete_session.html", context)


@researchers_only
def sessions_file(request: HttpRequest, run_id: str) -> HttpResponse:
    """The sessions of a run as CSV."""
    run = get_object_or_404(Run, pk=run_id)
    judging = judging_of([run], selectors.outcomes([run], uses=False))
    text = sessions_csv(run, selectors.sessions_with_uses(run), judging)
    return _csv_file(text, f"run-{run.pk}.csv")


@researchers_only
def new_run(request: HttpRequest) -> HttpResponse:
    """Choose what to run, and start it; `look` in the data only draws the form for what is chosen so far."""
    if request.method != "POST" or "look" in request.POST:
        given = request.POST if request.method == "POST" else request.GET
        initial = {**_tasks_of_set(given.get("set", "")), **given.dict()}
        return render(request, "runs/new.html", {"form": RunForm(initial=initial)})
    form = RunForm(request.POST)
    if form.is_valid():
        try:
            run = create_run(**form.creation(), created_by=researcher_of(request))
            return gone_to(request, reverse("run_seats", args=[run.pk]) if form.has_outside() else run)
        except ChoiceRefused as refusal:
            form.refuse(refusal)
    return render(request, "runs/new.html", {"form": form})


def _tasks_of_set(named: str) -> dict[str, str]:
    """The tasks of a set's sessions, as the form takes them; nothing where there is no such set."""
    chosen = SessionSet.objects.filter(pk=named).first() if named.isdecimal() and len(named) < 10 else None
    return {"tasks": "\n".join(task_ids(chosen)), "name": chosen.name} if chosen else {}


@researchers_only
def compare(request: HttpRequest) -> HttpResponse:
    """Runs side by side, against the first of them."""
    rows, judging, left_out, outcomes = _rows(request)
    suite = rows[0].run.suite if rows else DEFAULT_SUITE
    context = {
        "crashes": pages_of(suite).figures.crashes,
        **by_task_page.context([row.run for row in rows], outcomes, request.GET),
        "left_out": left_out,
        "rows": rows,
        "columns": [run_head(metric) for metric in summary_metrics(compared_metrics(suite))],
        "judging": judging,
    }
    context["known_endpoints"] = known_names()
    return render(request, "runs/compare.html", context)


@researchers_only
def compare_csv(request: HttpRequest) -> HttpResponse:
    """The same as a file."""
    return _csv_file(comparison_csv(*_rows(request)[:2]), "runs.csv")


def _rows(request: HttpRequest) -> tuple[list[Row], Judging, list[Run], Outcomes]:
    """The runs that `?runs=a,b` or `?runs=a&runs=b` names, as far as there are such.

    Then those that are left out, since they are of another benchmark than the first; last the outcomes.
    """
    asked = [pk for given in request.GET.getlist("runs") for pk in given.replace(NUL, "").split(",")]
    named = selectors.runs_named(asked[:MOST_COMPARED])
    runs = [run for run in named if run.suite == named[0].suite]
    outcomes, judging = _judged_outcomes(runs)
    return compare_runs(runs, outcomes), judging, [run for run in named if run not in runs], outcomes


def _csv_file(text: str, name: str) -> HttpResponse:
    response = HttpResponse(text, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
