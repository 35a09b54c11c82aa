"""Runs a command that must not outlive the launcher, where the kernel can't see to that. Standard library only.

    python worker/embedded/leash.py COMMAND [ARGUMENT ...]

Started by the launcher itself. A polite end is handed on to the command; its exit code is ours.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from types import FrameType

LOOK_EVERY_S = 0.5
PATIENCE_S = 15.0


def main(command: list[str]) -> int:
    """Run the command until it ends, or end it when the launcher is gone."""
    launcher = os.getppid()
    child = subprocess.Popen(command)

    def hand_on(number: int, frame: FrameType | None) -> None:
        child.send_signal(number)

    signal.signal(signal.SIGTERM, hand_on)
    signal.signal(signal.SIGINT, hand_on)
    while True:
        try:
            return child.wait(LOOK_EVERY_S)
        except subprocess.TimeoutExpired:
            if os.getppid() != launcher:
                return _end(child)


def _end(child: subprocess.Popen[bytes]) -> int:
    child.terminate()
    try:
        return child.wait(PATIENCE_S)
    except subprocess.TimeoutExpired:
        child.kill()
        return child.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
