"""Pages of tasks."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from webapp.accounts.access import researchers_only
from webapp.catalogue import selectors
from webapp.catalogue.fitting import fits
from webapp.pages import pages_of


@researchers_only
def task_page(request: HttpRequest, task_id: str) -> HttpResponse:
    """One task: what its benchmark shows of it, the worlds that it fits, its sessions."""
    task = selectors.tasks_with_page().filter(task_id=task_id).first()
    if task is None and task_id == "new":  # the address with a slash, as other pages have it
        return redirect("new_task")
    if task is None:
        raise Http404
    if task.of_records:
        return render(request, "catalogue/of_records.html", {"task": task})
    definition = task.parsed_definition
    context = {
        "task": task,
        "definition": definition,
        "fits": fits([task.needs]),
        "versions": selectors.versions(task),
        "editable": pages_of(task.suite).task.editor is not None,
        **pages_of(task.suite).task.context(definition),
    }
    return render(request, [f"suites/{task.suite}/task.html", "catalogue/task.html"], context)
