"""Filters of TRIP-Bench's templates."""

from __future__ import annotations

from django import template

from webapp.suites.tripbench.turns import turn_words

register = template.Library()
register.filter("turn_words", turn_words)
