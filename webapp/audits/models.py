"""Who saw, exported and removed personal data."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Act(models.TextChoices):
    SEEN = "seen", _("seen")
    EXPORTED = "exported", _("exported")
    REMOVAL_ASKED = "removal_asked", _("removal asked for")
    REMOVED = "removed", _("removed")


class Way(models.TextChoices):
    PAGE = "page", _("page")
    API = "api", _("API")
    SOCKET = "socket", _("live page")
    COMMAND = "command", _("command")
    SEAT = "seat", _("own page")
    RETENTION = "expiry", _("kept no longer")


class Access(models.Model):
    """That somebody did something with data of people. It is never changed, and goes when it is old enough."""

    at = models.DateTimeField(default=timezone.now, db_index=True)
    # None where it was no account: a command, or the person whose data it is.
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    # The account's name as it was; of a command, the account of the machine; "" for the person.
    name = models.CharField(max_length=150, blank=True)
    act = models.CharField(max_length=13, choices=Act)
    way = models.CharField(max_length=7, choices=Way)
    # The name of the address or of the command.
    place = models.CharField(max_length=60)
    # Of what: `session`, `run`, `person` …, and its id; "" for whatever was found.
    kind = models.CharField(max_length=20)
    subject = models.CharField(max_length=80, blank=True)
    # How many people's data it held.
    people = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["kind", "subject"], name="accesses_of_a_subject")]

    def __str__(self) -> str:
        return f"{self.name} {self.act} {self.kind} {self.subject}"
