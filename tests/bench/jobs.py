"""How long workers take to find, take and wake sessions among 100,000, on SQLite or the PostgreSQL at BENCH_POSTGRES.

One in ten has not ended: some are held, some wait for a place at a model, some are paused, the others are due. Those
that have ended are scored; in the end 100 of them by an older version.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from datetime import timedelta
from statistics import median
from typing import Any

from tests.bench.data import fresh_data

SESSIONS, OPEN = 100_000, 10_000
HELD_COUNT, WAITING_COUNT, PAUSED_COUNT = 16, 2_000, 500
ROWS = 2_000
SWEEPS, CLAIMS, WAKES = 20, 500, 50
OUTDATED_COUNT = 100


def main() -> None:
    """Milliseconds of each question that workers ask again and again."""
    fresh_data(os.environ.get("BENCH_POSTGRES", ""))
    _make()
    from webapp.jobs import services
    from webapp.sessions.jobs import SESSION
    from webapp.sessions.models import Score
    from webapp.sessions.scoring import outdated_sessions
    from webapp.sessions.services import claim

    services.send_work = lambda *_, **__: True  # type: ignore[assignment]
    due = services.due(kind=SESSION)
    claims = []

    def take(pk: str) -> None:
        claims.append(claim(session_id=pk))

    _tell("due", [_ms(lambda: services.due(kind=SESSION)) for _ in range(SWEEPS)])
    _tell("claim", [_ms(lambda pk=pk: take(pk)) for pk in due[:CLAIMS]])  # type: ignore[misc]
    _tell("release", [_ms(lambda c=c: services.release(claimed=c)) for c in claims])  # type: ignore[misc]
    _tell("wake", [_ms(lambda: services.wake_waiting(endpoint="full")) for _ in range(WAKES)])
    _tell("none outdated", [_ms(lambda: list(outdated_sessions()[:OUTDATED_COUNT])) for _ in range(SWEEPS)])
    last = Score.objects.order_by("-pk").values_list("pk", flat=True)[:OUTDATED_COUNT]
    Score.objects.filter(pk__in=list(last)).update(tried="old")
    _tell("outdated", [_ms(lambda: list(outdated_sessions()[:OUTDATED_COUNT])) for _ in range(SWEEPS)])


def _make() -> None:
    from django.db import connection, transaction

    from webapp.catalogue.models import Task, World
    from webapp.sessions.models import Session, Status

    world, task = World.objects.get(name="starter"), Task.objects.get(task_id="starter_01")
    given: dict[str, Any] = {"task": task, "world": world, "pack": world.pack, "pack_hash": world.pack_hash}
    given |= {"agent": "reference", "users": "scripted"}
    with transaction.atomic():
        for begin in range(0, SESSIONS, ROWS):
            numbers = range(begin, begin + ROWS)
            rows = [
                Session(
                    id=f"s{number}",
                    status=Status.QUEUED if number % (SESSIONS // OPEN) == 0 else Status.FINISHED,
                    paused=_part(number) == "paused",
                    **given,
                )
                for number in numbers
            ]
            Session.objects.bulk_create(rows)
            _leases(rows)
            _scores(rows)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _part(number: int) -> str:
    """What is with the unfinished session of this number; "" where it is due."""
    place = number // (SESSIONS // OPEN)
    if number % (SESSIONS // OPEN) or place >= HELD_COUNT + WAITING_COUNT + PAUSED_COUNT:
        return ""
    return "held" if place < HELD_COUNT else "waiting" if place < HELD_COUNT + WAITING_COUNT else "paused"


def _leases(rows: list[Any]) -> None:
    from django.utils import timezone

    from webapp.jobs.models import Job, State
    from webapp.sessions.jobs import SESSION

    now = timezone.now()
    Job.objects.bulk_create(
        Job(
            kind=SESSION.name,
            subject=row.pk,
            state=State.DONE if row.ended else State.OPEN,
            ended_at=now if row.ended else None,
            paused=row.paused,
            **_when(_part(int(row.pk[1:])), now),
        )
        for row in rows
    )


def _scores(rows: list[Any]) -> None:
    from benchmark.suites import suite_named
    from webapp.sessions.models import Score

    scoring = suite_named("grouptravel").scoring
    Score.objects.bulk_create(
        Score(session=row, profile=profile, tried=scoring.code_version, figures={})
        for row in rows
        if row.ended
        for profile in scoring.profiles
    )


def _when(part: str, now: Any) -> dict[str, Any]:
    if part == "held":
        return {"expires_at": now + timedelta(hours=1)}
    return {"due_at": now + timedelta(hours=1), "waits_for": "full"} if part == "waiting" else {}


def _ms(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - begun)


def _tell(what: str, times: list[float]) -> None:
    ordered = sorted(times)
    least, most = ordered[0], ordered[int(0.95 * len(ordered))]
    print(
        f"jobs: {what}, least {least:.2f} ms, median {median(ordered):.2f} ms, p95 {most:.2f} ms", flush=True
    )


if __name__ == "__main__":
    main()
