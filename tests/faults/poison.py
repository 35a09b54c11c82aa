"""A worker in which some sessions are poison: `python -m tests.faults.poison celery ARGUMENTS…`.

Each step of a session whose seed is `RAISES` raises from its third event on; of one whose seed is `KILLS`, it ends
the whole worker.
"""

from __future__ import annotations

import os
import runpy
import sys

RAISES, KILLS = 666_001, 666_002
FIRST_SEQ = 3


def main() -> None:
    """Run the program with the poison in it."""
    from worker.sessions import action
    from worker.sessions.work import StepTaken, Work

    wholesome = action._next_step

    def take_poison(work: Work) -> StepTaken:
        if work.conversation.state.seq >= FIRST_SEQ:
            if work.session.seed == KILLS:
                os._exit(137)
            if work.session.seed == RAISES:
                raise RuntimeError("poison")
        return wholesome(work)

    action._next_step = take_poison
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    from webapp.memory import loading

    with loading():
        import django

        django.setup()
    main()
