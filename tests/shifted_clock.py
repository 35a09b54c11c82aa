"""A program whose clock goes wrong: `python -m tests.shifted_clock SECONDS MODULE ARGUMENTS…`."""

from __future__ import annotations

import runpy
import sys
import time

import time_machine


def main() -> None:
    """Run the module as a program whose clock is so many seconds ahead."""
    ahead_s, *sys.argv = sys.argv[1:]
    time_machine.travel(time.time() + float(ahead_s), tick=True).start()
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
