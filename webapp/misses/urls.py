"""Addresses of what runs lost."""

from __future__ import annotations

from django.urls import path

from webapp.misses import views

urlpatterns = [
    path("<run:run_id>/misses/", views.misses_page, name="run_misses"),
    path("<run:run_id>/misses.csv", views.misses_csv_file, name="run_misses_csv"),
    path("<run:run_id>/misses.json", views.misses_json_file, name="run_misses_json"),
    path("<run:run_id>/misses/name/", views.name_groups, name="run_misses_name"),
    path("<run:run_id>/misses/<str:key>/", views.group_page, name="run_misses_group"),
]
