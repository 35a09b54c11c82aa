"""Labels that were made elsewhere, brought into a study: all of a file or nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils import timezone

from benchmark.inputs import LineProblem, Problems
from benchmark.labelling.files.checks import ItemAnswers, ItemClues, Terms
from benchmark.labelling.files.exports import (
    PERSON,
    AnswerContent,
    DecisionExport,
    KnownExport,
    LabelExport,
    letter_of,
)
from benchmark.labelling.files.read import read_labels
from benchmark.labelling.tables import BadTable
from benchmark.text.spelling import FieldSpellings, plain
from webapp.fields import plain_name
from webapp.judging.models import Rater
from webapp.labelling.choices import is_slight, stored_choice
from webapp.labelling.files import names_of
from webapp.labelling.items import ItemRefused, set_known
from webapp.labelling.models import TOLD_KEY, Decision, Label, LabelItem, LabelStudy
from webapp.labelling.retention import removed_words
from webapp.wording.remarks import remark_words

AT_ONCE = 500


@dataclass
class ImportCounts:
    """What a file came to. skipped: what was there already; raters: new people; known_answers: of items.

    joined: names that are written in several ways and were taken as one, each in words.
    """

    labels: int = 0
    decisions: int = 0
    skipped: int = 0
    raters: int = 0
    known_answers: int = 0
    joined: list[str] = field(default_factory=list)


def terms_of(study: LabelStudy) -> Terms:
    """What a file for this study may say."""
    rows = study.items.values_list("number", "task__task_id", "left_agent", "right_agent")
    items = {number: ItemClues(*known) for number, *known in rows.iterator()}
    return Terms(tuple(map(str, study.choices)), study.scales, items, slight=study.has_slight)


def import_labels(*, study: LabelStudy, path: Path, name: str = "", format_: str = "") -> ImportCounts:
    """Bring in the labels of a file. What is there stays: the same answer is skipped, another one refused.

    name: of the file as its sender calls it, by which its format is known. Raters whom the study does not know become
    people.

    Raises:
        BadTable: something is wrong with the file; nothing of it is stored.
        ValueError, OSError: it can't be read, or is too large; or the data of the study's annotators was removed.
    """
    spellings = FieldSpellings()
    given = read_labels(path, terms_of(study), name=name, format_=format_, names=spellings)
    with transaction.atomic():
        locked = LabelStudy.objects.select_for_update().get(pk=study.pk)
        if locked.data_removed_at is not None:
            raise ValueError(removed_words())
        LabelStudy.objects.filter(pk=study.pk).update(kept_from=timezone.now())
        bringing = _Bringing.begin(locked, spellings)
        for begin in range(0, len(given), AT_ONCE):
            bringing.take(given[begin : begin + AT_ONCE])
        if bringing.problems:
            raise BadTable(bringing.problems)
    bringing.counts.joined = list(map(remark_words, spellings.remarks))
    return bringing.counts


@dataclass
class _Bringing:
    """An import on its way. by_id, by_name: the raters that are known, or were made."""

    study: LabelStudy
    by_id: dict[str, Rater]
    by_name: dict[str, Rater]
    problems: Problems = field(default_factory=Problems)
    counts: ImportCounts = field(default_factory=ImportCounts)
    label_lines: dict[tuple[int, str, int], int] = field(default_factory=dict)
    """The line of each present label of the file, by item, rater and repeat."""

    @classmethod
    def begin(cls, study: LabelStudy, spellings: FieldSpellings) -> _Bringing:
        """spellings: of the file; the raters of the study join them."""
        names = names_of(study)
        raters = Rater.objects.in_bulk(list(names))
        return cls(study, raters, {spellings.plain("rater", name): raters[pk] for pk, name in names.items()})

    def take(self, given: Iterable[ItemAnswers]) -> None:
        """Store what is said of some items."""
        said = {item_answers.number: item_answers for item_answers in given}
        items = {item.number: item for item in self.study.items.filter(number__in=said)}
        for number, item_answers in said.items():
            for line, purpose, known in item_answers.known_answers:
                self._know(items[number], line, purpose, known)
        there = _stored_labels(items.values())
        made: list[Label] = []
        seen: dict[tuple[int, int], Label] = {}
        for number, item_answers in said.items():
            for at, (line, label) in enumerate(item_answers.labels):
                row = self._label(items[number], line, label, there.get(items[number].pk, []))
                if row is not None:
                    seen[number, at] = row
                    if row.pk is None:
                        made.append(row)
        if self.problems:
            return
        Label.objects.bulk_create(made, batch_size=AT_ONCE)
        self.counts.labels += len(made)
        self._decide(said, items, seen)

    def _know(self, item: LabelItem, line: int, purpose: str, given: KnownExport) -> None:
        """Give an item its known answer. One that it has stays: the same is skipped, another refused."""
        answer = _answer(given)
        if item.answer:
            if (item.purpose, item.answer) == (purpose, answer):
                self.counts.skipped += 1
                return
            told = (
                f"item {item.number} has another known answer or purpose here; remove known from the line, "
            )
            self.problems.add(LineProblem(line, "known", told + "or correct it on the item’s page first"))
            return
        try:
            set_known(item=item, purpose=purpose, answer=answer, explanation=given.explanation)
        except ItemRefused as refusal:
            self.problems.add(LineProblem(line, "known", f"item {item.number}: {refusal}"))
            return
        self.counts.known_answers += 1

    def _label(self, item: LabelItem, line: int, given: LabelExport, there: list[Label]) -> Label | None:
        """The row of a label: a new one, or the one that there is; None where they differ."""
        rater = self._rater(given)
        if given.current and self._is_repeated(item, line, rater, given):
            return None
        same = [row for row in there if row.rater_id == rater.pk and row.repeat == given.repeat]
        for row in same:
            if row.stands == given.current and _stated_answer(row) == given.content and _at_once(row, given):
                self.counts.skipped += 1
                return row
        if given.current and (other := next((row for row in same if row.stands), None)) is not None:
            told = f"{given.rater} has another label for item {item.number} here: {_words(other)}; "
            remedy = "what is there stays, so remove this one from the file"
            self.problems.add(LineProblem(line, "label", told + remedy))
            return None
        return self._row(item, rater, given)

    def _is_repeated(self, item: LabelItem, line: int, rater: Rater, given: LabelExport) -> bool:
        """Whether the file has a label of this rater before, under another name or id."""
        key = (item.number, rater.pk, given.repeat)
        first = self.label_lines.get(key)
        if first is not None:
            told = f"{given.rater} has a label for item {item.number} on line {first}; keep one of the two"
            self.problems.add(LineProblem(line, "rater", told))
        self.label_lines[key] = line
        return first is not None

    def _row(self, item: LabelItem, rater: Rater, given: LabelExport) -> Label:
        answer: dict[str, Any] = {**given.more}
        answer |= _answer(given)
        if given.repeat:
            answer[TOLD_KEY] = {"repeat": given.repeat, "current": given.current}
        return Label(
            item=item,
            rater=rater,
            source=Label.Source.IMPORT,
            choice=given.choice,
            answer=answer,
            rationale=given.rationale,
            seconds=given.seconds,
            swapped=given.swapped,
            hurried=given.hurried,
            ticks=given.ticks,
            study_version=self.study.version,
            counts=given.counts and not (self.study.pilot or given.repeat),
            current=given.current and not given.repeat,
            created_at=_moment(given.at),
        )

    def _rater(self, given: LabelExport) -> Rater:
        """Who gave a label: by id, by key, or by name in this study; else somebody new."""
        known = self.by_id.get(given.rater_id) if given.rater_id else self.by_name.get(given.rater)
        if known is None:
            known = self._rater_of_other_studies(given) or self._rater_by_name(given) or self._new(given)
            self.by_id[given.rater_id or known.pk] = known
            self.by_name.setdefault(given.rater, known)
        return known

    def _rater_by_name(self, given: LabelExport) -> Rater | None:
        """The rater of this name in the study, where the file has an id that is unknown here.

        Two ids of a file stay two raters, so that a second one of the same name is somebody else.
        """
        known_rater = self.by_name.get(given.rater)
        claimed = known_rater is not None and known_rater in (
            rater for name, rater in self.by_id.items() if name != rater.pk
        )
        return None if known_rater is None or claimed or known_rater.kind != given.rater_kind else known_rater

    def _rater_of_other_studies(self, given: LabelExport) -> Rater | None:
        """A rater of other studies; by id only where the name fits too."""
        if given.rater_kind != PERSON:
            return Rater.objects.filter(key=given.rater_key).first() if given.rater_key else None
        rater = Rater.objects.filter(pk=given.rater_id, kind=PERSON).first() if given.rater_id else None
        return rater if rater is not None and given.rater.startswith(plain(rater.name)) else None

    def _new(self, given: LabelExport) -> Rater:
        name = plain_name(given.rater, 200) or given.rater
        if given.rater_kind == PERSON or given.rater_kind not in Rater.Kind.values:
            self.counts.raters += 1
            return Rater.objects.create(name=name)
        return Rater.objects.create(kind=given.rater_kind, name=name, key=given.rater_key or None)

    def _decide(
        self,
        said: Mapping[int, ItemAnswers],
        items: Mapping[int, LabelItem],
        seen: Mapping[tuple[int, int], Label],
    ) -> None:
        decided: dict[int, list[Decision]] = {}
        for row in Decision.objects.filter(item__in=items.values()):
            decided.setdefault(row.item_id, []).append(row)
        for number, item_answers in said.items():
            for line, decision in item_answers.decisions:
                pks = [seen[number, at].pk for at in decision.seen if (number, at) in seen]
                self._decision(items[number], line, decision, pks, decided.get(items[number].pk, []))

    def _decision(
        self, item: LabelItem, line: int, given: DecisionExport, seen: list[int], there: list[Decision]
    ) -> None:
        for row in there:
            if row.current == given.current and _stated_answer(row) == given.content:
                self.counts.skipped += 1
                return
        if given.current and any(row.current for row in there):
            told = f"item {item.number} is decided otherwise here; remove this decision from the file"
            self.problems.add(LineProblem(line, "decisions", told))
            return
        row = Decision.objects.create(
            item=item,
            choice=given.choice,
            answer=_answer(given),
            note=given.note,
            seen=seen,
            current=given.current,
        )
        if given.at:
            Decision.objects.filter(pk=row.pk).update(created_at=_moment(given.at))
        self.counts.decisions += 1


def _stored_labels(items: Iterable[LabelItem]) -> dict[int, list[Label]]:
    labels: dict[int, list[Label]] = {}
    for row in Label.objects.filter(item__in=list(items)).select_related("assignment"):
        labels.setdefault(row.item_id, []).append(row)
    return labels


def _scores(answer: Mapping[str, Any]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted((answer.get("scores") or {}).items()))


def _answer(given: LabelExport | DecisionExport | KnownExport) -> dict[str, Any]:
    """An answer as it is stored."""
    if given.choice:
        return stored_choice(given.choice, slight=given.slight)
    return {"scores": dict(given.scores)}


def _stated_answer(row: Label | Decision) -> AnswerContent:
    return row.choice, is_slight(row.answer), _scores(row.answer)


def _at_once(row: Label, given: LabelExport) -> bool:
    """Whether a past label is the same one; a present one is by what it says."""
    return given.current or not given.at or row.created_at == _moment(given.at)


def _words(row: Label) -> str:
    ratings = ", ".join(f"{name} {score}" for name, score in _scores(row.answer))
    return letter_of(row.choice, slight=is_slight(row.answer)) or ratings


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text) if text else timezone.now()
