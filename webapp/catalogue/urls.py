"""Addresses of single tasks."""

from __future__ import annotations

from django.urls import path, register_converter

from webapp.catalogue import editing_views, views
from webapp.converters import TaskId

register_converter(TaskId, "task")

urlpatterns = [
    path("new", editing_views.new_task, name="new_task"),
    path("check", editing_views.check_task, name="check_task"),
    path("<task:task_id>/edit", editing_views.edit_task, name="edit_task"),
    path("<task:task_id>/", views.task_page, name="task"),
]
