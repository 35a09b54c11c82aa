"""A rater of pairs (a metric, a judge, a model that compares) against the majority labels of people."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from benchmark.labelling.binomial import clopper_pearson
from benchmark.labelling.statistic import Definition, Size, Statistic, share_of, undefined_statistic
from benchmark.metrics import gettext_noop as _

SIGNS: Mapping[str, int] = {"A": 1, "B": -1, "tie": 0, "neither": 0}
"""What each label says of A over B."""
PLACES = 9
"""To which differences of scores are rounded; what is 0 then is a tie (TripScore's agreement)."""
BINS = 10
SOURCE = "TripScore, section 4.2 and appendix C"
TIES_IN = Definition(
    key="accuracy_ties_in",
    name=_("accuracy, ties in"),
    meaning=_(
        "The share of items on which the rater and the majority agree. A tie is right on a tie or “neither”."
    ),
    source=SOURCE,
    share=True,
)
TIES_OUT = Definition(
    key="accuracy_ties_out",
    name=_("accuracy, ties out"),
    meaning=_("The share of items on which the rater and the majority agree, without the rater's ties."),
    source=SOURCE,
    share=True,
)
TAU = Definition(
    key="tau_b",
    name=_("Kendall's tau-b"),
    meaning=_(
        "The rank correlation of the rater's difference and the label (A 1, tie or “neither” 0, B −1), corrected "
        "for ties."
    ),
    source="Kendall 1945",
)
CALIBRATION_ERROR = Definition(
    key="calibration_error",
    name=_("calibration error"),
    meaning=_(
        "The mean distance of stated confidence and accuracy over bins of confidence, weighted by items."
    ),
    source="Naeini et al. 2015",
)
_NO_ITEM = _("no item has both a majority and an opinion of the rater")
_ALL_TIES = _("the rater has a tie on every item")
_NEVER_VARIES = _("the rater or the labels never vary")
_NO_CONFIDENCE = _("the rater states no confidence")


@dataclass(frozen=True, slots=True)
class Opinion:
    """What people and a rater say of one item.

    label: the majority of people, A, B, tie or neither; None where they have none. difference: the rater's score of A
    less that of B; or else choice: one of the same four words. Neither given: the rater has no opinion.
    confidence: 0 to 1, as the rater states it. slices: by which results are split, `{facet: value}`.
    """

    item: str
    label: str | None
    difference: float | None = None
    choice: str | None = None
    confidence: float | None = None
    slices: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for word in (self.label, self.choice):
            if word is not None and word not in SIGNS:
                raise ValueError(f"{self.item}: {word!r} is none of {', '.join(SIGNS)}")

    @property
    def strength(self) -> float | None:
        """The difference, rounded; of a choice 1, 0 or −1; None without an opinion."""
        if self.difference is not None and not math.isnan(self.difference):
            return round(self.difference, PLACES) if math.isfinite(self.difference) else self.difference
        return None if self.choice is None else SIGNS[self.choice]

    @property
    def sign(self) -> int | None:
        """1 for A, −1 for B, 0 for a tie; None without an opinion."""
        strength = self.strength
        return None if strength is None else (strength > 0) - (strength < 0)

    @property
    def counts(self) -> bool:
        """Whether there is something to compare."""
        return self.label is not None and self.sign is not None

    @property
    def right(self) -> bool:
        """Whether the rater says what the majority says."""
        return self.label is not None and self.sign == SIGNS[self.label]


@dataclass(frozen=True, slots=True)
class Bin:
    """Items of a like strength. from_, to: of |difference| or of confidence; mean: of the same over its items.

    accuracy: with ties in; low, high: its exact interval.
    """

    from_: float
    to: float
    mean: float
    items: int
    accuracy: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How often a rater is right on some items. n: items with a majority and an opinion."""

    n: int
    ties_in: Statistic
    ties_out: Statistic
    tau_b: Statistic


@dataclass(frozen=True, slots=True)
class RaterComparison:
    """A rater against people.

    no_majority, no_opinion: items left out for want of the one or the other. slices: by facet and value.
    by_difference, by_confidence: bins, empty where nothing of the kind is given. disagreements: what the rater gets
    wrong, the surest first.
    """

    accuracy: Accuracy
    no_majority: int
    no_opinion: int
    slices: Mapping[str, Mapping[str, Accuracy]]
    by_difference: tuple[Bin, ...]
    by_confidence: tuple[Bin, ...]
    calibration_error: Statistic
    disagreements: tuple[Opinion, ...]


def compare_rater(opinions: Iterable[Opinion], bins: int = BINS) -> RaterComparison:
    """Compare a rater with people, item by item. bins: at most so many."""
    given = list(opinions)
    counted = [opinion for opinion in given if opinion.counts]
    stated = [(opinion.confidence, opinion.right) for opinion in counted if opinion.confidence is not None]
    scored = [
        (abs(opinion.difference), opinion.right) for opinion in counted if opinion.difference is not None
    ]
    by_confidence = _equal_widths(stated, bins)
    return RaterComparison(
        accuracy=accuracy(counted),
        no_majority=sum(opinion.label is None for opinion in given),
        no_opinion=sum(opinion.label is not None and opinion.sign is None for opinion in given),
        slices=_slices(counted),
        by_difference=_equal_counts(scored, bins),
        by_confidence=by_confidence,
        calibration_error=_calibration_error(by_confidence, stated, bins),
        disagreements=tuple(sorted((opinion for opinion in counted if not opinion.right), key=_surest)),
    )


def accuracy(opinions: Iterable[Opinion]) -> Accuracy:
    """Of the items that have both a majority and an opinion."""
    counted = [opinion for opinion in opinions if opinion.counts]
    decided = [opinion for opinion in counted if opinion.sign]
    return Accuracy(
        n=len(counted),
        ties_in=_share_right(TIES_IN, counted, _NO_ITEM),
        ties_out=_share_right(TIES_OUT, decided, _ALL_TIES if counted else _NO_ITEM),
        tau_b=_tau(counted),
    )


def _share_right(definition: Definition, opinions: Sequence[Opinion], nothing: str) -> Statistic:
    right = sum(opinion.right for opinion in opinions)
    return share_of(definition, right, len(opinions), nothing, Size(items=len(opinions)))


def _tau(counted: Sequence[Opinion]) -> Statistic:
    size = Size(items=len(counted))
    strengths = [opinion.strength for opinion in counted if opinion.strength is not None]
    labels = [SIGNS[opinion.label or "tie"] for opinion in counted]
    if not counted:
        return undefined_statistic(TAU, _NO_ITEM, size)
    if len(set(strengths)) < 2 or len(set(labels)) < 2:
        return undefined_statistic(TAU, _NEVER_VARIES, size)
    from scipy.stats import kendalltau

    from benchmark.labelling import resampling

    correlation = kendalltau(strengths, labels, variant="b")
    value = Statistic(TAU, float(correlation.statistic), size, p=float(correlation.pvalue))
    return resampling.with_intervals(len(counted), {TAU: (value, resampling.tau(strengths, labels))})[TAU]


def _slices(counted: Sequence[Opinion]) -> dict[str, dict[str, Accuracy]]:
    groups: dict[str, dict[str, list[Opinion]]] = {}
    for opinion in counted:
        for facet, value in opinion.slices.items():
            groups.setdefault(facet, {}).setdefault(value, []).append(opinion)
    return {
        facet: {value: accuracy(values[value]) for value in sorted(values)}
        for facet, values in groups.items()
    }


def _surest(opinion: Opinion) -> tuple[float, float]:
    return -(opinion.confidence or 0.0), -abs(opinion.strength or 0.0)


def _equal_counts(scored: Sequence[tuple[float, bool]], bins: int) -> tuple[Bin, ...]:
    """Ties in a bin of their own, the others in bins of about as many items; equal differences stay together."""
    ordered = sorted(scored)
    ties = [pair for pair in ordered if not round(pair[0], PLACES)]
    others = ordered[len(ties) :]
    each = max(1, math.ceil(len(others) / bins))
    groups: list[list[tuple[float, bool]]] = [ties] if ties else []
    last: list[tuple[float, bool]] = []
    for pair in others:
        if len(last) >= each and last[-1][0] != pair[0]:
            last = []
        if not last:
            groups.append(last)
        last.append(pair)
    return tuple(_bin(group, group[0][0], group[-1][0]) for group in groups)


def _equal_widths(stated: Sequence[tuple[float, bool]], bins: int) -> tuple[Bin, ...]:
    """The bins of confidence that have items; each holds its upper end, the first also 0."""
    groups: dict[int, list[tuple[float, bool]]] = {}
    for confidence, right in stated:
        if not 0 <= confidence <= 1:
            raise ValueError(f"confidence {confidence:g} is no share from 0 to 1")
        groups.setdefault(_bin_of(confidence, bins), []).append((confidence, right))
    return tuple(_bin(groups[at], at / bins, (at + 1) / bins) for at in sorted(groups))


def _bin_of(confidence: float, bins: int) -> int:
    return max(math.ceil(confidence * bins - 1e-9) - 1, 0)


def _bin(group: Sequence[tuple[float, bool]], from_: float, to: float) -> Bin:
    right = sum(is_right for _strength, is_right in group)
    low, high = clopper_pearson(right, len(group)) or (0.0, 1.0)
    mean = math.fsum(strength for strength, _right in group) / len(group)
    return Bin(from_, to, mean, len(group), right / len(group), low, high)


def _calibration_error(
    by_confidence: Sequence[Bin], stated: Sequence[tuple[float, bool]], bins: int
) -> Statistic:
    if not stated:
        return undefined_statistic(CALIBRATION_ERROR, _NO_CONFIDENCE)
    from benchmark.labelling import resampling

    error = math.fsum(bin_.items * abs(bin_.accuracy - bin_.mean) for bin_ in by_confidence) / len(stated)
    value = Statistic(CALIBRATION_ERROR, error, Size(items=len(stated)))
    figure = resampling.calibration_error(
        [_bin_of(confidence, bins) for confidence, _right in stated],
        [right - confidence for confidence, right in stated],
    )
    return resampling.with_intervals(len(stated), {CALIBRATION_ERROR: (value, figure)})[CALIBRATION_ERROR]
