"""The kinds of background work. An app declares its own in its `jobs` module, and nothing else names them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import QuerySet
from django.utils.functional import Promise

from webapp.jobs.models import Job, Lane
from webapp.jobs.pools import Queue

ATTEMPTS = 5


class JobGroup(NamedTuple):
    """What jobs are a part of, such as a run: what a person calls it, and the address of its page."""

    name: str
    address: str


class Busy(RuntimeError):
    """Another transaction begins a job of the same group; try again in a moment."""


@dataclass(frozen=True)
class Kind:
    """How jobs of one kind are found, shown and cancelled.

    label: what a person calls such a job. link: the address of the page of what a job is for, None where it has none.
    attempts: claims without progress, after which the job is given up. at_once: how many jobs of a group may be at
    work at once; None for any number. limits: how many jobs of a group may be begun and not ended, by group, of
    those that have a limit and jobs to begin; begins: the limit of one group, None without one, with a lock that
    lasts as long as the transaction (`Busy` where another one has it). existing_subjects: those of some subjects
    that there are still, as `rows_of` tells; None where a job is for no row. find: adds jobs that nobody has asked
    for, and says how many it found. cancel: what a person who cancels the job of a subject asks for; None where a
    job can't be cancelled. yields_to_others: whether those of a group, which somebody asked for by the hundred, go
    after those of none. groups: the larger pieces of work that jobs of this kind are parts of, by their ids.
    error_words: what a person reads of the error of a job.
    """

    name: str
    label: str | Promise
    link: Callable[[Job], str | None]
    queue: Queue = Queue.MODELS
    attempts: int = ATTEMPTS
    at_once: Callable[[str], int] | None = None
    limits: Callable[[], Mapping[str, int]] | None = None
    begins: Callable[[str], int | None] | None = None
    existing_subjects: Callable[[Collection[str]], Collection[str]] | None = None
    find: Callable[[], int] | None = None
    cancel: Callable[[str], None] | None = None
    yields_to_others: bool = False
    groups: Callable[[Collection[str]], Mapping[str, JobGroup]] | None = None
    error_words: Callable[[str], str] = str

    @property
    def lane(self) -> Lane:
        """Which threads of a worker do such a job."""
        return Lane.SHORT if self.queue == Queue.SHORT else Lane.LONG


def rows_of(rows: Callable[[], QuerySet[Any]], key: str = "pk") -> Callable[[Collection[str]], set[str]]:
    """Tells those of some subjects that name one of these rows by this column."""

    def existing_subjects(subjects: Collection[str]) -> set[str]:
        return set(map(str, rows().filter(**{f"{key}__in": subjects}).values_list(key, flat=True)))

    return existing_subjects


_kinds: dict[str, Kind] = {}
Retry = Callable[[Job], object]
_retries: dict[str, tuple[Retry, bool]] = {}


def register(kind: Kind) -> Kind:
    """Make a kind known.

    Raises:
        ValueError: another kind has this name.
    """
    if _kinds.setdefault(kind.name, kind) != kind:
        raise ValueError(f"there is a kind of jobs called “{kind.name}” already")
    return kind


def retries(kind: Kind, *, grouped: bool = False) -> Callable[[Retry], Retry]:
    """Declare how a failed job of a kind is done once more, in a new job.

    grouped: only jobs of a group can be. What is declared raises ChoiceRefused, with what a person should know, where
    that can't be. A kind for which nobody declares anything has nothing left to begin from, such as a file.
    """

    def declare(retry: Retry) -> Retry:
        _retries[kind.name] = retry, grouped
        return retry

    return declare


def retry_of(job: Job) -> Retry | None:
    """How a job that has failed is done once more, None where that can't be."""
    retry, grouped = _retries.get(job.kind, (None, False))
    return None if grouped and not job.group else retry


def kinds() -> list[Kind]:
    """All of them; those whose jobs a person waits for come first."""
    return sorted(_kinds.values(), key=lambda kind: kind.queue != Queue.SHORT)


def kind_named(name: str) -> Kind | None:
    """The kind, None for one that this version does not have."""
    return _kinds.get(name)
