"""Addresses of those who take seats."""

from __future__ import annotations

from django.urls import path

from webapp.people import answering, views

urlpatterns = [
    path("join/<slug:token>/", views.invitation, name="invitation"),
    path("seat/<slug:guest_id>/", views.seat, name="seat"),
    path("seat/<slug:guest_id>/back/", views.come_back, name="seat_back"),
    path("seat/<slug:guest_id>/consent/", views.consent, name="seat_consent"),
    path("seat/<slug:guest_id>/wishes/", views.wishes, name="seat_wishes"),
    path("seat/<slug:guest_id>/practised/", views.end_practice, name="seat_practised"),
    path("seat/<slug:guest_id>/now/", views.turn_page, name="seat_now"),
    path("seat/<slug:guest_id>/say/", views.say, name="seat_say"),
    path("seat/<slug:guest_id>/heed/", views.heed, name="seat_heed"),
    path("seat/<slug:guest_id>/unsend/", views.unsend, name="seat_unsend"),
    path("seat/<slug:guest_id>/leave/", views.leave, name="seat_leave"),
    path("seat/<slug:guest_id>/answers/", answering.answers, name="seat_answers"),
    path("runs/<slug:run_id>/people.<slug:format_>", answering.run_people, name="run_people"),
    path("sessions/<slug:session_id>/people.<slug:format_>", answering.session_people, name="session_people"),
    path("people/<slug:guest_id>/remove/", answering.remove_person, name="remove_person"),
]
