"""Addresses of sessions."""

from __future__ import annotations

from django.urls import path

from webapp.sessions import views

urlpatterns = [
    path("", views.session_list, name="sessions"),
    path("new/", views.new_session, name="new_session"),
    path("<str:session_id>/", views.session_page, name="session"),
    path("<str:session_id>/stop/", views.stop, name="session_stop"),
    path("<str:session_id>/record.jsonl", views.record, name="session_record"),
    path("<str:session_id>/head/", views.head, name="session_head"),
    path("<str:session_id>/outline/", views.outline, name="session_outline"),
    path("<str:session_id>/panel/<str:tab>/", views.panel, name="session_panel"),
    path("<str:session_id>/results/<int:seq>/", views.result, name="session_result"),
]
