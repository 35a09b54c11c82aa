"""Addresses of what befalls single sessions, below those of sessions, which name the kind of their ids."""

from __future__ import annotations

from django.urls import path

from webapp.runs import views

urlpatterns = [
    path("<session:session_id>/delete/", views.delete_one_session, name="session_delete"),
]
