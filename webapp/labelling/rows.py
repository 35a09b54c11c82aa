"""The items of a study as tables and queues show them: what was said of each, and whether it is settled."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from benchmark.labelling.votes import majority
from webapp.labelling.choices import choice_label, is_slight, shown_choice
from webapp.labelling.models import YES_NO, Assignment, Decision, Kind, LabelItem, LabelStudy
from webapp.labelling.table import people_labels

DISAGREEMENT = 3
"""Points between the highest and the lowest rating of a dimension from which raters disagree about it, but where they
say yes or no."""
LETTERS = {"left": "A", "right": "B", "neither": "N", "tie": "T", "yes": "Y", "no": "N"}
Purpose = LabelItem.Purpose


@dataclass(frozen=True, slots=True)
class ItemRow:
    """An item with its answers: `values` are choices, or under a rubric the ratings by dimension.

    hurried, skipped: how many answers were, and how often it was. per_item: how many answers it wants. known_choice:
    the right choice, where one is. slight: what is known or decided is that a side is slightly better. at: the
    message that is rated. yes_no: dimensions whose ratings are no or yes.
    """

    pk: int
    number: int
    purpose: str
    left_agent: str
    right_agent: str
    stratum: str
    task_id: str
    withdrawn: bool
    per_item: int
    values: Sequence[Any]
    decision: str
    is_decided: bool
    hurried: int
    skipped: int
    known_choice: str
    slight: bool = False
    at: int | None = None
    yes_no: Collection[str] = ()

    @property
    def complete(self) -> bool:
        return len(self.values) >= self.per_item

    @property
    def rubric(self) -> bool:
        return bool(self.values) and isinstance(self.values[0], Mapping)

    @property
    def disagree(self) -> bool:
        """Whether any two answers differ; ratings do from `DISAGREEMENT` points on."""
        return self._ratings_disagree() if self.rubric else len(set(self.values)) > 1

    def _ratings_disagree(self) -> bool:
        by_dimension: dict[str, list[int]] = defaultdict(list)
        for scores in self.values:
            for name, score in scores.items():
                by_dimension[name].append(score)
        return any(
            max(ratings) - min(ratings) >= (1 if name in self.yes_no else DISAGREEMENT)
            for name, ratings in by_dimension.items()
        )

    @property
    def majority(self) -> str:
        return "" if self.rubric else majority(self.values, self.per_item) or ""

    @property
    def split(self) -> bool:
        """Whether all answers are there and come to nothing."""
        return self.complete and (self.disagree if self.rubric else not self.majority)

    @property
    def flagged(self) -> bool:
        """Whether something was odd about the answers."""
        return bool(self.hurried or self.skipped)

    @property
    def to_adjudicate(self) -> bool:
        """Whether somebody should decide it."""
        asked = self.purpose == Purpose.NORMAL and not self.withdrawn and not self.is_decided
        return asked and (self.split or (self.complete and self.flagged and self.disagree))

    @property
    def state(self) -> str:
        """The key of `STATES`."""
        if self.withdrawn:
            return "withdrawn"
        if self.purpose != Purpose.NORMAL:
            return "known"
        if self.is_decided:
            return "decided"
        if not self.complete:
            return "waiting"
        return "split" if self.split else "disagree" if self.disagree else "agreed"

    @property
    def state_words(self) -> Promise:
        return STATES[self.state]

    @property
    def votes(self) -> str:
        """`A 2 · B 1`: the answers by how many gave them."""
        return self.votes_as()

    def votes_as(self, swapped: bool = False) -> str:
        """As `votes`. swapped: the item's own A is called B."""
        if self.rubric:
            return ""
        counted = Counter(shown_choice(value, swapped) for value in self.values)
        order = [choice for choice in LETTERS if counted[choice]]
        return " · ".join(f"{LETTERS[choice]} {counted[choice]}" for choice in order)

    @property
    def final(self) -> str:
        """What they come to, in words; "" for nothing yet."""
        return self.final_as()

    def final_as(self, swapped: bool = False) -> str:
        """As `final`. swapped: the item's own A is called B."""
        choice = shown_choice(self.known_choice or self.decision or self.majority, swapped)
        return choice_label(choice, slight=self.slight)


