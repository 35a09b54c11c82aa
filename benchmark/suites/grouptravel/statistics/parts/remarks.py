"""What is odd about tasks."""

from __future__ import annotations

from benchmark.remarks import gettext_noop as _
from benchmark.remarks import ngettext_noop
from benchmark.reports.dataset import DatasetPart
from benchmark.reports.table import Cell, Column, Note, Table
from benchmark.reports.words import PartWords
from benchmark.suites.grouptravel.statistics.dataset import Dataset

MOST_LISTED = 100
KINDS = {
    "two_tiers": _("the same item is in two lists of a user"),
    "twice": _("an item is twice in a list"),
    "broken_encoding": _("a text has broken encoding"),
    "no_text": _("an entry is not text and does not count"),
    "no_list": _("not a list; nothing in it counts"),
    "no_number": _("not a number above zero; it does not count"),
    "empty_table": _("a preference table has no item"),
    "foreign_city": _("preferences for a city that is not a destination; they count"),
    "departs_from_destination": _("the departure city is a destination"),
    "unknown_archetype": _("the paper does not have this archetype"),
    "other_size": _("the group's size is not that of its archetype"),
    "other_pattern": _("the compromise pattern names other users than those who may compromise"),
    "beyond_scales": _("the difficulty scales do not cover this number of people, days and cities"),
    "no_score": _("no difficulty score; the formula's counts"),
    "other_score": _("the difficulty score is not the formula's"),
    "other_type": _("the difficulty is not the formula's"),
}


def remarks(data: Dataset) -> Table:
    """A row a remark, as far as they are listed."""
    rows: list[list[Cell]] = [
        [remark.kind, remark.task_id, remark.field, remark.item, remark.expected]
        for remark in data.remarks[:MOST_LISTED]
    ]
    columns = tuple(Column(key, "name") for key in ("remark", "task", "place", "item", "instead"))
    left = len(data.remarks) - len(rows)
    notes = [Note("more_remarks", {"n": left})] if left else []
    return Table(columns, rows, notes or ([] if rows else [Note("no_remarks")]))


PART = DatasetPart(
    "remarks",
    remarks,
    words=PartWords(
        _("Remarks"),
        _("Faults that a published task should not have. The tasks count all the same."),
        columns={
            "remark": _("remark"),
            "task": _("task"),
            "place": _("field"),
            "item": _("found"),
            "instead": _("expected"),
        },
        values={"remark": KINDS},
        notes={
            "more_remarks": ngettext_noop(
                "%(n)s more remark; the JSON file has all.", "%(n)s more remarks; the JSON file has all."
            ),
            "no_remarks": _("No remarks."),
        },
    ),
)
