"""What Prometheus is told, and who may ask."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from webapp import clock, counters
from webapp.commandline import execute
from webapp.endpoints.jobs import TEST
from webapp.jobs import services
from webapp.processes.models import Kind, Process
from webapp.processes.selectors import counts_of_all
from webapp.processes.services import KEEP_TIME, Heartbeat, forget_gone
from webapp.watching import metrics
from webapp.watching.looking import BoundedLook

pytestmark = [pytest.mark.django_db, pytest.mark.storage]


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing was counted, and no look of another test is told again."""
    monkeypatch.setattr(counters, "_counts", {})
    monkeypatch.setattr(
        metrics, "figures_look", BoundedLook(metrics.read_figures, keep_s=0.0, patience_s=30.0)
    )
    return


def scrape(client: Client, **headers: str) -> dict[tuple[str, tuple[str, ...]], float]:
    """The numbers by name and values of labels."""
    response = client.get("/metrics", headers=headers)
    assert response.status_code == 200 and not response.cookies
    families = list(text_string_to_metric_families(response.content.decode()))
    return {
        (sample.name, tuple(sample.labels.values())): sample.value
        for family in families
        for sample in family.samples
    }


@pytest.mark.django_db(transaction=True)
def test_one_process_tells_the_figures_of_all(client: Client) -> None:
    services.add(kind=TEST, subjects=["1", "2"])
    now = clock.now()
    other = {counters.EVENTS.name: {"": 30.0}, counters.SOCKETS: {"": 4.0}}
    told = {"started_at": now, "seen_at": now, "version": "1.2"}
    Process.objects.create(name="lab/1", kind=Kind.WORKER, counts=other, **told)
    counters.add(counters.EVENTS, by=12)
    counters.add(counters.MODEL_CALLS, "good", "ok")
    counters.add(counters.MODEL_COST, "good", "USD", by=0.25)
    counters.add_sockets(2)
    for lag in (0.06, 0.07, 3.0, 60.0):
        counters.add_lag(lag)
    Heartbeat(Kind.WEB, {}).beat()
    found = scrape(client)
    assert found["caravan_database_up", ()] == 1
    assert found["caravan_events_total", ()] == 42 and found["caravan_sockets", ()] == 6
    assert (
        found["caravan_jobs", ("short", "waiting")] == 2 and found["caravan_jobs", ("models", "stuck")] == 0
    )
    assert found["caravan_processes", ("worker", "1.2")] == 1
    assert found["caravan_model_calls_total", ("good", "ok")] == 1
    assert found["caravan_model_cost_total", ("USD", "good")] == 0.25
    lags = {
        labels[0]: number for (name, labels), number in found.items() if name.endswith("lag_seconds_bucket")
    }
    assert (lags["0.05"], lags["0.1"], lags["5.0"], lags["10.0"], lags["+Inf"]) == (0, 2, 3, 3, 4)
    assert found["caravan_delivery_lag_seconds_sum", ()] == pytest.approx(63.13)


def test_sums_stay_when_processes_end_or_are_gone_or_come_back() -> None:
    ending, frozen = Heartbeat(Kind.WEB, {}), Heartbeat(Kind.WORKER, {})
    counters.add(counters.EVENTS, by=5)
    counters.add_sockets(3)
    ending.beat()
    ending.leave()
    assert counts_of_all() == {counters.EVENTS.name: {"": 5.0}}
    counters._counts.clear()
    counters.add(counters.EVENTS, by=7)
    frozen.beat()
    Process.objects.filter(kind=Kind.WORKER).update(seen_at=clock.now() - KEEP_TIME - timedelta(seconds=1))
    forget_gone()
    assert counts_of_all()[counters.EVENTS.name] == {"": 12.0}
    counters.add(counters.EVENTS, by=1)
    frozen.beat()
    frozen.beat()
    assert counts_of_all()[counters.EVENTS.name] == {"": 13.0}
    assert sorted(Process.objects.values_list("kind", flat=True)) == [Kind.ENDED, Kind.WORKER]


@pytest.mark.django_db(transaction=True)
def test_what_a_command_has_done_counts_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["manage.py", "version"])
    for _ in range(2):
        counters._counts.clear()
        counters.add(counters.MODEL_CALLS, "good", "ok")
        counters.add_sockets(1)
        execute()
    assert counts_of_all() == {counters.MODEL_CALLS.name: {f"good{counters.SEPARATOR}ok": 2.0}}


def fail() -> metrics.Figures:
    """What a look comes to while the database is away."""
    raise OSError


def test_a_database_that_does_not_answer_is_one_metric(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metrics.figures_look, "_look", fail)
    assert scrape(client) == {("caravan_database_up", ()): 0}


def test_others_find_no_metrics_without_the_token(
    client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metrics.figures_look, "_look", fail)
    assert client.get("/metrics").status_code == 200, "this machine asks"
    assert client.get("/metrics", REMOTE_ADDR="203.0.113.7").status_code == 404
    assert client.get("/metrics", headers={"x-forwarded-for": "127.0.0.1"}).status_code == 404
    settings.BEHIND_PROXY = True
    assert client.get("/metrics").status_code == 404
    settings.CARAVAN_METRICS_TOKEN = "a-token"
    for sent, status in (("Bearer a-token", 200), ("Bearer other", 404), ("a-token", 404), ("Bearer é", 404)):
        assert client.get("/metrics", headers={"authorization": sent}).status_code == status


def test_labels_are_bounded() -> None:
    for number in range(counters.MOST_SERIES + 50):
        counters.add(counters.MODEL_CALLS, f"model {number}", "ok")
    series = counters.current_counts()[counters.MODEL_CALLS.name]
    assert len(series) == counters.MOST_SERIES + 1
    assert series[counters.SEPARATOR.join(["other", "other"])] == 50


def test_errors_are_counted_by_their_number_alone() -> None:
    log = logging.getLogger("tests.of.counters")
    log.warning("no error")
    log.error("the password is %s", "hidden")
    assert counters.current_counts() == {counters.ERRORS.name: {"": 1.0}}
