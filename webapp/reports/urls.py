"""Addresses of reports."""

from __future__ import annotations

from django.urls import path

from webapp.reports import views

urlpatterns = [
    path("", views.report_page, name="reports"),
    path("report.<slug:ending>", views.report_file, name="report_file"),
    path("leaderboard/", views.leaderboard_page, name="leaderboard"),
    path("leaderboard.csv", views.leaderboard_file, name="leaderboard_file"),
    path("archives/", views.start_report_archive, name="start_report_archive"),
    path("archives/<int:pk>/", views.report_archive_page, name="report_archive"),
    path("archives/<int:pk>/live/", views.report_archive_live, name="report_archive_live"),
    path("archives/<int:pk>/paper.zip", views.report_archive_file, name="report_archive_file"),
    path("figures/<slug:chart>.<slug:ending>", views.figure_file, name="report_figure"),
    path("<slug:part>.<slug:ending>", views.part_file, name="report_part"),
]
