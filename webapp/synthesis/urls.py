"""Addresses of sets of tasks that are made here."""

from __future__ import annotations

from django.urls import path

from webapp.synthesis import views

urlpatterns = [
    path("synthesis/", views.new_synthesis, name="new_synthesis"),
    path("synthesis/<slug:synthesis_id>/", views.synthesis, name="synthesis"),
    path("synthesis/<slug:synthesis_id>/live/", views.live, name="synthesis_live"),
    path("synthesis/<slug:synthesis_id>/make/", views.make, name="synthesis_make"),
    path("synthesis/<slug:synthesis_id>/stop/", views.stop_making, name="synthesis_stop"),
    path("synthesis/<slug:synthesis_id>/delete/", views.delete, name="synthesis_delete"),
    path("synthesis/<slug:synthesis_id>/files/<slug:what>/", views.file, name="synthesis_file"),
]
