"""Jobs that a person waits for. They have threads of their own, so that they never wait for long jobs.

A lost message does no harm, because the sweeper finds the job in the database.
"""

from __future__ import annotations

import logging
import threading
from queue import SimpleQueue
from typing import Any

from celery import bootsteps
from kombu.entity import Queue
from kombu.messaging import Consumer

from webapp.logs import log_ids
from webapp.queue import SHORT, broker_name
from worker.outages import usable_connections

THREADS = 3
log = logging.getLogger(__name__)


class ShortJobs(bootsteps.ConsumerStep):  # type: ignore[misc]  # celery has no types
    """Hears the messages of short jobs in the worker's event loop, and does the jobs in its own threads."""

    def __init__(self, consumer: Any, **options: Any) -> None:
        super().__init__(consumer, **options)
        self._requests: SimpleQueue[tuple[str, str]] = SimpleQueue()
        self._threads: list[threading.Thread] = []

    def get_consumers(self, channel: Any) -> list[Consumer]:
        """One consumer, which needs no acknowledgements, since messages may be lost."""
        return [
            Consumer(
                channel, [Queue(broker_name(SHORT))], no_ack=True, accept=["json"], callbacks=[self._hear]
            )
        ]

    def start(self, consumer: Any) -> None:
        """Listen, with threads that work; after a lost connection, listen again."""
        super().start(consumer)
        if not self._threads:
            self._threads = [
                threading.Thread(target=self._run, name=f"short-{number}", daemon=True)
                for number in range(1, THREADS + 1)
            ]
            for thread in self._threads:
                thread.start()

    def stop(self, consumer: Any) -> None:
        """Stop listening; a lost connection has taken the channel along."""
        if consumer.connection is not None:
            super().stop(consumer)

    def _hear(self, body: Any, message: Any) -> None:
        kind, subject = body
        self._requests.put((kind, subject))

    def _run(self) -> None:
        from worker.steppers import STEPPERS  # late: it brings the sandbox along

        while True:
            kind, subject = self._requests.get()
            with log_ids(job=f"{kind}/{subject}"):
                try:
                    with usable_connections():
                        STEPPERS[kind](subject)
                except Exception:  # a thread that ended would do no other job
                    log.exception("%s of %s failed", kind, subject)
