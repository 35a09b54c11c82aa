"""Addresses of the researcher's side of people: the monitor, studies, and trying a session."""

from __future__ import annotations

from django.urls import path

from webapp.people import monitor_views, studies, trying

urlpatterns = [
    path("sessions/new/try/", trying.try_session, name="try_session"),
    path("sessions/<session:session_id>/seats/", monitor_views.seats, name="seats"),
    path("sessions/<session:session_id>/seats/live/", monitor_views.live, name="seats_live"),
    path(
        "sessions/<session:session_id>/seats/<str:verb>/", monitor_views.of_session, name="seats_of_session"
    ),
    path(
        "sessions/<session:session_id>/seats/<int:seat_id>/<str:verb>/", monitor_views.at_seat, name="at_seat"
    ),
    path("runs/<run:run_id>/seats/", monitor_views.run_seats, name="run_seats"),
    path("runs/<run:run_id>/seats/live/", monitor_views.run_live, name="run_seats_live"),
    path("runs/<run:run_id>/seats/links.csv", monitor_views.run_links, name="run_links"),
    path("runs/<run:run_id>/seats/<str:verb>/", monitor_views.of_run, name="seats_of_run"),
    path("studies/", studies.study_list, name="studies"),
    path("studies/new/", studies.new_study, name="new_study"),
    path("studies/<int:study_id>/", studies.study, name="study"),
    path("studies/<int:study_id>/delete/", studies.delete_study, name="delete_study"),
]
