"""Addresses of notes."""

from __future__ import annotations

from django.urls import path, register_converter

from webapp.converters import SessionId
from webapp.notes import views

register_converter(SessionId, "noted")

urlpatterns = [
    path("notes/", views.note_list, name="notes"),
    path("notes/export.<str:written_as>", views.note_file, name="notes_file"),
    path("notes/<int:pk>/change/", views.change, name="change_note"),
    path("notes/<int:pk>/delete/", views.delete, name="delete_note"),
    path("sessions/<noted:session_id>/notes/<str:kind>/", views.add, name="add_note"),
]
