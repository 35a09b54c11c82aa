"""How carefully each annotator of a study works, and whether what they are shown tells whose it is."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db.models import Q
from django.template.loader import render_to_string
from django.utils.html import strip_tags
from django.utils.translation import gettext as _

from benchmark.labelling.blinding import blind_for
from benchmark.labelling.leaks import leaks
from benchmark.labelling.quality import OTHER_SIDE, Answer, Quality, quality, side_bias
from benchmark.labelling.statistic import Statistic
from webapp.judging.models import Rater
from webapp.labelling.blind import names_of, shown_item
from webapp.labelling.models import Assignment, Kind, Label, LabelItem, LabelStudy
from webapp.labelling.qualifying import is_right
from webapp.labelling.scales import are_alike

LOW_GOLD = 0.7
LOW_CONSISTENCY = 0.7
MANY_HURRIED = 0.2
MANY_DISAGREE = 0.5
CHECKED_AT_ONCE = 100
"""Items whose text is searched for names at once."""
LEAST = 5
"""Answers below which a share tells too little to be flagged."""
SURE = 0.05
"""The p below which a side is preferred beyond chance."""
SIDES = {"left": "A", "right": "B"}
_FAMILY = re.compile(r"[A-Za-z]{4,}(?=[-_. ]?\d)")


@dataclass(frozen=True)
class Flag:
    """Something to look at, in plain words. items: numbers of the items that it is about."""

    key: str
    words: str
    items: Sequence[int] = ()


@dataclass(frozen=True)
class Care:
    """One annotator. differing: items on which they differ from the majority of others; unlike: repeats that they
    answered otherwise; wrong: known answers that they missed; quick: hurried items. skips: number and reason.
    """

    rater: Rater
    quality: Quality
    flags: Sequence[Flag] = ()
    skips: Sequence[tuple[int, str]] = ()
    unlike: Sequence[int] = ()
    wrong: Sequence[int] = ()
    quick: Sequence[int] = ()
    differing: Sequence[int] = ()


@dataclass
class _RaterAnswer:
    """What one rater said of one item. swapped: None of what was imported."""

    number: int
    answer: Mapping[str, Any] = field(default_factory=dict)
    repeat_answer: Mapping[str, Any] | None = None
    swapped: bool | None = None
    seconds: float | None = None
    hurried: bool = False

    @property
    def shown_choice(self) -> str:
        """The choice by the side that it stood on, "" where nobody saw sides, or no side was chosen."""
        said = _label(self.answer)
        if self.swapped is None or said not in OTHER_SIDE:
            return ""
        return str(OTHER_SIDE[said]) if self.swapped else said


def care_of(study: LabelStudy) -> list[Care]:
    """Every person who answered, who needs a look first."""
    given = _answers_by_rater(study)
    skips = _skips(study)
    raters = {rater.pk: rater for rater in Rater.objects.filter(pk__in={*given, *skips})}
    known = {item.pk: item for item in study.items.exclude(answer=None)}
    others = _others(study, given)
    care = [_care(study, raters[pk], given.get(pk, {}), known, others, skips.get(pk, ())) for pk in raters]
    return sorted(care, key=lambda care_of_rater: (-len(care_of_rater.flags), care_of_rater.rater.name))


_EXPLAINED_PURPOSES = (LabelItem.Purpose.EXAMPLE, LabelItem.Purpose.TRAINING)
"""Items whose answer annotators are told: what they say of these shows nothing of their care."""


def _answers_by_rater(study: LabelStudy) -> dict[str, dict[int, _RaterAnswer]]:
    """By rater and item, known answers and repeats too."""
    # an imported repeat is not current: without an assignment an item has one current answer of a rater
    there = Q(current=True) | Q(assignment=None, source=Label.Source.IMPORT)
    labels = Label.objects.filter(there, item__study=study, item__withdrawn_at=None)
    people = labels.filter(rater__kind=Rater.Kind.PERSON).exclude(item__purpose__in=_EXPLAINED_PURPOSES)
    answers: dict[str, dict[int, _RaterAnswer]] = defaultdict(dict)
    rows = people.select_related("assignment", "item").order_by()
    for label in rows.iterator():
        if not label.stands:
            continue
        answer = answers[label.rater_id].setdefault(label.item_id, _RaterAnswer(label.item.number))
        if label.repeat:
            answer.repeat_answer = label.answer
        else:
            answer.answer, answer.seconds, answer.hurried = label.answer, label.seconds, label.hurried
            answer.swapped = None if label.assignment is None else label.swapped
    return answers


def _skips(study: LabelStudy) -> dict[str, list[tuple[int, str]]]:
    skips: dict[str, list[tuple[int, str]]] = defaultdict(list)
    rows = Assignment.objects.filter(item__study=study, status=Assignment.Status.SKIPPED)
    rows = rows.exclude(item__purpose__in=_EXPLAINED_PURPOSES)
    for rater, number, reason in rows.values_list("annotator__rater_id", "item__number", "reason"):
        skips[rater].append((number, reason))
    return skips


def _others(study: LabelStudy, given: Mapping[str, Mapping[int, _RaterAnswer]]) -> dict[int, dict[str, str]]:
    """What each rater chose of an ordinary item, by item."""
    normal = set(study.items.filter(purpose=LabelItem.Purpose.NORMAL).values_list("pk", flat=True))
    others: dict[int, dict[str, str]] = defaultdict(dict)
    for rater, answers in given.items():
        for item, answer in answers.items():
            if item in normal and answer.answer:
                others[item][rater] = _label(answer.answer)
    return others


def _label(answer: Mapping[str, Any]) -> str:
    """An answer as the core calls it: the sides A and B, other choices and ratings by themselves."""
    if "scores" in answer:
        return ",".join(f"{name}={score}" for name, score in sorted(answer["scores"].items()))
    choice = str(answer.get("choice", ""))
    return SIDES.get(choice, choice)


def _alike(study: LabelStudy, first: Mapping[str, Any], second: Mapping[str, Any]) -> bool:
    """Ratings are alike where none is more than a point apart."""
    if "scores" not in first:
        return _label(first) == _label(second)
    return are_alike(first["scores"], second.get("scores", {}), study.scales)


def _care(
    study: LabelStudy,
    rater: Rater,
    given: Mapping[int, _RaterAnswer],
    known: Mapping[int, LabelItem],
    others: Mapping[int, Mapping[str, str]],
    skips: Sequence[tuple[int, str]],
) -> Care:
    answers, wrong, unlike, differing = [], [], [], []
    for pk, answer in given.items():
        if not answer.answer:
            continue
        item = known.get(pk)
        right = is_right(item, answer.answer) if item is not None else None
        said = _label(answer.answer)
        by_others = [label for other, label in others.get(pk, {}).items() if other != rater.pk]
        answers.append(_answer(study, answer, said, right, by_others))
        if right is False:
            wrong.append(answer.number)
        if answer.repeat_answer is not None and not _alike(study, answer.answer, answer.repeat_answer):
            unlike.append(answer.number)
        if answers[-1].others and _outvoted(said, by_others):
            differing.append(answer.number)
    sides = side_bias([answer.shown_choice for answer in given.values()])
    figures = replace(quality(answers, study.min_view_s), side_bias=sides)
    quick = sorted(answer.number for answer in given.values() if answer.hurried)
    care = Care(rater, figures, (), sorted(skips), sorted(unlike), sorted(wrong), quick, sorted(differing))
    return replace(care, flags=list(_flags(care)))


def _outvoted(said: str, others: Sequence[str]) -> bool:
    most = max(set(others), key=others.count) if others else said
    return 2 * others.count(most) > len(others) and most != said


def _answer(
    study: LabelStudy, answer: _RaterAnswer, said: str, right: bool | None, by_others: Sequence[str]
) -> Answer:
    """As the core takes it. A known answer, or a repeat that is like it within the study's terms, counts as equal."""
    known = None if right is None else (said if right else f"not {said}")
    again = None
    if answer.repeat_answer is not None:
        again = said if _alike(study, answer.answer, answer.repeat_answer) else f"not {said}"
    rubric = study.kind == Kind.RUBRIC
    return Answer(
        label=said,
        repeat_answer=again,
        known_answer=known,
        others=() if rubric else by_others,
        seconds=answer.seconds,
    )


