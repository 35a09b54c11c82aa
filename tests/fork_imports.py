"""What the processes of `tests.forks` have in common: nothing of it reads settings when it is imported."""

from __future__ import annotations

import gc
from importlib import import_module

MODULES = (
    "benchmark.suites",
    "benchmark.models",
    "benchmark.reports",
    "celery.app.base",
    "celery.bin.celery",
    "celery.bin.worker",
    "celery.concurrency.thread",
    "celery.fixups.django",
    "celery.worker",
    "celery.worker.consumer",
    "celery.worker.components",
    "django.core.management.base",
    "django.core.serializers.json",
    "django.db.backends.sqlite3.base",
    "django.db.models",
    "django.forms",
    "django.template.backends.django",
    "django.urls",
    "kombu.transport.redis",
    "redis.asyncio",
    "time_machine",
)

gc.disable()
for _module in MODULES:
    import_module(_module)
gc.freeze()
gc.enable()
