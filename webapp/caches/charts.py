"""Charts of a cache as Plotly takes them; static/js/charts.js draws them in the theme's colours."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from webapp.caches.selectors import ToolFigures
from webapp.wording.numbers import share_words

ROW = 36
"""Pixels of a bar with the space after it."""


def entries_chart(rows: Sequence[ToolFigures], count: str) -> dict[str, Any] | None:
    """Cached calls by tool, the most on top, each with its share (TravelBench, figure 10); None of an empty cache.

    rows: the fullest first. count: the title of the axis.
    """
    filled = [row for row in rows if row.entries]
    if not filled:
        return None
    names = [escape(row.tool, quote=False) for row in filled]  # Plotly reads some tags in any text
    bar = {
        "type": "bar",
        "orientation": "h",
        "x": [row.entries for row in filled],
        "y": names,
        "text": [f"{share_words(row.share)} %" for row in filled],
        "textposition": "auto",
        "cliponaxis": False,
        "marker": {"color": "var(--accent)"},
    }
    labels = [
        name.replace(".", ".<br>", 1) for name in names
    ]  # a phone has no room for a toolset beside its tool
    along = {"type": "category", "categoryarray": names, "autorange": "reversed", "showgrid": False}
    along |= {"tickvals": names, "ticktext": labels}
    layout = {"height": 90 + ROW * len(filled), "xaxis": {"title": {"text": count}, "rangemode": "tozero"}}
    return {"data": [bar], "layout": layout | {"yaxis": along}}
