"""Addresses of webhooks."""

from __future__ import annotations

from django.urls import path

from webapp.webhooks import views

urlpatterns = [
    path("", views.webhooks, name="webhooks"),
    path("<int:pk>/", views.webhook, name="webhook"),
    path("<int:pk>/test", views.send_test, name="test_webhook"),
    path("<int:pk>/delete", views.delete, name="delete_webhook"),
    path("<int:pk>/deliveries/<int:delivery>/redeliver", views.redeliver, name="redeliver_webhook"),
]
