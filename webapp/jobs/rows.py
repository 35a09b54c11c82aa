"""Groups of rows about each of which a model is asked by a job of its own, such as the judgements of a batch.

A row has a `status`: queued while its job is open, else stopped, failed, broken, or what came of it. Besides it has
`tries`, `problem`, and `ended_at`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, TypeVar

from django.db.models import Count, QuerySet

from webapp import clock
from webapp.jobs import services
from webapp.jobs.kinds import Kind
from webapp.jobs.selectors import at_work
from webapp.jobs.services import Claim

QUEUED, STOPPED, FAILED, BROKEN = "queued", "stopped", "failed", "broken"


@dataclass(frozen=True, slots=True)
class RowProgress:
    """Rows of a group by status; subclasses add what came of others.

    asking: of the queued ones, those with a request on its way.
    """

    queued: int = 0
    broken: int = 0
    failed: int = 0
    stopped: int = 0
    asking: int = 0

    @property
    def all(self) -> int:
        """All of them."""
        counts: dict[str, int] = asdict(self)
        return sum(counts.values()) - self.asking

    @property
    def ended(self) -> int:
        """Those to which nothing more happens."""
        return self.all - self.queued

    @property
    def unanswered(self) -> int:
        """Those that ended without an answer that could be read."""
        return self.useless + self.stopped

    @property
    def useless(self) -> int:
        """Those that were asked about in vain."""
        return self.broken + self.failed

    @property
    def going(self) -> bool:
        """Whether some are still to end."""
        return self.queued > 0


P = TypeVar("P", bound=RowProgress)


def progress_of(
    progress: type[P], kind: Kind, rows: QuerySet[Any], group: str, wanted: Iterable[str]
) -> dict[str, P]:
    """How far the wanted groups are, by their ids. group: the field of the rows that names theirs."""
    counts: dict[str, dict[str, int]] = {pk: {} for pk in wanted}
    by_status = rows.filter(**{f"{group}__in": counts}).order_by().values(group, "status")
    for pk, status, count in by_status.annotate(n=Count("pk")).values_list(group, "status", "n"):
        counts[pk][status] = count
    for pk, count in at_work(kind, list(counts)).items():
        counts[pk]["asking"] = count
    return {pk: progress(**given) for pk, given in counts.items()}


def end_fields(status: str) -> dict[str, Any]:
    """What a row has at its end."""
    return {"status": status, "ended_at": clock.now()}


def hand_over_group(*, kind: Kind, group: str) -> None:
    """Ask the workers to go on with a group; as many rows as its model takes requests at once."""
    for subject in services.due_in(kind=kind, group=group):
        services.hand_over(kind=kind, subject=subject)


def stop_rows(*, kind: Kind, group: str, rows: QuerySet[Any]) -> None:
    """Make no further request; one on its way is broken off by whoever waits for it. Call it in a transaction."""
    services.cancel_group(kind=kind, group=group)
    going = services.open_jobs(kind).filter(group=group).values_list("subject", flat=True)
    rows.filter(status=QUEUED).exclude(pk__in=map(int, going)).update(**end_fields(STOPPED))


def ask_again(*, kind: Kind, group: str, rows: QuerySet[Any], **fresh: Any) -> int:
    """Queue rows of a group that have ended; how many they are. fresh: what else they have then.

    Call it in a transaction.
    """
    services.take_back_cancel(kind=kind, group=group)
    subjects = [str(pk) for pk in rows.select_for_update().values_list("pk", flat=True)]
    rows.update(status=QUEUED, tries=0, problem="", ended_at=None, **fresh)
    services.add(kind=kind, subjects=subjects, group=group)
    return len(subjects)


def give_back(*, claimed: Claim, due_at: datetime | None, status: str | None, problem: str) -> None:
    """Give a row's job back, or end it as the row has ended. status: None for one that has not; problem: why."""
    if status is None:
        services.release(claimed=claimed, due_at=due_at)
    elif status == STOPPED:
        services.cancelled(claimed=claimed)
    elif status in (FAILED, BROKEN):
        services.fail(claimed=claimed, error=problem)
    else:
        services.finish(claimed=claimed)
