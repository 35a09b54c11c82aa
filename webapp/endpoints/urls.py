"""Addresses of model endpoints."""

from __future__ import annotations

from django.urls import path

from webapp.endpoints import views

urlpatterns = [
    path("", views.endpoint_list, name="endpoints"),
    path("new/", views.new_endpoint, name="new_endpoint"),
    path("failing.html", views.failing_models, name="failing_models"),
    path("<slug:name>/", views.endpoint_page, name="endpoint"),
    path("<slug:name>/edit/", views.edit_endpoint, name="edit_endpoint"),
    path("<slug:name>/test/", views.test, name="test_endpoint"),
    path("<slug:name>/findings/", views.findings, name="endpoint_findings"),
    path("<slug:name>/apply/", views.apply, name="apply_suggestion"),
    path("<slug:name>/retire/", views.retire, name="retire_endpoint"),
    path("<slug:name>/delete/", views.delete, name="delete_endpoint"),
]
