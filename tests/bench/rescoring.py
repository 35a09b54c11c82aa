"""How long stored sessions take to be scored again by both profiles and stored: 2,000 of about 200 KB.

A played session is copied, and the copies are scored in turn, so that every log is read from the database anew.
"""

from __future__ import annotations

import time

import orjson

from tests.bench.data import fresh_data

COPIES, WANTED = 50, 2_000
TASK = "starter_05"


def main() -> None:
    """Seconds for all, and milliseconds a session."""
    fresh_data()
    from webapp.catalogue.models import Task, World
    from webapp.sessions.models import Event, Score, Session
    from webapp.sessions.scoring import outdated, record_of, rescore, score_session
    from webapp.sessions.services import Setup, create_session
    from worker.stepping import advance

    world, task = World.objects.get(name="starter"), Task.objects.get(task_id=TASK)
    played = create_session(task=task, world=world, setup=Setup(), start=False)
    advance(played.pk, budget_s=None, paced=False)
    played.refresh_from_db()
    size = len(orjson.dumps(record_of(played)))
    events = list(Event.objects.filter(session=played))
    for number in range(COPIES):
        Session(**_columns(played) | {"id": f"copy{number}"}).save(force_insert=True)
        Event.objects.bulk_create(
            Event(**_columns(e) | {"id": None, "session_id": f"copy{number}"}) for e in events
        )
        score_session(session=Session.objects.get(pk=f"copy{number}"))
    done, begun = 0, time.perf_counter()
    while done < WANTED:
        Score.objects.exclude(session=played).update(tried="")
        for pk in list(outdated().values_list("pk", flat=True)):
            done += rescore(session_id=pk)
    spent = time.perf_counter() - begun
    print(
        f"rescoring: {done} sessions of {size / 1000:.0f} KB and {len(events)} events in {spent:.1f} s, "
        f"{1000 * spent / done:.1f} ms each, both profiles stored"
    )


def _columns(row: object) -> dict[str, object]:
    return {name: value for name, value in vars(row).items() if not name.startswith("_")}


if __name__ == "__main__":
    main()
