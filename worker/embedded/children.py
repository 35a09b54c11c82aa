"""Child processes that end with their parent, and come back when they die."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

RESTARTS_A_MINUTE = 5
_PR_SET_PDEATHSIG = 1
_LEASH = Path(__file__).with_name("leash.py")


class GaveUp(RuntimeError):
    """A child died too often."""


def _kernel_ends_children() -> bool:
    """Whether the kernel can end a child when the launcher is gone (Linux). CARAVAN_PORTABLE=1 does without, as on
    macOS.
    """
    return sys.platform == "linux" and not os.environ.get("CARAVAN_PORTABLE")


def _ask_kernel() -> None:
    """In the child: ask for SIGTERM when the launcher is gone, however it went."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


@dataclass
class Child:
    """One process of the installation, in a process group of its own so that Ctrl-C reaches the launcher alone.

    patience_s: how long it may take to end by itself.
    """

    name: str
    command: Sequence[str]
    log: Path
    environment: Mapping[str, str]
    patience_s: float = 10.0
    started_at: float = 0.0
    _process: subprocess.Popen[bytes] | None = None
    _deaths: deque[float] = field(default_factory=deque)

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Start it; its output goes to its log file."""
        self.started_at = time.time()
        by_kernel = _kernel_ends_children()
        command = self.command if by_kernel else [sys.executable, str(_LEASH), *self.command]
        with self._open_log() as output:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**os.environ, **self.environment},
                start_new_session=True,
                preexec_fn=_ask_kernel if by_kernel else None,  # noqa: PLW1509  # the launcher has one thread
            )

    def _open_log(self) -> IO[bytes]:
        self.log.parent.mkdir(parents=True, exist_ok=True)
        return self.log.open("ab")

    def exit_code(self) -> int | None:
        """None while it runs."""
        return self._process.poll() if self._process else None

    def revive(self) -> None:
        """Start it again after it died; what it had started ends with it.

        Raises:
            GaveUp: it has died five times within a minute.
        """
        now = time.monotonic()
        self._deaths.append(now)
        while now - self._deaths[0] > 60:
            self._deaths.popleft()
        if len(self._deaths) >= RESTARTS_A_MINUTE:
            raise GaveUp(
                f"{self.name} died {RESTARTS_A_MINUTE} times within a minute (exit {self.exit_code()}); "
                f"its last words are in {self.log}"
            )
        self._end_group()
        self.start()

    def _end_group(self) -> None:
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def stop(self) -> None:
        """Ask it to end, wait, and end it by force when it does not."""
        process = self._process
        if process is None or process.poll() is not None:
            return
        process.terminate()
        try:
            process.wait(self.patience_s)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """End the whole process group at once."""
        process = self._process
        if process is not None and process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
