"""Addresses of single tasks."""

from __future__ import annotations

from django.urls import path, register_converter

from webapp.catalogue import views
from webapp.converters import TaskId

register_converter(TaskId, "task")

urlpatterns = [
    path("<task:task_id>/", views.task_page, name="task"),
]
