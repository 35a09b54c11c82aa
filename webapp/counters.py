"""Where processes count together."""

from __future__ import annotations

from django.conf import settings


def counters_uri() -> str:
    """The storage of the `limits` library: Redis, which all processes share, else this process's memory."""
    url = str(settings.REDIS_URL)
    return url.replace("unix://", "redis+unix://", 1) if url.startswith("unix://") else url or "memory://"
