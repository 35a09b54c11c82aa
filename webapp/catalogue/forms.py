"""Choices of the catalogue that forms offer."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from benchmark.suites import SUITES, levels_of
from webapp.catalogue.models import TaskCollection
from webapp.catalogue.wording import difficulty_words


def collection_choices() -> list[tuple[str, Any]]:
    """Any collection, or one of those that are complete."""
    names = TaskCollection.objects.filter(complete=True).order_by("name").values_list("name", flat=True)
    return [("", _("any")), *((name, name) for name in names)]


def difficulty_choices() -> list[tuple[str, Any]]:
    """Any difficulty, or one that a benchmark has."""
    return [("", _("any")), *((level, difficulty_words(level)) for level in known_levels())]


def known_levels() -> list[str]:
    """The difficulties of all benchmarks, each once."""
    return list(dict.fromkeys(level for suite in SUITES for level in levels_of(suite)))
