"""Addresses of sessions."""

from __future__ import annotations

from django.urls import path, register_converter

from webapp.converters import SessionId
from webapp.sessions import views

register_converter(SessionId, "session")

urlpatterns = [
    path("prompts/<path:version>/", views.prompts, name="prompts"),
    path("new/", views.new_session, name="new_session"),
    path("<session:session_id>/", views.session_page, name="session"),
    path("<session:session_id>/stop/", views.stop, name="session_stop"),
    path("<session:session_id>/pause/", views.pause, name="session_pause"),
    path("<session:session_id>/resume/", views.resume, name="session_resume"),
    path("<session:session_id>/record.jsonl", views.record, name="session_record"),
    path("<session:session_id>/head/", views.head, name="session_head"),
    path("<session:session_id>/outline/", views.outline, name="session_outline"),
    path("<session:session_id>/outcome/", views.outcome, name="session_outcome"),
    path("<session:session_id>/timeline.json", views.timeline, name="session_timeline"),
    path("<session:session_id>/panel/<str:tab>/", views.panel, name="session_panel"),
    path("<session:session_id>/results/<int:seq>/", views.result, name="session_result"),
    path("<session:session_id>/events/<int:seq>.json", views.event, name="session_event"),
]
