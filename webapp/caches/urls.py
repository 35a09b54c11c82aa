"""Addresses of caches."""

from __future__ import annotations

from django.urls import path

from webapp.caches import views

urlpatterns = [
    path("", views.cache_list, name="caches"),
    path("<slug:name>/", views.cache_page, name="cache"),
    path("<slug:name>/index/", views.index, name="index_cache"),
]
