"""Addresses of imports and exports."""

from __future__ import annotations

from django.urls import path, register_converter

from webapp.converters import SessionId
from webapp.exchange import label_views, views

register_converter(SessionId, "exported")

urlpatterns = [
    path("runs/import/", views.new_import, name="import_records"),
    path("runs/import/<int:pk>/", views.record_import, name="record_import"),
    path("runs/import/<int:pk>/live/", views.import_live, name="record_import_live"),
    path("labelling/from-files/", label_views.new_pair, name="new_label_study_from_files"),
    path("labelling/from-files/<int:first>/<int:second>/", label_views.pair, name="label_files_pair"),
    path(
        "labelling/from-files/<int:first>/<int:second>/live/",
        label_views.pair_live,
        name="label_files_pair_live",
    ),
    path("sets/<int:pk>/file.<slug:format_>", views.set_file, name="session_set_file"),
    path("sessions/<exported:session_id>/export.<slug:format_>", views.session_file, name="session_export"),
    path("runs/<exported:run_id>/export.<slug:format_>", views.run_export, name="run_export"),
    path("runs/files/<int:pk>/", views.run_file_page, name="run_file"),
    path("runs/files/<int:pk>/live/", views.run_file_live, name="run_file_live"),
    path("runs/files/<int:pk>/download/", views.run_file_download, name="run_file_download"),
    path(
        "runs/<exported:run_id>/repairs/<slug:repair_id>/export.<slug:format_>",
        views.repair_file,
        name="repair_export",
    ),
]
