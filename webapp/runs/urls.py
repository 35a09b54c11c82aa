"""Addresses of runs."""

from __future__ import annotations

from django.urls import path, register_converter

from webapp.converters import SessionId
from webapp.runs import views

register_converter(SessionId, "run")

urlpatterns = [
    path("new/", views.new_run, name="new_run"),
    path("failing/", views.failing_runs, name="failing_runs"),
    path("compare/", views.compare, name="compare_runs"),
    path("compare.csv", views.compare_csv, name="compare_runs_csv"),
    path("<run:run_id>/", views.run_page, name="run"),
    path("<run:run_id>/live/", views.live, name="run_live"),
    path("<run:run_id>/health/", views.health, name="run_health"),
    path("<run:run_id>/stop/", views.stop, name="run_stop"),
    path("<run:run_id>/pause/", views.pause, name="run_pause"),
    path("<run:run_id>/resume/", views.resume, name="run_resume"),
    path("<run:run_id>/retry/", views.retry, name="run_retry"),
    path("<run:run_id>/name/", views.rename, name="run_rename"),
    path("<run:run_id>/limits/", views.limits, name="run_limits"),
    path("<run:run_id>/trials/", views.trials, name="run_trials"),
    path("<run:run_id>/delete/", views.delete, name="run_delete"),
    path("<run:run_id>/sessions.csv", views.sessions_file, name="run_sessions_csv"),
]
