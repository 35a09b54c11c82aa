"""A Python process inside an installation that runs one piece of code after another (`python -m tests.shell`).

Each line of its input is a piece of code as JSON; each line of its output says what it printed, or how it failed.
"""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
import sys
import threading
import traceback
from collections.abc import Mapping

from tests import ROOT


class Shell:
    """The process, started when it is first needed."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = {**environment, "DJANGO_SETTINGS_MODULE": "webapp.settings"}
        self._process: subprocess.Popen[str] | None = None
        self._lock = threading.Lock()

    def run(self, code: str) -> str:
        """What this code prints."""
        with self._lock:
            process = self._process = self._process or self._start()
            assert process.stdin is not None and process.stdout is not None
            process.stdin.write(json.dumps(code) + "\n")
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
        assert answer["failure"] is None, answer["failure"]
        return str(answer["printed"])

    def command(self, *arguments: str) -> str:
        """What a management command prints."""
        return self.run(f"from django.core.management import call_command\ncall_command(*{arguments!r})")

    def stop(self) -> None:
        """End the process; a later piece of code starts another one."""
        if self._process:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _start(self) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "tests.shell"],
            cwd=ROOT,
            env=self._environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )


def main() -> None:
    """Run what comes, until the input ends."""
    from webapp.memory import loading

    with loading():
        import django
        from django.db import connections

        django.setup()
    for line in sys.stdin:
        printed, failure = io.StringIO(), None
        try:
            with contextlib.redirect_stdout(printed):
                exec(json.loads(line), {"__name__": "__main__"})
        except SystemExit as ended:
            failure = f"it ended with {ended.code}" if ended.code else None
        except Exception:
            failure = traceback.format_exc()
        finally:
            connections.close_all()
        print(json.dumps({"printed": printed.getvalue(), "failure": failure}), flush=True)


if __name__ == "__main__":
    main()
