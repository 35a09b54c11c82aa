"""The fields of tasks in tables: a column each, and the inputs of a filter."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from benchmark.suites.base import FieldKind
from webapp.catalogue.fields import ListedField
from webapp.catalogue.wording import YES_OR_NO, cell_words
from webapp.forms import OneOf, TextField
from webapp.tables.columns import Column, Kind

LONGEST_WORDS = 200
MOST = 99
"""The highest number that a filter by one number takes."""
ANY = ("", "—")
_KINDS: Mapping[FieldKind, Kind] = {"text": "text", "date": "date"}
"""What the column of a field sorts by; by a number for all others."""


def field_column(listed: ListedField, read: Callable[[Any], Any]) -> Column:
    """The column of a field. read: what the field says of a row."""
    kind = _KINDS.get(listed.own.kind, "number")
    return Column(
        listed.name,
        listed.label,
        kind,
        lambda row: _plain(listed, read(row)),
        lambda row: cell_words(listed, read(row)),
        low_first=kind == "text" or listed.own.kind == "choice",
        by=listed.expression,
        aligned=listed.own.kind in ("count", "some", "number"),
    )


def _plain(listed: ListedField, cell: Any) -> Any:
    """As files have it."""
    return ", ".join(map(str, cell or ())) if listed.own.kind == "names" else cell


@dataclass(frozen=True, slots=True)
class FieldFilter:
    """The filter by a field: an input, or two for the ends of a range."""

    field: ListedField

    @property
    def is_range(self) -> bool:
        """Whether it has two inputs."""
        return self.field.own.kind in ("number", "date")

    @property
    def names(self) -> tuple[str, ...]:
        """Of its inputs, as addresses have them."""
        name = self.field.name
        return (f"{name}-from", f"{name}-to") if self.is_range else (name,)

    def inputs(self) -> Iterator[tuple[str, forms.Field]]:
        """By name."""
        label = capfirst(self.field.label)
        if not self.is_range:
            yield self.names[0], self._input(label)
            return
        for name, words in zip(self.names, (_("%(field)s from"), _("%(field)s to")), strict=True):
            yield name, self._end(words % {"field": label})

    def _end(self, label: str) -> forms.Field:
        if self.field.own.kind == "number":
            return forms.FloatField(required=False, label=label)
        return forms.DateField(required=False, label=label, widget=forms.DateInput(attrs={"type": "date"}))

    def _input(self, label: str) -> forms.Field:
        choices = self.field.choices
        match self.field.own.kind:
            case "some":
                return forms.BooleanField(required=False, label=choices.get("on", label))
            case "flag":
                return _one_of(label, {**YES_OR_NO, **choices})
            case "count" if not choices:
                return forms.IntegerField(required=False, min_value=1, max_value=MOST, label=label)
        return (
            _one_of(label, choices)
            if choices
            else TextField(required=False, max_length=LONGEST_WORDS, label=label)
        )

    def value_in(self, given: Mapping[str, Any]) -> Any:
        """What `ListedField.condition` takes, of the filters that are set; None where none of its inputs is."""
        ends = [given.get(name) for name in self.names]
        if all(end is None for end in ends):
            return None
        return tuple(ends) if self.is_range else ends[0]


def _one_of(label: str, choices: Mapping[str, Any]) -> OneOf:
    return OneOf(required=False, choices=[ANY, *choices.items()], label=label)


def filters_of(known: Mapping[str, ListedField]) -> list[FieldFilter]:
    """Those by the fields that any benchmark has found by."""
    return [FieldFilter(listed) for listed in known.values() if listed.is_filtered_in(listed.by_suite)]


def plain_value(value: Any) -> Any:
    """What a filter is set to, as an address has it: a day and a ticked box as words."""
    if value is True:
        return "on"
    return value.isoformat() if isinstance(value, date) else value
