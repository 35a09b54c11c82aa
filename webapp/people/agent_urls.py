"""Addresses of the desk of whoever has the agent's seat."""

from __future__ import annotations

from django.urls import path

from webapp.people import agent_seat

urlpatterns = [
    path("seat/<slug:guest_id>/desk/", agent_seat.desk, name="seat_desk"),
    path("seat/<slug:guest_id>/desk/tools/<str:tool>/", agent_seat.call, name="seat_tool"),
    path("seat/<slug:guest_id>/desk/<str:name>/", agent_seat.part, name="seat_desk_part"),
]
