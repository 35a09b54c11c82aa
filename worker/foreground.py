"""Playing a session or a run in this process, beside whatever workers do the same."""

from __future__ import annotations

import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from types import FrameType

from django.db import connections

from webapp.runs.selectors import Progress, progress, unsettled_sessions
from webapp.sessions.models import ENDED_STATUSES, Run, Session
from webapp.sessions.scoring import rescore
from webapp.sessions.selectors import at_rest, settled
from webapp.storage import STORAGE_ERRORS
from worker.lease_keeper import lease_keeper
from worker.sessions import advance

LOOK_S = 0.5
AGAIN_S = 1.0
"""A session that another worker holds is tried again after this."""


def run_in_threads(
    count: int, work: Callable[[Callable[[], bool]], object], look: Callable[[], object]
) -> None:
    """Have so many threads work until each has ended; `look` is called now and then meanwhile.

    work: is given what says whether it is still wanted. What any of them raises is raised here. Interrupted
    (KeyboardInterrupt), requests on their way are broken off, and the threads end after their steps in flight.
    """
    wanted, failures = threading.Event(), list[BaseException]()
    wanted.set()
    ends = [
        threading.Event() for _ in range(count)
    ]  # Ctrl-C in a join makes Python 3.11 take a thread for ended

    def run(ended: threading.Event) -> None:
        try:
            work(wanted.is_set)
        except BaseException as failure:
            failures.append(failure)
        finally:
            connections.close_all()
            ended.set()

    for ended in ends:
        threading.Thread(target=run, args=(ended,), daemon=True).start()
    try:
        for ended in ends:
            while not ended.is_set():
                ended.wait(LOOK_S)
                look()
    except BaseException:
        lease_keeper().end()
        raise
    finally:
        wanted.clear()
        for ended in ends:
            ended.wait()
        lease_keeper().revive()
    if failures:
        raise failures[0]


def play_session(session: Session) -> None:
    """To its end, here or beside a worker that has found it meanwhile; it waits out what the session waits for.

    Interrupted (KeyboardInterrupt), it breaks off the request on its way and gives the session back.
    """
    with _ending_after_step():
        while not session.ended and not lease_keeper().is_ending:
            if not advance(session.pk, budget_s=None, paced=False):
                time.sleep(LOOK_S)
            session.refresh_from_db()


@contextmanager
def _ending_after_step() -> Iterator[None]:
    """Ctrl-C ends the step in flight first; a second one does not wait for it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end_after_step(number: int, frame: FrameType | None) -> None:
        if lease_keeper().is_ending:
            raise KeyboardInterrupt
        lease_keeper().end()

    before = signal.signal(signal.SIGINT, end_after_step)
    try:
        yield
        if lease_keeper().is_ending:
            raise KeyboardInterrupt
    finally:
        signal.signal(signal.SIGINT, before)
        lease_keeper().revive()


def play(run: Run, *, threads: int, report: Callable[[Progress], None]) -> None:
    """Bring every session of a run to its end and its scores; `report` hears now and then how far it is.

    Those that are paused are left. Interrupted (KeyboardInterrupt), it stops after the steps in flight; what is left
    can be gone on with by anyone.
    """

    def look() -> None:
        report(progress([run])[run.pk])

    while left := unsettled_sessions(run):
        run_in_threads(min(threads, len(left)), partial(_play_all, deque(left)), look)
        if unsettled_sessions(run):
            threading.Event().wait(AGAIN_S)
    look()


def _score_where_missing(pk: str) -> None:
    """Score a session that has ended, where the database took no scores when it did: no sweeper may be there."""
    with suppress(*STORAGE_ERRORS):
        if Session.objects.filter(pk=pk, status__in=ENDED_STATUSES).exists():
            rescore(session_id=pk, keeping=lease_keeper().keep_lease)


def _play_all(left: deque[str], wanted: Callable[[], bool]) -> None:
    """Play sessions to their ends while there are any; one that sleeps goes to the end of the list."""
    while wanted():
        try:
            pk = left.popleft()
        except IndexError:
            return
        while wanted() and advance(pk, paced=False):
            pass
        if not settled(session_id=pk) and not at_rest(session_id=pk):
            left.append(pk)
            _score_where_missing(pk)
            threading.Event().wait(AGAIN_S / max(len(left), 1))  # another thread may have taken it already
