"""Choices of the catalogue that forms offer."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from webapp.catalogue.models import TaskCollection

DIFFICULTIES = [("", _("any")), ("easy", _("easy")), ("medium", _("medium")), ("hard", _("hard"))]


def collection_choices() -> list[tuple[str, Any]]:
    """Any collection, or one of those that are complete."""
    names = TaskCollection.objects.filter(complete=True).order_by("name").values_list("name", flat=True)
    return [("", _("any")), *((name, name) for name in names)]
