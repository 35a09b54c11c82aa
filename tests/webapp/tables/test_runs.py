"""The table of runs: what it shows, in which order, and what filters leave."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.markup import tight
from tests.webapp.runs.conftest import end, make_run
from webapp.runs import control
from webapp.runs.deletion import delete_run
from webapp.sessions.models import Run, Session
from webapp.sessions.services import sessions_changed
from webapp.tables import selectors
from webapp.tables.models import RunEntry

__all__ = ["make_run"]

pytestmark = [pytest.mark.storage, pytest.mark.django_db]


@pytest.fixture
def three(make_run: Callable[..., Run]) -> dict[str, Run]:
    """`good` and `bad` have ended, `new` has not begun; it is the newest."""
    runs = {name: make_run(name=f"run {name}", tasks=n) for name, n in (("good", 2), ("bad", 3), ("new", 1))}
    for name, gu in (("good", 9.0), ("bad", -1.0)):
        for session in runs[name].sessions.all():
            end(session, gu=gu)
    return runs


def names(client: Client, **query: Any) -> list[str]:
    return [run.name.removeprefix("run ") for run, _, _ in client.get("/runs/", query).context["rows"]]


@pytest.mark.both_engines
@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("", ["new", "bad", "good"]),
        ("-created", ["good", "bad", "new"]),
        ("gu", ["good", "bad", "new"]),
        ("-gu", ["bad", "good", "new"]),
        ("sessions", ["bad", "good", "new"]),
        ("progress", ["bad", "good", "new"]),
        ("-name", ["new", "good", "bad"]),
        ("no such column", ["new", "bad", "good"]),
    ],
)
def test_runs_stand_in_any_order(
    as_researcher: Client, three: dict[str, Run], order: str, expected: list[str]
) -> None:
    assert names(as_researcher, order=order) == expected


@pytest.mark.both_engines
def test_each_filter_leaves_what_it_says(as_researcher: Client, three: dict[str, Run]) -> None:
    for query, expected in (
        ({"find": "GOOD"}, {"good"}),
        ({"find": three["bad"].pk}, {"bad"}),
        ({"find": "run"}, {"good", "bad", "new"}),
        ({"find": "no such"}, set()),
        ({"state": "going"}, {"new"}),
        ({"state": "ended"}, {"good", "bad"}),
        ({"agent": "llm"}, set()),
        ({"world": "starter", "mode": "world"}, {"good", "bad", "new"}),
        ({"of": "gu", "low": "0"}, {"good"}),
        ({"of": "sessions", "low": "2", "high": "2"}, {"good"}),
        ({"of": "pc", "low": "0", "high": "60"}, {"good", "bad"}),  # in per cent, as it is shown
        ({"of": "pc", "low": "60", "high": "100"}, set()),
        ({"of": "pv", "low": "100"}, {"good", "bad"}),
        ({"of": "nonsense", "low": "x", "find": "\x00"}, {"good", "bad", "new"}),
    ):
        assert set(names(as_researcher, **query)) == expected, query


def test_the_table_follows_what_happens_to_its_runs(as_researcher: Client, three: dict[str, Run]) -> None:
    def cells(name: str) -> dict[str, str]:
        rows = as_researcher.get("/runs/").context["rows"]
        return {
            column.key: words for run, _, told in rows for column, words, _only in told if run.name == name
        }

    assert cells("run new")["gu"] == "–"
    session = three["new"].sessions.get()
    end(session, gu=3.0)
    sessions_changed.send(Session, session_ids=[session.pk])
    assert RunEntry.objects.get(stale=True).pk == three["new"].pk
    assert cells("run new")["gu"] == "3.00" and not RunEntry.objects.filter(stale=True).exists()
    control.rename(three["bad"], "another")
    assert cells("another")["gu"] == "−1.00"
    delete_run(three["good"])
    assert set(names(as_researcher)) == {"new", "another"}


def test_a_look_at_runs_that_did_not_change_reads_none_of_their_sessions(
    as_researcher: Client, three: dict[str, Run]
) -> None:
    names(as_researcher)
    with CaptureQueriesContext(connection) as queries:
        assert names(as_researcher, order="gu") == ["good", "bad", "new"]
    assert len(queries) <= 12
    assert not any("metricvalue" in one["sql"] for one in queries)
    sessions_changed.send(Session, session_ids=list(three["bad"].sessions.values_list("pk", flat=True)))
    with CaptureQueriesContext(connection) as queries:
        names(as_researcher)
    assert any("metricvalue" in one["sql"] for one in queries)


def test_the_address_holds_filters_order_and_columns_and_files_are_of_the_same_view(
    as_researcher: Client, three: dict[str, Run]
) -> None:
    given = {"state": "ended", "order": "-gu", "columns": "gu,sessions"}
    answer = as_researcher.get("/runs/", given)
    assert answer.context["query"] == "state=ended&order=-gu&columns=gu%2Csessions"
    page = tight(answer.content.decode())
    assert 'aria-sort="ascending"' in page and 'href="/runs/table.csv?state=ended&amp;order=-gu' in page
    text = b"".join(as_researcher.get("/runs/table.jsonl", given).streaming_content)  # type: ignore[attr-defined]
    rows = [json.loads(line) for line in text.splitlines()]
    assert rows == [
        {"run": three["bad"].pk, "gu": -1.0, "sessions": 3},
        {"run": three["good"].pk, "gu": 9.0, "sessions": 2},
    ]
    assert as_researcher.get("/runs/table.exe").status_code == 404


@pytest.mark.both_engines
def test_pages_begin_after_a_run(
    as_researcher: Client, three: dict[str, Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selectors, "PAGE", 2)
    first = as_researcher.get("/runs/", {"order": "gu"})
    assert names(as_researcher, order="gu") == ["good", "bad"]
    after = first.context["slice"].after
    assert names(as_researcher, order="gu", after=after) == ["new"]
    assert "No run matches" in as_researcher.get("/runs/", {"find": "nothing"}).content.decode()
