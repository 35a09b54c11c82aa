"""Addresses of the researcher's side of labelling."""

from __future__ import annotations

from django.urls import path, register_converter

from webapp.converters import SessionId
from webapp.labelling import study_views

register_converter(SessionId, "labelling")

urlpatterns = [
    path("", study_views.study_list, name="label_studies"),
    path("new/", study_views.new_study, name="new_label_study"),
    path("<labelling:study_id>/", study_views.overview, name="label_study"),
    path("<labelling:study_id>/live/", study_views.live, name="label_study_live"),
    path("<labelling:study_id>/settings/", study_views.edit_study, name="edit_label_study"),
    path("<labelling:study_id>/state/<str:verb>/", study_views.move, name="move_label_study"),
    path("<labelling:study_id>/copy/", study_views.copy, name="copy_label_study"),
    path("<labelling:study_id>/delete/", study_views.delete, name="delete_label_study"),
]
