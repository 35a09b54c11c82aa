"""Addresses of what metrics, judges and models say of a study's items, below the study's own."""

from __future__ import annotations

from django.urls import path, register_converter

from webapp.converters import WorldName
from webapp.labelling import rater_views

register_converter(WorldName, "rater")

urlpatterns = [
    path("raters/", rater_views.raters, name="label_raters"),
    path("raters/live/", rater_views.live, name="label_raters_live"),
    path("raters/compare/", rater_views.compare, name="label_compare"),
    path("raters/<rater:source>/", rater_views.rater, name="label_rater"),
    path("comparisons/<slug:comparison_id>/<slug:verb>/", rater_views.move, name="label_comparison"),
]
