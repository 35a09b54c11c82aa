"""Addresses of sessions side by side."""

from __future__ import annotations

from django.urls import path, register_converter

from webapp.comparisons import views
from webapp.converters import SessionId

register_converter(SessionId, "compared")

urlpatterns = [
    path("compare/", views.compare_sessions, name="compare_sessions"),
    path("<compared:session_id>/beside/<compared:other_id>/", views.compare_pair, name="sessions_beside"),
]
