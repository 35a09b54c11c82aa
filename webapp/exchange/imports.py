"""Bringing published run records in: staged in small transactions, then shown at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from functools import partial
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max

from benchmark.core.engine import Conversation, Step
from benchmark.core.events import Event, ParticipantJoined
from benchmark.inputs import LineProblem, Problems
from benchmark.jsonlines import why_unstorable
from benchmark.suites import DEFAULT_SUITE, suite_named
from benchmark.suites.base import RecordLine, Records, RecordSession, RecordTask, read_options
from webapp import clock
from webapp.accounts.models import User
from webapp.catalogue.fields import stored_fields
from webapp.catalogue.models import Task, TaskCollection, TaskImport, World
from webapp.seats.rows import seat_rows
from webapp.sessions.log import row_of
from webapp.sessions.models import RecordImport, Run, Session, Status, StoredRecord
from webapp.sessions.scoring import find_outdated
from webapp.sessions.services import Draft, sessions_changed, store_sessions

RECORDS_AT_ONCE = 50
BYTES_AT_ONCE = 512 * 1024
"""What one transaction stores at most: records, and bytes of their lines."""
BROKEN_OFF = timedelta(minutes=2)
"""An import that has stored nothing for so long is gone, and with the next one what it left behind."""
DELETED_AT_ONCE = 20
LONGEST_NAME = 60
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
AGENT = "imported"
"""What the agent of a record is called where the researcher does not say."""


class RecordFileError(ValueError):
    """The file was refused; `problems` has what is wrong with its lines."""

    def __init__(self, problems: Problems, incoming: RecordImport | None = None) -> None:
        super().__init__(str(problems))
        self.problems = problems
        self.incoming = incoming


@dataclass(frozen=True)
class Choice:
    """What a researcher chooses for a file of records.

    run: the name of the run that its sessions become. collection: of the tasks that only the records tell of. world:
    the name of the one that the records were planned over; places: the name of a file of places in its stead, ""
    for the world of each task's own collection. agent: what lists call the agent.
    """

    run: str
    collection: str
    world: str = ""
    places: str = ""
    agent: str = AGENT
    suite: str = DEFAULT_SUITE

    @property
    def records(self) -> Records[Any, Any]:
        """How the benchmark reads its records. Raises ValueError where it does not."""
        record_files = suite_named(self.suite).records
        if record_files is None:
            raise ValueError(f"run records of {self.suite} can't be imported: the benchmark has no reader")
        return record_files


@dataclass(frozen=True)
class RecordImportResult:
    """tasks: how many of the tasks were known from no catalogue."""

    run: Run
    sessions: int
    tasks: int


@dataclass(frozen=True)
class Part:
    """One file of several that come in together: its records, what was chosen for it, its row."""

    read: Iterable[RecordLine | LineProblem]
    choice: Choice
    incoming: RecordImport


def import_records(
    *,
    read: Iterable[RecordLine | LineProblem],
    choice: Choice,
    incoming: RecordImport,
    progress: Callable[[int], None] = lambda done: None,
) -> RecordImportResult:
    """Make a run of the records of a file, a session each; whatever is raised, nothing of it is stored.

    `progress` is called with the number of records so far.

    Raises:
        RecordFileError: a line is bad.
        ValueError, OSError: what `read` raises.
    """
    [done] = import_together(parts=[Part(read, choice, incoming)], progress=progress)
    return done


def import_together(
    *,
    parts: Sequence[Part],
    progress: Callable[[int], None] = lambda done: None,
    then: Callable[[list[RecordImportResult]], object] = lambda done: None,
) -> list[RecordImportResult]:
    """Make a run of each of several files, all of them or none. Tasks that only records tell of are shared.

    then: what is stored at the moment when they appear; where it raises, nothing appears.

    Raises:
        RecordFileError: a line is bad; `incoming` says of which file.
        ValueError, OSError: what `read` raises.
    """
    discard_broken_off(but=[part.incoming for part in parts])
    for part in parts:
        clear(part.incoming)
    staged: list[_Staging] = []
    try:
        for part in parts:
            told = partial(_report_progress, progress, sum(staging.sessions for staging in staged))
            staged.append(_Staging.begin(part.choice, part.incoming, staged[0] if staged else None))
            staged[-1].read(part, told)
        with transaction.atomic():
            done = [staging.show() for staging in staged]
            then(done)
    except BaseException:
        for part in parts:
            clear(part.incoming)
        raise
    find_outdated()
    return done


def _report_progress(progress: Callable[[int], None], before: int, done: int) -> None:
    progress(before + done)


def discard_broken_off(*, but: Sequence[RecordImport]) -> None:
    """Remove what imports left behind that were killed."""
    old = RecordImport.objects.filter(complete=False, touched_at__lt=clock.now() - BROKEN_OFF)
    for incoming in old.exclude(pk__in=[own.pk for own in but]).exclude(tasks=None):
        clear(incoming)


def clear(incoming: RecordImport) -> None:
    """Remove what came in of an import that is not complete, and of those that share its tasks; the rows stay.

    It goes in small transactions.
    """
    tasks = incoming.tasks if incoming.tasks and incoming.tasks.pk else None
    sharing = RecordImport.objects.filter(tasks=tasks, complete=False) if tasks else [incoming]
    staged = Session.staged_too.filter(brought_by__in=[each.pk for each in (*sharing, incoming)])
    while some := list(staged.values_list("pk", flat=True)[:DELETED_AT_ONCE]):
        Session.staged_too.filter(pk__in=some).delete()
    incoming.tasks = None
    if tasks is not None:
        Task.staged_too.filter(brought_by=tasks).delete()
        RecordImport.objects.filter(tasks=tasks).update(tasks=None)
        tasks.delete()
        empty = TaskCollection.objects.filter(pk=tasks.collection_id, complete=False, imports=None)
        with suppress(IntegrityError):  # another import has begun to fill it at this moment
            empty.delete()


def _chunks(read: Iterable[RecordLine | LineProblem], problems: Problems) -> Iterator[list[RecordLine]]:
    """The good records by what one transaction takes; the problems go where they are gathered."""
    chunk: list[RecordLine] = []
    size = 0
    for item in read:
        if isinstance(item, LineProblem):
            problems.add(item)
            continue
        if chunk and (len(chunk) == RECORDS_AT_ONCE or size + len(item.text) > BYTES_AT_ONCE):
            yield chunk
            chunk, size = [], 0
        chunk.append(item)
        size += len(item.text)
    if chunk:
        yield chunk


class _RecordRefusal(ValueError):
    """A record that can't be brought in. field: what is wrong of it."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


