"""What people note on sessions and on their events: stars, tags and comments, a row each."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from webapp.sessions.models import Session

LONGEST_TAG = 40
LONGEST_COMMENT = 10_000
"""Characters."""


class Kind(models.TextChoices):
    STAR = "star", _("Star")
    TAG = "tag", _("Tag")
    COMMENT = "comment", _("Comment")


class Note(models.Model):
    """One person's star, tag or comment. seq: of the event that it is on, 0 for all of it. text: "" of a star."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="notes")
    seq = models.PositiveIntegerField(default=0)
    kind = models.CharField(max_length=10, choices=Kind)
    text = models.TextField(blank=True, default="")
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    edited_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["session", "seq", "kind", "author", "text"],
                condition=~Q(kind="comment"),
                name="one_star_and_tag_a_person",
            )
        ]
        indexes = [models.Index(fields=["kind", "text"], condition=~Q(kind="comment"), name="notes_by_tag")]

    def __str__(self) -> str:
        return f"{self.session_id}#{self.seq} {self.kind} {self.text[:40]}"

    @property
    def link(self) -> str:
        """The address of what it is on."""
        page = self.session.get_absolute_url()
        return f"{page}?tab=notes&at={self.seq}#e{self.seq}" if self.seq else f"{page}?tab=notes"