STATES: dict[str, Promise] = {
    "waiting": _("waits for answers"),
    "agreed": _("all agree"),
    "disagree": _("majority"),
    "split": _("no majority"),
    "decided": _("decided"),
    "known": _("known answer"),
    "withdrawn": _("taken out"),
}
FILTERS: dict[str, tuple[Promise, Callable[[ItemRow], bool]]] = {
    "": (_("all items"), lambda row: True),
    "waiting": (_("waiting for answers"), lambda row: row.state == "waiting"),
    "complete": (_("complete"), lambda row: row.complete and row.state not in ("withdrawn", "known")),
    "agreed": (_("all agree"), lambda row: row.state == "agreed"),
    "differ": (_("answers differ"), lambda row: row.disagree and not row.withdrawn),
    "split": (_("no majority"), lambda row: row.split and not row.withdrawn),
    "decided": (_("decided"), lambda row: row.is_decided),
    "flagged": (_("hurried or skipped"), lambda row: row.flagged),
    "withdrawn": (_("taken out"), lambda row: row.withdrawn),
}
"""By which the table of items can be narrowed."""
_COLUMNS = (
    "pk",
    "number",
    "purpose",
    "left_agent",
    "right_agent",
    "stratum",
    "task__task_id",
    "withdrawn_at",
    "answer",
    "at",
)


def row_of(item: LabelItem) -> ItemRow:
    """The row of one item."""
    return next(row for row in item_rows(item.study) if row.pk == item.pk)


def item_rows(study: LabelStudy, *, purpose: str | None = None) -> list[ItemRow]:
    """All items by number, read in a handful of queries whatever their number."""
    items = study.items.order_by("number")
    if purpose:
        items = items.filter(purpose=purpose)
    said, hurried = _answers_by_item(study)
    decisions = Decision.objects.filter(item__study=study, current=True).order_by()
    decided = dict(decisions.values_list("item_id", "answer"))
    skipped = Counter(
        Assignment.objects.filter(item__study=study, status=Assignment.Status.SKIPPED)
        .values_list("item_id", flat=True)
        .order_by()
    )
    yes_no = [name for name, scale in study.scales.items() if scale == YES_NO]
    return [
        ItemRow(
            pk=row[0],
            number=row[1],
            purpose=row[2],
            left_agent=row[3],
            right_agent=row[4],
            stratum=row[5],
            task_id=row[6],
            withdrawn=row[7] is not None,
            per_item=study.per_item,
            values=said.get(row[0], ()),
            decision=decided.get(row[0], {}).get("choice", ""),
            is_decided=row[0] in decided,
            hurried=hurried[row[0]],
            skipped=skipped[row[0]],
            known_choice=str((row[8] or {}).get("choice", "")),
            slight=is_slight(row[8] or decided.get(row[0], {})),
            at=row[9],
            yes_no=yes_no,
        )
        for row in items.values_list(*_COLUMNS).iterator()
    ]


def _answers_by_item(study: LabelStudy) -> tuple[dict[int, list[Any]], Counter[int]]:
    """The answers of people by item, and how many of them were hurried."""
    rubric = study.kind == Kind.RUBRIC
    values: dict[int, list[Any]] = defaultdict(list)
    hurried: Counter[int] = Counter()
    labels = people_labels(study, only_counting=not study.pilot).order_by()
    rows = labels.values_list("item_id", "answer" if rubric else "choice", "hurried")
    for item, value, quick in rows.iterator():
        values[item].append(value.get("scores", {}) if rubric else value)
        hurried[item] += quick
    return values, hurried


def queue_of(rows: Sequence[ItemRow]) -> list[ItemRow]:
    """Those that somebody should decide: without a majority first, then with something odd about the answers."""
    wanted = [row for row in rows if row.to_adjudicate]
    return sorted(wanted, key=lambda row: (not row.split, row.number))
