"""What parts of reports say. Texts are English message ids; whoever shows them translates them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from benchmark.remarks import Plural


@dataclass(frozen=True, slots=True)
class PartWords:
    """The words of one table or figure, or those that several have in common.

    title: the heading. about: what it shows. columns: their heads. axes: their titles by column, and of a column with
    all figures by figure. values: of names in columns, by column. notes: sentences by the keys of `Note`.
    """

    title: str = ""
    about: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)
    axes: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    notes: Mapping[str, str | Plural] = field(default_factory=dict)


NO_WORDS = PartWords()
