"""Addresses of experiments, below their call's."""

from __future__ import annotations

from django.urls import path, register_converter

from webapp.converters import SessionId
from webapp.experiments import views

register_converter(SessionId, "asked")

_CALL = "<asked:session_id>/calls/<int:seq>/experiments/"
_ONE = f"{_CALL}<slug:experiment_id>/"

urlpatterns = [
    path(_CALL, views.experiments, name="experiments"),
    path(_ONE, views.experiment_page, name="experiment"),
    path(f"{_ONE}live/", views.live, name="experiment_live"),
    path(f"{_ONE}stop/", views.stop, name="experiment_stop"),
    path(f"{_ONE}answers/<int:number>/fork/", views.fork_answer, name="answer_fork"),
    path(f"{_ONE}delete/", views.delete, name="experiment_delete"),
]
