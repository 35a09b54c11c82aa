"""How often people confirm the labels of data, with exact intervals (appendix E.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from benchmark.labelling.binomial import clopper_pearson
from benchmark.labelling.tables import LabelTable
from benchmark.labelling.votes import majorities, votes_of

YES, NO = "yes", "no"


@dataclass(frozen=True, slots=True)
class Confirmed:
    """confirmed: items for which most people say yes. items: those with a majority. undecided: without one.

    interval: of the share, Clopper-Pearson, 95 %; None of no items. votes: items by how many of how many said yes.
    """

    confirmed: int
    items: int
    undecided: int
    interval: tuple[float, float] | None
    votes: Mapping[tuple[int, int], int]

    @property
    def share(self) -> float | None:
        """None of no items."""
        return self.confirmed / self.items if self.items else None


def confirmed(table: LabelTable) -> Confirmed:
    """What people say in a study that asks whether a label is right.

    Raises:
        ValueError: a label is neither yes nor no.
    """
    if others := sorted({str(label) for label in table.labels} - {YES, NO}):
        raise ValueError(
            f"a label is {others[0]!r}, neither {YES} nor {NO}; export a study with a yes/no question"
        )
    found = majorities(table)
    decided = [label for label in found.values() if label is not None]
    hits = sum(label == YES for label in decided)
    return Confirmed(
        hits, len(decided), len(found) - len(decided), clopper_pearson(hits, len(decided)), _yes_votes(table)
    )


def _yes_votes(table: LabelTable) -> Mapping[tuple[int, int], int]:
    """By (votes for yes, all votes); where nobody says yes, from the votes for no."""
    of_label = votes_of(table).of_label
    if YES in of_label:
        return of_label[YES]
    return {(of - no, of): items for (no, of), items in of_label.get(NO, {}).items()}
