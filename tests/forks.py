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

from tests import ROOT

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
    """A child whose command is a module of Python, or such a one on its leash, goes on as a fork of this process; any
    other is started.

    By the time that a child has died this process has threads and connections, and what a fork of it remembers of
    them is not true any more. So a second fork waits from the start on, and takes the place of the first. The third
    is started, and so is the second of one on a leash.
    """

    _spares = dict[tuple[str, ...], list[tuple[int, int]]]()
    """By the command, each fork that waits: its id, and the file to which a byte is written when it is to begin."""

    def _execute_child(self, args: Sequence[str], *others: Any) -> None:
        start = super()._execute_child  # type: ignore[misc]
        given = inspect.signature(start).bind(args, *others).arguments
        is_known, is_leashed = tuple(args) in self._spares, args[1] == _LEASH
        spares = self._spares.setdefault(tuple(args), [])
        if spares:
            pid, begin = spares.pop()
            os.write(begin, b"!")
            os.close(begin)
        elif is_known or not (is_leashed or list(args[:2]) == [sys.executable, "-m"]):
            start(args, *others)
            return
        else:
            pid = _fork_child(args, given)
            if not is_leashed and given["preexec_fn"]:
                waiting, begin = os.pipe()
                spares.append((_fork_child(args, given, waiting), begin))
                os.close(waiting)
        self.pid, self._child_created = pid, True
        self._close_pipe_fds(*(given[name] for name in _PIPES))  # type: ignore[attr-defined]


def _fork_child(args: Sequence[str], given: Mapping[str, Any], waiting: int | None = None) -> int:
    from django.db import connections

    connections.close_all()
    pid = os.fork()
    if not pid:
        _be_child(args, given, waiting)
    return pid


def _be_child(args: Sequence[str], given: Mapping[str, Any], waiting: int | None) -> None:
    """Be the program, with nothing of what the launcher has opened and remembers.

    waiting: a file; the program begins when a byte comes, and never when the launcher has ended.
    """
    code = 1
    try:
        if given["start_new_session"]:
            os.setsid()
        if given["preexec_fn"]:
            given["preexec_fn"]()
        if given["p2cread"] >= 0:
            os.dup2(given["p2cread"], 0)
        if given["c2pwrite"] >= 0:
            _write_into(given["c2pwrite"])
        _let_go_of_files(but=waiting)
        ForkedChild._spares.clear()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if waiting is not None:
            _name_process("spare")
            if not os.read(waiting, 1):
                return
        _forget_answers()
        _enter(dict(given["env"] or os.environ))
        if args[1] == _LEASH:
            _name_process(f"leash {Path(args[4] if args[3] == '-m' else args[2]).name}")
            sys.argv = list(args[1:])
            runpy.run_path(_LEASH, run_name="__main__")
        else:
            _name_process(args[2])
            _run_module(args[2:])
        code = 0
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        threading._shutdown()  # type: ignore[attr-defined]
        sys.stdout.flush()
        os._exit(code)


_LEASH = str(ROOT / "worker" / "embedded" / "leash.py")
_PR_SET_NAME = 15
_PIPES = ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")


def _name_process(name: str) -> None:
    """Have `ps` show it by this name, of which the kernel keeps 15 letters."""
    ctypes.CDLL(None).prctl(_PR_SET_NAME, name.encode())


def _forget_answers() -> None:
    """Forget what functions of ours keep of their answers, as of the queue that the launcher sent something to."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in ("webapp", "worker"):
            for thing in list(vars(module).values()):
                if isinstance(thing, functools._lru_cache_wrapper):
                    thing.cache_clear()


def _let_go_of_files(but: int | None) -> None:
    """What would close a file of the launcher's later closes nothing of this process's own.

    but: a file that stays.
    """
    empty = os.open(os.devnull, os.O_RDWR)
    for number in [int(path.name) for path in Path("/proc/self/fd").iterdir()]:
        if number > 2 and number not in (empty, but):
            with contextlib.suppress(OSError):  # the folder that was listed
                os.fstat(number)
                os.dup2(empty, number)


def _write_into(number: int) -> None:
    os.dup2(number, 1)
    os.dup2(number, 2)


def _run_module(command: Sequence[str]) -> None:
    sys.argv = list(command)
    runpy.run_module(command[0], run_name="__main__", alter_sys=True)
