"""What the processes of `tests.forks` have in common: all pages, and the code of workers and of Celery.

It is imported with the settings of whoever starts them; each reads its own, see `read_own_settings`.
"""

from __future__ import annotations

import gc
import os
import sys
from importlib import import_module

import django
from asgiref.local import Local
from django.conf import settings
from django.db import connections
from django.utils.functional import empty

MODULES = (
    "webapp.urls",
    "webapp.routing",
    "webapp.people.polling",
    "webapp.commands",
    "webapp.catalogues",
    "worker.embedded.launcher",
    "worker.broker",
    "worker.lease_keeper",
    "worker.notifier",
    "worker.short_jobs",
    "worker.steppers",
    "worker.sweeper",
    "celery.bin.celery",
    "celery.bin.worker",
    "celery.concurrency.thread",
    "celery.fixups.django",
    "celery.worker",
    "celery.worker.consumer",
    "celery.worker.components",
    "django.core.management.commands.migrate",
    "django.core.serializers.json",
    "kombu.transport.redis",
    "redis.asyncio",
    "time_machine",
    "twisted.web.http_headers",
    "cryptography.x509",
    "autobahn.wamp.types",
)
"""Neither `worker.app` nor `webapp.asgi`, which read addresses in the settings, nor a reactor, which opens files."""
UNLIKE = frozenset({"DATABASES"})
"""The setting that was read and may be another one: no connection is kept."""


def read_own_settings() -> None:
    """Read the settings anew, by the environment that the process has by now.

    Raises:
        RuntimeError: what was imported has read a setting that would be another one here.
    """
    sys.modules.pop("webapp.settings", None)
    settings._wrapped = empty
    changed = [
        name for name, value in _READ.items() if name not in UNLIKE and getattr(settings, name) != value
    ]
    if changed:
        raise RuntimeError(f"modules have been imported with other settings: {', '.join(changed)}")
    connections._settings = None  # type: ignore[attr-defined]
    connections.__dict__.pop("settings", None)
    connections._connections = Local(connections.thread_critical)  # type: ignore[attr-defined]


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")
gc.disable()
django.setup(set_prefix=False)
for _module in MODULES:
    import_module(_module)
gc.freeze()
gc.enable()
_READ = {name: value for name, value in settings.__dict__.items() if name.isupper()}
"""The settings that were read, by name: Django keeps them so."""
