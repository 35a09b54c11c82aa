"""The queue, as the web application reaches it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from threading import Thread
from typing import Any

import celery
import pytest

from webapp import queue


@pytest.fixture
def fresh_producer() -> Iterator[None]:
    """No producer yet, and none left behind."""
    queue._new_producer.cache_clear()
    yield
    queue._new_producer.cache_clear()


def test_threads_that_send_at_once_make_one_producer(
    fresh_producer: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    producers: list[Any] = []
    celery_class = celery.Celery

    def slow(*args: Any, **options: Any) -> Any:
        time.sleep(0.05)
        producers.append(celery_class(*args, **options))
        return producers[-1]

    monkeypatch.setattr(celery, "Celery", slow)
    threads = [Thread(target=queue._producer) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(producers) == 1
