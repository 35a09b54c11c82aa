"""Columns of tables, each declared once: how it is shown, ordered, filtered and exported."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from html import escape
from io import StringIO
from typing import Any, Literal

from django.db.models import F, FloatField, Func
from django.template.defaultfilters import date
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from webapp.templatetags.caravan import bound_length
from webapp.wording.numbers import number_words

Kind = Literal["text", "number", "time", "date"]


class NumberAt(Func):
    """A number of a row's values, which hold no null: None where it is not among them.

    SQLite reads the JSON of all 100,000 rows to find one number in each, so there it is looked for in the text.
    """

    output_field = FloatField()

    def __init__(self, key: str, **extra: Any) -> None:
        super().__init__(F("values"), **extra)
        self.key = key

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> tuple[str, tuple[Any, ...]]:
        """What stands after its key, as Django writes it: in a string of JSON no quote follows a space or brace."""
        column, params = compiler.compile(self.source_expressions[0])
        key = f"{json.dumps(self.key)}: "
        places = f"COALESCE(NULLIF(INSTR({column}, %s), 0), NULLIF(INSTR({column}, %s), 0))"
        given = (*params, *params, f" {key}", *params, f"{{{key}")
        return f"CAST(SUBSTR({column}, {places} + {len(key) + 1}) AS REAL)", given

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> tuple[str, tuple[Any, ...]]:
        """By its key."""
        column, params = compiler.compile(self.source_expressions[0])
        return f"({column} ->> %s)::double precision", (*params, self.key)


@dataclass(frozen=True, slots=True)
class Column:
    """One column. key: in addresses and files. kind: what is ordered; numbers and times stand with the most first.

    low_first: the other way round, since less is better, or for texts. read: its value of a row, for files; words:
    the same for a reader. field: of the row, "" for the one of its values that `value` names, or for what `by` makes.
    title: what the head explains. aligned: whether a number is shown as one. scale, digits: what a number is shown
    times, 100 for a share in per cent, and with how many decimals; filters are given in what is shown. unit: what
    filters say of a number.
    """

    key: str
    label: str | Promise
    kind: Kind
    read: Callable[[Any], Any]
    words: Callable[[Any], str]
    field: str = ""
    value: str = ""
    low_first: bool = False
    title: str = ""
    by: Any = None
    aligned: bool = True
    scale: float = 1.0
    digits: int = 0
    unit: str = ""

    @property
    def number(self) -> bool:
        """Whether it stands to the right."""
        return self.kind == "number" and self.aligned

    @property
    def expression(self) -> Any:
        """What the database orders and filters by."""
        if self.by is not None:
            return self.by
        return F(self.field) if self.field else NumberAt(self.value)

    def least(self, shown: float) -> float:
        """The least value that is shown as this number or a higher one."""
        return (shown - self._half) / self.scale

    def most(self, shown: float) -> float:
        """The greatest value that is shown as this number or a lower one."""
        return (shown + self._half) / self.scale

    @property
    def _half(self) -> float:
        return 0.5 * 10.0**-self.digits


def column(
    key: str,
    label: str | Promise,
    kind: Kind = "text",
    words: Callable[[Any], str] | None = None,
    field: str = "",
) -> Column:
    """One whose value stands in a field of its own, that of its key unless it is named. words: None for as it is."""
    name = field or key

    def read(row: Any) -> Any:
        return getattr(row, name)

    def cell_text(row: Any) -> str:
        value = read(row)
        return "–" if value is None or value == "" else words(value) if words else str(value)

    return Column(key, label, kind, read, cell_text, name, low_first=kind == "text")


def keys_joined(keys: Iterable[str]) -> str:
    """Keys of columns as an address holds them: with commas, in quotes where a key holds one, as a judge's does."""
    written = StringIO()
    csv.writer(written, lineterminator="\r\n").writerow(keys)  # by which a key with a line break is quoted
    return written.getvalue().removesuffix("\r\n")


def keys_of(joined: str) -> list[str]:
    """The keys that an address holds; none where it can't be read."""
    try:
        return next(csv.reader(StringIO(joined, newline="")), [])
    except csv.Error:
        return []


def cell(words: str, classes: str = "", only: str = "") -> SafeString:
    """A cell of a table. A page has some hundreds of them, which templates take a fifth of its time for.

    only: the end of the address that leaves the rows with this value, "" where there is none.
    """
    begin = f'<td class="{classes}">' if classes else "<td>"
    told = escape(bound_length(words))
    if only:
        # not among the stops of the Tab key, of which a page would have hundreds: there are the filters
        told = f'<a class="only" tabindex="-1" href="?{escape(only)}">{told}</a>'
    return SafeString(f"{begin}{told}</td>")


def whole(value: float) -> str:
    return number_words(value, 0)


def time(at: datetime) -> str:
    return date(at, _("M j, H:i"))
