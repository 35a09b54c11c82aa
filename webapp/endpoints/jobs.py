"""The background work on model endpoints."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from webapp.endpoints.models import ModelEndpoint
from webapp.jobs.kinds import Kind, register, rows_of
from webapp.jobs.pools import Queue

TEST = register(
    Kind(
        "endpoint_test",
        _("Test of a model"),
        link=lambda job: reverse("endpoint", args=[job.subject]),
        queue=Queue.SHORT,
        existing_subjects=rows_of(ModelEndpoint.objects.all, "name"),
    )
)
