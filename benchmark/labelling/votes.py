"""How the raters of an item voted, and what most of them say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from benchmark.labelling.statistic import Definition, Size, Statistic, share_of
from benchmark.labelling.tables import Label, LabelTable
from benchmark.metrics import gettext_noop as _

CONFIRMATION = Definition(
    key="confirmed",
    name=_("confirmed by the majority"),
    meaning=_(
        "The share of released labels that are the majority label of people, among items with a majority."
    ),
    source="TravelBench, appendix E.1",
    share=True,
)
_NO_MAJORITY = _("no item with a label has a majority of people")
L = TypeVar("L", bound=Label)


def majority(votes: Sequence[L], of: int = 0) -> L | None:
    """The label of more than half of the votes; None where there is none. A tie and “neither” are two labels.

    of: how many votes are wanted, where some may be out still.
    """
    if not votes:
        return None
    counts = Counter(votes)
    label = max(counts, key=counts.__getitem__)
    return label if 2 * counts[label] > max(len(votes), of) else None


def majorities(table: LabelTable) -> dict[str, Label | None]:
    """The majority of each item, by its name; None where no label has more than half of its votes."""
    majority_by_item: dict[str, Label | None] = dict.fromkeys(table.items)
    items, codes, counts = table.cells
    chosen = 2 * counts > table.ratings_of[items]
    for item, code in zip(items[chosen].tolist(), codes[chosen].tolist(), strict=True):
        majority_by_item[table.items[item]] = table.labels[code]
    return majority_by_item


def confirmed_share(hits: int, items: int) -> Statistic:
    """The share of items with a majority whose label it confirms, with its exact interval."""
    return share_of(CONFIRMATION, hits, items, _NO_MAJORITY, Size(items=items))


@dataclass(frozen=True, slots=True)
class Votes:
    """How many items got which votes.

    patterns: items by votes, the most frequent label's first: 3-0, 2-1, 1-1-1. of_label: for each label, items by
    (votes for it, all votes), as in TravelBench's tables 11 to 13. items: those with a vote.
    """

    items: int
    patterns: Mapping[str, int]
    of_label: Mapping[Label, Mapping[tuple[int, int], int]]


def votes_of(table: LabelTable) -> Votes:
    """The distribution of votes over the items of a table."""
    patterns = Counter(map(pattern, _counts(table)))
    return Votes(
        items=int((table.ratings_of > 0).sum()),
        patterns={_counts_text(pattern): patterns[pattern] for pattern in sorted(patterns, key=_by_size)},
        of_label={label: _of_label(table, code) for code, label in enumerate(table.labels)},
    )


def pattern(counts: Sequence[int]) -> tuple[int, ...]:
    """The votes of one item, the most frequent label's first."""
    return tuple(sorted(counts, reverse=True))


def _by_size(counts: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    """More votes first, then those that agree more."""
    return -sum(counts), tuple(-count for count in counts)


def _counts_text(counts: tuple[int, ...]) -> str:
    return "-".join(map(str, counts if len(counts) > 1 else (*counts, 0)))


def _counts(table: LabelTable) -> list[list[int]]:
    """The numbers of votes of each item that has any."""
    items, _codes, counts = table.cells
    ends = np.flatnonzero(np.diff(items)) + 1
    return [part.tolist() for part in np.split(counts, ends)] if len(items) else []


def _of_label(table: LabelTable, code: int) -> dict[tuple[int, int], int]:
    items, codes, counts = table.cells
    votes = np.zeros(len(table.items), dtype=np.int64)
    votes[items[codes == code]] = counts[codes == code]
    rated = table.ratings_of > 0
    vote_counts = Counter(zip(votes[rated].tolist(), table.ratings_of[rated].tolist(), strict=True))
    return {key: vote_counts[key] for key in sorted(vote_counts, key=lambda key: (-key[1], -key[0]))}
