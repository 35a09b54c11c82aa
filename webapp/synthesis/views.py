"""Pages on which sets of tasks are made."""

from __future__ import annotations

import shlex
from typing import Any

from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from benchmark.suites import DEFAULT_SUITE, SUITES, suite_named
from webapp.accounts.access import researcher_of, researchers_only
from webapp.catalogue.wording import level_words
from webapp.endpoints.selectors import known_names
from webapp.fields import NUL
from webapp.forms import ChoiceRefused, gone_to
from webapp.pages import pages_of
from webapp.synthesis import deleting
from webapp.synthesis.forms import SynthesisForm
from webapp.synthesis.models import TaskSynthesis
from webapp.synthesis.services import ask_for, begin, files_of, stop, synthesis_of
from webapp.wording.options import option_name, option_value

MOST_LISTED = 50
ENDINGS = {
    "tasks": "jsonl",
    "proofs": "proofs.jsonl",
    "personas": "personas.jsonl",
    "report": "report.json",
}


def _row(synthesis_id: str) -> TaskSynthesis:
    return get_object_or_404(
        TaskSynthesis.objects.select_related("world", "created_by", "brought_by__collection"), pk=synthesis_id
    )


@researchers_only
def new_synthesis(request: HttpRequest) -> HttpResponse:
    """The form of a set, which `from` in the address fills, and the sets that there are."""
    suite = request.POST.get("suite") or request.GET.get("suite") or DEFAULT_SUITE
    making = synthesis_of(suite) if suite in SUITES else None
    if making is None:
        raise Http404
    asked = request.GET.get("from", "").replace(NUL, "")
    like = TaskSynthesis.objects.select_related("world").filter(pk=asked).first()
    if request.method != "POST":
        form = SynthesisForm(suite, like=like)
    else:
        form = SynthesisForm(suite, request.POST, request.FILES)
        if form.is_valid() and (row := _ask(form, suite, request)):
            return gone_to(request, row)
    context = {
        "form": form,
        "suite": suite,
        "title": suite_named(suite).title,
        "others": [
            (name, suite_named(name).title) for name in SUITES if name != suite and synthesis_of(name)
        ],
        "sets": TaskSynthesis.objects.select_related("world").defer("sample", "report", "model_use")[
            :MOST_LISTED
        ],
    }
    return render(request, "synthesis/new.html", context)


def _ask(form: SynthesisForm, suite: str, request: HttpRequest) -> TaskSynthesis | None:
    """The set that was asked for; None where somebody else was faster, which the form then tells."""
    preview = request.POST.get("do") != "make"
    try:
        return ask_for(
            suite=suite, preview=preview, created_by=researcher_of(request), **form.order_arguments()
        )
    except ChoiceRefused as refused:
        form.add_error(refused.field if refused.field in form.fields else None, str(refused))
        return None


@researchers_only
def synthesis(request: HttpRequest, synthesis_id: str) -> HttpResponse:
    """One set: what was asked for, its preview, how far it is, then what was made."""
    return render(request, "synthesis/synthesis.html", _context(_row(synthesis_id)))


@researchers_only
def live(request: HttpRequest, synthesis_id: str) -> HttpResponse:
    """The part of that which changes; the whole page once something has ended."""
    row = _row(synthesis_id)
    if row.going:
        return render(request, "synthesis/live.html", {"row": row})
    return HttpResponse(headers={"HX-Refresh": "true"})


def _context(row: TaskSynthesis) -> dict[str, Any]:
    page = pages_of(row.suite).task.synthesis
    form = suite_named(row.suite).making.order_form
    page_context: dict[str, Any] = {
        "row": row,
        "last_id": row.order["first_id"] + row.count - 1 if form.id_prefix is None else None,
        "heeded": form.fields,
        "writer": page.writer,
        "by_rule": page.by_rule,
        "chosen": [(option_name(each), option_value(each, row.options[each.key])) for each in form.options],
        "command": _command(row),
        "uses": [row.use],
        "known_endpoints": known_names(),
        "task_template": f"suites/{row.suite}/synthesis/task.html",
        "report_template": f"suites/{row.suite}/synthesis/report.html",
    }
    if row.sample is not None and not row.begun:
        page_context["levels"] = level_words(row.sample["levels"])
        page_context["notes"] = [page.words(note) for note in row.sample["notes"]]
        page_context["places"] = [page.place(place) for place in row.sample["places"]]
    if row.report is not None:
        page_context |= {"made": row.made_collection, "files": files_of(row), **page.report(row.report)}
    return page_context


def _command(row: TaskSynthesis) -> str:
    """What makes the same file on the command line."""
    order = row.order
    words = ["manage.py", "synthesize", "--world", row.world.name if row.world else "…"]
    form = suite_named(row.suite).making.order_form
    words += ["--count", str(order["count"])] if form.count is None else []
    words += ["--seed", str(order["seed"])]
    words += ["--suite", row.suite] if row.suite != DEFAULT_SUITE else []
    for option in form.options:
        value = row.options[option.key]
        words += ["--option", f"{option.key}={value}"] if value != option.default else []
    words += ["--language", order["language"]] if order["language"] != "zh" else []
    words += ["--model", order["model"]] if order["model"] else []
    for name in ("first", "last"):
        words += [f"--{name}", order[name]] if order[name] else []
    words += ["--first-id", str(order["first_id"])] if order["first_id"] != 1 else []
    words += ["--no-proofs"] if "prove" in form.fields and not order["prove"] else []
    words += ["--profiles", "TRAVELLERS.jsonl"] if order["own_travellers"] else []
    return shlex.join([*words, "--out", "TASKS.jsonl"]).replace("'…'", "…")


@require_POST
@researchers_only
def make(request: HttpRequest, synthesis_id: str) -> HttpResponse:
    """Make the whole set, or go on with it."""
    row = _row(synthesis_id)
    try:
        begin(row=row)
    except ChoiceRefused as refused:
        messages.warning(request, str(refused))
    return redirect(row)


@require_POST
@researchers_only
def stop_making(request: HttpRequest, synthesis_id: str) -> HttpResponse:
    """End the preview or the making of a set; what is done is kept."""
    row = _row(synthesis_id)
    stop(row=row)
    return redirect(row)


@researchers_only
def delete(request: HttpRequest, synthesis_id: str) -> HttpResponse:
    """Ask whether a set is to be deleted, with all that goes with it; then do so."""
    row = _row(synthesis_id)
    refused = ""
    try:
        if request.method == "POST":
            deleting.delete(row)
            messages.success(request, _("The set “%(name)s” was deleted.") % {"name": row.collection})
            return redirect("new_synthesis")
        deleting.refuse_busy(row)
    except ChoiceRefused as refusal:
        refused = str(refusal)
    given = {"row": row, "goes": deleting.deletion(row), "refused": refused, "busy": deleting.is_busy(row)}
    return render(request, "synthesis/delete.html", given)


@researchers_only
def file(request: HttpRequest, synthesis_id: str, what: str) -> HttpResponseBase:
    """The tasks in the published format, their proofs, who travels, or the report, as a download."""
    row = _row(synthesis_id)
    path = files_of(row).get(what)
    if path is None:
        raise Http404
    return FileResponse(path.open("rb"), as_attachment=True, filename=f"{row.collection}.{ENDINGS[what]}")
