"""How far a study is, and what a researcher could do next."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from webapp.judging.models import Rater
from webapp.labelling.models import Annotator, Assignment, Label, LabelItem, LabelStudy
from webapp.labelling.rows import ItemRow, item_rows, queue_of
from webapp.labelling.studies import why_not_open

Purpose = LabelItem.Purpose


@dataclass(frozen=True, slots=True)
class Share:
    """How far the items of two agents, of one, or of one stratum are. complete: items with all their answers."""

    name: str
    items: int
    complete: int
    answers: int


@dataclass(frozen=True, slots=True)
class Step:
    """Something to do. urgent: nobody can go on without it."""

    words: str
    address: str
    urgent: bool = False


@dataclass
class Progress:
    """A study as it stands."""

    study: LabelStudy

    @cached_property
    def all_rows(self) -> list[ItemRow]:
        """All its items."""
        return item_rows(self.study)

    @cached_property
    def rows(self) -> list[ItemRow]:
        """Those that are asked about, without known answers and what was taken out."""
        return [row for row in self.all_rows if row.purpose == Purpose.NORMAL and not row.withdrawn]

    @property
    def items(self) -> int:
        return len(self.rows)

    @property
    def wanted(self) -> int:
        """Answers."""
        return self.items * self.study.per_item

    @cached_property
    def answers(self) -> int:
        """Answers that there are and that are wanted: no more of an item than it has annotators."""
        return sum(min(self.study.per_item, len(row.values)) for row in self.rows)

    @cached_property
    def complete(self) -> int:
        """Items with all their answers."""
        return sum(row.complete for row in self.rows)

    @cached_property
    def partial(self) -> list[ItemRow]:
        """Items with some of their answers."""
        return [row for row in self.rows if row.values and not row.complete]

    @cached_property
    def queue(self) -> list[ItemRow]:
        """Items that somebody should decide."""
        return queue_of(self.rows)

    @cached_property
    def at_work(self) -> int:
        """Items that somebody looks at now."""
        return Assignment.objects.filter(item__study=self.study, status=Assignment.Status.OPEN).count()

    @cached_property
    def skipped(self) -> int:
        return sum(row.skipped for row in self.rows)

    @cached_property
    def purposes(self) -> Counter[str]:
        """Items of each purpose."""
        counted = Counter({purpose.value: 0 for purpose in Purpose})
        counted.update(row.purpose for row in self.all_rows if not row.withdrawn)
        return counted

    @property
    def by_agents(self) -> list[Share]:
        """By pair of agents, or by agent."""
        return self._shares(
            (row, " – ".join(sorted(filter(None, (row.left_agent, row.right_agent))))) for row in self.rows
        )

    @property
    def by_stratum(self) -> list[Share]:
        """By stratum, if there are several."""
        shares = self._shares((row, row.stratum) for row in self.rows)
        return shares if len(shares) > 1 else []

    @staticmethod
    def _shares(named: Iterable[tuple[ItemRow, str]]) -> list[Share]:
        groups: dict[str, list[ItemRow]] = defaultdict(list)
        for row, name in named:
            groups[name].append(row)
        return [
            Share(name, len(rows), sum(row.complete for row in rows), sum(len(row.values) for row in rows))
            for name, rows in sorted(groups.items())
        ]

    @cached_property
    def annotators(self) -> list[Annotator]:
        return list(self.study.annotators.select_related("rater"))

    @property
    def active(self) -> list[Annotator]:
        """Annotators who may work."""
        return [
            annotator for annotator in self.annotators if annotator.usable() and annotator.failed_at is None
        ]

    @property
    def going(self) -> bool:
        """Whether anything changes by itself."""
        return self.study.status == LabelStudy.Status.OPEN

    def next_steps(self) -> list[Step]:
        """What a researcher could do now, in the order of the work."""
        return [*self._to_prepare(), *self._to_watch(), *self._to_end()]

    def _to_prepare(self) -> Iterable[Step]:
        study = self.study
        edit, items = self._at("edit_label_study"), self._at("label_items")
        for reason in why_not_open(study):
            yield Step(reason, edit if self.items else items, urgent=True)
        if not (study.guidelines_zh or study.guidelines_en):
            yield Step(_("There are no guidelines yet. Say how to decide, with an example or two."), edit)
        yield from self._to_invite()
        if study.gold_every and not self.purposes[Purpose.GOLD]:
            yield Step(
                _("No item has a known answer, so no annotator is checked. Give some items a known answer."),
                items,
            )
        if study.status == LabelStudy.Status.DRAFT and self.items and self.active:
            yield Step(
                _("Everything is ready. Open the study, so that annotators can begin."),
                study.get_absolute_url(),
            )

    def _to_invite(self) -> Iterable[Step]:
        count, wanted = len(self.active), self.study.per_item
        if (
            self.study.data_removed_at is not None
            or count >= wanted
            or (self.items and self.complete == self.items)
        ):
            return
        words = ngettext(
            "Each item needs %(of)s annotators, and only %(n)s can work: invite more.",
            "Each item needs %(of)s annotators, and only %(n)s can work: invite more.",
            count,
        )
        yield Step(words % {"n": count, "of": wanted}, self._at("label_annotators"), urgent=not count)

    def _to_watch(self) -> Iterable[Step]:
        if self.study.by_city and (unknown := self._cities_nobody_knows()):
            words = _("No annotator knows %(cities)s, so nobody gets these trips. Invite somebody who does.")
            cities = ", ".join(unknown[:10])
            yield Step(words % {"cities": cities}, self._at("label_annotators"), urgent=True)
        if self.queue:
            words = ngettext(
                "%(n)s item needs a decision: its answers give no result, or they differ and one was "
                "hurried or skipped.",
                "%(n)s items need a decision: their answers give no result, or they differ and one was "
                "hurried or skipped.",
                len(self.queue),
            )
            yield Step(words % {"n": len(self.queue)}, self._at("label_adjudication"))

    def _cities_nobody_knows(self) -> list[str]:
        if not self.active or any(not annotator.rater.cities for annotator in self.active):
            return []
        known = {city for annotator in self.active for city in annotator.rater.cities}
        wanted = self.study.items.filter(purpose=Purpose.NORMAL, withdrawn_at=None)
        cities = {city for trip in wanted.values_list("cities", flat=True) for city in trip}
        return sorted(cities - known)

    def _to_end(self) -> Iterable[Step]:
        if self.items and self.complete == self.items and self.study.status != LabelStudy.Status.CLOSED:
            words = _("Every item has all its answers. Look at their quality, then close the study.")
            yield Step(words, self._at("label_quality"))

    def _at(self, name: str) -> str:
        return reverse(name, args=[self.study.pk])


@dataclass(frozen=True, slots=True)
class Brief:
    """A study in a list. answers: of people to its own items."""

    study: LabelStudy
    items: int
    answers: int
    annotators: int

    @property
    def wanted(self) -> int:
        """Answers."""
        return self.items * self.study.per_item


def briefly(studies: Iterable[LabelStudy]) -> list[Brief]:
    """How far each is, without reading every answer."""
    given = list(studies)
    ids = [study.pk for study in given]
    normal = LabelItem.objects.filter(study__in=ids, purpose=Purpose.NORMAL, withdrawn_at=None)
    items = _count_values(normal.values("study"))
    answers = _count_values(slots_filled(ids).values("item__study"))
    annotators = _count_values(Annotator.objects.filter(study__in=ids).values("study"))
    return [Brief(study, items[study.pk], answers[study.pk], annotators[study.pk]) for study in given]


def slots_filled(ids: Iterable[str]) -> QuerySet[Label]:
    """The present answers of people to the own items of these studies, pilots too."""
    labels = Label.objects.filter(item__study__in=list(ids), item__purpose=Purpose.NORMAL, current=True)
    own = Q(assignment=None) | Q(assignment__repeat=0)
    return labels.filter(own, item__withdrawn_at=None, rater__kind=Rater.Kind.PERSON)


def _count_values(rows: QuerySet[Any, Any]) -> Counter[str]:
    """Rows by their only column."""
    return Counter({next(iter(row.values())): row["n"] for row in rows.annotate(n=Count("pk")).order_by()})
