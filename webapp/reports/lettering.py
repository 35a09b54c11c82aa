"""Texts as Plotly reads them."""

from __future__ import annotations

from html import escape
from textwrap import wrap


def lines_of(text: str, widest: int) -> str:
    """A text in lines."""
    return "<br>".join(safe(line) for line in wrap(text, widest))


def safe(text: str) -> str:
    """Plotly reads some tags in any text."""
    return escape(text, quote=False)
