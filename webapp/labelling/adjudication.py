"""Decisions on items whose answers come to nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from benchmark.labelling.sides import swapped_for
from webapp.accounts.models import User
from webapp.fields import NUL
from webapp.labelling.choices import page_choice
from webapp.labelling.items import ItemRefused, checked_answer
from webapp.labelling.models import Decision, LabelItem, LabelStudy
from webapp.labelling.table import people_labels

LONGEST = 5_000


def swapped_for_reader(study: LabelStudy, item: int, reader: User) -> bool:
    """Whether an adjudicator sees the item's own right plan as A: a coin that falls alike whenever they look.

    item: its primary key.
    """
    return swapped_for((), f"{study.seed}:{item}:adjudicator {reader.pk}")


def decide(
    *,
    item: LabelItem,
    answer: Mapping[str, Any],
    decided_by: User | None,
    note: str = "",
    swapped: bool = False,
) -> Decision:
    """Store a decision with the answers that it was made from; an earlier one stays in the log.

    answer: by the item's own sides. swapped: whether the adjudicator saw them the other way round.

    Raises:
        ItemRefused: the item has a known answer or was taken out, or the answer is none of the study's.
    """
    study = item.study
    checked = checked_answer(study, page_choice(answer), answer.get("scores", {}))
    with transaction.atomic():
        LabelStudy.objects.select_for_update().get(pk=study.pk)  # as answers and whoever takes one back
        kept = LabelItem.objects.get(pk=item.pk)
        if kept.purpose != LabelItem.Purpose.NORMAL:
            raise ItemRefused(_("The answer to this item is known, so there is nothing to decide."))
        if kept.withdrawn_at is not None:
            raise ItemRefused(_("This item was taken out of the study. Put it back to decide it."))
        kept.decisions.filter(current=True).update(current=False)
        labels = people_labels(study, only_counting=not study.pilot).filter(item=kept)
        return Decision.objects.create(
            item=kept,
            choice=checked.get("choice", ""),
            answer=checked,
            note=note.replace(NUL, "").strip()[:LONGEST],
            swapped=swapped,
            seen=list(labels.values_list("pk", flat=True)),
            decided_by=decided_by,
        )


def undecide(*, item: LabelItem) -> None:
    """Let the answers speak for themselves again; the decision stays in the log."""
    item.decisions.filter(current=True).update(current=False)
