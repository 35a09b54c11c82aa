"""A researcher's look at one item: every answer with where it came from, and what was decided."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from benchmark.labelling.blinding import blind_for
from webapp.judging.models import Rater
from webapp.labelling.blind import names_of
from webapp.labelling.choices import choice_label, is_slight, shown_choice
from webapp.labelling.models import (
    Assignment,
    Decision,
    Kind,
    Label,
    LabelItem,
    LabelStudy,
)
from webapp.labelling.qualifying import is_right
from webapp.labelling.scales import dimension_label, rating_words


@dataclass(frozen=True, slots=True)
class Look:
    """How an item is looked at. swapped: its own A is called B. blind: raters have numbers, and texts name nobody."""

    swapped: bool = False
    blind: bool = False


PLAIN = Look()


@dataclass(frozen=True)
class AnswerEntry:
    """An answer. earlier: those of the same rater and showing that it took the place of, newest first.

    who: what the rater is called. look: as which letters stand and names are masked.
    """

    label: Label
    study: LabelStudy
    earlier: tuple[Label, ...] = ()
    who: str = ""
    look: Look = PLAIN

    @property
    def words(self) -> str:
        return answer_words(self.study, self.label.answer, swapped=self.look.swapped)

    @property
    def rationale(self) -> str:
        return _words_of(self.label, self.look)

    @property
    def earlier_words(self) -> list[tuple[str, str, Label]]:
        """Answer, reason and label of each."""
        return [
            (
                answer_words(self.study, label.answer, swapped=self.look.swapped),
                _words_of(label, self.look),
                label,
            )
            for label in self.earlier
        ]

    @property
    def source(self) -> str:
        """Where it came from, and on which terms."""
        label, said = self.label, []
        if label.source != Label.Source.PAGE:
            said.append(str(label.get_source_display()))
        if self.study.kind == Kind.PAIRWISE and (
            label.source == Label.Source.PAGE or (self.look.swapped and label.rationale)
        ):
            said.append(_sides(label.swapped, self.look))
        if label.repeat:
            said.append(_("a repeat, which does not count"))
        said.append(_("version %(v)s") % {"v": label.study_version})
        return ", ".join(said)

    @property
    def taken_back(self) -> bool:
        """Whether nothing has come in its place."""
        return not self.label.stands

    @property
    def right(self) -> bool | None:
        """Whether it is the known answer; None where none is known."""
        return is_right(self.label.item, self.label.answer) if self.label.item.answer else None


def _sides(swapped: bool, look: Look) -> str:
    """How the sides stood for a rater; their reason has their letters."""
    if not (look.blind or look.swapped):
        return _("A was shown on the right") if swapped else _("A was shown on the left")
    if swapped == look.swapped:
        return _("saw the sides as shown here")
    return _("saw the sides swapped: A in the reason is B here")


def _words_of(label: Label, look: Look) -> str:
    return mask_names(label.item, label.rationale) if look.blind else label.rationale


def mask_names(item: LabelItem, text: str) -> str:
    """A text of a rater without names of agents and models."""
    return blind_for(names_of(item)).names_masked(text)


def answer_words(study: LabelStudy, answer: Mapping[str, Any], *, swapped: bool = False) -> str:
    """An answer in words: `A`, or `coverage 4, timeliness 3`. swapped: with the item's own A called B."""
    if "scores" in answer:
        scales = study.scales
        return ", ".join(
            f"{dimension_label(study, name)} {rating_words(score, scales.get(name))}"
            for name, score in answer["scores"].items()
        )
    choice = shown_choice(str(answer.get("choice", "")), swapped)
    return choice_label(choice, slight=is_slight(answer))


def answers_of(item: LabelItem, look: Look = PLAIN) -> list[AnswerEntry]:
    """Every answer to an item, of people and of models, in the order in which they came."""
    rows = item.labels.select_related("rater", "assignment").order_by("created_at", "pk")
    series: dict[tuple[str, int | None, int], list[Label]] = defaultdict(list)
    for label in rows:
        label.item = item
        series[label.rater_id, label.assignment_id, label.repeat].append(label)
    names = _rater_names([labels[-1].rater for labels in series.values()], look)
    return [
        AnswerEntry(labels[-1], item.study, tuple(reversed(labels[:-1])), names[labels[-1].rater_id], look)
        for labels in series.values()
    ]


def _rater_names(raters: Iterable[Rater], look: Look) -> dict[str, str]:
    """What raters are called, by id: by their names, or by numbers in their order."""
    if not look.blind:
        return {rater.pk: rater.name for rater in raters}
    names: dict[str, str] = {}
    for rater in raters:
        names.setdefault(rater.pk, _("rater %(n)s") % {"n": len(names) + 1})
    return names


def skips_of(item: LabelItem, look: Look = PLAIN) -> list[Skip]:
    """Who gave the item back, and why."""
    skipped = item.assignments.filter(status=Assignment.Status.SKIPPED)
    rows = skipped.select_related("annotator__rater").order_by("ended_at")
    if look.blind:
        return [Skip(_("somebody"), mask_names(item, row.reason), row.ended_at) for row in rows]
    return [Skip(row.annotator.rater.name, row.reason, row.ended_at) for row in rows]


class Skip(NamedTuple):
    """That somebody gave an item back."""

    who: str
    reason: str
    at: datetime | None


def decisions_of(item: LabelItem, look: Look = PLAIN) -> list[tuple[str, Decision]]:
    """What was decided, the newest first, in words."""
    rows = item.decisions.select_related("decided_by").order_by("-created_at", "-pk")
    return [
        (answer_words(item.study, row.answer or {"choice": row.choice}, swapped=look.swapped), row)
        for row in rows
    ]
