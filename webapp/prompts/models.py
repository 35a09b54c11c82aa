"""Researchers' sets of prompts, and their versions, which never change."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.urls import reverse

from webapp.fields import OrderedJSONField


class PromptSet(models.Model):
    """What the models of one benchmark's sessions are told, in a researcher's words.

    retired: no longer offered.
    """

    name = models.SlugField(max_length=60, unique=True)
    suite = models.CharField(max_length=40, db_index=True)
    retired = models.BooleanField(default=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("prompt_set", args=[self.name])


class PromptSetVersion(models.Model):
    """The words of a set as they were saved once.

    number: from 1. files: those whose words are not as shipped when it was saved, by path
    (`benchmark.promptsets.Files`). digest: SHA-256 of them. comment: what is different from the version before.
    """

    prompt_set = models.ForeignKey(PromptSet, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    digest = models.CharField(max_length=64)
    comment = models.CharField(max_length=200, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    files: models.Field[Any, Any] = OrderedJSONField(default=dict)

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["prompt_set", "number"], name="one_prompt_set_version_a_number")
        ]

    def __str__(self) -> str:
        return f"{self.prompt_set.name}@{self.number}"

    def get_absolute_url(self) -> str:
        return reverse("prompt_set_version", args=[self.prompt_set.name, self.number])