@dataclass
class _Staging:
    """An import on its way. first: position of its first task. trials: numbers of trials that are taken, by task."""

    choice: Choice
    incoming: RecordImport
    world: World | None
    first: int
    problems: Problems = field(default_factory=Problems)
    tasks: int = 0
    sessions: int = 0
    trials: dict[int, set[int]] = field(default_factory=dict)

    @classmethod
    def begin(cls, choice: Choice, incoming: RecordImport, beside: _Staging | None = None) -> _Staging:
        """beside: the import whose tasks it shares."""
        world = World.objects.get(name=choice.world) if choice.world else None
        with transaction.atomic():
            collection, _ = TaskCollection.objects.get_or_create(
                name=choice.collection, defaults={"complete": False}
            )
            shared = beside.incoming.tasks if beside else None
            incoming.tasks = shared or TaskImport.objects.create(collection=collection, records=True)
            incoming.touched_at = clock.now()
            incoming.save(update_fields=["tasks", "touched_at"])
            last = collection.tasks(manager="staged_too").aggregate(last=Max("position"))["last"]
        return cls(choice, incoming, world, 0 if last is None else last + 1)

    def read(self, part: Part, progress: Callable[[int], None]) -> None:
        """Stage the records of a file. Raises RecordFileError."""
        for chunk in _chunks(part.read, self.problems):
            self.add(chunk)
            progress(self.sessions)
        if self.problems:
            raise RecordFileError(self.problems, part.incoming)

    def add(self, chunk: list[RecordLine]) -> None:
        """Store what a chunk tells; once there is a problem, only look for more of them."""
        told = [(item, self.choice.records.task(item.record)) for item in chunk]
        with transaction.atomic():
            self._touch()
            tasks = self._tasks(told)
            made = [
                session_draft
                for item, own in told
                if (session_draft := self._session_draft(item, own, tasks)) is not None
            ]
            if not self.problems:
                store_sessions([draft for draft, _ in made])
                StoredRecord.objects.bulk_create(record for _, record in made)
        self.sessions += len(chunk)

    def _touch(self) -> None:
        now = {"touched_at": clock.now(), "read": self.sessions}
        if not RecordImport.objects.filter(pk=self.incoming.pk).exclude(tasks=None).update(**now):
            raise ValueError("the import stood still for so long that another one cleared it away")
        RecordImport.objects.filter(tasks=self.incoming.tasks).update(touched_at=now["touched_at"])

    def _tasks(self, told: list[tuple[RecordLine, RecordTask]]) -> dict[str, Task]:
        """The tasks of these records, by id; those that no catalogue knows are stored."""
        wanted = {own.task_id: own for _, own in told if not _no_id(own.task_id)}
        known = Task.staged_too.filter(task_id__in=wanted).select_related("brought_by", "collection__world")
        by_id = {task.task_id: task for task in known}
        fresh = [own for own in wanted.values() if own.task_id not in by_id]
        rows = [self._task(own, self.first + self.tasks + at) for at, own in enumerate(fresh)]
        self.tasks += len(rows)
        if not self.problems:
            Task.staged_too.bulk_create(rows)
        return by_id | {row.task_id: row for row in rows}

    def _task(self, own: RecordTask, position: int) -> Task:
        assert self.incoming.tasks is not None
        return Task(
            suite=self.choice.suite,
            task_id=own.task_id,
            collection=self.incoming.tasks.collection,
            brought_by=self.incoming.tasks,
            position=position,
            definition=own.definition,
            query=own.query,
            language=own.language,
            **stored_fields(self.choice.suite, own.columns),
        )

    def _session_draft(
        self, item: RecordLine, own: RecordTask, tasks: dict[str, Task]
    ) -> tuple[Draft, StoredRecord] | None:
        try:
            if wrong := _no_id(own.task_id):
                raise _RecordRefusal(self.choice.records.id_field, wrong)
            task = tasks[own.task_id]
            self._refuse_other(task, own)
            return self._draft(item, task)
        except _RecordRefusal as refusal:
            self.problems.add(LineProblem(item.number, refusal.field, str(refusal)))
        except RecursionError:
            self.problems.add(LineProblem(item.number, "", "nested too deeply; cut the record down"))
        return None

    def _refuse_other(self, task: Task, own: RecordTask) -> None:
        brought = task.brought_by
        if brought is not None and not brought.complete and brought != self.incoming.tasks:
            raise _RecordRefusal("task_id", "another import brings this task in; try again when it is done")
        if task.suite != self.choice.suite:
            raise _RecordRefusal(
                "task_id", f"{task.task_id!r} is a task of {task.suite} here; rename it in the file"
            )
        if not (brought and brought.records) and own.query and own.query != task.query:
            raise _RecordRefusal(
                "query",
                f"task {task.task_id!r} is another one here, with the query {task.query[:60]!r}; rename the "
                "task in the file",
            )

    def _draft(self, item: RecordLine, task: Task) -> tuple[Draft, StoredRecord]:
        world, pack, pack_hash = self._where(task)
        told = self.choice.records.session(
            item.record,
            agent=self.choice.agent,
            world=world.name if world else "",
            definition=task.definition,
        )
        session = Session(
            suite=self.choice.suite,
            task=task,
            world=world,
            pack=pack,
            pack_hash=pack_hash,
            agent=self.choice.agent,
            users=AGENT,
            trial_id=self._trial(task, told),
            brought_by=self.incoming,
            created_by=self.incoming.created_by,
        )
        events = _events(self.choice.suite, told)
        if wrong := _bad_names(events):
            raise _RecordRefusal("user_names", wrong)
        _end(session, told, events)
        joined = [event.body for event in events if isinstance(event.body, ParticipantJoined)]
        draft = Draft(
            session, [row_of(session.pk, event) for event in events], seat_rows(session.pk, joined, {})
        )
        return draft, StoredRecord(session=session, text=item.text)

    def _where(self, task: Task) -> tuple[World | None, str, str]:
        """The world, the file that scores read, and the hash of its content."""
        if self.choice.places:
            return None, self.choice.places, ""
        world = self.world or task.collection.world
        if world is None and self.choice.records.places is None:
            return None, "", ""
        if world is None:
            raise _RecordRefusal(
                "task_id",
                f"{task.task_id!r} belongs to no world here; name the world that the records were planned over, or "
                "give a file of its places",
            )
        return world, world.pack, world.pack_hash

    def _trial(self, task: Task, told: RecordSession) -> int:
        """The record's own number, else the next free one of its task."""
        taken = self.trials.setdefault(task.pk or id(task), set())
        number = told.trial_id
        if number is None or number in taken:
            number = next(n for n in range(len(taken) + 1) if n not in taken)
        taken.add(number)
        return number

    def show(self) -> RecordImportResult:
        """Everything at once: a few rows change, and the sessions name their run."""
        run = Run(
            name=self.choice.run,
            suite=self.choice.suite,
            setup=self._empty_description(),
            trials=max(map(len, self.trials.values()), default=1),
            created_by=self.incoming.created_by,
        )
        tasks, own = self.incoming.tasks, RecordImport.objects.filter(pk=self.incoming.pk)
        assert tasks is not None
        with transaction.atomic():
            self._touch()
            run.save(force_insert=True)
            Session.staged_too.filter(brought_by=self.incoming).update(run=run)
            TaskImport.objects.filter(pk=tasks.pk).update(complete=True)
            TaskCollection.objects.filter(pk=tasks.collection_id).update(complete=True)
            own.update(complete=True, run=run, read=self.sessions)
            ids = Session.objects.filter(brought_by=self.incoming).values_list("pk", flat=True)
            sessions_changed.send(Session, session_ids=list(ids))
        return RecordImportResult(run, self.sessions, self.tasks)

    def _empty_description(self) -> dict[str, Any]:
        return {
            "agent": self.choice.agent,
            "users": AGENT,
            "options": dict(read_options(suite_named(self.choice.suite).options, {})),
            "world": self.choice.world,
            "sandbox": {"mode": "world", "cache": ""},
            "imported": self.incoming.name,
        }


