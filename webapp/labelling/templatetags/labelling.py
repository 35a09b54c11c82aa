"""Filters of the pages of studies."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext as _

from webapp.judging.wording import rubric_words
from webapp.labelling.guidelines import invitation_words
from webapp.labelling.models import LabelStudy
from webapp.labelling.scales import dimension_label, scales_words
from webapp.wording.lists import join_items

register = template.Library()
register.filter(invitation_words)
register.filter("scales_of", scales_words)


@register.filter
def ratings_of(study: LabelStudy) -> str:
    """On which scales people rate, after the name of the rubric where its benchmark has several."""
    if (messages := study.message_rubric) is not None:
        return join_items((_("messages: %(what)s") % {"what": _(messages.title)}, scales_words(study)))
    rubric = "" if study.dimensions else rubric_words(study.rubric, study.suite)
    return join_items(filter(None, (rubric, scales_words(study))))


@register.filter
def dimension_of(name: str, study: LabelStudy) -> str:
    """What a dimension of a rubric is called."""
    return dimension_label(study, name)
