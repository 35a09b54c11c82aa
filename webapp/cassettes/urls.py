"""Addresses of cassettes, below those of sessions, which name the kind of their ids."""

from __future__ import annotations

from django.urls import path

from webapp.cassettes import views

_CALL = "<session:session_id>/calls/<int:seq>/"

urlpatterns = [
    path("<session:session_id>/replay/", views.replay_session, name="session_replay"),
    path("<session:session_id>/fork/", views.fork_session, name="session_fork"),
    path(_CALL, views.model_call, name="model_call"),
    path(f"{_CALL}tools.txt", views.model_call_tools, name="model_call_tools"),
    path(f"{_CALL}messages/<int:number>.txt", views.model_call_message, name="model_call_message"),
    path(f"{_CALL}call.<str:form>", views.model_call_copy, name="model_call_copy"),
]
