"""How often people confirm the labels of data in a yes/no study, with exact intervals (TravelBench, appendix E.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from benchmark.labelling.statistic import Definition, Statistic
from benchmark.labelling.tables import LabelTable
from benchmark.labelling.votes import confirmed_share, majorities, votes_of
from benchmark.metrics import gettext_noop as _
from benchmark.remarks import Remark

YES, NO = "yes", "no"
YES_VOTES = Definition(
    key="yes_votes",
    name=_("items by votes for yes"),
    meaning=_("The number of items for which this many of their annotators say yes."),
    source="TravelBench, tables 11 to 13",
)
_LEFT_OUT = _("%(n)s without a majority, left out")
Counts = Mapping[tuple[int, int], int]
"""Items by (votes for yes, all votes)."""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """confirmed: items for which most people say yes. items: those with a majority. undecided: without one.

    share: of the items with a majority, 0 to 1, with its interval (Clopper-Pearson, 95 %); no value where there are
    none. votes: for each number of votes that an item has, items by each number of yes, the most first, 0 too
    (tables 11 to 13).
    """

    confirmed: int
    items: int
    undecided: int
    share: Statistic
    votes: Counts


def confirmation_of(table: LabelTable) -> Confirmation:
    """What people say in a study that asks whether a label is right.

    Raises:
        ValueError: a label is neither yes nor no.
    """
    if others := sorted({str(label) for label in table.labels} - {YES, NO}):
        raise ValueError(
            f"a label is {others[0]!r}, neither {YES} nor {NO}; export a study with a yes/no question"
        )
    winners = majorities(table)
    decided = [label for label in winners.values() if label is not None]
    hits = sum(label == YES for label in decided)
    share, undecided = confirmed_share(hits, len(decided)), len(winners) - len(decided)
    if undecided:
        share = replace(share, remarks=(Remark(_LEFT_OUT, {"n": undecided}),))
    return Confirmation(hits, len(decided), undecided, share, _every(_yes_votes(table)))


def _yes_votes(table: LabelTable) -> Counts:
    """Where nobody says yes, from the votes for no."""
    of_label = votes_of(table).of_label
    if YES in of_label:
        return of_label[YES]
    return {(of - no, of): items for (no, of), items in of_label.get(NO, {}).items()}


def _every(votes: Counts) -> Counts:
    """With the numbers of yes that no item has."""
    wanted = sorted({of for _, of in votes}, reverse=True)
    return {(yes, of): votes.get((yes, of), 0) for of in wanted for yes in range(of, -1, -1)}
