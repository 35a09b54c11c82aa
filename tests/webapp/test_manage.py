"""The command line itself."""

from __future__ import annotations

import subprocess
import sys

from tests import ROOT


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
