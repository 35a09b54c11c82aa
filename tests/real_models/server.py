"""llama.cpp's server as a process."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from tests.real_models.installation import HOME, model_file, server_binary

FIXED_OPTIONS = ("--device", "none", "-ngl", "0", "-t", "1", "-np", "1", "--host", "127.0.0.1")
STARTS_IN_S = 120.0
_PR_SET_PDEATHSIG = 1


class RealServer:
    """A server that can be killed and started again at the same address."""

    def __init__(self, *switches: str) -> None:
        self.switches = switches
        self.port = _free_port()
        self.url = f"http://127.0.0.1:{self.port}/v1"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it answers.

        Raises:
            RuntimeError: it ended, or did not answer in time.
        """
        binary = server_binary()
        command = [binary, "-m", model_file(), *FIXED_OPTIONS, *self.switches, "--port", str(self.port)]
        environment = {**os.environ, "LD_LIBRARY_PATH": str(binary.parent)}
        with _log(self.switches) as log:
            self._process = subprocess.Popen(
                command,
                env=environment,
                stdout=log,
                stderr=log,
                preexec_fn=_die_with_parent,  # noqa: PLW1509 - before the child has threads
            )
        end = time.monotonic() + STARTS_IN_S
        while not self._healthy():
            if self._process.poll() is not None or time.monotonic() > end:
                self.kill()
                raise RuntimeError(f"llama-server {' '.join(self.switches)} did not start; see {HOME}/*.log")
            time.sleep(0.2)

    def kill(self) -> None:
        """End it at once, in the middle of whatever it does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def tokens_written(self) -> int:
        """Tokens that it has written of the answer under way."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/slots", timeout=5) as answer:
                (slot,) = json.load(answer)
        except OSError:
            return 0
        return int(slot["next_token"][0]["n_decoded"]) if slot["is_processing"] else 0

    def _healthy(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health", timeout=5) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False


@contextmanager
def real_server(*switches: str) -> Iterator[RealServer]:
    """A running server, which is gone afterwards."""
    server = RealServer(*switches)
    try:
        server.start()
        yield server
    finally:
        server.kill()


def _die_with_parent() -> None:
    """In the child: ask Linux for SIGTERM when the test run is gone, however it went."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _log(switches: tuple[str, ...]) -> IO[bytes]:
    return Path(HOME, f"server{''.join(switches)}.log").open("ab")