def _flags(care: Care) -> Iterator[Flag]:
    """What is worth a look, in plain words."""
    quality_figures = care.quality
    if _is_below(quality_figures.gold, LOW_GOLD):
        yield Flag(
            "gold",
            _("misses known answers: may answer at random, or read the guidelines differently"),
            care.wrong,
        )
    if _is_below(quality_figures.consistency, LOW_CONSISTENCY):
        yield Flag(
            "consistency",
            _("answers the same item differently when it is repeated with the sides swapped"),
            care.unlike,
        )
    always = quality_figures.side_bias.value in (0.0, 1.0) and quality_figures.side_bias.size.items >= LEAST
    if always:
        left = quality_figures.side_bias.value == 1.0
        yield Flag(
            "side", _("always chooses the first side") if left else _("always chooses the second side")
        )
    elif (
        quality_figures.side_bias.p is not None
        and quality_figures.side_bias.p < SURE
        and quality_figures.side_bias.size.items >= LEAST
    ):
        left = (quality_figures.side_bias.value or 0.0) > 0.5
        words = _("prefers the plan on the left") if left else _("prefers the plan on the right")
        yield Flag("side", words)
    if _above(quality_figures.hurry, MANY_HURRIED):
        yield Flag("hurried", _("often answers before the item could be read"), care.quick)
    if _above(quality_figures.disagreement, MANY_DISAGREE):
        yield Flag(
            "disagreement",
            _("differs from the majority of the others more often than not, which may be error or expertise"),
            care.differing,
        )


