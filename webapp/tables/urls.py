"""Addresses of the table of sessions."""

from __future__ import annotations

from django.urls import path

from webapp.tables import set_views, views

urlpatterns = [
    path("", views.session_table, name="sessions"),
    path("table.<slug:ending>", views.table_file, name="session_table_file"),
    path("save-set/", set_views.save_set, name="save_session_set"),
    path("views/", views.save, name="save_view"),
    path("views/<int:pk>/delete/", views.delete, name="delete_view"),
]
