"""Addresses of searches for weights, below their study's own."""

from __future__ import annotations

from django.urls import path

from webapp.labelling import weight_views

urlpatterns = [
    path("weights/", weight_views.weights, name="label_weights"),
    path("weights/points/", weight_views.points, name="label_weights_points"),
    path("weights/<slug:search_id>/", weight_views.search, name="label_search"),
    path("weights/<slug:search_id>/live/", weight_views.live, name="label_search_live"),
    path("weights/<slug:search_id>/result.json", weight_views.result, name="label_search_file"),
    path("weights/<slug:search_id>/stop/", weight_views.stop, name="label_search_stop"),
]
