"""A Python process inside an installation that runs one piece of code after another."""

from __future__ import annotations

import contextlib
import io
import threading
import traceback
from collections.abc import Mapping
from multiprocessing.context import ForkServerProcess
from typing import Any

from tests.forks import make_pipe, start_fork


class Shell:
    """The process, started when it is first needed."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._process: ForkServerProcess | None = None
        self._pipe: Any = None
        self._lock = threading.Lock()

    def run(self, code: str) -> str:
        """What this code prints."""
        with self._lock:
            if self._process is None:
                self._start()
            self._pipe.send(code)
            printed, failure = self._pipe.recv()
        assert failure is None, failure
        return str(printed)

    def command(self, *arguments: str) -> str:
        """What a management command prints."""
        return self.run(f"from django.core.management import call_command\ncall_command(*{arguments!r})")

    def stop(self) -> None:
        """End the process; a later piece of code starts another one."""
        if self._process:
            self._process.kill()
            self._process.join()
            self._pipe.close()
            self._process = None

    def _start(self) -> None:
        self._pipe, theirs = make_pipe()
        self._process = start_fork(answer, self._environment, theirs)
        theirs.close()


def answer(pipe: Any) -> None:
    """Run what comes, until the other end is closed; tell what each piece printed, or how it failed."""
    from webapp.memory import loading

    with loading():
        import django
        from django.db import connections

        django.setup()
    with contextlib.suppress(EOFError):
        while code := pipe.recv():
            printed, failure = io.StringIO(), None
            try:
                with contextlib.redirect_stdout(printed):
                    exec(code, {"__name__": "__main__"})
            except SystemExit as ended:
                failure = f"it ended with {ended.code}" if ended.code else None
            except Exception:
                failure = traceback.format_exc()
            finally:
                connections.close_all()
            pipe.send((printed.getvalue(), failure))
