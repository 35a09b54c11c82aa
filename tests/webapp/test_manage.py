"""The command line itself."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from io import StringIO

import pytest
from django.core.management import call_command

from tests import ROOT
from webapp.catalogue.models import World
from webapp.commandline import CommandLine


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
