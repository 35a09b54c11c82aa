"""Pages on which tasks are made and changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import orjson
from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from benchmark.core.taskfiles import TaskFileError
from benchmark.inputs import LineProblem
from benchmark.suites import DEFAULT_SUITE, SUITES, suite_named
from webapp.accounts.access import researchers_only
from webapp.catalogue import selectors
from webapp.catalogue.fitting import Fit, fit_of, fits
from webapp.catalogue.models import Task, World
from webapp.catalogue.packs import pack_of
from webapp.catalogue.versions import NotSaved, change_task, make_task
from webapp.forms import TextField
from webapp.pages import TaskEditor, pages_of

OWN = "own"
"""The collection that new tasks go to unless another one is named."""


def _worlds() -> list[tuple[str, Any]]:
    return [("", _("none yet")), *((name, name) for name in World.objects.values_list("name", flat=True))]


class PlaceForm(forms.Form):
    """Where a new task goes. The world is that of the collection, where this is a new one."""

    collection = TextField(max_length=100, initial=OWN, label=gettext_lazy("Collection"))
    world = forms.ChoiceField(
        required=False,
        choices=_worlds,
        label=gettext_lazy("World"),
        help_text=gettext_lazy(
            "The world that the tasks are checked against. A new collection is made for it."
        ),
    )


@researchers_only
def new_task(request: HttpRequest) -> HttpResponse:
    """Make a task; `from` in the address names one to begin with."""
    suite = _suite(request)
    editor = _editor(suite)
    known = _model(suite, _model_named(request))
    place = PlaceForm(request.POST or None, prefix="place")
    if request.method != "POST":
        return _form_page(request, suite, editor.form(known, new=True), place=place)
    form = editor.form(known, request.POST, new=True)  # what the model has and no field shows is kept
    if do := request.POST.get("do"):
        return _form_page(request, suite, form.reshape(do), place=place)
    if form.is_valid() and place.is_valid():
        world = World.objects.filter(name=place.cleaned_data["world"]).first()
        try:
            made = make_task(
                suite=suite,
                definition=form.definition(),
                collection=place.cleaned_data["collection"],
                world=world,
            )
        except NotSaved as error:
            _tell(form, place, error)
        except TaskFileError as error:
            form.add_error(None, str(error))
        else:
            return redirect(made)
    return _form_page(request, suite, form, place=place)


def _model_named(request: HttpRequest) -> str:
    """The id of the task that a new one begins with: of the address, then of the form."""
    return request.POST.get("from") or request.GET.get("from", "")


def _model(suite: str, named: str) -> dict[str, Any] | None:
    """The task that a new one begins with, without its id; None for no such."""
    task = selectors.tasks_with_page().filter(task_id=named, suite=suite).first()
    if task is None or task.of_records:
        return None
    return {**task.definition, suite_named(suite).tasks.id_key: ""}


@researchers_only
def edit_task(request: HttpRequest, task_id: str) -> HttpResponse:
    """Make the next version of a task."""
    task = get_object_or_404(selectors.tasks_with_page(), task_id=task_id)
    if task.of_records:
        raise Http404
    if task.superseded:
        return redirect(selectors.versions(task)[-1])
    editor = _editor(task.suite)
    if request.method != "POST":
        return _form_page(request, task.suite, editor.form(task.definition), task=task)
    form = editor.form(task.definition, request.POST)
    if do := request.POST.get("do"):
        return _form_page(request, task.suite, form.reshape(do), task=task)
    if form.is_valid():
        try:
            return redirect(change_task(task=task, definition=form.definition()))
        except (NotSaved, TaskFileError) as error:
            form.add_error(None, str(error))
    return _form_page(request, task.suite, form, task=task)


@require_POST
@researchers_only
def check_task(request: HttpRequest) -> HttpResponse:
    """What is wrong with a task as it stands in the form, and what it holds; nothing is stored."""
    task = selectors.tasks_with_page().filter(task_id=request.POST.get("of", "")).first()
    suite = task.suite if task is not None else _suite(request)
    known = task.definition if task is not None else _model(suite, _model_named(request))
    form = _editor(suite).form(known, request.POST, new=task is None)
    world = task.collection.world_id if task is not None else None
    named = (
        World.objects.filter(pk=world)
        if world
        else World.objects.filter(name=request.POST.get("place-world", ""))
    )
    return render(request, "catalogue/checked.html", _check_form(suite, form, named.first()))


def _form_page(
    request: HttpRequest, suite: str, form: Any, *, place: PlaceForm | None = None, task: Task | None = None
) -> HttpResponse:
    world = task.collection.world if task is not None else None
    context = {
        "suite": suite,
        "form": form,
        "place": place,
        "task": task,
        "model": _model_named(request),
        "title": suite_named(suite).title,
        "others": [
            (name, suite_named(name).title)
            for name in SUITES
            if name != suite and pages_of(name).task.editor is not None
        ],
        "fields_template": f"suites/{suite}/editor/fields.html",
        **_check_form(suite, form, world),
    }
    return render(request, "catalogue/edit_task.html", context)


def _check_form(suite: str, form: Any, world: World | None) -> dict[str, Any]:
    """What the panel beside the form says."""
    errors = dict(form.errors) if form.is_bound else {}
    definition = form.definition()
    untouched = form.new and not form.is_bound
    nothing: _Findings = ([], [], [])
    problems, check, faults = nothing if errors or untouched else _of_file(suite, definition, world)
    return {
        "faults": faults,
        "untouched": untouched,
        "problems": problems,
        "wrong": [(form[name] if name in form.fields else None, told) for name, told in errors.items()],
        "fits": check,
        "checked_template": f"suites/{suite}/editor/checked.html",
        **_editor(suite).check_context(definition),
    }


_Findings = tuple[Sequence[LineProblem], Sequence[Fit], Sequence[tuple[str, str]]]


def _of_file(suite: str, definition: Mapping[str, Any], world: World | None) -> _Findings:
    """What is wrong with it as a line of a file, what worlds lack for it, and what does not go over this one."""
    tasks = suite_named(suite).tasks
    try:
        (read,) = tasks.files.lines([orjson.dumps(definition)])
    except TaskFileError as error:
        return error.problems.problems, [], []
    needs = [tasks.needs(read.task)]
    if world is None:
        return [], fits(needs), []
    fit = fit_of(world, needs)
    return [], [fit], _editor(suite).review(read.task, pack_of(world)) if fit.suits else []


def _suite(request: HttpRequest) -> str:
    """The benchmark that a new task is of."""
    given = request.POST.get("suite") or request.GET.get("suite") or DEFAULT_SUITE
    if given not in SUITES:
        raise Http404
    return given


def _editor(suite: str) -> TaskEditor:
    task_editor = pages_of(suite).task.editor
    if task_editor is None:
        raise Http404
    return task_editor


def _tell(form: Any, place: PlaceForm, error: NotSaved) -> None:
    """Put an error where it can be mended."""
    if error.field in place.fields:
        place.add_error(error.field, str(error))
    else:
        form.add_error(error.field if error.field in form.fields else None, str(error))
