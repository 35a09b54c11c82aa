"""How far ratings lie apart: mean absolute errors of a judge, and of people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean, median

from benchmark.labelling.statistic import Definition, Size, Statistic, undefined_statistic
from benchmark.metrics import gettext_noop as _

JUDGE_HUMAN = Definition(
    key="mae_judge_human",
    name=_("mean absolute error of the judge"),
    meaning=_(
        "How far the judge is from each annotator of an item, averaged over annotators, then over items."
    ),
    source="GroupTravelBench, appendix C.7; TravelBench, appendix E.2",
)
HUMAN_HUMAN = Definition(
    key="mae_human_human",
    name=_("mean absolute error of people"),
    meaning=_(
        "How far each annotator of an item is from the median of its annotators, averaged over annotators, "
        "then over items with at least two."
    ),
    source="GroupTravelBench, appendix C.7; TravelBench, appendix E.2",
)
TO_MEDIAN = Definition(
    key="mae_judge_median",
    name=_("distance of the judge from the median"),
    meaning=_("How far the judge is from the median of an item's annotators, averaged over items."),
    source="GroupTravelBench, appendix C.7",
)
BIAS = Definition(
    key="bias_judge_median",
    name=_("bias of the judge"),
    meaning=_("By how much the judge is above the median of an item's annotators, averaged over items."),
    source="GroupTravelBench, appendix C.7",
)
_NOBODY = _("no item is rated by the judge and an annotator")
_NOT_TWO = _("no item is rated by two annotators")


def judge_error(rated: Sequence[tuple[float, Sequence[float]]]) -> Statistic:
    """Of the judge from people. rated: the judge's score of each item, and those of its annotators.

    Where all items have the same annotators, this is the paper's mean over annotators of each one's error.
    """
    compared = [(judge, humans) for judge, humans in rated if humans]
    size = Size(items=len(compared), ratings=sum(len(humans) for _judge, humans in compared))
    if not compared:
        return undefined_statistic(JUDGE_HUMAN, _NOBODY, size)
    return _mean(JUDGE_HUMAN, [_from_judge(judge, humans) for judge, humans in compared], size)


def median_gaps(gaps: Sequence[float]) -> tuple[Statistic, Statistic]:
    """The distance and the bias of the judge. gaps: its rating of each item less the median of people."""
    size = Size(items=len(gaps))
    if not gaps:
        return undefined_statistic(TO_MEDIAN, _NOBODY, size), undefined_statistic(BIAS, _NOBODY, size)
    return _mean(TO_MEDIAN, list(map(abs, gaps)), size), _mean(BIAS, gaps, size)


def human_error(rated: Sequence[Sequence[float]]) -> Statistic:
    """Of people from their median. rated: the scores of each item's annotators."""
    several = [humans for humans in rated if len(humans) > 1]
    size = Size(items=len(several), ratings=sum(map(len, several)))
    if not several:
        return undefined_statistic(HUMAN_HUMAN, _NOT_TWO, size)
    return _mean(HUMAN_HUMAN, [_from_median(humans) for humans in several], size)


def mean_judge_error(ratings: Sequence[Mapping[str, tuple[float, Sequence[float]]]]) -> Statistic:
    """The mean of `judge_error` over dimensions.

    ratings: of each item by dimension, the judge's score and those of its annotators.
    """
    return _mean_of_dimensions(
        JUDGE_HUMAN,
        [
            {name: _from_judge(judge, humans) for name, (judge, humans) in own.items() if humans}
            for own in ratings
        ],
        _NOBODY,
    )


def mean_human_error(ratings: Sequence[Mapping[str, Sequence[float]]]) -> Statistic:
    """The mean of `human_error` over dimensions. ratings: of each item by dimension, its annotators' scores."""
    return _mean_of_dimensions(
        HUMAN_HUMAN,
        [{name: _from_median(humans) for name, humans in own.items() if len(humans) > 1} for own in ratings],
        _NOT_TWO,
    )


def _mean_of_dimensions(
    definition: Definition, errors: Sequence[Mapping[str, float]], nothing: str
) -> Statistic:
    """The mean over dimensions of the means over items. errors: of each item by dimension.

    Its interval draws items with all of their dimensions, since the ratings of one item go together.
    """
    import numpy as np

    from benchmark.labelling.resampling import mean_of, share, with_intervals

    names = sorted({name for own in errors for name in own})
    size = Size(items=sum(map(bool, errors)))
    if not names:
        return undefined_statistic(definition, nothing, size)
    columns = [[own.get(name) for own in errors] for name in names]
    value = fmean(fmean(error for error in column if error is not None) for column in columns)
    figure = mean_of(
        share(
            np.array([error or 0.0 for error in column]),
            np.array([float(error is not None) for error in column]),
        )
        for column in columns
    )
    return with_intervals(len(errors), {definition.key: (Statistic(definition, value, size), figure)})[
        definition.key
    ]


def _mean(definition: Definition, of_items: Sequence[float], size: Size) -> Statistic:
    """The mean over items, with its bootstrap interval."""
    from benchmark.labelling.resampling import mean_interval

    low, high = mean_interval(of_items) or (None, None)
    return Statistic(definition, fmean(of_items), size, low, high)


def _from_judge(judge: float, humans: Sequence[float]) -> float:
    return fmean(abs(judge - human) for human in humans)


def _from_median(humans: Sequence[float]) -> float:
    middle = median(humans)
    return fmean(abs(human - middle) for human in humans)
