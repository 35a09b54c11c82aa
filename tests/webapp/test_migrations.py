"""What migrations that move rows keep, there and back again."""

from __future__ import annotations

import gc
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
    usual = gc.get_threshold()
    gc.set_threshold(
        400_000, *usual[1:]
    )  # models made anew by the thousand: the search took a third of the time
    yield
    gc.set_threshold(*usual)
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


class JobRows:
    """Leases and errands, which become jobs, and a run, which moves to another app and keeps its rows."""

    def __init__(self, models: Any) -> None:
        """Store them as they were before there were jobs."""
        self.content_type = _store_run(models)
        now = timezone.now()
        self.later = later = now + timedelta(minutes=3)
        endpoint = models.get_model("endpoints", "ModelEndpoint")
        tested = endpoint.objects.create(name="tested", base_url="u", model="m", test_due_at=now)
        endpoint.objects.create(name="idle", base_url="u", model="m")
        models.get_model("caches", "ToolCache").objects.create(name="indexed", index_due_at=now)
        lease = models.get_model("caravan_sessions", "Lease")
        self.held_lease = {"token": 7, "owner": "w", "expires_at": later, "attempts": 2}
        lease.objects.create(session=_session(models, "held", status="running"), **self.held_lease)
        waits = _session(models, "waits", paused=True, stop_requested=True)
        lease.objects.create(session=waits, due_at=later, waits_for="tested")
        lease.objects.create(session=(ended := _session(models, "ended", status="finished")), token=9)
        self.scoring = {"code_version": "3", "tries": 2, "expires_at": later}
        models.get_model("caravan_sessions", "ScoringTry").objects.create(session=ended, **self.scoring)
        batch = models.get_model("judging", "JudgeBatch").objects.create(
            pk="b", judge=tested, meta_judge=tested, judge_setup={}, meta_setup={}
        )
        judgement = models.get_model("judging", "Judgement")
        open_ = judgement.objects.create(batch=batch, session=ended, rated=True, token=4, due_at=later)
        self.open_judgement = open_.pk
        judgement.objects.create(batch=batch, session=ended, repeat=2, status="judged")

    def check(self, models: Any) -> None:
        """Look at the jobs and at the run."""
        rows = models.get_model("jobs", "Job").objects.filter(state="open")
        names = ("lane", "group", "token", "owner", "expires_at", "due_at", "attempts", "waits_for")
        found = {
            (row.kind, row.subject): (
                *(getattr(row, name) for name in names),
                row.paused,
                row.cancel_requested,
            )
            for row in rows
        }
        later, judgement = self.later, str(self.open_judgement)
        assert found == {
            ("endpoint_test", "tested"): ("short", "", 0, "", None, None, 0, "", False, False),
            ("cache_index", "indexed"): ("short", "", 0, "", None, None, 0, "", False, False),
            ("session", "held"): ("long", "", 7, "w", later, None, 2, "", False, False),
            ("session", "waits"): ("long", "", 0, "", None, later, 0, "tested", True, True),
            ("score", "ended"): ("long", "3", 0, "", later, None, 2, "", False, False),
            ("judgement", judgement): ("long", "b", 4, "", None, later, 0, "", False, False),
        }
        assert rows.get(kind="judgement").done == 1
        run = models.get_model("caravan_sessions", "Run").objects.get(pk="kept")
        assert run.setup == {"agent": "a"}
        assert [batch.pk for batch in run.judge_batches.all()] == ["kept"]
        assert _find_content_type("caravan_sessions") == self.content_type

    def check_back(self, models: Any) -> None:
        """Look at the leases and errands that the jobs have become again."""
        assert models.get_model("runs", "Run").objects.get(pk="kept").name == "Kept"
        leases = models.get_model("caravan_sessions", "Lease").objects
        assert {name: getattr(leases.get(pk="held"), name) for name in self.held_lease} == self.held_lease
        assert (leases.get(pk="waits").due_at, leases.get(pk="waits").waits_for) == (self.later, "tested")
        sessions = models.get_model("caravan_sessions", "Session")._base_manager
        assert set(leases.values_list("pk", flat=True)) == set(sessions.values_list("pk", flat=True))
        tries = models.get_model("caravan_sessions", "ScoringTry").objects.get(pk="ended")
        assert {name: getattr(tries, name) for name in self.scoring} == self.scoring
        assert models.get_model("judging", "Judgement").objects.get(pk=self.open_judgement).token == 4
        tested_again = models.get_model("endpoints", "ModelEndpoint").objects.get(name="tested")
        assert tested_again.test_due_at is not None
        assert models.get_model("caches", "ToolCache").objects.get().index_due_at is not None


class ListedKeys:
    """Findings of endpoints in which a server has listed a key: they are masked."""

    VARIABLES = {"here": "HERE_API_KEY", "elsewhere": "ELSEWHERE_API_KEY", "keyless": ""}

    def __init__(self, models: Any, key: str) -> None:
        """Store them; the key is in the environment for the first endpoint alone."""
        self.findings = {
            "state": "done",
            "model": "m",
            "served": [f"for {key}", "m"],
            "lists": True,
            "rows": [{"detail": key}],
        }
        endpoints = models.get_model("endpoints", "ModelEndpoint").objects
        for name, variable in self.VARIABLES.items():
            endpoints.create(
                name=name, base_url="u", model="m", key_variable=variable, findings=self.findings
            )
        endpoints.create(name="untested", base_url="u", model="m", key_variable="HERE_API_KEY")

    def check(self, models: Any) -> None:
        """Look for the key."""
        endpoints = models.get_model("endpoints", "ModelEndpoint").objects
        stored = {endpoint.name: endpoint.findings for endpoint in endpoints.all()}
        found = self.findings
        assert stored["here"] == {**found, "served": ["for ***", "m"], "rows": [{"detail": "***"}]}
        assert stored["elsewhere"] == {**found, "served": [], "lists": None}
        assert stored["keyless"] == found and stored["untested"] == {}


