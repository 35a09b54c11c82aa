"""Addresses of the table of tasks."""

from __future__ import annotations

from django.urls import path

from webapp.tables import views

urlpatterns = [
    path("", views.task_table, name="tasks"),
    path("table.<slug:ending>", views.task_table_file, name="task_table_file"),
]
