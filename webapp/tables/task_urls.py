"""Addresses of the table of tasks."""

from __future__ import annotations

from django.urls import path

from webapp.tables import statistics_views, views

urlpatterns = [
    path("", views.task_table, name="tasks"),
    path("table.<slug:ending>", views.task_table_file, name="task_table_file"),
    path("definitions.jsonl", views.task_definitions, name="task_definitions"),
    path("statistics", statistics_views.task_statistics, name="task_statistics"),
    path("statistics.<slug:ending>", statistics_views.task_statistics_file, name="task_statistics_file"),
]
