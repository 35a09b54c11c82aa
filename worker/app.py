"""The Celery application of the worker processes."""

from __future__ import annotations

import os
import warnings

from celery import Celery
from celery.exceptions import CPendingDeprecationWarning
from celery.signals import worker_init, worker_ready, worker_shutdown, worker_shutting_down
from kombu import entity
from kombu.transport.redis import Channel

from webapp.memory import loading, settle
from webapp.surroundings import faults_in_a_line

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")  # they would import every page; `make check` asks them
with loading():
    import django

    with faults_in_a_line():
        django.setup()
        from webapp.jobs.pools import Queue, served_queues

        QUEUES = served_queues()

    from django.conf import settings

    from webapp.processes.models import Kind
    from webapp.queue import broker_name
    from webapp.watching.starting import start_process
    from worker.broker import DisposableMessages
    from worker.lease_keeper import lease_keeper
    from worker.liveness import LivenessProbe
    from worker.notifier import notifier
    from worker.short_jobs import ShortJobs
    from worker.sweeper import Sweeper

app = Celery("caravan", broker=settings.CELERY_BROKER_URL, include=["worker.tasks"])
app.conf.update(
    task_ignore_result=True,
    task_queues=[
        entity.Queue(name, entity.Exchange(name), routing_key=name)
        for name in (broker_name(queue) for queue in QUEUES if queue != Queue.SHORT)
    ],
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    worker_prefetch_multiplier=1,
    worker_hijack_root_logger=False,
    worker_cancel_long_running_tasks_on_connection_loss=False,
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,
    broker_transport_options={
        "visibility_timeout": 3600,
        "socket_keepalive": True,
        "health_check_interval": 10,
    },
    worker_enable_remote_control=False,
)

Channel.QoS = DisposableMessages
app.steps["consumer"].add(LivenessProbe)
if Queue.SHORT in QUEUES:
    app.steps["consumer"].add(ShortJobs)

sweeper = Sweeper()


@worker_init.connect
def _check(**_: object) -> None:
    heartbeat = start_process(Kind.WORKER, QUEUES if settings.CARAVAN_QUEUES else None)
    worker_shutdown.connect(lambda **_: heartbeat.stop(), weak=False)


@worker_ready.connect
def _begin(**_: object) -> None:
    warnings.filterwarnings("ignore", category=CPendingDeprecationWarning)  # after Celery has shown its own
    notifier()
    sweeper.start()
    settle()


@worker_shutting_down.connect
def _end(**_: object) -> None:
    sweeper.stop()
    lease_keeper().end()
