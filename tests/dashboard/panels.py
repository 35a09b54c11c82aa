"""What the dashboard's file holds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests import ROOT

FILE = ROOT / "deploy" / "grafana" / "caravan.json"
INTERVAL = "$__rate_interval"
"""What Grafana puts four times the interval of scrapes in the place of."""
OURS = re.compile(r"\bcaravan_\w+")
LABELS = re.compile(r"(?:by|on)\s*\(([^)]*)\)")
MATCHERS = re.compile(r"(\w+)\s*(?:=~|!~|!=|=)\s*\"")


@dataclass(frozen=True, slots=True)
class Query:
    """One line, or one for each set of labels, of a panel. legend: with {{label}} where its value stands."""

    panel: str
    expression: str
    legend: str

    @property
    def metrics(self) -> set[str]:
        """The names of our metrics in it."""
        return set(OURS.findall(self.expression))

    @property
    def labels(self) -> set[str]:
        """The labels that it sums by, and picks by."""
        summed = {name.strip() for names in LABELS.findall(self.expression) for name in names.split(",")}
        return summed | set(MATCHERS.findall(self.expression))

    def at(self, *, interval: str, job: str = ".*") -> str:
        """As Grafana asks it."""
        return self.expression.replace(INTERVAL, interval).replace("$job", job)


def dashboard() -> dict[str, Any]:
    """The file."""
    read: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
    return read


def queries() -> Iterator[Query]:
    """Every query of every panel, from the top."""
    for panel in dashboard()["panels"]:
        for target in panel.get("targets", ()):
            yield Query(panel["title"], target["expr"], target["legendFormat"])
