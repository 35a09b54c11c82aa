"""The one place where the web application hands work to the workers: by task name, never by import."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from django.conf import settings

from webapp.outages import Outage

if TYPE_CHECKING:
    from celery import Celery

WORK = "caravan.work"
"""The one task of the workers."""
SHORT = "short"
"""The queue of jobs that a person waits for, to which workers listen with threads of their own."""
FIRST, LATER = 0, 6
"""Priorities of messages. Over Redis the lowest is taken first: each has a list of its own."""
_outage = Outage(logging.getLogger(__name__), "workers get no messages, and find what is due by themselves")


_lock = threading.Lock()


def _producer() -> Celery:
    """The one producer of this process."""
    with _lock:  # two threads that import Celery at once may find it half imported
        return _new_producer()


@lru_cache(maxsize=1)
def _new_producer() -> Celery:
    from celery import Celery  # many modules, which a process without a queue does without

    producer = Celery("caravan-producer", broker=settings.CELERY_BROKER_URL)
    producer.conf.update(
        task_ignore_result=True,
        broker_transport_options={"socket_connect_timeout": 2, "socket_timeout": 5, "max_retries": 1},
        task_publish_retry=False,
    )
    return producer


def broker_name(queue: str) -> str:
    """What a queue is called at the broker."""
    return f"caravan.{queue}"


def send_work(kind: str, subject: str, *, queue: str, after_s: float = 0.0, later: bool = False) -> bool:
    """Ask the workers of a queue to go on with a job; whether that went out. If not, the sweeper finds it later.

    later: whether it goes behind all that is not later.
    """
    body = [kind, subject]
    send = (
        partial(_publish, body) if queue == SHORT else partial(_send, body, queue, LATER if later else FIRST)
    )
    if not after_s:
        return send()
    loop = _alarm()
    loop.call_soon_threadsafe(loop.call_later, after_s, send)
    return True


def _send(args: list[str], queue: str, priority: int) -> bool:
    return _send_once(
        lambda: _producer().send_task(WORK, args=args, priority=priority, queue=broker_name(queue))
    )


@lru_cache(maxsize=1)
def _alarm() -> asyncio.AbstractEventLoop:
    """Sends what is to go out later, from a thread of its own. Celery would have its time told in the message, and a
    worker whose clock is another one would keep it for so much longer.
    """
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="alarm", daemon=True).start()
    return loop


def _publish(body: list[str]) -> bool:
    def publish() -> None:
        with _producer().producer_or_acquire() as producer:
            producer.publish(body, routing_key=broker_name(SHORT), serializer="json", retry=False)

    return _send_once(publish)


def _send_once(send: Callable[[], object]) -> bool:
    """Whether it was sent."""
    if not settings.REDIS_URL:
        return False
    from kombu.exceptions import OperationalError

    try:
        send()
    except (OperationalError, ConnectionError, TimeoutError) as error:
        _outage.report_failure(error)
        return False
    _outage.report_recovery()
    return True
