"""Processes of Python forked from one that has imported what depends on no installation: half of their start."""

from __future__ import annotations

import atexit
import multiprocessing
import os
import runpy
import sys
from collections.abc import Callable, Mapping
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

    work: a function of a module that reads no settings when it is imported; gets the arguments. A process that is
    still there at the end of the tests is ended.
    """
    process = _CONTEXT.Process(target=_work, args=(work, dict(environment), arguments), daemon=True)
    process.start()
    return process


def make_pipe() -> tuple[Any, Any]:
    """Two ends, one for a process that is started with it."""
    return _CONTEXT.Pipe()


def _work(work: Callable[..., None], environment: dict[str, str], arguments: tuple[Any, ...]) -> None:
    multiprocessing.current_process().daemon = False  # it may have processes of its own
    os.environ.clear()
    os.environ.update(environment)
    work(*arguments)


def run_program(log: Path, *command: str) -> None:
    """Be `python -m MODULE ARGUMENTS…`, which writes into a file."""
    with log.open("wb") as written:
        os.dup2(written.fileno(), 1)
        os.dup2(written.fileno(), 2)
    sys.argv = list(command)
    runpy.run_module(command[0], run_name="__main__", alter_sys=True)
