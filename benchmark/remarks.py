"""Sentences that the core writes and the web application translates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple


def gettext_noop(message: str) -> str:
    """Mark a text for the catalogues of translations; whoever shows it translates it."""
    return message


class Plural(NamedTuple):
    """A sentence that depends on a number. by: the number's name among what fills the sentence."""

    one: str
    other: str
    by: str


def ngettext_noop(one: str, other: str, by: str = "n") -> Plural:
    """Mark a sentence that depends on a number, as `gettext_noop` marks others."""
    return Plural(one, other, by)


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence. text: an English message id, which the web application translates; values: what stands in it.

    A value may be a remark of its own.
    """

    text: str
    values: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.text % self.values

    def as_json(self) -> dict[str, Any]:
        """As JSON, which `read_remark` reads."""
        held = {
            name: value.as_json() if isinstance(value, Remark) else value
            for name, value in self.values.items()
        }
        return {"text": self.text, "values": held}


def read_remark(listed: Mapping[str, Any]) -> Remark:
    """A remark from its JSON."""
    return Remark(
        listed["text"],
        {
            name: read_remark(value) if isinstance(value, dict) else value
            for name, value in listed["values"].items()
        },
    )


def join_remarks(remarks: Sequence[Remark]) -> Remark:
    """Several as one, at least one."""
    *before, joined_remark = remarks
    for remark in reversed(before):
        joined_remark = Remark("%(one)s; %(other)s", {"one": remark, "other": joined_remark})
    return joined_remark
