"""The address of the readable page of the API."""

from __future__ import annotations

from django.urls import path

from webapp.api import views

urlpatterns = [path("reference/", views.reference, name="api_reference")]
