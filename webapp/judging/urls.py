"""Addresses of judgements."""

from __future__ import annotations

from django.urls import path, register_converter

from webapp.converters import SessionId
from webapp.judging import views

register_converter(SessionId, "batch")

urlpatterns = [
    path("", views.batch_list, name="judging"),
    path("new/", views.new_batch, name="new_judging"),
    path("<batch:batch_id>/", views.batch_page, name="judge_batch"),
    path("<batch:batch_id>/live/", views.live, name="judge_batch_live"),
    path("<batch:batch_id>/stop/", views.stop, name="judge_batch_stop"),
    path("<batch:batch_id>/again/", views.ask_again, name="judge_batch_again"),
]
