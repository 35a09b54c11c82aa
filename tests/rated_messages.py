"""TRIP-Bench's talks as rows: for studies in which people rate what its user says."""

from __future__ import annotations

import json
import tempfile
from io import StringIO
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.utils import timezone

from tests.benchmark.suites.tripbench.talks import GOOD, STARS, talk, task_of
from tests.labelling import store_drafts
from webapp.caches.choice import SandboxChoice, sandbox_setup
from webapp.catalogue.models import Task, World
from webapp.sessions import services
from webapp.sessions.log import row_of
from webapp.sessions.models import Run, Status

NODES = (
    [{"id": "<s>", **STARS, "is_vague": True}],
    [{"id": "pet", "rubric": "hotel.pet_friendly", "args": {}}],
)
STYLES = {"easy": "", "ais": "terse"}
"""Of a task of each subset that stands here."""


def trip_tasks() -> list[Task]:
    """A task without and one with vague wishes, each of two turns, in the database."""
    definitions = {name: task_of(*NODES, id=name, subset=name, style=style) for name, style in STYLES.items()}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tasks.jsonl"
        lines = (task.model_dump(mode="json", exclude_defaults=True) for task in definitions.values())
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        call_command("import_tasks", path, "--suite", "tripbench", stdout=StringIO())
    return list(Task.objects.filter(task_id__in=STYLES, suite="tripbench").order_by("task_id"))


def trip_run(world: World, **fields: Any) -> Run:
    """A run of ended sessions of both tasks, whose user is the program and whose agent says no more than its plan."""
    run = Run.objects.create(name="trips", suite="tripbench", setup={"agent": "quick-planner"}, **fields)
    store_drafts([_draft(task, world, run) for task in trip_tasks()])
    return run


def _draft(task: Task, world: World, run: Run) -> services.Draft:
    definition = task_of(*NODES, id=task.task_id, subset=task.task_id, style=STYLES[task.task_id])
    conversation, _setting = talk(definition, f"I am quick-planner-7b.\n{GOOD}")
    draft = services.draft_session(
        task=task,
        world=world,
        setup=services.Setup(),
        sandbox=sandbox_setup(SandboxChoice(), world, "tripbench"),
        run=run,
    )
    session = draft.session
    draft.events[:] = [row_of(session.pk, event) for event in conversation.events]
    session.agent, session.status = "quick-planner-7b", Status.FINISHED
    session.completion_reason, session.plan_generated = "all_said", True
    session.last_seq, session.finished_at = conversation.events[-1].seq, timezone.now()
    return draft
