"""Addresses of repairs, below their run's."""

from __future__ import annotations

from django.urls import path, register_converter

from webapp.converters import SessionId
from webapp.repairs import views

register_converter(SessionId, "repaired")

urlpatterns = [
    path("<repaired:run_id>/repairs/", views.repairs, name="repairs"),
    path("<repaired:run_id>/repairs/<slug:repair_id>/", views.repair_page, name="repair"),
    path("<repaired:run_id>/repairs/<slug:repair_id>/live/", views.live, name="repair_live"),
    path("<repaired:run_id>/repairs/<slug:repair_id>/stop/", views.stop, name="repair_stop"),
    path("<repaired:run_id>/repairs/<slug:repair_id>/continue/", views.go_on, name="repair_continue"),
    path("<repaired:run_id>/repairs/<slug:repair_id>/delete/", views.delete, name="repair_delete"),
]
