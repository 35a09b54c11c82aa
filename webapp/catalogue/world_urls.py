"""Addresses of worlds."""

from __future__ import annotations

from django.urls import path, register_converter

from webapp.catalogue import world_views
from webapp.converters import WorldName

register_converter(WorldName, "world")

urlpatterns = [
    path("", world_views.world_list, name="worlds"),
    path("<world:name>/", world_views.world_page, name="world"),
    path("<world:name>/timetable/", world_views.timetable, name="world_timetable"),
    path("<world:name>/cities/<str:city>/", world_views.city_page, name="world_city"),
]
