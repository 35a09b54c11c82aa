"""Something done at the same time, in a thread with a database connection of its own."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from django.db import connections


def start_in_thread(act: Callable[[], Any], *, after_s: float = 0.0) -> threading.Thread:
    """Start it. In the end it closes its connections: an open one would keep the test database."""

    def run() -> None:
        time.sleep(after_s)
        try:
            act()
        finally:
            connections.close_all()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread
