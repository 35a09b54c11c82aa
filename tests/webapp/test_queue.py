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
def anew() -> Iterator[None]:
    """No producer yet, and none left behind."""
    queue._new_producer.cache_clear()
    yield
    queue._new_producer.cache_clear()


def test_threads_that_send_at_once_make_one_producer(anew: None, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []

    class Slow(celery.Celery):
        def __init__(self, *args: Any, **options: Any) -> None:
            made.append(self)
            time.sleep(0.05)
            super().__init__(*args, **options)

    monkeypatch.setattr(celery, "Celery", Slow)
    threads = [Thread(target=queue._producer) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1
