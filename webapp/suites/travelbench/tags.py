"""Filters of TravelBench's templates."""

from __future__ import annotations

from django import template

from webapp.suites.travelbench.wording.turns import turn_words

register = template.Library()
register.filter("turn_words", turn_words)
