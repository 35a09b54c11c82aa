"""`python -m tests.stored_installation.make`: play an installation over local servers, and store it
with its facts here.

Built-in participants act by the code, so a replay of theirs departs where they are meant to act otherwise: make it
anew then, and only then.
"""

from __future__ import annotations

import json
import lzma
import shutil
import tarfile
from pathlib import Path

from tests.bench.data import fresh_data
from tests.model_server import model_server

FOLDER = Path(__file__).resolve().parent


def main() -> None:
    """Make `data.tar.xz` and `facts.json`."""
    data = fresh_data()
    with model_server() as server:
        _play(server.url)
    from django.db import connection

    from tests.stored_installation.facts import facts

    found = facts()
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        cursor.execute("VACUUM")
    connection.close()
    shutil.rmtree(data / "static", ignore_errors=True)
    (data / "secret.key").unlink(missing_ok=True)
    with (
        lzma.open(FOLDER / "data.tar.xz", "wb", preset=9) as packed,
        tarfile.open(fileobj=packed, mode="w") as folder,
    ):
        folder.add(data, arcname="data")
    (FOLDER / "facts.json").write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n")
    print(f"{len(found['sessions'])} sessions, {(FOLDER / 'data.tar.xz').stat().st_size:,} bytes")


def _play(url: str) -> None:
    """A session of every kind, a run, verdicts, a replay."""
    from tests.seating import endpoint_at, play, session_with_models
    from webapp.accounts.models import Role, User
    from webapp.caches.choice import SandboxChoice
    from webapp.caches.models import ToolCache
    from webapp.caches.services import index_cache
    from webapp.cassettes.services import replay
    from webapp.catalogue.models import Task, World
    from webapp.runs.services import create_run
    from webapp.sessions.models import Session
    from webapp.sessions.services import Setup, create_session, request_stop
    from worker.sessions import advance

    User.objects.create_user("researcher", role=Role.RESEARCHER)
    world, cache = World.objects.get(name="starter"), ToolCache.objects.get(name="local")
    task = {task.task_id: task for task in Task.objects.all()}

    def make_session(name: str, **setup: object) -> object:
        return create_session(task=task[name], world=world, setup=Setup(**setup), start=False)  # type: ignore[arg-type]

    easy, english = "starter_01", "starter_en_01"
    run = create_run(
        name="two tasks twice", tasks=[task[easy], task["starter_02"]], world=world, setup=Setup(), trials=2
    )
    for session in run.sessions.order_by("pk"):
        play(session)
    play(make_session(english, options={"protocol": "paper"}))
    play(make_session(easy, sandbox=SandboxChoice("online", cache), seed=7))
    index_cache(name=cache.name)
    play(make_session("starter_04", sandbox=SandboxChoice("isolated", cache), seed=7))
    agent, users = (
        endpoint_at(url, "good-agent"),
        endpoint_at(url, "good-user", input_price=0.5, output_price=1.0),
    )
    modelled = play(session_with_models(task[easy], world, agent, users))
    play(session_with_models(task[english], world, agent, None, options={"protocol": "paper"}))
    for personality in ("overflows", "loops", "good-agent:fail=429:retry_after=1"):
        play(session_with_models(task[easy], world, endpoint_at(url, personality), None))
    stopped = make_session(easy, seed=9)
    advance(stopped.pk, budget_s=0.2, paced=False)
    request_stop(Session.objects.filter(pk=stopped.pk))
    play(stopped)
    advance(make_session(easy, seed=10).pk, budget_s=0.2, paced=False)  # left in the middle
    play(replay(session=modelled, start=False))
    _judge(url, [modelled, *run.sessions.order_by("pk")])


def _judge(url: str, sessions: list[object]) -> None:
    from tests.seating import endpoint_at
    from webapp.judging import selectors, services
    from worker.steppers.judgements import advance_judgement

    for name, form in (("good-judge", "published"), ("seven-judge", "caravan")):
        judge = endpoint_at(url, name)
        batch = services.start_batch(sessions=sessions, judge=judge, form=form)  # type: ignore[arg-type]
        while selectors.is_going(batch):
            for judgement in selectors.due_in(batch):
                advance_judgement(judgement)


if __name__ == "__main__":
    main()
