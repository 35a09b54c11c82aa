"""How long stored sessions take to be scored again by both profiles and stored: 2,000 of about 200 KB.

Sessions of six starter tasks are played and copied, so that their records are of unequal size and about 200 KB in the
mean; the copies are scored in turn, so that every log is read from the database anew.
"""

from __future__ import annotations

import time
from statistics import fmean

import orjson

from tests.bench.data import fresh_data

TASKS = ("starter_01", "starter_02", "starter_03", "starter_04", "starter_05", "starter_07")
COPIES, SESSION_COUNT = 10, 2_000
"""Copies of each; more than the logs that a process keeps."""


def main() -> None:
    """Seconds for all, and milliseconds a session on the wall and of the processor."""
    fresh_data()
    from webapp.sessions.models import Score
    from webapp.sessions.scoring import outdated_sessions, rescore

    sizes, copies = zip(*[_store_copies(task) for task in TASKS], strict=True)
    wanted = [pk for alike in zip(*copies, strict=True) for pk in alike]
    done, begun, busy = 0, time.perf_counter(), time.process_time()
    while done < SESSION_COUNT:
        Score.objects.filter(session__in=wanted).update(tried="")
        assert outdated_sessions().count() == len(wanted)
        done += sum(rescore(session_id=pk) for pk in wanted[: SESSION_COUNT - done])
    spent, busy = time.perf_counter() - begun, time.process_time() - busy
    print(
        f"rescoring: {done} sessions of {min(sizes) / 1000:.0f} to {max(sizes) / 1000:.0f} KB, "
        f"{fmean(sizes) / 1000:.0f} KB in the mean, in {spent:.1f} s, {1000 * spent / done:.1f} ms each "
        f"({1000 * busy / done:.1f} ms of processor time), both profiles stored"
    )


def _store_copies(task_id: str) -> tuple[int, list[str]]:
    """The size in bytes of the record of a session of this task, played here, and the ids of its copies."""
    from webapp.catalogue.models import Task, World
    from webapp.sessions.models import Event, Session
    from webapp.sessions.scoring import record_of, score_session
    from webapp.sessions.services import Setup, create_session
    from worker.sessions import advance

    world, task = World.objects.get(name="starter"), Task.objects.get(task_id=task_id)
    played = create_session(task=task, world=world, setup=Setup(), start=False)
    advance(played.pk, budget_s=None, paced=False)
    played.refresh_from_db()
    events = list(Event.objects.filter(session=played))
    copies = [f"{task_id[-2:]}copy{number}" for number in range(COPIES)]
    for pk in copies:
        Session(**_columns(played) | {"id": pk}).save(force_insert=True)
        Event.objects.bulk_create(Event(**_columns(e) | {"id": None, "session_id": pk}) for e in events)
        score_session(session=Session.objects.get(pk=pk))
    return len(orjson.dumps(record_of(played))), copies


def _columns(row: object) -> dict[str, object]:
    return {name: value for name, value in vars(row).items() if not name.startswith("_")}


if __name__ == "__main__":
    main()
