"""Whether an installation can do its work, as `/ready` tells it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from datetime import timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.db import close_old_connections, connections

from webapp.jobs.selectors import oldest_due
from webapp.processes.models import Kind
from webapp.processes.selectors import living
from webapp.watching.looking import BoundedLook

PATIENCE_S = 1.5
"""A database or a broker that does not answer within this time is away."""
KEEP_S = 1.0
OVERDUE = timedelta(minutes=5)
"""A job that no worker has taken for so long is a trouble."""
OK, OUTAGE = "ok", "away"


@dataclass(frozen=True, slots=True)
class StoredState:
    """What the database tells. oldest_due_s: how long the oldest job has been due, by queue, of those with any."""

    workers: int
    web: int
    oldest_due_s: dict[str, float]


@dataclass(frozen=True, slots=True)
class Readiness:
    """database, broker: `OK` or `OUTAGE`. troubles: what keeps jobs from being done although both are there."""

    database: str
    broker: str
    workers: int | None = None
    web: int | None = None
    oldest_due_s: dict[str, float] = field(default_factory=dict)
    troubles: list[str] = field(default_factory=list)

    @property
    def ready(self) -> bool:
        """Whether this process can serve: pages, and jobs for the workers."""
        return self.database == OK == self.broker

    def as_json(self) -> dict[str, Any]:
        """For monitors."""
        return {"ready": self.ready, **asdict(self)}


def read_stored() -> StoredState:
    """Read the database, in whatever thread."""
    close_old_connections()
    try:
        kinds = list(living().values_list("kind", flat=True))
        ages = {str(queue): round(age.total_seconds(), 1) for queue, age in oldest_due().items()}
        return StoredState(kinds.count(Kind.WORKER), kinds.count(Kind.WEB), ages)
    finally:
        connections.close_all()


def ask_broker() -> bool:
    """Whether the broker answers; raises what keeps it from that."""
    if not settings.REDIS_URL:
        return False
    from redis import Redis

    with Redis.from_url(
        settings.REDIS_URL, socket_connect_timeout=PATIENCE_S, socket_timeout=PATIENCE_S
    ) as server:
        return bool(server.ping())


_look = partial(BoundedLook, keep_s=KEEP_S, patience_s=PATIENCE_S)
stored_look: BoundedLook[StoredState] = _look(read_stored)
broker_look: BoundedLook[bool] = _look(ask_broker)


def readiness() -> Readiness:
    """How it stands now, or stood a second ago. Takes twice `PATIENCE_S` at most, and once where one hangs."""
    stored, answering = _outcome_of(stored_look), _outcome_of(broker_look)
    broker = OK if answering else OUTAGE
    if stored is None:
        return Readiness(OUTAGE, broker)
    return Readiness(OK, broker, stored.workers, stored.web, stored.oldest_due_s, _troubles(stored))


def _outcome_of(look: BoundedLook[Any]) -> Any:
    try:
        return look.find()
    except Exception:  # whatever it is, it is away
        return None


def _troubles(stored: StoredState) -> list[str]:
    troubles = [] if stored.workers else ["no worker lives"]
    late = {queue: age for queue, age in stored.oldest_due_s.items() if age > OVERDUE.total_seconds()}
    return troubles + [f"a job of the queue {queue} is due since {age:.0f} s" for queue, age in late.items()]
