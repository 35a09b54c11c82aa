"""What a person asked the workers to do with a row; it is done even if the worker that began has died."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Model, QuerySet
from django.utils import timezone

HELD = timedelta(seconds=15)


@dataclass(frozen=True)
class Errand:
    """Something to be done with a row, which is known by its `name`.

    due: the row's field that says when it is to be done. None where nothing is asked for; a worker that does it
    keeps pushing it out.
    """

    model: type[Model]
    due: str

    def ask(self, name: str) -> None:
        """Ask for it, or ask again."""
        self._set(self._rows(name=name), timezone.now())

    def take(self, name: str) -> bool:
        """Begin with it; False where nobody asks for it, or somebody else is doing it."""
        now = timezone.now()
        return self._set(self._rows(name=name, **{f"{self.due}__lte": now}), now + HELD)

    def keep(self, name: str) -> None:
        """It is still being done."""
        self._set(self._rows(name=name, **{f"{self.due}__isnull": False}), timezone.now() + HELD)

    def end(self, name: str) -> None:
        """It is done."""
        self._set(self._rows(name=name), None)

    def undone(self) -> list[str]:
        """The names of rows with which it is to be done and nobody does it."""
        due = self._rows(**{f"{self.due}__lte": timezone.now()})
        return list(due.order_by(self.due).values_list("name", flat=True))

    def _rows(self, **which: Any) -> QuerySet[Model]:
        return self.model._default_manager.filter(**which)

    def _set(self, rows: QuerySet[Model], due: Any) -> bool:
        return bool(rows.update(**{self.due: due}))