def _is_below(statistic: Statistic, limit: float) -> bool:
    return statistic.value is not None and statistic.size.items >= LEAST and statistic.value < limit


def _above(statistic: Statistic, limit: float) -> bool:
    return statistic.value is not None and statistic.size.items >= LEAST and statistic.value > limit


# --- whether what is shown tells whose it is


@dataclass(frozen=True)
class NameLeak:
    """An item whose text still says names."""

    number: int
    names: Sequence[str]


@dataclass(frozen=True)
class LeakCheck:
    """What was found in some of a study's items. first, last: numbers; following: where the next check begins."""

    first: int
    last: int
    checked: int
    leaks: Sequence[NameLeak]
    following: int | None


def check_leaks(study: LabelStudy, *, first: int = 1, limit: int = CHECKED_AT_ONCE) -> LeakCheck:
    """Look for names of agents and models in what annotators see of the items from a number on.

    Each item is put together as its page is, which takes a moment: so many are checked at once.
    """
    items = study.items.filter(withdrawn_at=None, number__gte=first).order_by("number")
    chosen = list(items.select_related("task", "left", "right")[: limit + 1])
    rest = chosen[limit:]
    checked = chosen[:limit]
    leaks = []
    for item in checked:
        item.study = study
        if names := leaked_names(item):
            leaks.append(NameLeak(item.number, names))
    last = checked[-1].number if checked else first
    return LeakCheck(first, last, len(checked), leaks, rest[0].number if rest else None)


def leaked_names(item: LabelItem) -> list[str]:
    """The names that the text of an item still says, as annotators see it, in the page's language."""
    shown = shown_item(item, blind=item.study.blind)
    text = strip_tags(render_to_string("labelling/shown.html", {"shown": shown}))
    names = names_of(item)
    known = set(blind_for(names).find_names(text))
    return sorted(known | {leak.name for leak in leaks(text, _telling(names))})


def _telling(names: Iterable[str]) -> set[str]:
    """Names that are no ordinary words, with the letters before a number: `Xyzzy2.5-72B` is told by `Xyzzy` too."""
    whole = {name for name in names if not name.isalpha()}
    return whole | {family.group() for name in whole if (family := _FAMILY.match(name))}
