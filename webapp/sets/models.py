"""Sets of sessions under a name, to judge, label, export or play again."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.urls import reverse

from webapp.sessions.models import Session

LONGEST_NAME = 100
LONGEST_QUERY = 2000


class SessionSet(models.Model):
    """Sessions that somebody has chosen. query: the search or the filters that found those of the last choice."""

    name = models.CharField(max_length=LONGEST_NAME, unique=True)
    query = models.CharField(max_length=LONGEST_QUERY, blank=True)
    sessions = models.ManyToManyField(Session, related_name="sets")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("session_set", args=[self.pk])
