"""Addresses of imports and exports."""

from __future__ import annotations

from django.urls import path

from webapp.exchange import views

urlpatterns = [
    path("runs/import/", views.new_import, name="import_records"),
    path("runs/import/<int:pk>/", views.record_import, name="record_import"),
    path("runs/import/<int:pk>/live/", views.import_live, name="record_import_live"),
]
