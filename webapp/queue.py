"""The one place where the web application hands work to the workers: by task name, never by import."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from celery import Celery
from django.conf import settings
from kombu.exceptions import OperationalError

from webapp.outages import Outage

WORK = "caravan.work"
SHORT = "caravan.short"
"""The queue of jobs that a person waits for, to which every worker listens with threads of their own."""
_away = Outage(logging.getLogger(__name__), "workers get no messages, and find what is due by themselves")


@lru_cache(maxsize=1)
def _producer() -> Celery:
    producer = Celery("caravan-producer", broker=settings.CELERY_BROKER_URL)
    producer.conf.update(
        task_ignore_result=True,
        broker_transport_options={"socket_connect_timeout": 2, "socket_timeout": 5, "max_retries": 1},
        task_publish_retry=False,
    )
    return producer


def send_work(kind: str, subject: str, *, short: bool, after_s: float = 0.0) -> bool:
    """Ask the workers to go on with a job; whether the request went out. If not, the sweeper finds it later."""
    return _publish([kind, subject]) if short else _send(WORK, [kind, subject], after_s)


def _send(name: str, args: list[Any], after_s: float) -> bool:
    return _out(lambda: _producer().send_task(name, args=args, countdown=after_s or None))


def _publish(body: list[str]) -> bool:
    def publish() -> None:
        with _producer().producer_or_acquire() as producer:
            producer.publish(body, routing_key=SHORT, serializer="json", retry=False)

    return _out(publish)


def _out(send: Callable[[], object]) -> bool:
    """Whether it was sent."""
    if not settings.REDIS_URL:
        return False
    try:
        send()
    except (OperationalError, ConnectionError, TimeoutError) as error:
        _away.met(error)
        return False
    _away.over()
    return True
