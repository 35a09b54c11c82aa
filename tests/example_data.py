"""What an installation that tests share holds when it starts: ended sessions, alone and in runs, none played."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webapp.catalogue.models import Task, World

ENDED_SESSION, SESSION_OVER_MODELS = "finished", "modelled"
"""The ids of two sessions without a run, one of built-in participants and one of models."""
BY_TASK = {"starter_01": "easy", "starter_02": "medium", "starter_en_01": "english"}
"""The recorded session of each task."""
COMPARED_RUNS = {"first": "published", "second": "paper"}
"""Runs of these tasks, by name, with their protocols."""
REPORTED_RUN = "a name that is very long " * 4
"""A run of two tasks, twice each."""
JUDGED_RUN = "to be judged"
"""A run of one session."""


def store() -> None:
    """Store it all, in the database of the installation whose process this is."""
    from tests.recordings import load
    from webapp.catalogue.models import Task, World
    from webapp.reports.folding import fold
    from webapp.sessions.models import Session
    from webapp.tables import entries, search

    world, tasks = World.objects.get(name="starter"), Task.objects.in_bulk(BY_TASK, field_name="task_id")
    load("medium", world, id=ENDED_SESSION)
    load("models", world, id=SESSION_OVER_MODELS)
    for name, protocol in COMPARED_RUNS.items():
        _store_run(name, list(tasks.values()), world, protocol)
    _store_run(REPORTED_RUN, [tasks["starter_01"], tasks["starter_02"]], world, trials=2)
    _store_run(JUDGED_RUN, [tasks["starter_01"]], world)
    stored = list(Session.objects.values_list("pk", flat=True))
    fold(stored)
    entries.refresh(stored)
    search.refresh_said(stored)
    entries.refresh_runs()


def _store_run(
    name: str, tasks: list[Task], world: World, protocol: str = "published", trials: int = 1
) -> None:
    from tests.recordings import load
    from webapp.runs.services import create_run
    from webapp.sessions.services import Setup

    setup = Setup(options={"protocol": protocol})
    run = create_run(name=name, tasks=tasks, world=world, setup=setup, trials=trials, start=False)
    for draft in run.sessions.select_related("task"):
        draft.delete()
        own = {"run_id": run.pk, "trial_id": draft.trial_id, "seed": draft.seed}
        load(BY_TASK[draft.task.task_id], world, **own)
