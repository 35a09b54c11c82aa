"""Addresses of worlds."""

from __future__ import annotations

from django.urls import path

from webapp.catalogue import world_views

urlpatterns = [
    path("", world_views.world_list, name="worlds"),
    path("<str:name>/", world_views.world_page, name="world"),
    path("<str:name>/timetable/", world_views.timetable, name="world_timetable"),
    path("<str:name>/cities/<str:city>/", world_views.city_page, name="world_city"),
]
