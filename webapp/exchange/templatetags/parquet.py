"""Whether menus of files offer Parquet."""

from __future__ import annotations

from django import template

from benchmark.exports.rows import parquet_is_here as is_here

register = template.Library()


@register.simple_tag
def parquet_is_here() -> bool:
    """Whether it can be written here."""
    return is_here()
