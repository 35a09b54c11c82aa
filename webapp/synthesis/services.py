"""Everything that writes sets of tasks: asking for one, its preview, its making, and how it ends."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, Self

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from benchmark.core.model_use import ModelUse
from benchmark.outputs import open_output
from benchmark.suites import suite_named
from benchmark.synthesis import WRITER, Sample, Synthesis
from webapp.accounts.models import User
from webapp.catalogue.imports import discard, import_tasks
from webapp.catalogue.models import Task, TaskCollection, TaskImport, World
from webapp.endpoints.models import ModelEndpoint
from webapp.forms import ChoiceRefused
from webapp.jobs import services as jobs
from webapp.jobs.kinds import retries
from webapp.jobs.models import Job, State
from webapp.jobs.services import Claim
from webapp.synthesis.jobs import PREVIEW, SET
from webapp.synthesis.models import TaskSynthesis

Status = TaskSynthesis.Status
SAMPLER = "sampler"
"""The group of jobs of the built-in sampler."""
LOOKED_AT = timedelta(days=7)
"""A preview of which nothing came is kept so long."""
_NUMBERED_TASK = re.compile(r"task_(\d{6,})")


def synthesis_of(suite: str) -> Synthesis | None:
    """How a benchmark makes tasks; None for one that makes none."""
    make = suite_named(suite).making.synthesis
    return make() if make is not None else None


def next_number() -> int:
    """The first number of a task beyond all that are there or being made."""
    there = max(_numbers(), default=0)
    return max([there, *(last for _first, last in _being_made())]) + 1


class TaskIds(NamedTuple):
    """The ids that a set takes: so many numbers from the first on, or all that begin with a prefix."""

    total: int
    first: int
    prefix: str | None = None

    @classmethod
    def of_order(cls, suite: str, order: Mapping[str, Any]) -> Self:
        """Those of a stored order."""
        prefix = suite_named(suite).making.order_form.id_prefix
        return cls(order["count"], order["first_id"], prefix and prefix(order.get("options", {})))


def next_prefix() -> str:
    """What no ids of tasks begin with yet: made-, made2- and so on."""
    return next(
        prefix for n in count() if not _is_prefix_taken(prefix := f"made{n + 1 if n else ''}-", but="")
    )


def _is_prefix_taken(prefix: str, but: str) -> bool:
    going = any(ids.prefix == prefix for ids in _ids_being_made(but))
    return going or Task.staged_too.filter(task_id__startswith=prefix).exists()


def refuse_taken(*, collection: str, ids: TaskIds, but: str = "") -> None:
    """Refuse a set whose name or ids another one has. but: the id of the set itself.

    Raises:
        ChoiceRefused: naming the field.
    """
    made = TaskSynthesis.objects.filter(status__in=[Status.QUEUED, Status.RUNNING]).exclude(pk=but)
    if TaskCollection.objects.filter(name=collection).exists() or made.filter(collection=collection).exists():
        words = _("A collection “%(name)s” already exists; choose another name.")
        raise ChoiceRefused(words % {"name": collection}, "collection")
    if ids.prefix is not None:
        if _is_prefix_taken(ids.prefix, but):
            words = _("Some ids begin with “%(prefix)s” already; choose another beginning, such as %(next)s.")
            raise ChoiceRefused(words % {"prefix": ids.prefix, "next": next_prefix()}, "prefix")
        return
    first_id, last = ids.first, ids.first + ids.total - 1
    taken = any(first_id <= number <= last for number in _numbers())
    if taken or any(first <= last and first_id <= end for first, end in _being_made(but)):
        words = _("Some ids from %(first)s to %(last)s are taken; the next free number is %(next)s.")
        given = {"first": f"task_{first_id:06d}", "last": f"task_{last:06d}", "next": next_number()}
        raise ChoiceRefused(words % given, "first_id")


def _numbers() -> Iterator[int]:
    ids = Task.staged_too.filter(task_id__startswith="task_").order_by().values_list("task_id", flat=True)
    return (int(match[1]) for task_id in ids.iterator() if (match := _NUMBERED_TASK.fullmatch(task_id)))


def _being_made(but: str = "") -> list[tuple[int, int]]:
    """The first and the last number of each set on its way."""
    return [(ids.first, ids.first + ids.total - 1) for ids in _ids_being_made(but) if ids.prefix is None]


def _ids_being_made(but: str) -> list[TaskIds]:
    """Those of each set on its way."""
    rows = TaskSynthesis.objects.filter(status__in=[Status.QUEUED, Status.RUNNING]).exclude(pk=but)
    return [TaskIds.of_order(suite, order) for suite, order in rows.values_list("suite", "order")]


def ask_for(
    *,
    suite: str,
    collection: str,
    world: World,
    endpoint: ModelEndpoint | None,
    order: Mapping[str, Any],
    travellers: UploadedFile[Any] | None = None,
    preview: bool,
    created_by: User | None,
) -> TaskSynthesis:
    """A set of tasks: some of it to look at, or the whole, which a worker begins at once.

    order: as `Order` has it, days as texts, without what stands in rows of its own.

    Raises:
        ChoiceRefused: as `refuse_taken`; or the file of travellers can't be used.
    """
    _forget_old()
    with transaction.atomic():
        refuse_taken(collection=collection, ids=TaskIds.of_order(suite, order))
        row = TaskSynthesis.objects.create(
            suite=suite,
            collection=collection,
            world=world,
            pack=world.pack,
            endpoint=endpoint,
            order={
                **order,
                "model": endpoint.name if endpoint else "",
                "own_travellers": travellers is not None,
            },
            status=Status.LOOKING if preview else Status.QUEUED,
            created_by=created_by,
        )
        row.folder.mkdir(mode=0o700, parents=True)
        if travellers is not None:
            _keep_travellers(row, travellers)
        _enqueue(row)
    return row


def _keep_travellers(row: TaskSynthesis, travellers: UploadedFile[Any]) -> None:
    """Copy a file of travellers into the set's folder.

    Raises:
        ChoiceRefused: they can't be used; the folder is gone then.
    """
    making = synthesis_of(row.suite)
    assert making is not None and making.read_profiles is not None
    with open_output(row.travellers) as copy:
        for piece in travellers.chunks():
            copy.write(piece)
    try:
        making.read_profiles(row.travellers, called=travellers.name or "")
    except (ValueError, OSError) as error:
        shutil.rmtree(row.folder)
        raise ChoiceRefused(str(error), "travellers") from error


def begin(*, row: TaskSynthesis) -> None:
    """Have a worker make the whole set, or go on with it; nothing happens where one does.

    Raises:
        ChoiceRefused: as `refuse_taken`.
    """
    with transaction.atomic():
        if row.brought_by is None:
            ids = TaskIds.of_order(row.suite, row.order)
            refuse_taken(collection=row.collection, ids=ids, but=row.pk)
        idle = TaskSynthesis.objects.filter(
            pk=row.pk, status__in=[Status.DRAFT, Status.FAILED, Status.STOPPED]
        )
        if idle.update(status=Status.QUEUED, problem="", ended_at=None):
            row.refresh_from_db()
            _enqueue(row)


@retries(SET)
def _make_again(job: Job) -> None:
    if (row := TaskSynthesis.objects.select_related("endpoint").filter(pk=job.subject).first()) is not None:
        begin(row=row)


def _enqueue(row: TaskSynthesis) -> None:
    kind = PREVIEW if row.status == Status.LOOKING else SET
    group = f"model {row.endpoint.name}" if row.endpoint else SAMPLER
    jobs.add_missing(kind=kind, subjects=[row.pk], group=group)
    transaction.on_commit(partial(jobs.hand_over, kind=kind, subject=row.pk))


def stop(*, row: TaskSynthesis) -> None:
    """End what goes on; whoever is at it leaves it within seconds. What is done is kept."""
    jobs.cancel(kind=PREVIEW if row.status == Status.LOOKING else SET, subject=row.pk)


def _forget_old() -> None:
    """Delete previews of long ago."""
    since = timezone.now() - LOOKED_AT
    for row in TaskSynthesis.objects.filter(status__in=[Status.LOOKING, Status.DRAFT], created_at__lt=since):
        shutil.rmtree(row.folder, ignore_errors=True)
        row.delete()


# What a worker does.


def keep_sample(*, claimed: Claim, sample: Sample) -> None:
    """Store a preview.

    Raises:
        LeaseLost: another worker has the job.
    """
    told = {
        "places": list(sample.places),
        "tasks": sample.tasks,
        "levels": dict(sample.levels),
        "notes": list(sample.notes),
    }
    with transaction.atomic():
        jobs.fence(claimed=claimed)
        row = TaskSynthesis.objects.filter(pk=claimed.subject, status=Status.LOOKING)
        row.update(sample=told, status=Status.DRAFT, problem="")


def begun_set(*, claimed: Claim) -> TaskSynthesis:
    """The set of a job, which is being made from now on.

    Raises:
        LeaseLost: another worker has the job.
    """
    with transaction.atomic():
        jobs.fence(claimed=claimed)
        TaskSynthesis.objects.filter(pk=claimed.subject).update(status=Status.RUNNING, problem="")
    return TaskSynthesis.objects.select_related("endpoint", "world", "brought_by").get(pk=claimed.subject)


def tell_progress(*, claimed: Claim, done: int, total: int) -> None:
    """Keep how far it is.

    Raises:
        LeaseLost: another worker has the job.
    """
    with transaction.atomic():
        jobs.fence(claimed=claimed)
        TaskSynthesis.objects.filter(pk=claimed.subject).update(done=done, of=total)
        jobs.progress(claimed=claimed, done=done, of=total)


def count_use(*, row: TaskSynthesis, use: ModelUse) -> None:
    """Add requests to those that a set has made to its model, whoever has its job: they were made, and are paid."""
    with transaction.atomic():
        now = TaskSynthesis.objects.select_for_update().filter(pk=row.pk).only("model_use").first()
        if now is not None:
            whole = now.use or ModelUse(row.order["model"], WRITER)
            whole.add(use)
            TaskSynthesis.objects.filter(pk=row.pk).update(model_use=whole.as_json())


def deliver(*, claimed: Claim, row: TaskSynthesis, progress: Callable[[int], None]) -> None:
    """Bring the tasks of a whole file into the catalogue, each once, and tell what was made.

    Raises:
        LeaseLost: another worker has the job.
        TaskFileError: a task's id was taken meanwhile.
    """
    with transaction.atomic():
        jobs.fence(claimed=claimed)
    if row.brought_by is not None and not row.brought_by.complete:  # a worker was killed in the middle of it
        discard(row.brought_by)
    import_tasks(
        read=suite_named(row.suite).tasks.files.stream(row.output_file),
        collection=row.collection,
        world=row.world,
        suite=row.suite,
        progress=progress,
        begun=partial(_bring, row.pk),
    )
    report = json.loads(_files_of(row)["report"].read_bytes())
    with transaction.atomic():
        jobs.fence(claimed=claimed)
        own = TaskSynthesis.objects.filter(pk=row.pk)
        own.update(status=Status.DONE, report=report, done=report["tasks"], ended_at=timezone.now())


def _bring(pk: str, incoming: TaskImport) -> None:
    TaskSynthesis.objects.filter(pk=pk).update(brought_by=incoming)


def end_preview(subject: str, problem: str) -> None:
    """Say why there is no preview."""
    TaskSynthesis.objects.filter(pk=subject, status=Status.LOOKING).update(
        status=Status.DRAFT, problem=_for_people(problem)
    )


def end(subject: str, problem: str) -> None:
    """Say why there are no tasks: somebody stopped it, or it failed."""
    job = Job.objects.filter(kind=SET.name, subject=subject).order_by("-pk").first()
    stopped = job is not None and job.state == State.CANCELLED
    TaskSynthesis.objects.filter(pk=subject, status__in=[Status.QUEUED, Status.RUNNING]).update(
        status=Status.STOPPED if stopped else Status.FAILED,
        problem="" if stopped else _for_people(problem),
        ended_at=timezone.now(),
    )


def _for_people(problem: str) -> str:
    """Files by their names in the data folder: where that is on this machine is nobody's business."""
    return problem.replace(f"{Path(settings.CARAVAN_DATA)}/", "")


# Its files.


def _files_of(row: TaskSynthesis) -> dict[str, Any]:
    synthesis = synthesis_of(row.suite)
    assert synthesis is not None
    return {"tasks": row.output_file, **synthesis.companion_files(row.output_file)}


def files_of(row: TaskSynthesis) -> dict[str, Any]:
    """The files of a set by what they hold, of those that are there."""
    return {what: path for what, path in _files_of(row).items() if path.exists()}
