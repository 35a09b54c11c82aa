"""Addresses for monitors; `webapp.asgi` serves them past the line of pages."""

from __future__ import annotations

from django.urls import path

from webapp.watching import views

urlpatterns = [
    path("health", views.health, name="health"),
    path("ready", views.ready, name="ready"),
    path("metrics", views.metrics, name="metrics"),
]
PATHS = ("/health", "/ready", "/metrics")
