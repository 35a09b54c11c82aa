"""The page of statistics of tasks, and its files."""

from __future__ import annotations

import orjson
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from webapp.accounts.access import researchers_only
from webapp.reports.files import parts_csv
from webapp.tables.forms import of_tasks
from webapp.tables.statistics import MOST_TASKS, count_tasks
from webapp.tables.views import REMEMBERED_OF_TASKS, look_of, tasks_of


@researchers_only
def task_statistics(request: HttpRequest) -> HttpResponse:
    """What the tasks that filters leave hold, beside the figures of the benchmark's paper."""
    look = look_of(request, of_tasks(), REMEMBERED_OF_TASKS)
    statistics_of_tasks = count_tasks(tasks_of(look))
    context = {
        "look": look,
        "found": statistics_of_tasks,
        "parts": [] if statistics_of_tasks.too_many else statistics_of_tasks.parts,
        "counterparts": "" if statistics_of_tasks.too_many else statistics_of_tasks.counterparts,
        "most": MOST_TASKS,
        "asked": look.query(),
    }
    return render(request, "tables/statistics.html", context)


@researchers_only
def task_statistics_file(request: HttpRequest, ending: str) -> HttpResponse:
    """The same as JSON, or its tables as CSV, a line a cell."""
    if ending not in ("csv", "json"):
        raise Http404
    statistics_of_tasks = count_tasks(tasks_of(look_of(request, of_tasks(), REMEMBERED_OF_TASKS)))
    if statistics_of_tasks.too_many:
        return render(
            request, "tables/statistics.html", {"found": statistics_of_tasks, "most": MOST_TASKS}, status=404
        )
    if ending == "json":
        response = HttpResponse(
            orjson.dumps(statistics_of_tasks.statistics.as_json(statistics_of_tasks.dataset)),
            content_type="application/json",
        )
    else:
        response = HttpResponse(parts_csv(statistics_of_tasks.parts), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="task_statistics.{ending}"'
    return response
