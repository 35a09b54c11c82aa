"""Filters of the pages of studies."""

from __future__ import annotations

from django import template

from webapp.judging.wording import rubric_words
from webapp.labelling.guidelines import invitation_words
from webapp.labelling.models import LabelStudy
from webapp.labelling.scales import dimension_label, scales_words

register = template.Library()
register.filter(invitation_words)
register.filter("scales_of", scales_words)


@register.filter
def rubric_of(study: LabelStudy) -> str:
    """What the rubric of a study is called; "" where its benchmark has one alone, or the study has own dimensions."""
    return "" if study.dimensions else rubric_words(study.rubric, study.suite)


@register.filter
def dimension_of(name: str, study: LabelStudy) -> str:
    """What a dimension of a rubric is called."""
    return dimension_label(study, name)
