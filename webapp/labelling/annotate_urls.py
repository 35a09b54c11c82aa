"""Addresses of annotators."""

from __future__ import annotations

from django.urls import path

from webapp.labelling import annotate_views as views

urlpatterns = [
    path("join/<slug:token>/", views.link, name="annotator_link"),
    path("panel/<slug:token>/", views.panel_link, name="panel_link"),
    path("<slug:annotator_id>/", views.annotate, name="annotate"),
    path("<slug:annotator_id>/guidelines/", views.guidelines, name="annotate_guidelines"),
    path("<slug:annotator_id>/examples/<int:place>/", views.example, name="annotate_example"),
    path("<slug:annotator_id>/training/<int:assignment_id>/", views.training, name="annotate_training"),
    path("<slug:annotator_id>/answer/", views.answer, name="annotate_answer"),
    path("<slug:annotator_id>/draft/", views.draft, name="annotate_draft"),
    path("<slug:annotator_id>/skip/", views.skip, name="annotate_skip"),
    path("<slug:annotator_id>/undo/", views.undo, name="annotate_undo"),
    path("<slug:annotator_id>/leave/", views.leave, name="annotate_leave"),
    path("<slug:annotator_id>/passed/", views.passed_page, name="annotate_passed"),
    path("<slug:annotator_id>/ahead/", views.draw_ahead, name="annotate_ahead"),
    path("<slug:annotator_id>/waiting/", views.waiting, name="annotate_waiting"),
]
