"""How carefully one annotator works."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

from benchmark.labelling.binomial import even_chance
from benchmark.labelling.statistic import Definition, Size, Statistic, share_of, undefined_statistic
from benchmark.labelling.tables import Label
from benchmark.labelling.votes import majority
from benchmark.metrics import gettext_noop as _

GOLD = Definition(
    key="gold_accuracy",
    name=_("right on known answers"),
    meaning=_("The share of right answers to items whose answer is known."),
    source="Snow et al. 2008",
    share=True,
)
CONSISTENCY = Definition(
    key="self_consistency",
    name=_("consistent with themselves"),
    meaning=_(
        "The share of items that they answered in the same way when the items came again with "
        "the sides swapped."
    ),
    source="Krippendorff 2004 (stability)",
    share=True,
)
SIDE_BIAS = Definition(
    key="side_bias",
    name=_("share of answers A"),
    meaning=_(
        "How often they prefer A, the side that they saw on the left, among answers that prefer one. A half "
        "means no bias."
    ),
    source="Clopper and Pearson 1934",
    share=True,
)
SPEED = Definition(
    key="median_seconds",
    name=_("median seconds per item"),
    meaning=_("The median of how long an item was on screen before its answer."),
    source="Caravan",
)
HURRY = Definition(
    key="hurried",
    name=_("hurried answers"),
    meaning=_("The share of answers given before the item was on screen for the study's shortest time."),
    source="Caravan",
    share=True,
)
DISAGREEMENT = Definition(
    key="disagreement",
    name=_("disagree with the majority"),
    meaning=_("The share of their labels that differ from what most of at least two others say of the item."),
    source="Caravan",
    share=True,
)
_NO_GOLD = _("they answered no item whose answer is known")
_NO_REPEATS = _("no item came again")
_NO_SIDES = _("they prefer no plan in any answer")
_NO_TIMES = _("no answer has a time")
_NO_MAJORITY = _("no item of theirs has a majority of at least two others")
OTHER_SIDE: Mapping[Label, Label] = {"A": "B", "B": "A"}


@dataclass(frozen=True, slots=True)
class Answer:
    """What an annotator said of an item, by the item's own sides, and how it was shown.

    repeat_answer: what they said when it came a second time; None where it did not. known_answer: the right answer of
    an item that has one. others: the labels of other annotators. swapped: A was shown on the right. seconds: on
    screen.
    """

    label: Label
    swapped: bool = False
    repeat_answer: Label | None = None
    known_answer: Label | None = None
    others: Sequence[Label] = ()
    seconds: float | None = None

    @property
    def shown_label(self) -> Label:
        """The answer by the sides as they were shown."""
        return OTHER_SIDE.get(self.label, self.label) if self.swapped else self.label


@dataclass(frozen=True, slots=True)
class Quality:
    """Of one annotator. side_bias: its p is that of the exact test that left and right are as likely."""

    answers: int
    gold: Statistic
    consistency: Statistic
    side_bias: Statistic
    speed: Statistic
    hurry: Statistic
    disagreement: Statistic


def quality(answers: Sequence[Answer], least_seconds: float = 0.0) -> Quality:
    """Of one annotator's answers, an item each. least_seconds: below which an answer is hurried."""
    seconds = [answer.seconds for answer in answers if answer.seconds is not None]
    return Quality(
        answers=len(answers),
        gold=_share(
            GOLD,
            [answer.label == answer.known_answer for answer in answers if answer.known_answer is not None],
            _NO_GOLD,
        ),
        consistency=_share(
            CONSISTENCY,
            [answer.label == answer.repeat_answer for answer in answers if answer.repeat_answer is not None],
            _NO_REPEATS,
        ),
        side_bias=side_bias([answer.shown_label for answer in answers]),
        speed=_speed(seconds),
        hurry=_share(HURRY, [duration < least_seconds for duration in seconds], _NO_TIMES),
        disagreement=_disagreement(answers),
    )


def side_bias(shown: Sequence[Label]) -> Statistic:
    """shown: answers by the sides as they were shown, A the left; whatever else there is prefers no side."""
    share_of_first = _share(SIDE_BIAS, [side == "A" for side in shown if side in OTHER_SIDE], _NO_SIDES)
    left = sum(side == "A" for side in shown)
    return replace(share_of_first, p=even_chance(left, share_of_first.size.items))


def _share(definition: Definition, hits: Sequence[bool], nothing: str) -> Statistic:
    return share_of(
        definition, sum(hits), len(hits), nothing, Size(items=len(hits), ratings=len(hits), raters=1)
    )


def _speed(seconds: Sequence[float]) -> Statistic:
    size = Size(items=len(seconds), ratings=len(seconds), raters=1)
    return (
        Statistic(SPEED, float(median(seconds)), size)
        if seconds
        else undefined_statistic(SPEED, _NO_TIMES, size)
    )


def _disagreement(answers: Sequence[Answer]) -> Statistic:
    most = [(answer.label, majority(answer.others)) for answer in answers if len(answer.others) > 1]
    return _share(
        DISAGREEMENT, [label != others for label, others in most if others is not None], _NO_MAJORITY
    )
