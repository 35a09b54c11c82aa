"""`manage.py run_session TASK`: one session from start to scores, in this process."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import perf_counter
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db import DatabaseError, connections
from django.urls import reverse

from benchmark.core.model_use import ModelUse
from benchmark.core.taskfiles import TaskFileError
from benchmark.jsonlines import json_line
from benchmark.suites import metrics_of, suite_named
from benchmark.suites.base import Needs
from webapp.caches.options import add_sandbox_arguments, sandbox_of
from webapp.catalogue.imports import import_tasks
from webapp.catalogue.models import Task, TaskCollection, World
from webapp.catalogue.options import add_suite, world_named, world_of, world_unnamed
from webapp.catalogue.selectors import tasks
from webapp.commands import BAD_INPUT, INTERRUPT_CODE, DatabaseCommand, page_address
from webapp.endpoints.options import add_participant_arguments, participants_of
from webapp.endpoints.wording import cost_words, role_words, tokens_words, unknown_words
from webapp.people.options import add_study_argument, study_of_options, tell_links
from webapp.prompts.options import add_prompts_argument, prompts_of
from webapp.sessions.models import Score, Session, Status
from webapp.sessions.options import add_option_arguments, add_sampling_arguments, options_in, sampling_in
from webapp.sessions.scoring import record_of
from webapp.sessions.selectors import values_in
from webapp.sessions.services import MAX_SEED, Setup, create_session
from webapp.terminal import Report, progress_bar
from webapp.wording.metrics import session_head, shown_values
from worker.foreground import LOOK_S, play_session


class Command(DatabaseCommand):
    help = "Run one session headless. Exit code 0: finished, 1: crashed, 2: bad input."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("task", help="A task's id, or FILE#LINE (lines count from 1)")
        add_suite(parser)
        parser.add_argument("--world", help="By default the one that the task was made for")
        add_participant_arguments(parser)
        add_study_argument(parser)
        parser.add_argument("--seed", type=int, default=0)
        add_sandbox_arguments(parser)
        parser.add_argument(
            "--json", action="store_true", help="Print the published run record, nothing else"
        )
        add_prompts_argument(parser)
        add_sampling_arguments(parser)
        add_option_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        begun = perf_counter()
        session = self._create(options)
        tell_links(self, session.seats.all(), reverse("seats", args=[session.pk]), waits=True)
        try:
            with progress_bar() as report, _follow(session, report):
                play_session(session)
        except KeyboardInterrupt:
            raise CommandError(
                f"interrupted; the workers go on with it (make run), unless it is stopped on "
                f"{page_address(session)}",
                returncode=INTERRUPT_CODE,
            ) from None
        if options["json"]:
            self.stdout.write(json_line(record_of(session)).decode(), ending="")
        else:
            self._tell(session, perf_counter() - begun)
        if session.status != Status.FINISHED:
            raise CommandError(_ending(session))

    def _create(self, options: dict[str, Any]) -> Session:
        if not 0 <= options["seed"] <= MAX_SEED:
            raise CommandError(f"--seed must be 0 to {MAX_SEED}", returncode=BAD_INPUT)
        task, world = _choose_task(options["task"], options["world"], options["suite"])
        players = participants_of(options, task.suite)
        setup = Setup(
            **players,
            **study_of_options(options, players["agent"], players["users"], players["seats"]),
            seed=options["seed"],
            options=options_in(options, task.suite),
            prompt_set=prompts_of(options),
            sampling=sampling_in(options),
            sandbox=sandbox_of(options),
        )
        return create_session(task=task, world=world, setup=setup, start=False)

    def _tell(self, session: Session, seconds: float) -> None:
        ended = f"session {session.id}: {session.completion_reason}, {session.last_seq} events"
        self.stdout.write(f"{ended}, {page_address(session)}")
        for score in session.scores.all():
            self.stdout.write(f"  {score.profile}: {_score_words(score)}")
        for use in map(ModelUse.of, session.model_use):
            self.stdout.write(f"  {_use_words(use)}")
        self.stdout.write(f"  {seconds:.2f} s")


@contextmanager
def _follow(session: Session, report: Report) -> Iterator[None]:
    """Count the events on a terminal while the session is played."""
    if not sys.stderr.isatty():
        yield
        return
    ended = threading.Event()

    def follow() -> None:
        rows = Session.objects.filter(pk=session.pk).values_list("last_seq", flat=True)
        while not ended.wait(LOOK_S):
            with suppress(DatabaseError):  # the session itself waits for the database to come back
                report(rows.get(), None, f"session {session.pk}: events")
        connections.close_all()

    follower = threading.Thread(target=follow, daemon=True)
    follower.start()
    try:
        yield
    finally:
        ended.set()
        follower.join()


def _score_words(score: Score) -> str:
    """The figures as the session's page shows them."""
    values = shown_values(metrics_of(score.session.suite), values_in(score))
    return ", ".join(f"{session_head(value.metric).label} {value.value}" for value in values)


def _use_words(use: ModelUse) -> str:
    tokens = f"{tokens_words(use, 'prompt')} + {tokens_words(use, 'completion')} tokens"
    unknown = f" ({unknown_words(use)})" if use.unknown else ""
    requests = f"{use.calls} requests, {use.failure_count} failed, {use.draft_count} answers did not count"
    return f"{use.endpoint}, {role_words(use.role)}: {requests}, {tokens}{unknown}, cost {cost_words(use)}"


def _ending(session: Session) -> str:
    """How a session ended that did not finish, and what broke."""
    error = record_of(session).get("error", "")
    return f"session {session.id} {session.status}: {session.completion_reason}{error and f' ({error})'}"


def _choose_task(named: str, world: str | None, suite: str) -> tuple[Task, World]:
    """The task and its world; a task of a file comes in only when its world is clear."""
    path, mark, line = named.rpartition("#")
    if mark and line.isdigit():
        return _of_file(Path(path), int(line), world, suite)
    tasks_named = tasks().filter(task_id=named)
    if not tasks_named:
        raise CommandError(
            f"there is no task “{named}”; import_tasks brings tasks in, FILE#LINE names one of a file",
            returncode=BAD_INPUT,
        )
    return tasks_named[0], world_of(tasks_named, world)


def _of_file(path: Path, line: int, named: str | None, suite: str) -> tuple[Task, World]:
    try:
        read = suite_named(suite).tasks.files.line(path, line)
        if read is None:
            raise CommandError(f"{path} has no task on line {line}", returncode=BAD_INPUT)
        known = tasks().filter(task_id=read.task.task_id)
        world = (
            world_of(known, named)
            if known
            else _world_of_file(path, suite_named(suite).tasks.needs(read.task), named)
        )
        import_tasks(read=[read], collection=path.stem, suite=suite)
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}", returncode=BAD_INPUT) from error
    except TaskFileError as error:
        raise CommandError(f"{path}: {error}", returncode=BAD_INPUT) from error
    except ValueError as error:
        raise CommandError(str(error), returncode=BAD_INPUT) from error
    return tasks().get(task_id=read.task.task_id), world


def _world_of_file(path: Path, needs: Needs, named: str | None) -> World:
    """The world of a task that is to come into the collection named after its file."""
    if named:
        return world_named(named)
    collection = TaskCollection.objects.filter(name=path.stem).select_related("world").first()
    if collection is None or collection.world is None:
        raise world_unnamed([needs], path.stem)
    return collection.world
