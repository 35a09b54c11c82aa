"""Addresses of the search."""

from __future__ import annotations

from django.urls import path

from webapp.tables import search_views

urlpatterns = [
    path("", search_views.search, name="search"),
]
