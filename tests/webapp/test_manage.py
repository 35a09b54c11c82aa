"""The command line itself."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from benchmark.suites import SUITES
from tests import ROOT
from webapp import commands
from webapp.catalogue.models import World
from webapp.commandline import CommandLine
from webapp.endpoints.choice import agents
from webapp.endpoints.options import Kinds


def test_without_a_command_ours_are_listed_with_a_line_each_and_djangos_apart() -> None:
    own, others = CommandLine(["manage.py"]).main_help_text().split("\n\nDjango's own:\n")
    lines = {line[2:18].strip(): line[20:] for line in own.splitlines()[2:]}
    assert lines["judge"] == "Judge sessions" and lines["import_tasks"].startswith(
        "Import a JSONL file of tasks"
    )
    assert "migrate" not in lines and "migrate" in others.split() and "judge" not in others.split()


@pytest.mark.django_db
def test_results_are_printed_as_json(starter_world: World) -> None:
    """Of commands without a test file of their own; others have theirs."""
    out = StringIO()
    call_command("check_world", "starter", "--json", stdout=out)
    found = json.loads(out.getvalue())
    assert (found["world"], found["places"], found["findings"]) == ("starter", starter_world.places, [])


def test_a_reader_who_has_enough_ends_a_command_without_a_traceback() -> None:
    code = "for _ in range(200_000): print('a line of a long table')"
    command = [sys.executable, "manage.py", "shell", "-v", "0", "-c", code]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None and running.stderr is not None
        assert running.stdout.readline() == b"a line of a long table\n"
        running.stdout.close()
        said = running.stderr.read().decode()
    assert said == ""
    assert running.returncode == 141


def test_a_session_starts_without_what_it_does_not_need() -> None:
    heavy = (
        "celery kombu redis httpx2 openai limits ninja markdown_it json_repair rich cryptography webapp.urls"
        " benchmark.reports"
    )
    code = (
        "import django, sys; django.setup()\n"
        "from django.core.management import load_command_class\n"
        "command = load_command_class('worker', 'run_session')\n"
        "command.create_parser('manage.py', 'run_session')\n"
        f"print(command.requires_system_checks, [name for name in {heavy.split()} if name in sys.modules])"
    )
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "webapp.settings"}
    told = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert told.stdout == "[] []\n"


def test_nothing_is_collected_while_a_command_starts_and_it_is_afterwards() -> None:
    code = (
        "import gc; print(gc.isenabled(), gc.get_freeze_count() > 50_000, gc.get_stats()[2]['collections'])"
    )
    command = [sys.executable, "manage.py", "shell", "-v", "0", "-c", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "True True 0\n"


@pytest.mark.django_db
def test_the_files_of_migrations_are_read_only_where_one_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[object] = []

    class Executor(MigrationExecutor):
        def __init__(self, *args: Any) -> None:
            read.append(args)
            super().__init__(*args)

    monkeypatch.setattr(commands, "MigrationExecutor", Executor)
    assert not commands.unmigrated() and not read
    last = max(name for app, name in MigrationRecorder(connection).applied_migrations() if app == "tables")
    MigrationRecorder(connection).record_unapplied("tables", last)
    assert commands.unmigrated() and read


def test_a_kind_of_another_benchmark_is_known_and_all_are_listed() -> None:
    kinds = Kinds(agents)
    assert "reference" in kinds and "nobody" not in kinds
    assert list(kinds) == sorted({kind for suite in SUITES for kind in agents(suite)})
    assert all(kind in kinds for kind in kinds)
