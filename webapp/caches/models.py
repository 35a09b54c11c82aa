"""Tool caches, and the answers that a run has pinned."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from sandbox.tools.language import Language
from webapp.fields import OrderedJSONField


class ToolCache(models.Model):
    """A cache on disk, `caches/<name>/` under the data folder, which is the truth; the rest is kept for lists.

    counts: entries by tool when it was last imported, indexed or refreshed. source: where it was imported from.
    language: of its answers, which keys don't tell. filled_by: who answered what it learned; another one's answers
    would not agree with them. pack: the file name of the current pack, for hosts that lack it. indexing:
    what became of the last request to index it, empty once it succeeded.
    """

    name = models.SlugField(max_length=60, unique=True)
    source = models.CharField(max_length=400, blank=True)
    language = models.CharField(
        max_length=5, default="zh", choices=[("zh", _("Chinese")), ("en", _("English"))]
    )
    filled_by = models.CharField(max_length=200, blank=True)
    indexing = models.CharField(max_length=600, blank=True)
    digest = models.CharField(max_length=64, blank=True)
    pack = models.CharField(max_length=80, blank=True, default="")
    counts: models.Field[Any, Any] = OrderedJSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("cache", args=[self.name])

    @property
    def folder(self) -> Path:
        return caches_folder() / self.name

    @property
    def entries(self) -> int:
        """Entries over all tools."""
        return sum(self.counts.values())

    @property
    def answers_in(self) -> Language:
        """The language of its answers."""
        return "en" if self.language == "en" else "zh"


class PinnedAnswer(models.Model):
    """A simulated answer that stands for the length of a run, or of a session that belongs to none.

    scope: the run or session, and the language. call: SHA-256 (hex) of the call's cache key.
    """

    scope = models.CharField(max_length=60)
    tool = models.CharField(max_length=60)
    call = models.CharField(max_length=64)
    result: models.Field[Any, Any] = OrderedJSONField()
    examples: models.Field[Any, Any] = OrderedJSONField(default=list)
    pinned_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["scope", "tool", "call"], name="one_answer_a_call")]

    def __str__(self) -> str:
        return f"{self.scope} {self.tool} {self.call[:12]}"


def caches_folder() -> Path:
    """Where caches live; made on first use."""
    folder = Path(settings.CARAVAN_DATA) / "caches"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def index_folder(name: str) -> Path:
    """Where the indexes of a cache are."""
    return caches_folder() / name / "index"
