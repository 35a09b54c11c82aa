"""Addresses of tasks."""

from __future__ import annotations

from django.urls import path

from webapp.catalogue import views

urlpatterns = [
    path("", views.task_list, name="tasks"),
    path("<path:task_id>/", views.task_page, name="task"),
]
