"""People, and the links that let them in once."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _


class Role(models.TextChoices):
    RESEARCHER = "researcher", _("Researcher")
    ANNOTATOR = "annotator", _("Annotator")
    LIVE_USER = "live_user", _("Live user")


class User(AbstractUser):
    """A person with a role: researchers launch and read runs, annotators judge, live users take a seat."""

    role = models.CharField(max_length=20, choices=Role, default=Role.RESEARCHER)

    @property
    def is_researcher(self) -> bool:
        return self.role == Role.RESEARCHER


class SigninLink(models.Model):
    """A link that signs a person in once. Only the hash of its token is stored."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="signin_links")
    token_hash = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)
    loopback_only = models.BooleanField(default=True)

    def __str__(self) -> str:
        return f"link for {self.user_id}, expires {self.expires_at:%Y-%m-%d %H:%M}"


class ApiToken(models.Model):
    """A token by which a program of a researcher uses the API in their place. Only its hash is stored.

    beginning: its first characters, by which a person tells it from others. scopes: what it may do (`tokens.SCOPES`).
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=60)
    beginning = models.CharField(max_length=16)
    token_hash = models.CharField(max_length=64, unique=True)
    scopes: models.Field[Any, Any] = models.JSONField(default=list)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.beginning}… of {self.user_id}"

    def is_usable(self, now: datetime) -> bool:
        """Whether it lets a program in at this time."""
        return self.revoked_at is None and self.expires_at > now
