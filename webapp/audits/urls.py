"""The address of the audit log."""

from __future__ import annotations

from django.urls import path

from webapp.audits.views import audit

urlpatterns = [path("", audit, name="audit")]
