"""Playing a session or a run in this process, beside whatever workers do the same."""

from __future__ import annotations

import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType

from django.db import connections

from webapp.runs.selectors import Progress, progress, unsettled
from webapp.sessions.models import Run, Session
from webapp.sessions.selectors import settled
from worker.lease_keeper import lease_keeper
from worker.stepping import advance

LOOK_S = 0.5
AGAIN_S = 1.0
"""A session that another worker holds is tried again after this."""

Told = Callable[[Progress], None]


@dataclass
class _Players:
    """Threads that take sessions from one list. wanted: cleared when they are to stop after their step in flight."""

    todo: deque[str]
    wanted: threading.Event = field(default_factory=threading.Event)
    rest: threading.Event = field(default_factory=threading.Event)
    failures: list[BaseException] = field(default_factory=list)

    def play(self) -> None:
        """Play sessions to their ends while there are any; one that sleeps goes to the end of the list."""
        try:
            while pk := self._next():
                while self.wanted.is_set() and advance(pk, paced=False):
                    pass
                if not settled(session_id=pk):
                    self.todo.append(pk)
                    self.rest.wait(AGAIN_S / len(self.todo))
        except BaseException as failure:
            self.failures.append(failure)
        finally:
            connections.close_all()

    def _next(self) -> str | None:
        try:
            return self.todo.popleft() if self.wanted.is_set() else None
        except IndexError:
            return None


def play_session(session: Session) -> None:
    """To its end, here or beside a worker that has found it meanwhile; it waits out what the session waits for.

    Interrupted (KeyboardInterrupt), it breaks off the request on its way and gives the session back.
    """
    with _gently():
        while not session.ended and not lease_keeper().ending:
            if not advance(session.pk, budget_s=None, paced=False):
                time.sleep(LOOK_S)
            session.refresh_from_db()


@contextmanager
def _gently() -> Iterator[None]:
    """Ctrl-C ends the step in flight first; a second one does not wait for it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def asked(number: int, frame: FrameType | None) -> None:
        if lease_keeper().ending:
            raise KeyboardInterrupt
        lease_keeper().end()

    before = signal.signal(signal.SIGINT, asked)
    try:
        yield
        if lease_keeper().ending:
            raise KeyboardInterrupt
    finally:
        signal.signal(signal.SIGINT, before)
        lease_keeper().revive()


def play(run: Run, *, threads: int, told: Told) -> None:
    """Bring every session of a run to its end and its scores; `told` hears now and then how far it is.

    Interrupted (KeyboardInterrupt), it stops after the steps in flight; what is left can be gone on with by anyone.
    """
    while left := unsettled(run):
        _play_once(run, left, threads, told)
        if unsettled(run):
            threading.Event().wait(AGAIN_S)
    told(progress([run])[run.pk])


def _play_once(run: Run, sessions: list[str], threads: int, told: Told) -> None:
    players = _Players(deque(sessions))
    players.wanted.set()
    started = [threading.Thread(target=players.play, daemon=True) for _ in range(min(threads, len(sessions)))]
    for thread in started:
        thread.start()
    try:
        for thread in started:
            while thread.is_alive():
                thread.join(LOOK_S)
                told(progress([run])[run.pk])
    except BaseException:
        players.wanted.clear()
        lease_keeper().end()
        raise
    finally:
        for thread in started:
            thread.join()
        lease_keeper().revive()
    if players.failures:
        raise players.failures[0]
