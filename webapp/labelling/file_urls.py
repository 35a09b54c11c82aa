"""Addresses of a study's files: what can be downloaded, and labels from elsewhere."""

from __future__ import annotations

from django.urls import path

from webapp.labelling import file_views

urlpatterns = [
    path("<slug:study_id>/files/", file_views.files, name="label_files"),
    path("<slug:study_id>/files/<slug:format_>/", file_views.file, name="label_file"),
]