class RunsWithoutBenchmark:
    """Runs of before they named a benchmark: they get that of their sessions."""

    def __init__(self, models: Any) -> None:
        """Store one with a session, one whose setup names a benchmark, and one with neither."""
        runs = models.get_model("caravan_sessions", "Run").objects
        played = runs.create(pk="played", name="Played", setup={})
        _session(models, "s", run=played, suite="travelbench")
        runs.create(pk="empty", name="Empty", setup={"suite": "travelbench"})
        runs.create(pk="first", name="First", setup={})

    def check(self, models: Any) -> None:
        """Look at their benchmarks."""
        runs = models.get_model("caravan_sessions", "Run").objects
        suites = {"played": "travelbench", "empty": "travelbench", "first": "grouptravel"}
        assert dict(runs.filter(pk__in=suites).values_list("pk", "suite")) == suites


class FlatOptions:
    """Options that stood beside everything else: they come into columns and setups, and out of them again."""

    FLAT = {"agent": "a", "protocol": "paper", "contract": "markers", "world": "starter"}

    def __init__(self, models: Any) -> None:
        """Store runs and sessions with such options and without."""
        older, imported = {"agent": "a", "protocol": "published", "world": "w"}, {"agent": "a"}
        runs = models.get_model("caravan_sessions", "Run").objects
        for name, setup in (("flat", self.FLAT), ("older", older), ("imported", imported)):
            runs.create(pk=name, name=name, setup=setup)
        events = models.get_model("caravan_sessions", "Event").objects
        for pk, payload in (
            ("v1", {"protocol": "published"}),
            ("v2", {"protocol": "paper", "contract": "markers"}),
        ):
            session = _session(models, pk, protocol=payload["protocol"])
            events.create(session=session, seq=1, type="session_opened", payload=payload, at=timezone.now())
        _session(models, "asked", suite="travelbench", protocol="paper")
        self.payloads = self._read_payloads(models)

    @staticmethod
    def _read_payloads(models: Any) -> list[Any]:
        events = models.get_model("caravan_sessions", "Event").objects
        return list(events.order_by("pk").values_list("payload", flat=True))

    def check(self, models: Any) -> None:
        """Look at the columns, the setups and the events, which stay."""
        sessions = models.get_model("caravan_sessions", "Session")._base_manager
        assert dict(sessions.filter(pk__in=("v1", "v2", "asked")).values_list("pk", "options")) == {
            "v1": {"protocol": "published", "contract": "strict"},
            "v2": {"protocol": "paper", "contract": "markers"},
            "asked": {"protocol": "paper"},
        }
        setups = dict(models.get_model("caravan_sessions", "Run").objects.values_list("pk", "setup"))
        assert setups["flat"]["options"] == {"protocol": "paper", "contract": "markers"}
        assert list(setups["flat"]) == ["agent", "options", "world"] and setups["imported"] == {"agent": "a"}
        assert setups["older"]["options"] == {"protocol": "published", "contract": "strict"}
        assert self._read_payloads(models) == self.payloads

    def check_back(self, models: Any) -> None:
        """Look at them as they stood before."""
        sessions = models.get_model("caravan_sessions", "Session")._base_manager
        protocols = dict(sessions.filter(pk__in=("v1", "v2", "asked")).values_list("pk", "protocol"))
        assert protocols == {"v1": "published", "v2": "paper", "asked": "paper"}
        assert models.get_model("caravan_sessions", "Run").objects.get(pk="flat").setup == self.FLAT


def test_rows_of_before_are_kept_on_one_way_to_the_newest_and_back_again(
    starter_world: World, starter_tasks: list[Task], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One way for all of them: Django's own work at each migration is nearly all that a way takes."""
    key = "sk-proj-Zq8Lw2nR5tYx0VbC3mKd7HfJ"
    monkeypatch.setenv("HERE_API_KEY", f"{key}\n")
    monkeypatch.delenv("ELSEWHERE_API_KEY", raising=False)
    task = Task.objects.select_related("collection", "brought_by").get(pk=starter_tasks[0].pk)
    before_jobs = _migrate_from_nothing(_earlier(BEFORE_JOBS))
    for row in filter(None, (starter_world, task.collection, task.brought_by, task)):
        row.save(force_insert=True)  # their tables were then as they are now
    jobs = JobRows(before_jobs)
    keys = ListedKeys(_migrate([("endpoints", "0006_tests_are_jobs")]), key)
    runs = RunsWithoutBenchmark(_migrate([("caravan_sessions", "0020_outages")]))
    options = FlatOptions(_migrate([("caravan_sessions", "0022_turn_values")]))

    newest_models = _migrate(_newest())
    for rows in (jobs, keys, runs, options):
        rows.check(newest_models)

    options.check_back(_migrate(_earlier([("caravan_sessions", "0022_turn_values")])))
    jobs.check_back(_migrate(_earlier(BEFORE_JOBS)))


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
