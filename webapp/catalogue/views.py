"""Pages of tasks."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from benchmark.suites.grouptravel.preferences import conflicts
from webapp.accounts.access import researchers_only
from webapp.catalogue import selectors
from webapp.catalogue.comparison import conflict_matrix, side_by_side
from webapp.catalogue.fitting import fits
from webapp.catalogue.forms import TaskFilterForm
from webapp.catalogue.models import Task
from webapp.sessions.selectors import sessions, sessions_by_task

PAGE = 50
SHOWN_SESSIONS = 20


@researchers_only
def task_list(request: HttpRequest) -> HttpResponse:
    """All tasks, by collection."""
    form = TaskFilterForm(request.GET)
    found = selectors.tasks(form.wanted()).defer("definition")
    page = Paginator(found, PAGE).get_page(request.GET.get("page"))
    counts = sessions_by_task(page.object_list)
    rows = [(task, counts.get(task.pk, 0)) for task in page.object_list]
    context = {"form": form, "page": page, "rows": rows, "query": form.query()}
    return render(request, "catalogue/tasks.html", context)


@researchers_only
def task_page(request: HttpRequest, task_id: str) -> HttpResponse:
    """One task: its travellers side by side, where they clash, what was said first, its sessions."""
    task = get_object_or_404(Task.objects.select_related("collection__world"), task_id=task_id)
    definition = task.parsed
    tables = {user: card.preference for user, card in definition.user_preferences.items()}
    context = {
        "task": task,
        "definition": definition,
        "users": definition.users,
        "rows": side_by_side(tables),
        "matrix": conflict_matrix(definition.users, conflicts(tables)),
        "sessions": sessions(task_id=task.task_id)[:SHOWN_SESSIONS],
        "fits": fits([definition]),
    }
    return render(request, "catalogue/task.html", context)
