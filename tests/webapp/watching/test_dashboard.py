"""The dashboard for Grafana: it fits Grafana's own schema, and shows every metric, and no other."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.cog.plugins import register_default_plugins
from grafana_foundation_sdk.models.dashboard import Dashboard
from prometheus_client.parser import text_string_to_metric_families

from tests.dashboard.panels import dashboard, queries
from webapp import counters
from webapp.counters import COUNTERS, LAG, SEPARATOR
from webapp.jobs.models import Lane
from webapp.watching import metrics
from webapp.watching.looking import BoundedLook

OF_PROMETHEUS = {"job", "instance"}
"""Labels that it adds to whatever it scrapes."""


@pytest.fixture
def labels(monkeypatch: pytest.MonkeyPatch) -> dict[str, set[str]]:
    """The labels of each metric that `/metrics` tells, by its name."""
    counts = {each.name: {SEPARATOR.join("x" for _ in each.labels): 1.0} for each in COUNTERS}
    figures = metrics.Figures(
        sessions={},
        jobs={(Lane.SHORT, "waiting"): 1},
        due={Lane.SHORT: timedelta(seconds=1)},
        processes={("web", "1"): 1},
        sockets=1.0,
        counts={**counts, LAG.name: {"0.05": 1.0, counters.LAG_SUM: 0.01}},
    )
    look = BoundedLook(lambda: figures, keep_s=0.0, patience_s=30.0)
    monkeypatch.setattr(metrics, "figures_look", look)
    found: dict[str, set[str]] = {}
    for family in text_string_to_metric_families(metrics.exposition().decode()):
        for sample in family.samples:
            found.setdefault(sample.name, set()).update(sample.labels)
    return found


def test_it_fits_the_schema_of_grafana() -> None:
    """Grafana's own library reads it, and writes it again: what it does not know would be lost."""
    register_default_plugins()
    read = dashboard()
    assert read["schemaVersion"] == Dashboard().schema_version
    assert json.loads(JSONEncoder().encode(Dashboard.from_json(read))) == read


def test_it_shows_every_metric_and_no_other(labels: dict[str, set[str]]) -> None:
    asked = {name for query in queries() for name in query.metrics}
    assert asked <= labels.keys()
    assert labels.keys() - asked <= {name for name in labels if name.endswith("_created")}


def test_its_queries_name_labels_that_there_are(labels: dict[str, set[str]]) -> None:
    for query in queries():
        known = OF_PROMETHEUS.union(*(labels[name] for name in query.metrics))
        assert query.labels <= known, query.panel


def test_its_panels_lie_beside_each_other() -> None:
    taken = set()
    for panel in dashboard()["panels"]:
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert not cells & taken and at["x"] + at["w"] <= 24, panel["title"]
        taken |= cells
    assert len({panel["id"] for panel in dashboard()["panels"]}) == len(dashboard()["panels"])
