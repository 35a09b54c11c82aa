"""Addresses of cassettes, below those of sessions, which name the kind of their ids."""

from __future__ import annotations

from django.urls import path

from webapp.cassettes import views

urlpatterns = [path("<session:session_id>/replay/", views.replay_session, name="session_replay")]
