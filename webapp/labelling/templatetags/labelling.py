"""Filters of the pages of studies."""

from __future__ import annotations

from django import template

from webapp.labelling.forms import dimension_label
from webapp.labelling.guidelines import invitation_words
from webapp.labelling.models import LabelStudy

register = template.Library()
register.filter(invitation_words)


@register.filter
def dimension_of(name: str, study: LabelStudy) -> str:
    """What a dimension of a rubric is called."""
    return dimension_label(study, name)
