"""Who tells road distances here."""

from __future__ import annotations

import logging
import os
from functools import lru_cache
from typing import TYPE_CHECKING

from django.conf import settings

from webapp.caches.models import caches_folder

if TYPE_CHECKING:
    from sandbox.roads import Roads

log = logging.getLogger(__name__)
_FILE = "roads.sqlite3"


@lru_cache(maxsize=1)
def open_roads() -> Roads | None:
    """AMap, one a process, with what it has told before; None without a key, or with settings that can't be."""
    from sandbox.backends.amap.client import AmapClient  # and with it an HTTP client, which few need
    from sandbox.backends.amap.distances import AmapRoads
    from sandbox.backends.amap.settings import settings_from

    try:
        amap = settings_from(os.environ, settings.COUNTERS_URI)
    except ValueError as error:
        log.warning("no road distances: %s", error)
        return None
    return AmapRoads(AmapClient(amap), caches_folder() / _FILE) if amap else None
