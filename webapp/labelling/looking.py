"""A researcher's look at one item: every answer with where it came from, and what was decided."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from webapp.labelling.forms import dimension_label
from webapp.labelling.models import Assignment, Choice, Decision, Kind, Label, LabelItem, LabelStudy
from webapp.labelling.queue import is_right


@dataclass(frozen=True)
class Said:
    """An answer. earlier: those of the same rater and showing that it took the place of, newest first."""

    label: Label
    study: LabelStudy
    earlier: tuple[Label, ...] = ()

    @property
    def words(self) -> str:
        return answer_words(self.study, self.label.answer)

    @property
    def earlier_words(self) -> list[tuple[str, Label]]:
        return [(answer_words(self.study, label.answer), label) for label in self.earlier]

    @property
    def source(self) -> str:
        """Where it came from, and on which terms."""
        label, said = self.label, []
        if label.source != Label.Source.PAGE:
            said.append(str(label.get_source_display()))
        elif self.study.kind == Kind.PAIRWISE:
            said.append(_("A was shown on the right") if label.swapped else _("A was shown on the left"))
        if label.assignment and label.assignment.repeat:
            said.append(_("a repeat, which does not count"))
        said.append(_("version %(v)s") % {"v": label.study_version})
        return ", ".join(said)

    @property
    def taken_back(self) -> bool:
        """Whether nothing has come in its place."""
        return not self.label.current

    @property
    def right(self) -> bool | None:
        """Whether it is the known answer; None where none is known."""
        return is_right(self.label.item, self.label.answer) if self.label.item.answer else None


def answer_words(study: LabelStudy, answer: Mapping[str, Any]) -> str:
    """An answer in words: `A`, or `coverage 4, timeliness 3`."""
    if "scores" in answer:
        return ", ".join(
            f"{dimension_label(study, name)} {score}" for name, score in answer["scores"].items()
        )
    choice = answer.get("choice", "")
    return str(Choice(choice).label) if choice in Choice else str(choice)


def answers_of(item: LabelItem) -> list[Said]:
    """Every answer to an item, of people and of models, in the order in which they came."""
    rows = item.labels.select_related("rater", "assignment").order_by("created_at", "pk")
    series: dict[tuple[str, int | None], list[Label]] = defaultdict(list)
    for label in rows:
        label.item = item
        series[label.rater_id, label.assignment_id].append(label)
    return [Said(labels[-1], item.study, tuple(reversed(labels[:-1]))) for labels in series.values()]


def skips_of(item: LabelItem) -> list[Assignment]:
    """Who gave the item back, and why."""
    skipped = item.assignments.filter(status=Assignment.Status.SKIPPED)
    return list(skipped.select_related("annotator__rater").order_by("ended_at"))


def decisions_of(item: LabelItem) -> list[tuple[str, Decision]]:
    """What was decided, the newest first, in words."""
    rows = item.decisions.select_related("decided_by").order_by("-created_at", "-pk")
    return [(answer_words(item.study, row.answer or {"choice": row.choice}), row) for row in rows]
