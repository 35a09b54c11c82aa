"""Whether the worker hears Redis: a file that grows old when the worker no longer hears what Redis sends.

The worker sends itself messages over a queue of their own and hears them in its event loop, beside the threads that
work: a worker whose threads are all busy is not silent. While Redis is away nothing can be heard, and nothing is
silent.
"""

from __future__ import annotations

import logging
import threading
import time
from pathlib import Path
from typing import Any

from celery import bootsteps
from django.conf import settings
from kombu.connection import Connection
from kombu.entity import Queue
from kombu.exceptions import OperationalError
from kombu.messaging import Consumer
from redis.exceptions import RedisError

ASK_S = 3.0
PATIENCE = {"socket_connect_timeout": 2, "socket_timeout": 5}
REDIS_ERRORS = (OSError, RedisError, OperationalError)
"""What kombu raises while Redis is away."""
log = logging.getLogger(__name__)


def liveness_file() -> Path:
    """Where the time of the last message that a worker of this data folder heard is kept."""
    return Path(settings.CARAVAN_DATA) / "run" / "worker.heard"


def mark_alive() -> None:
    """Store the time: a message was heard just now, or none could be sent."""
    path = liveness_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()


def forget() -> None:
    """Delete the time, since a new worker is about to start."""
    liveness_file().unlink(missing_ok=True)


def age_s() -> float | None:
    """Seconds since the last message was heard; None when there was none."""
    try:
        return time.time() - liveness_file().stat().st_mtime
    except FileNotFoundError:
        return None


class LivenessProbe(bootsteps.ConsumerStep):  # type: ignore[misc]  # celery has no types
    """Hears the messages that its own thread sends. hostname: the worker's name, which its queue is named after."""

    def __init__(self, consumer: Any, **options: Any) -> None:
        super().__init__(consumer, **options)
        self.queue = f"caravan.liveness.{consumer.hostname}"
        self._asking: threading.Thread | None = None

    def get_consumers(self, channel: Any) -> list[Consumer]:
        """One consumer, which acknowledges nothing."""
        return [Consumer(channel, [Queue(self.queue)], no_ack=True, callbacks=[lambda *_: mark_alive()])]

    def start(self, consumer: Any) -> None:
        """Listen, and begin to ask; after a lost connection, listen again."""
        super().start(consumer)
        if self._asking is None:
            self._asking = threading.Thread(target=self._ask, name="liveness", daemon=True)
            self._asking.start()

    def stop(self, consumer: Any) -> None:
        """Stop listening; a lost connection has taken the channel along."""
        if consumer.connection is not None:
            super().stop(consumer)

    def _ask(self) -> None:
        pause = threading.Event()
        while True:
            try:
                send(self.queue)
            except REDIS_ERRORS as error:
                log.debug("no message to itself is sent: %s", error)
                mark_alive()
            pause.wait(ASK_S)


def send(queue: str) -> None:
    """Send one message to a worker's own queue.

    Raises:
        one of AWAY: Redis can't be reached.
    """
    with Connection(settings.CELERY_BROKER_URL, transport_options=PATIENCE) as connection:
        connection.Producer().publish({}, routing_key=queue, retry=False)
