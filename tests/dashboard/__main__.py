"""Ask a Prometheus that scrapes Caravan for every query of the dashboard, and draw the panels.

    python -m tests.dashboard http://127.0.0.1:9090 [--minutes 30] [--interval 1m] [--draw FILE.png]

Exit code 1 if a query is refused. A panel without values is named: it may have none because nothing of the kind was.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.dashboard.panels import Query, queries

STEPS = 200
COLUMNS = 4
Line = tuple[str, list[tuple[float, float]]]


def ask(url: str, query: Query, *, minutes: float, interval: str) -> list[Line]:
    """The lines of a query, each with its legend.

    Raises:
        ValueError: it is refused; the message says why.
    """
    end = time.time()
    asked = {
        "query": query.at(interval=interval),
        "start": end - 60 * minutes,
        "end": end,
        "step": max(60 * minutes / STEPS, 1),
    }
    address = f"{url.rstrip('/')}/api/v1/query_range?{urllib.parse.urlencode(asked)}"
    try:
        with urllib.request.urlopen(address, timeout=30) as response:
            result: list[dict[str, Any]] = json.load(response)["data"]["result"]
    except urllib.error.HTTPError as error:
        raise ValueError(json.load(error).get("error", str(error))) from error
    return [(_legend(query, each["metric"]), _points(each["values"])) for each in result]


def _legend(query: Query, labels: dict[str, str]) -> str:
    return re.sub(r"\{\{(\w+)\}\}", lambda label: labels.get(label[1], ""), query.legend) or "value"


def _points(values: Sequence[tuple[float, str]]) -> list[tuple[float, float]]:
    return [(at, float(value)) for at, value in values if math.isfinite(float(value))]


def draw(panels: dict[str, list[Line]], path: Path) -> None:
    """All panels as one picture."""
    from matplotlib.figure import Figure

    rows = math.ceil(len(panels) / COLUMNS)
    figure = Figure(figsize=(5 * COLUMNS, 3 * rows), layout="constrained")
    places = figure.subplots(rows, COLUMNS, squeeze=False).flatten()
    for place, (title, lines) in zip(places, panels.items(), strict=False):
        for legend, points in lines:
            place.plot(
                [(at - points[0][0]) / 60 for at, _ in points], [value for _, value in points], label=legend
            )
        place.set_title(title, fontsize=9)
        place.set_xlabel("minutes", fontsize=7)
        place.tick_params(labelsize=7)
        if lines:
            place.legend(fontsize=6)
    for place in places[len(panels) :]:
        place.set_axis_off()
    figure.savefig(path, dpi=70)


def main(arguments: Sequence[str]) -> int:
    """Print a line for each panel."""
    parser = argparse.ArgumentParser(prog="python -m tests.dashboard", description=__doc__)
    parser.add_argument("url")
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--interval", default="1m", help="in the place of $__rate_interval")
    parser.add_argument("--draw", type=Path, metavar="FILE.png")
    options = parser.parse_args(arguments)
    panels: dict[str, list[Line]] = {}
    refused = 0
    for query in queries():
        lines = panels.setdefault(query.panel, [])
        try:
            lines += [
                (legend, points)
                for legend, points in ask(
                    options.url, query, minutes=options.minutes, interval=options.interval
                )
                if points
            ]
        except ValueError as error:
            refused += 1
            print(f"{query.panel}: refused: {error}")
    for title, lines in panels.items():
        ends = ", ".join(f"{legend} {points[-1][1]:.4g}" for legend, points in lines)
        print(f"{title}: {ends or 'no value'}")
    if options.draw:
        draw(panels, options.draw)
        print(f"drawn to {options.draw}")
    return int(refused > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
