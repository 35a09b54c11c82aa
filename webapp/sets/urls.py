"""Addresses of sets of sessions."""

from __future__ import annotations

from django.urls import path

from webapp.sets import views

urlpatterns = [
    path("", views.set_list, name="session_sets"),
    path("<int:pk>/", views.set_page, name="session_set"),
    path("new/", views.new_set, name="new_session_set"),
    path("<int:pk>/copy/", views.copy, name="copy_session_set"),
    path("<int:pk>/delete/", views.delete, name="delete_session_set"),
]
