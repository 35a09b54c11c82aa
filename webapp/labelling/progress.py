"""How far a study is, and what a researcher could do next."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Count, Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from webapp.labelling.models import Annotator, Assignment, Decision, Kind, LabelItem, LabelStudy
from webapp.labelling.studies import why_not_open
from webapp.labelling.table import majority, people_labels

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
    def _items(self) -> list[tuple[int, str, str, str]]:
        normal = self.study.items.filter(purpose=Purpose.NORMAL, withdrawn_at=None)
        return list(normal.values_list("pk", "left_agent", "right_agent", "stratum"))

    @cached_property
    def _choices(self) -> dict[int, list[str]]:
        found: dict[int, list[str]] = defaultdict(list)
        labels = people_labels(self.study, only_counting=not self.study.pilot).order_by()
        for item, choice in labels.values_list("item_id", "choice").iterator():
            found[item].append(choice)
        return found

    @cached_property
    def _decided(self) -> set[int]:
        decisions = Decision.objects.filter(item__study=self.study, current=True)
        return set(decisions.values_list("item_id", flat=True))

    @property
    def items(self) -> int:
        """Those that are asked about, without known answers and what was taken out."""
        return len(self._items)

    @property
    def wanted(self) -> int:
        """Answers."""
        return self.items * self.study.per_item

    @cached_property
    def answers(self) -> int:
        """Answers that there are and that are wanted: no more of an item than it has annotators."""
        most = self.study.per_item
        return sum(min(most, len(self._choices.get(pk, ()))) for pk, *_ in self._items)

    @cached_property
    def complete(self) -> int:
        """Items with all their answers."""
        return sum(self._complete(pk) for pk, *_ in self._items)

    def _complete(self, pk: int) -> bool:
        return len(self._choices.get(pk, ())) >= self.study.per_item

    @cached_property
    def split(self) -> list[int]:
        """Items (primary keys) with all answers, of which none has a majority, and no decision."""
        if self.study.kind == Kind.RUBRIC:
            return []
        most = self.study.per_item
        return [
            pk
            for pk, *_ in self._items
            if self._complete(pk) and pk not in self._decided and not majority(self._choices[pk], most)
        ]

    @cached_property
    def at_work(self) -> int:
        """Items that somebody looks at now."""
        return Assignment.objects.filter(item__study=self.study, status=Assignment.Status.OPEN).count()

    @cached_property
    def skipped(self) -> int:
        skipped = Assignment.objects.filter(item__study=self.study, status=Assignment.Status.SKIPPED)
        return skipped.count()

    @cached_property
    def purposes(self) -> Counter[str]:
        """Items of each purpose."""
        there = (
            self.study.items.filter(withdrawn_at=None).values("purpose").annotate(n=Count("pk")).order_by()
        )
        return Counter({row["purpose"]: row["n"] for row in there})

    @property
    def by_agents(self) -> list[Share]:
        """By pair of agents, or by agent."""
        return self._shares((pk, " – ".join(sorted(filter(None, (a, b))))) for pk, a, b, _ in self._items)

    @property
    def by_stratum(self) -> list[Share]:
        """By stratum, if there are several."""
        shares = self._shares((pk, stratum) for pk, _a, _b, stratum in self._items)
        return shares if len(shares) > 1 else []

    def _shares(self, named: Iterable[tuple[int, str]]) -> list[Share]:
        groups: dict[str, list[int]] = defaultdict(list)
        for pk, name in named:
            groups[name].append(pk)
        return [
            Share(
                name,
                len(ids),
                sum(map(self._complete, ids)),
                sum(len(self._choices.get(pk, ())) for pk in ids),
            )
            for name, ids in sorted(groups.items())
        ]

    @cached_property
    def annotators(self) -> list[Annotator]:
        return list(self.study.annotators.select_related("rater"))

    @property
    def going(self) -> bool:
        """Whether anything changes by itself."""
        return self.study.status == LabelStudy.Status.OPEN

    def next_steps(self) -> list[Step]:
        """What a researcher could do now, the most urgent first."""
        return [*self._to_prepare(), *self._to_watch(), *self._to_end()]

    def _to_prepare(self) -> Iterable[Step]:
        study = self.study
        edit = reverse("edit_label_study", args=[study.pk])
        items = reverse("label_items", args=[study.pk])
        for reason in why_not_open(study):
            yield Step(reason, items if not self.items else edit, urgent=True)
        if not (study.guidelines_zh or study.guidelines_en):
            yield Step(_("There are no guidelines: say how to decide, with an example or two."), edit)
        active = [one for one in self.annotators if one.usable() and one.failed_at is None]
        if len(active) < study.per_item:
            words = ngettext(
                "%(n)s annotator is invited, and every item wants %(of)s: invite more.",
                "%(n)s annotators are invited, and every item wants %(of)s: invite more.",
                len(active),
            )
            at = reverse("label_annotators", args=[study.pk])
            yield Step(words % {"n": len(active), "of": study.per_item}, at, urgent=not active)
        if study.gold_every and not self.purposes[Purpose.GOLD]:
            yield Step(_("No item has a known answer, so nobody is checked: mark some items as such."), items)
        if study.status == LabelStudy.Status.DRAFT and self.items and active:
            yield Step(
                _("All is there: open the study, so that annotators can begin."), study.get_absolute_url()
            )

    def _to_watch(self) -> Iterable[Step]:
        if self.study.by_city and (unknown := self._cities_nobody_knows()):
            words = _("No annotator knows %(cities)s, so nobody gets these trips: invite somebody who does.")
            at = reverse("label_annotators", args=[self.study.pk])
            yield Step(words % {"cities": ", ".join(unknown[:10])}, at, urgent=True)
        if self.split:
            words = ngettext(
                "%(n)s item has all its answers and no majority: decide it.",
                "%(n)s items have all their answers and no majority: decide them.",
                len(self.split),
            )
            at = reverse("label_adjudication", args=[self.study.pk])
            yield Step(words % {"n": len(self.split)}, at)

    def _cities_nobody_knows(self) -> list[str]:
        active = [one for one in self.annotators if one.usable() and one.failed_at is None]
        if not active or any(not one.rater.cities for one in active):
            return []
        known = {city for one in active for city in one.rater.cities}
        wanted = self.study.items.filter(Q(purpose=Purpose.NORMAL), withdrawn_at=None)
        cities = {city for trip in wanted.values_list("cities", flat=True) for city in trip}
        return sorted(cities - known)

    def _to_end(self) -> Iterable[Step]:
        if self.items and self.complete == self.items and self.study.status != LabelStudy.Status.CLOSED:
            words = _("Every item has all its answers: look at the quality, then close the study.")
            yield Step(words, reverse("label_quality", args=[self.study.pk]))
