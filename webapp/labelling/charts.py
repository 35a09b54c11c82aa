"""Charts of the statistics page as Plotly takes them; static/js/charts.js draws them in the theme's colours."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from textwrap import wrap
from typing import Any, NamedTuple

from benchmark.labelling.statistic import Statistic
from benchmark.labelling.votes import Votes

WIDEST = 24
"""Letters of a label on an axis before it breaks."""
LINE = 34
"""Pixels of a line of points."""


class Drawing(NamedTuple):
    """One chart. plotly: data and layout."""

    id: str
    plotly: dict[str, Any]


def _lines(text: str) -> str:
    """Plotly reads some tags in any text."""
    return "<br>".join(escape(line, quote=False) for line in wrap(text, WIDEST))


def _axis(title: str, **more: Any) -> dict[str, Any]:
    return {"title": {"text": title}, **more}


def votes_chart(votes: Votes, title: str, count: str) -> Drawing:
    """How many items got which votes."""
    names = list(votes.patterns)
    bar = {
        "type": "bar",
        "x": names,
        "y": list(votes.patterns.values()),
        "marker": {"color": "var(--accent)"},
    }
    along = _axis(title, type="category", categoryarray=names, showgrid=False)
    return Drawing("votes", {"data": [bar], "layout": {"height": 260, "xaxis": along, "yaxis": _axis(count)}})


def scores_chart(scores: Mapping[str, Statistic], title: str) -> Drawing | None:
    """Scores of agents with their intervals, the best on top; None where none is defined."""
    known = [(agent, score) for agent, score in scores.items() if score.value is not None]
    if not known:
        return None
    values = [score.value or 0.0 for _agent, score in known]
    above = [
        max(0.0, (score.high or value) - value) for (_agent, score), value in zip(known, values, strict=True)
    ]
    below = [
        max(0.0, value - (score.low or value)) for (_agent, score), value in zip(known, values, strict=True)
    ]
    names = [agent for agent, _found in known]
    points = {
        "type": "scatter",
        "mode": "markers",
        "x": values,
        "y": names,
        "error_x": {"type": "data", "symmetric": False, "array": above, "arrayminus": below},
        "marker": {"color": "var(--accent)"},
    }
    along = _axis("", type="category", categoryarray=names, autorange="reversed", showgrid=False)
    along |= {"tickvals": names, "ticktext": [_lines(name) for name in names]}
    layout = {"height": 110 + LINE * len(names), "xaxis": _axis(title, zeroline=True), "yaxis": along}
    return Drawing("scores", {"data": [points], "layout": layout})
