"""What migrations that move rows keep, there and back again."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from benchmark.text.search_query import parse
from tests.template_database import copy_template, remove
from webapp.catalogue.models import Task, World
from webapp.sessions.models import Run
from webapp.sessions.services import Setup, create_session
from webapp.tables.finding import saying
from webapp.tables.models import RunEntry, SaidText, SessionSearchIndex
from webapp.tables.search import read_lines, store_lines
from webapp.tables.search_lines import SearchLine

pytestmark = [pytest.mark.storage, pytest.mark.both_engines, pytest.mark.django_db(transaction=True)]

Targets = list[tuple[str, str | None]]


def _migrate(targets: Targets) -> Any:
    """The models as they are at these migrations."""
    MigrationExecutor(connection).migrate(targets)
    return MigrationExecutor(connection).loader.project_state([at for at in targets if at[1]]).apps


def _newest() -> Targets:
    return MigrationExecutor(connection).loader.graph.leaf_nodes()  # type: ignore[no-any-return]


def _migrate_from_nothing(targets: Targets) -> Any:
    """The same in a database without a table: the way there is a fifth of the way back from the newest."""
    if connection.vendor == "sqlite":
        remove(name := str(connection.settings_dict["NAME"]), turn_to=name)
    else:
        with connection.cursor() as cursor:
            cursor.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    return _migrate([at for at in targets if at[1]])


def _earlier(apps: Targets) -> Targets:
    """The newest migrations, but of these apps the ones that are named, and none of apps that began after these."""
    graph = MigrationExecutor(connection).loader.graph
    wanted = {node for at in apps if at[1] for node in graph.forwards_plan(at)}
    named = {app for app, _name in apps}
    later = {
        first[0]
        for first in graph.root_nodes()
        if any(needed[0] in named and needed not in wanted for needed in graph.forwards_plan(first))
    }
    newest = [(app, None if app in later else name) for app, name in graph.leaf_nodes() if app not in named]
    return [*newest, *apps]


@pytest.fixture(autouse=True)
def newest(db: None) -> Iterator[None]:
    """A fresh copy of the database in the end: to migrate it to and fro again takes longer."""
    yield
    copy_template(connection.settings_dict["NAME"])


BEFORE_JOBS: Targets = [
    ("synthesis", None),
    ("labelling", None),
    ("tables", None),
    ("notes", None),
    ("people", None),
    ("seats", None),
    ("caravan_sessions", "0012_suite"),
    ("judging", "0003_no_meta_judge"),
    ("runs", "0001_initial"),
    ("endpoints", "0005_patience"),
    ("caches", "0003_indexing_is_found_again"),
]


def _session(models: Any, pk: str, **given: Any) -> Any:
    session = models.get_model("caravan_sessions", "Session")
    task = models.get_model("catalogue", "Task").objects.order_by("pk")[0]
    world = models.get_model("catalogue", "World").objects.get(name="starter")
    return session.objects.create(
        pk=pk, task=task, world=world, pack="p", pack_hash="h", agent="a", users="u", **given
    )


def _store_run(models: Any) -> int:
    """A run with a batch of judgements, where they were then; gives the key of its content type."""
    run = models.get_model("runs", "Run").objects.create(pk="kept", name="Kept", setup={"agent": "a"})
    judge = models.get_model("endpoints", "ModelEndpoint").objects.create(name="m", base_url="u", model="m")
    models.get_model("judging", "JudgeBatch").objects.create(
        pk="kept", run=run, judge=judge, meta_judge=judge, judge_setup={}, meta_setup={}
    )
    kind = models.get_model("contenttypes", "ContentType").objects.create(app_label="runs", model="run")
    return int(kind.pk)


def _find_content_type(label: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM django_content_type WHERE app_label = %s AND model = 'run'", [label])
        return int(cursor.fetchone()[0])


def test_leases_and_errands_become_jobs_and_runs_keep_their_rows_there_and_back_again(
    starter_world: World, starter_tasks: list[Task]
) -> None:
    task = Task.objects.select_related("collection", "brought_by").get(pk=starter_tasks[0].pk)
    before = _migrate_from_nothing(_earlier(BEFORE_JOBS))
    for row in filter(None, (starter_world, task.collection, task.brought_by, task)):
        row.save(force_insert=True)  # their tables were then as they are now
    content_type = _store_run(before)
    now = timezone.now()
    later = now + timedelta(minutes=3)
    endpoint = before.get_model("endpoints", "ModelEndpoint")
    tested = endpoint.objects.create(name="tested", base_url="u", model="m", test_due_at=now)
    endpoint.objects.create(name="idle", base_url="u", model="m")
    before.get_model("caches", "ToolCache").objects.create(name="indexed", index_due_at=now)
    lease = before.get_model("caravan_sessions", "Lease")
    held = {"token": 7, "owner": "w", "expires_at": later, "attempts": 2}
    lease.objects.create(session=_session(before, "held", status="running"), **held)
    waits = _session(before, "waits", paused=True, stop_requested=True)
    lease.objects.create(session=waits, due_at=later, waits_for="tested")
    lease.objects.create(session=(ended := _session(before, "ended", status="finished")), token=9)
    scoring = {"code_version": "3", "tries": 2, "expires_at": later}
    before.get_model("caravan_sessions", "ScoringTry").objects.create(session=ended, **scoring)
    batch = before.get_model("judging", "JudgeBatch").objects.create(
        pk="b", judge=tested, meta_judge=tested, judge_setup={}, meta_setup={}
    )
    judgement = before.get_model("judging", "Judgement")
    open_ = judgement.objects.create(batch=batch, session=ended, rated=True, token=4, due_at=later)
    judgement.objects.create(batch=batch, session=ended, repeat=2, status="judged")

    after = _migrate(_newest())
    rows = after.get_model("jobs", "Job").objects.filter(state="open")
    names = ("lane", "group", "token", "owner", "expires_at", "due_at", "attempts", "waits_for")
    found = {
        (row.kind, row.subject): (*(getattr(row, name) for name in names), row.paused, row.cancel_requested)
        for row in rows
    }
    assert found == {
        ("endpoint_test", "tested"): ("short", "", 0, "", None, None, 0, "", False, False),
        ("cache_index", "indexed"): ("short", "", 0, "", None, None, 0, "", False, False),
        ("session", "held"): ("long", "", 7, "w", later, None, 2, "", False, False),
        ("session", "waits"): ("long", "", 0, "", None, later, 0, "tested", True, True),
        ("score", "ended"): ("long", "3", 0, "", later, None, 2, "", False, False),
        ("judgement", str(open_.pk)): ("long", "b", 4, "", None, later, 0, "", False, False),
    }
    assert rows.get(kind="judgement").done == 1

    run = after.get_model("caravan_sessions", "Run").objects.get()
    assert (run.pk, run.setup) == ("kept", {"agent": "a"})
    assert [batch.pk for batch in run.judge_batches.all()] == ["kept"]
    assert _find_content_type("caravan_sessions") == content_type

    back = _migrate(_earlier(BEFORE_JOBS))
    assert back.get_model("runs", "Run").objects.get().name == "Kept"
    leases = back.get_model("caravan_sessions", "Lease").objects
    assert {name: getattr(leases.get(pk="held"), name) for name in held} == held
    assert (leases.get(pk="waits").due_at, leases.get(pk="waits").waits_for) == (later, "tested")
    assert leases.count() == 3
    tries = back.get_model("caravan_sessions", "ScoringTry").objects.get(pk="ended")
    assert {name: getattr(tries, name) for name in scoring} == scoring
    assert back.get_model("judging", "Judgement").objects.get(pk=open_.pk).token == 4
    tested_again = back.get_model("endpoints", "ModelEndpoint").objects.get(name="tested")
    assert tested_again.test_due_at is not None
    assert back.get_model("caches", "ToolCache").objects.get().index_due_at is not None


def test_what_was_said_is_found_as_before_when_its_grams_are_made_anew(
    starter_world: World, starter_tasks: list[Task]
) -> None:
    said = {"a": "我们住酒店", "b": "坐高铁", "gone": "酒店在湖边"}
    for pk in said:
        create_session(task=starter_tasks[0], world=starter_world, setup=Setup(), start=False, session_id=pk)
    store_lines({pk: [SearchLine("messages", 1, "Agent", "", text)] for pk, text in said.items()})
    run = Run.objects.create(pk="run", name="r")
    RunEntry.objects.create(run=run, created_at=run.created_at, name="r", suite="s", agent="a", mode="world")

    def sessions_saying(words: str) -> set[str]:
        return set(
            SessionSearchIndex.objects.filter(saying(parse(words)).filter()).values_list(
                "session_id", flat=True
            )
        )

    for at, read_anew in ((_earlier([("tables", "0003_run_entry")]), False), (_newest(), True)):
        _migrate(at)
        assert [sessions_saying(words) for words in ("酒", "酒店", "高")] == [
            {"a", "gone"},
            {"a", "gone"},
            {"b"},
        ]
        assert RunEntry.objects.filter(stale=True).exists() == read_anew
    row = SaidText.objects.get(index__session="a")
    lines = list(read_lines(row.text, row.about))
    assert lines == [SearchLine("messages", 1, "", "", said["a"])] and not row.index.complete
    SessionSearchIndex.objects.filter(session="gone").delete()
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            assert cursor.execute("SELECT COUNT(*) FROM tables_said_grams").fetchone() == (2,)


def test_keys_that_servers_listed_are_masked(monkeypatch: pytest.MonkeyPatch) -> None:
    key = "sk-proj-Zq8Lw2nR5tYx0VbC3mKd7HfJ"
    monkeypatch.setenv("HERE_API_KEY", f"{key}\n")
    monkeypatch.delenv("ELSEWHERE_API_KEY", raising=False)
    found = {
        "state": "done",
        "model": "m",
        "served": [f"for {key}", "m"],
        "lists": True,
        "rows": [{"detail": key}],
    }
    endpoints = (
        _migrate([("endpoints", "0006_tests_are_jobs")]).get_model("endpoints", "ModelEndpoint").objects
    )
    for name, variable in (("here", "HERE_API_KEY"), ("elsewhere", "ELSEWHERE_API_KEY"), ("keyless", "")):
        endpoints.create(name=name, base_url="u", model="m", key_variable=variable, findings=found)
    endpoints.create(name="untested", base_url="u", model="m", key_variable="HERE_API_KEY")
    after = _migrate(_newest()).get_model("endpoints", "ModelEndpoint").objects
    stored = {endpoint.name: endpoint.findings for endpoint in after.all()}
    assert stored["here"] == {**found, "served": ["for ***", "m"], "rows": [{"detail": "***"}]}
    assert stored["elsewhere"] == {**found, "served": [], "lists": None}
    assert stored["keyless"] == found and stored["untested"] == {}


def test_runs_of_before_get_the_benchmark_of_their_sessions(
    starter_world: World, starter_tasks: list[Task]
) -> None:
    before = _migrate(_earlier([("caravan_sessions", "0020_outages")]))
    run = before.get_model("caravan_sessions", "Run").objects
    played = run.create(pk="played", name="Played", setup={})
    _session(before, "s", run=played, suite="travelbench")
    run.create(pk="empty", name="Empty", setup={"suite": "travelbench"})
    run.create(pk="first", name="First", setup={})
    after = _migrate(_newest()).get_model("caravan_sessions", "Run").objects
    suites = {"played": "travelbench", "empty": "travelbench", "first": "grouptravel"}
    assert dict(after.values_list("pk", "suite")) == suites


def test_options_of_before_come_into_columns_and_setups_there_and_back_again(
    starter_world: World, starter_tasks: list[Task]
) -> None:
    before = _migrate(_earlier([("caravan_sessions", "0022_turn_values")]))
    flat = {"agent": "a", "protocol": "paper", "contract": "markers", "world": "starter"}
    older, imported = {"agent": "a", "protocol": "published", "world": "w"}, {"agent": "a"}
    runs = before.get_model("caravan_sessions", "Run").objects
    for name, setup in (("flat", flat), ("older", older), ("imported", imported)):
        runs.create(pk=name, name=name, setup=setup)
    events = before.get_model("caravan_sessions", "Event").objects
    for pk, payload in (
        ("v1", {"protocol": "published"}),
        ("v2", {"protocol": "paper", "contract": "markers"}),
    ):
        session = _session(before, pk, protocol=payload["protocol"])
        events.create(session=session, seq=1, type="session_opened", payload=payload, at=timezone.now())
    _session(before, "asked", suite="travelbench", protocol="paper")
    payloads = list(events.order_by("pk").values_list("payload", flat=True))

    after = _migrate(_newest())
    sessions = dict(after.get_model("caravan_sessions", "Session")._base_manager.values_list("pk", "options"))
    assert sessions == {
        "v1": {"protocol": "published", "contract": "strict"},
        "v2": {"protocol": "paper", "contract": "markers"},
        "asked": {"protocol": "paper"},
    }
    setups = dict(after.get_model("caravan_sessions", "Run").objects.values_list("pk", "setup"))
    assert setups["flat"]["options"] == {"protocol": "paper", "contract": "markers"}
    assert list(setups["flat"]) == ["agent", "options", "world"] and setups["imported"] == imported
    assert setups["older"]["options"] == {"protocol": "published", "contract": "strict"}
    assert (
        list(
            after.get_model("caravan_sessions", "Event")
            .objects.order_by("pk")
            .values_list("payload", flat=True)
        )
        == payloads
    )

    again = _migrate(_earlier([("caravan_sessions", "0022_turn_values")]))
    protocols = again.get_model("caravan_sessions", "Session")._base_manager.values_list("pk", "protocol")
    assert dict(protocols) == {"v1": "published", "v2": "paper", "asked": "paper"}
    assert again.get_model("caravan_sessions", "Run").objects.get(pk="flat").setup == flat
