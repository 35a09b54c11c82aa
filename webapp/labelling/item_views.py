"""Pages of items: the table, adding some, and one with all its answers."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from webapp.accounts.access import researchers_only
from webapp.labelling.answer_history import answers_of, decisions_of, skips_of
from webapp.labelling.blind import shown_item
from webapp.labelling.forms import KnownForm, RunsForm, SessionsForm, TasksForm
from webapp.labelling.items import (
    MOST_ITEMS,
    ItemRefused,
    ItemRequest,
    add_from_runs,
    add_tasks,
    choose,
    restore_items,
    set_known,
    why_none,
    withdraw_items,
)
from webapp.labelling.models import Kind, LabelItem, LabelStudy
from webapp.labelling.rows import FILTERS, ItemRow, item_rows, row_of
from webapp.labelling.study_views import study_named
from webapp.sessions.models import Session
from webapp.sets.models import SessionSet

PAGE = 50


def item_named(study: LabelStudy, number: int) -> LabelItem:
    """The item of this number, or a page that says there is none."""
    items = LabelItem.objects.select_related("task", "left", "right", "left__run", "right__run")
    item = get_object_or_404(items, study=study, number=number)
    item.study = study
    return item


@researchers_only
def items(request: HttpRequest, study_id: str) -> HttpResponse:
    """All items of a study, narrowed as the address says."""
    study = study_named(study_id)
    asked = {name: request.GET.get(name, "") for name in ("state", "purpose", "q")}
    rows = [row for row in item_rows(study) if _wanted(row, **asked)]
    query = QueryDict(mutable=True)
    query.update({name: value for name, value in asked.items() if value})
    context = {
        **_adding(request, study),
        "page": Paginator(rows, PAGE).get_page(request.GET.get("page")),
        "query": query.urlencode(),
        "asked": asked,
        "filters": [(name, label) for name, (label, _wanted_rows) in FILTERS.items()],
        "purposes": LabelItem.Purpose.choices,
    }
    return render(request, "labelling/items.html", context)


def _wanted(row: ItemRow, state: str, purpose: str, q: str) -> bool:
    _label, fits = FILTERS.get(state, FILTERS[""])
    text = f"{row.number} {row.left_agent} {row.right_agent} {row.stratum} {row.task_id}".casefold()
    return fits(row) and purpose in ("", row.purpose) and q.casefold() in text


def _adding(request: HttpRequest, study: LabelStudy) -> dict[str, Any]:
    """The forms by which items are added. The runs that an address names are chosen."""
    named = [run for run in request.GET.get("runs", "").split(",") if run]
    return {
        "study": study,
        "tab": "items",
        "runs_form": RunsForm(study=study, initial={"runs": named}),
        "tasks_form": TasksForm(study=study) if study.kind == Kind.BINARY else None,
        "adding": request.GET.get("add", ""),
    }


@require_POST
@researchers_only
def add_runs(request: HttpRequest, study_id: str) -> HttpResponse:
    """Add items from runs, or look first what they would be."""
    study = study_named(study_id)
    form = RunsForm(request.POST, study=study)
    context: dict[str, Any] = {**_adding(request, study), "runs_form": form, "adding": "runs"}
    if form.is_valid():
        try:
            if "look" in request.POST:
                context["chosen"] = chosen = choose(study, form.item_request())
                context["why_none"] = "" if len(chosen) else why_none(study, chosen)
            else:
                return _say_added(request, study, len(add_from_runs(study=study, wanted=form.item_request())))
        except ItemRefused as refusal:
            form.add_error(None, str(refusal))
    return _item_page_of(request, context)


def _item_page_of(request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
    study = context["study"]
    page = Paginator(item_rows(study), PAGE).get_page(1)
    more = {"page": page, "asked": {}, "filters": [], "purposes": []}
    return render(request, "labelling/items.html", {**more, **context})


def _say_added(request: HttpRequest, study: LabelStudy, count: int) -> HttpResponse:
    words = ngettext("%(n)s item was added.", "%(n)s items were added.", count)
    messages.success(request, words % {"n": f"{count:,}"})
    return redirect("label_items", study.pk)


@researchers_only
def label_sessions(request: HttpRequest) -> HttpResponse:
    """Have the sessions of a set, or those that an address names, such as marked ones, labelled in a study."""
    sending = request.method == "POST"
    asked = request.POST if sending else request.GET
    of_set = SessionSet.objects.filter(pk=asked["set"]).first() if asked.get("set", "").isdecimal() else None
    ids = list(dict.fromkeys(asked.getlist("session")))[:MOST_ITEMS]
    rows = Session.objects.filter(pk__in=ids) if of_set is None else of_set.sessions.all()
    sessions = list(rows.select_related("task").defer("task__definition").order_by("pk"))
    form = SessionsForm(request.POST if sending else None, suites={one.suite for one in sessions})
    if sending and form.is_valid():
        study = form.cleaned_data["study"]
        chosen: dict[str, Any] = {"sets": [of_set]} if of_set else {"sessions": [one.pk for one in sessions]}
        wanted = ItemRequest(runs=[], **chosen, seed=study.seed)
        try:
            return _say_added(request, study, len(add_from_runs(study=study, wanted=wanted)))
        except ItemRefused as refusal:
            form.add_error(None, str(refusal))
    context = {"form": form, "sessions": sessions, "of_set": of_set}
    return render(request, "labelling/sessions.html", context)


@require_POST
@researchers_only
def add_of_tasks(request: HttpRequest, study_id: str) -> HttpResponse:
    """Add tasks alone."""
    study = study_named(study_id)
    form = TasksForm(request.POST, study=study)
    if form.is_valid():
        given = form.cleaned_data
        try:
            options = {"stratum": given["stratum"], "size": given["size"], "seed": study.seed}
            tasks = given["collection"].tasks.all()
            return _say_added(request, study, add_tasks(study=study, tasks=tasks, **options))
        except ItemRefused as refusal:
            form.add_error(None, str(refusal))
    return _item_page_of(request, {**_adding(request, study), "tasks_form": form, "adding": "tasks"})


@require_POST
@researchers_only
def withdraw(request: HttpRequest, study_id: str) -> HttpResponse:
    """Take the ticked items out, or put them back."""
    study = study_named(study_id)
    sent = request.POST.getlist("items")[:10_000]
    numbers = [int(number) for number in sent if number.isdecimal() and len(number) < 10]
    if not numbers:
        messages.warning(request, _("Tick at least one item first."))
    else:
        items = LabelItem.objects.filter(study=study, number__in=numbers)
        if "restore" in request.POST:
            count = restore_items(items=items)
            words = ngettext("%(n)s item counts again.", "%(n)s items count again.", count)
        else:
            count = withdraw_items(items=items)
            words = ngettext("%(n)s item was taken out.", "%(n)s items were taken out.", count)
        messages.success(request, words % {"n": count})
    at = redirect("label_items", study.pk)
    at["Location"] += f"?{query}" if (query := QueryDict(request.POST.get("query", "")).urlencode()) else ""
    return at


@researchers_only
def item(request: HttpRequest, study_id: str, number: int) -> HttpResponse:
    """One item: what annotators see, every answer, what was decided, and what it is for."""
    return _item_page(request, item_named(study_named(study_id), number))


def _item_page(request: HttpRequest, item: LabelItem, known: KnownForm | None = None) -> HttpResponse:
    study = item.study
    numbers = list(study.items.order_by("number").values_list("number", flat=True))
    at = numbers.index(item.number)
    row = row_of(item)
    unmasked = "open" in request.GET
    context = {
        "study": study,
        "item": item,
        "row": row,
        "tab": "items",
        "shown": shown_item(item, blind=study.blind and not unmasked),
        "unmasked": unmasked,
        "named": unmasked or not row.to_adjudicate,
        "answers": answers_of(item),
        "skips": skips_of(item),
        "decisions": decisions_of(item),
        "known_form": known or KnownForm(item=item),
        "before": numbers[at - 1] if at else None,
        "after": numbers[at + 1] if at + 1 < len(numbers) else None,
    }
    status = 200 if request.method == "GET" else 422
    return render(request, "labelling/item.html", context, status=status)


@require_POST
@researchers_only
def set_known_answer(request: HttpRequest, study_id: str, number: int) -> HttpResponse:
    """Say what an item is for, and its answer."""
    item = item_named(study_named(study_id), number)
    form = KnownForm(request.POST, item=item)
    if form.is_valid():
        given = form.cleaned_data
        try:
            answer = form.answer() if given["purpose"] != LabelItem.Purpose.NORMAL else None
            set_known(item=item, purpose=given["purpose"], answer=answer, explanation=given["explanation"])
            messages.success(request, _("Item %(n)s was changed.") % {"n": number})
            return redirect("label_item", study_id, number)
        except ItemRefused as refusal:
            form.add_error(None, str(refusal))
    return _item_page(request, item, form)
