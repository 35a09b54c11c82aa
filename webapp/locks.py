"""Taking rows without waiting for whoever has them."""

from __future__ import annotations

from typing import TypeVar

from django.db.models import Model, QuerySet

M = TypeVar("M", bound=Model)


def skip_locked(rows: QuerySet[M]) -> QuerySet[M]:
    """These rows, but those that another transaction has locked; they are locked until this transaction ends.

    So nobody waits for a worker that is frozen with a row in its hands. SQLite, which has one writer, locks no row.
    """
    return rows.select_for_update(skip_locked=True, of=("self",))
