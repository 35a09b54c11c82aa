"""What a process says of its surroundings when it starts."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.checks import CheckMessage, run_checks
from django.db import connection
from django.db.backends.base import base
from django.db.migrations.recorder import MigrationRecorder

from tests import ROOT
from tests.prepared_data import prepare_data
from webapp import clock
from webapp.processes.models import Kind, Process
from webapp.processes.services import SILENT
from webapp.version import code_version
from webapp.watching import checks, starting
from webapp.watching.marks import KEY, MARKER, folder_mark, marks

pytestmark = pytest.mark.django_db
Look = Callable[[], dict[str, CheckMessage]]


@pytest.fixture
def faults(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Look:
    """What is wrong with a served installation, by the numbers of faults. At first nothing is."""
    settings.CARAVAN_DATA = tmp_path
    settings.EMBEDDED_DATABASE = False
    settings.SECRET_KEY = "a long key whose 50 characters nobody could guess."
    monkeypatch.setenv(KEY, settings.SECRET_KEY)
    monkeypatch.setenv("CARAVAN_HOSTS", "caravan.example")
    settings.ALLOWED_HOSTS = ["caravan.example"]

    def look() -> dict[str, CheckMessage]:
        told = run_checks(tags=[checks.CONFIGURATION], include_deployment_checks=True)
        return {str(message.id): message for message in told}

    return look


def line(message: CheckMessage) -> str:
    told = starting.line_of(message)
    assert "\n" not in told and told.startswith(("error: ", "warning: "))
    return told


def test_nothing_is_said_of_an_installation_that_is_as_it_should_be(faults: Look) -> None:
    assert faults() == {}


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("play=3/1 minute", "“play=3/1 minute”: write NAME=AMOUNT/TIME with one of work, models,"),
        ("work", "“work”"),
        ("work=many", "“work=many”: write an amount such as 60/10 minutes, or off"),
        ("exports=off, work=0/1 minute", "“work=0/1 minute”: the least is 1"),
    ],
)
def test_limits_that_cannot_be_read_end_the_process(
    faults: Look, settings: Any, written: str, told: str
) -> None:
    settings.CARAVAN_LIMITS = written
    assert told in line(faults()["caravan.E015"])


def test_a_database_that_nobody_answers_for_is_named(faults: Look, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in _unreachable(connection.vendor).items():
        monkeypatch.setitem(connection.settings_dict, name, value)
    told = faults()
    assert list(told) == [checks.DATABASE_OUTAGE]
    assert "DATABASE_URL can't be reached" in line(told[checks.DATABASE_OUTAGE]) and "Start it" in line(
        told[checks.DATABASE_OUTAGE]
    )


def _unreachable(vendor: str) -> dict[str, Any]:
    if vendor == "sqlite":
        return {"NAME": "/nowhere/caravan.sqlite3"}
    with socket.socket() as probe:  # a port that nobody listens on
        probe.bind(("127.0.0.1", 0))
        return {"HOST": "127.0.0.1", "PORT": str(probe.getsockname()[1])}


def test_a_database_that_is_too_old_is_named(faults: Look, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "RAN_DB_VERSION_CHECK", set())  # Django asks for each database once a process
    monkeypatch.setattr(type(connection.features), "minimum_database_version", (99,))
    assert "too old" in line(faults()["caravan.E002"])


def test_missing_migrations_are_named_with_their_command(faults: Look) -> None:
    MigrationRecorder.Migration.objects.filter(app="processes").delete()
    assert "Run manage.py prepare" in line(faults()["caravan.E003"])


@pytest.mark.parametrize(
    ("url", "id", "words"),
    [
        ("", "caravan.E020", "REDIS_URL is not set"),
        ("http://127.0.0.1", "caravan.E021", "It has the form redis://"),
        ("redis://127.0.0.1:{closed}/0", "caravan.W022", "Jobs wait until it is back"),
    ],
)
def test_a_broker_that_cannot_be_used_is_named(
    faults: Look, settings: Any, url: str, id: str, words: str
) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        settings.REDIS_URL = url.format(closed=probe.getsockname()[1])
        told = faults()
    assert list(told) == [id] and words in line(told[id]) and "REDIS_URL" in line(told[id])


def test_no_line_holds_the_password_of_the_broker(faults: Look, settings: Any) -> None:
    settings.REDIS_URL = "redis://me:hidden@127.0.0.1:1/0"
    assert "hidden" not in line(faults()["caravan.W022"])


def test_a_key_that_can_be_guessed_ends_the_start(faults: Look, settings: Any) -> None:
    settings.SECRET_KEY = "short"
    assert "5 characters, 5 of them different" in line(faults()["caravan.E010"])
    settings.SECRET_KEY = "ab" * 40
    assert "80 characters, 2 of them different" in line(faults()["caravan.E010"])


def test_a_key_that_each_host_makes_for_itself_is_warned_of(
    faults: Look, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(KEY)
    assert not faults()["caravan.W011"].is_serious()
    settings.EMBEDDED_DATABASE = True
    assert faults() == {}


def test_hosts_are_to_be_named_where_a_proxy_is_in_front(
    faults: Look, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.BEHIND_PROXY = True
    settings.ALLOWED_HOSTS = ["*"]
    assert "CARAVAN_HOSTS=*" in line(faults()["caravan.W013"])
    settings.ALLOWED_HOSTS = ["127.0.0.1"]
    monkeypatch.delenv("CARAVAN_HOSTS")
    assert "only 127.0.0.1 are answered" in line(faults()["caravan.W012"])


@pytest.mark.parametrize("ahead", [3600, -3600])
def test_a_clock_that_is_off_is_warned_of(faults: Look, monkeypatch: pytest.MonkeyPatch, ahead: int) -> None:
    clock.now()
    monkeypatch.setattr(checks.time, "time", _clock_of(checks.time.time, ahead))
    told = faults()["caravan.W040"]
    assert ("3,600 s ahead of" if ahead > 0 else "3,600 s behind") in line(told) and not told.is_serious()


def _clock_of(real: Callable[[], float], ahead: int) -> Callable[[], float]:
    return lambda: real() + ahead


def test_a_folder_that_cannot_be_made_is_named(faults: Look, settings: Any, tmp_path: Path) -> None:
    (tmp_path / "worlds").write_text("a file where a folder should be")
    told = line(faults()["caravan.E030"])
    assert str(tmp_path / "worlds") in told and "CARAVAN_DATA" in told


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is closed to root")
def test_a_folder_that_is_read_only_is_named(faults: Look, tmp_path: Path) -> None:
    (tmp_path / "caches").mkdir(mode=0o500)
    assert "can't be written" in line(faults()["caravan.E030"])


@pytest.fixture
def other(faults: Look) -> Iterator[Process]:
    """A process of another host that lives, and has all alike."""
    now = clock.now()
    told = {"kind": Kind.WORKER, "version": code_version(), "marks": marks()}
    yield Process.objects.create(name="lab3/7", started_at=now, seen_at=now, **told)


@pytest.mark.parametrize(
    ("changed", "id", "words"),
    [
        ({"marks": {"worlds": "x"}}, "caravan.E031", "another folder than the one of worker lab3/7"),
        ({"marks": {KEY: "x"}}, "caravan.W014", "another one than that of worker lab3/7"),
        ({"version": "0.1"}, "caravan.W050", "worker lab3/7 run 0.1"),
    ],
)
def test_what_others_have_unlike_is_named_as_long_as_they_live(
    faults: Look, other: Process, changed: dict[str, Any], id: str, words: str
) -> None:
    assert faults() == {}
    for name, value in changed.items():
        setattr(other, name, {**other.marks, **value} if name == "marks" else value)
    other.save()
    told = faults()
    assert list(told) == [id] and words in line(told[id])
    Process.objects.update(seen_at=clock.now() - SILENT - timedelta(seconds=1))
    assert faults() == {}


def test_a_host_has_folders_of_its_own_where_a_store_brings_their_files(
    faults: Look, other: Process, settings: Any
) -> None:
    other.marks["worlds"] = "x"
    other.save()
    settings.CARAVAN_PACKS = "database"
    assert faults() == {}


def test_a_folder_has_one_mark_whoever_asks_first(tmp_path: Path) -> None:
    first = folder_mark(tmp_path / "worlds")
    assert first == folder_mark(tmp_path / "worlds") != folder_mark(tmp_path / "caches")
    assert [path.name for path in (tmp_path / "worlds").iterdir()] == [MARKER]


def test_a_start_waits_for_a_database_that_comes(monkeypatch: pytest.MonkeyPatch, capfd: Any) -> None:
    away = checks.Error(
        "The database of DATABASE_URL can't be reached: no.", hint="Start it.", id=checks.DATABASE_OUTAGE
    )
    answers = [[away], [away], []]
    monkeypatch.setattr(starting, "run_checks", lambda **_: answers.pop(0))
    monkeypatch.setattr(starting, "ASK_S", 0.0)
    monkeypatch.setattr(starting.connections, "close_all", lambda: None)
    starting.check_surroundings()
    assert answers == [] and capfd.readouterr().err.count("can't be reached") == 1


def test_a_start_ends_when_the_database_never_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    away = checks.Error("away", hint="Start it.", id=checks.DATABASE_OUTAGE)
    monkeypatch.setattr(starting, "run_checks", lambda **_: [away])
    monkeypatch.setattr(starting, "PATIENCE_S", -1.0)
    monkeypatch.setattr(starting.connections, "close_all", lambda: None)
    with pytest.raises(SystemExit):
        starting.check_surroundings()


COMMANDS = {
    "web": ["daphne", "-b", "127.0.0.1", "-p", "0", "webapp.asgi:application"],
    "worker": ["celery", "-A", "worker.app", "worker", "-P", "threads", "-c", "1"],
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", COMMANDS)
@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"CARAVAN_SECRET_KEY": "guess"}, "caravan: error: CARAVAN_SECRET_KEY can be guessed"),
        ({"DATABASE_URL": "mysql://somewhere/caravan"}, "caravan: error: DATABASE_URL names no database"),
        ({"CARAVAN_DATA": "/proc/caravan"}, "caravan: error: CARAVAN_DATA=/proc/caravan can't be made"),
    ],
)
def test_a_real_process_ends_with_one_line(
    tmp_path: Path, kind: str, given: dict[str, str], words: str
) -> None:
    """Standard error has no traceback, and names the variable."""
    environment = {
        **os.environ,
        "CARAVAN_DATA": str(prepare_data(tmp_path / "d")),
        "DATABASE_URL": "",
        **given,
    }
    done = subprocess.run(
        [sys.executable, "-m", *COMMANDS[kind]],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 1 and words in done.stderr and "Traceback" not in done.stderr, done.stderr
    assert sum(line.startswith("caravan: error") for line in done.stderr.splitlines()) == 1


@pytest.mark.slow
def test_the_checks_of_django_are_clean_where_it_is_served(tmp_path: Path) -> None:
    served = {
        "CARAVAN_DATA": str(prepare_data(tmp_path / "d")),
        "CARAVAN_HTTPS": "1",
        "CARAVAN_HOSTS": "caravan.example",
        "CARAVAN_SECRET_KEY": "kf93-JDks82_mZpQw0vTn5LrXy7BaHcUe1GoSi6dRt4PqWzEjN",
    }
    kept = {name: value for name, value in os.environ.items() if name != "DJANGO_ALLOW_ASYNC_UNSAFE"}
    asked = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    done = subprocess.run(
        asked,
        cwd=ROOT,
        env={**kept, "DATABASE_URL": "", **served},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
