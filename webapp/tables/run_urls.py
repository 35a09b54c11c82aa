"""Addresses of the table of runs."""

from __future__ import annotations

from django.urls import path

from webapp.tables import views

urlpatterns = [
    path("", views.run_table, name="runs"),
    path("table.<slug:ending>", views.run_table_file, name="run_table_file"),
]