def _no_id(task_id: str) -> str:
    """What is wrong with an id as a part of an address, "" where nothing is."""
    if why := why_unstorable(task_id):
        return why
    if {"", ".", ".."} & set(task_id.split("/")) or len(task_id) > 200:
        return f"{task_id[:60]!r} can't be part of an address; give the task another id, of at most 200 characters"
    return ""


def _bad_names(events: list[Event]) -> str:
    """What is wrong with the names of seats, "" where nothing is."""
    names = [event.body.seat for event in events if isinstance(event.body, ParticipantJoined)]
    if why := next(filter(None, map(why_unstorable, names)), ""):
        return f"a name {why}"
    if any(len(name) > LONGEST_NAME for name in names):
        return f"a name has more than {LONGEST_NAME} characters; shorten it"
    return (
        "a name stands there twice; give each traveller one of their own"
        if len(set(names)) < len(names)
        else ""
    )


def _events(suite: str, told: RecordSession) -> list[Event]:
    conversation, now = Conversation(suite_named(suite).play.rules), clock.now()
    for actor, bodies in told.steps:
        conversation.append(Step(_UNSTORABLE.sub("\ufffd", actor)[:LONGEST_NAME], tuple(bodies)), now)
    return conversation.events


def _end(session: Session, told: RecordSession, events: list[Event]) -> None:
    finished: Any = events[-1].body
    session.status = Status.CRASHED if told.crashed else Status.FINISHED
    session.completion_reason = finished.reason
    session.plan_generated = finished.plan_generated
    session.last_seq, session.round = len(events), told.round


def incoming_of(*, name: str, choice: Choice, created_by: User | None = None, file: str = "") -> RecordImport:
    """The row of a new import."""
    return RecordImport.objects.create(
        name=name[:200], choice=asdict(choice), created_by=created_by, file=file
    )
