"""Filters of templates that show plans."""

from __future__ import annotations

from django import template

from webapp.plans.messages import plan_message

register = template.Library()
register.filter("plan_parts", plan_message)
