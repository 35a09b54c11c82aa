"""Processes of Python forked from one that has imported all that they need, and then read settings of their own."""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import functools
import inspect
import multiprocessing
import os
import runpy
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Mapping, Sequence
from multiprocessing import forkserver
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["tests.fork_imports"])
# a process that nobody waits for is not counted where `tests.processor_time` asks what ended children took
atexit.register(forkserver._forkserver._stop)  # type: ignore[attr-defined]


def start_fork(
    work: Callable[..., None], environment: Mapping[str, str], *arguments: Any
) -> ForkServerProcess:
    """Start a process that does this work with these variables of the environment alone.

    work: gets the arguments. A process that is still there at the end of the tests is ended.
    """
    process = _CONTEXT.Process(target=_work, args=(work, dict(environment), arguments), daemon=True)
    process.start()
    return process


class Fork:
    """Such a process as `subprocess.Popen` gives it: pid, `poll`, `wait` and signals."""

    def __init__(self, work: Callable[..., None], environment: Mapping[str, str], *arguments: Any) -> None:
        self._process = start_fork(work, environment, *arguments)
        assert self._process.pid is not None
        self.pid = self._process.pid

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired(str(self.pid), timeout or 0.0)
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def kill(self) -> None:
        self._process.kill()


def make_pipe() -> tuple[Any, Any]:
    """Two ends, one for a process that is started with it."""
    return _CONTEXT.Pipe()


def _work(work: Callable[..., None], environment: dict[str, str], arguments: tuple[Any, ...]) -> None:
    multiprocessing.current_process().daemon = False  # it may have processes of its own
    _enter(environment)
    work(*arguments)


def _enter(environment: Mapping[str, str]) -> None:
    from tests.fork_imports import read_own_settings

    os.environ.clear()
    os.environ.update({"DJANGO_SETTINGS_MODULE": "webapp.settings", **environment})
    read_own_settings()


def run_program(log: Path, *command: str) -> None:
    """Be `python -m MODULE ARGUMENTS…`, which writes into a file."""
    with log.open("wb") as written:
        _write_into(written.fileno())
    _run_module(command)


def run_launcher(log: Path) -> None:
    """Be `python -m worker.embedded`, whose worker and web server are forked from it."""
    from worker.embedded import children

    children.subprocess.Popen = ForkedChild  # type: ignore[attr-defined]
    run_program(log, "worker.embedded")


class ForkedChild(subprocess.Popen[bytes]):
    """A child whose command is a module of Python goes on as a fork of this process; any other is started.

    So is one that takes the place of a child that died: by then this process has threads and connections, and what a
    fork of it remembers of them is not true any more.
    """

    _commands = set[tuple[str, ...]]()

    def _execute_child(self, args: Sequence[str], *others: Any) -> None:
        start = super()._execute_child  # type: ignore[misc]
        if list(args[:2]) != [sys.executable, "-m"] or tuple(args) in self._commands:
            start(args, *others)
            return
        self._commands.add(tuple(args))
        given = inspect.signature(start).bind(args, *others).arguments
        from django.db import connections

        connections.close_all()
        pid = os.fork()
        if not pid:
            _be_child(args[2:], given)
        self.pid, self._child_created = pid, True
        self._close_pipe_fds(*(given[name] for name in _PIPES))  # type: ignore[attr-defined]


def _be_child(command: Sequence[str], given: Mapping[str, Any]) -> None:
    """Be the program, with nothing of what the launcher has opened and remembers."""
    code = 1
    try:
        os.setsid()
        given["preexec_fn"]()
        os.dup2(given["p2cread"], 0)
        _write_into(given["c2pwrite"])
        _let_go_of_files()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        _forget_answers()
        _enter(given["env"])
        ctypes.CDLL(None).prctl(_PR_SET_NAME, command[0].encode())
        _run_module(command)
        code = 0
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        threading._shutdown()  # type: ignore[attr-defined]
        sys.stdout.flush()
        os._exit(code)


_PR_SET_NAME = 15
_PIPES = ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")


def _forget_answers() -> None:
    """Forget what functions of ours keep of their answers, as of the queue that the launcher sent something to."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in ("webapp", "worker"):
            for thing in list(vars(module).values()):
                if isinstance(thing, functools._lru_cache_wrapper):
                    thing.cache_clear()


def _let_go_of_files() -> None:
    """What would close a file of the launcher's later closes nothing of this process's own."""
    empty = os.open(os.devnull, os.O_RDWR)
    for number in [int(path.name) for path in Path("/proc/self/fd").iterdir()]:
        if number > 2 and number != empty:
            with contextlib.suppress(OSError):  # the folder that was listed
                os.fstat(number)
                os.dup2(empty, number)


def _write_into(number: int) -> None:
    os.dup2(number, 1)
    os.dup2(number, 2)


def _run_module(command: Sequence[str]) -> None:
    sys.argv = list(command)
    runpy.run_module(command[0], run_name="__main__", alter_sys=True)
