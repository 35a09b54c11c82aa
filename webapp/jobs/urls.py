"""Addresses of background work."""

from __future__ import annotations

from django.urls import path

from webapp.jobs import views

urlpatterns = [
    path("", views.job_list, name="jobs"),
    path("live/", views.live, name="jobs_live"),
    path("<int:pk>/cancel/", views.cancel, name="cancel_job"),
    path("<int:pk>/release/", views.release, name="release_job"),
    path("<int:pk>/retry/", views.retry, name="retry_job"),
]
