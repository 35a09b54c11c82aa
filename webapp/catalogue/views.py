"""Pages of tasks."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from webapp.accounts.access import researchers_only
from webapp.catalogue import selectors
from webapp.catalogue.fitting import fits
from webapp.pages import pages_of


@researchers_only
def task_page(request: HttpRequest, task_id: str) -> HttpResponse:
    """One task: what its benchmark shows of it, the worlds that it fits, its sessions."""
    task = get_object_or_404(selectors.shown(), task_id=task_id)
    if task.of_records:
        return render(request, "catalogue/of_records.html", {"task": task})
    definition = task.parsed
    context = {
        "task": task,
        "definition": definition,
        "fits": fits([task.needs]),
        "versions": selectors.versions(task),
        "editable": pages_of(task.suite).editor is not None,
        **pages_of(task.suite).task(definition),
    }
    return render(request, [f"suites/{task.suite}/task.html", "catalogue/task.html"], context)
