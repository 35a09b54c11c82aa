"""The noise-adjusted ceiling: what agreement with people says of a rater, given how far people agree themselves.

The K-class symmetric-noise model (TripScore, appendix C.4): each item has one true label; a rater gives it with a
probability of their own, and else each of the other labels with the same one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from benchmark.labelling.statistic import Definition, Statistic, undefined_statistic
from benchmark.metrics import gettext_noop as _
from benchmark.remarks import Remark

if TYPE_CHECKING:
    from benchmark.labelling.resampling import Figure, Floats

SOURCE = "TripScore, appendix C.4"
RELIABILITY = Definition(
    key="r",
    name=_("reliability of people"),
    meaning=_(
        "How often an annotator gives the true label, computed from the agreement of pairs of annotators."
    ),
    source=SOURCE,
    share=True,
)
LATENT = Definition(
    key="r_model",
    name=_("latent agreement of the model"),
    meaning=_("How often the model gives the true label, computed from its agreement with annotators."),
    source=SOURCE,
    share=True,
)
RATIO = Definition(
    key="ratio",
    name=_("share of the ceiling"),
    meaning=_("The latent agreement of the model divided by the reliability of people."),
    source=SOURCE,
    share=True,
)
ALL_AGREE = Definition(
    key="all_agree",
    name=_("predicted agreement of three"),
    meaning=_(
        "How often three annotators of this reliability agree; close to the observed rate if the model fits."
    ),
    source=SOURCE,
    share=True,
)
_BELOW_CHANCE = _("people agree less than by chance (%(chance)s), which the noise model can't explain")
_NO_SIGNAL = _("people agree only as often as by chance, so their labels say nothing about the true ones")
_NO_MODEL = _("the agreement of the model with people is not given")
_OUT_OF_RANGE = _("outside 0 to 1, which the noise model can't explain")
_TINY = 1e-12


@dataclass(frozen=True, slots=True)
class Ceiling:
    """The four figures of the noise model."""

    r: Statistic
    r_model: Statistic
    ratio: Statistic
    all_agree: Statistic


def ceiling(classes: int, pairwise: float, model: float | None = None) -> Ceiling:
    """From the number of labels, the mean agreement of pairs of annotators, and that of the model with annotators.

    Raises:
        ValueError: there are fewer than two classes, or an agreement is no share from 0 to 1.
    """
    if classes < 2:
        raise ValueError("classes: a label has at least two")
    for name, agreement in (("pairwise", pairwise), ("model", model)):
        if agreement is not None and not 0 <= agreement <= 1:
            raise ValueError(f"{name}: {agreement:g} is no share from 0 to 1")
    signal = classes * pairwise - 1
    if signal < -_TINY:
        reason = Remark(_BELOW_CHANCE, {"chance": f"{1 / classes:.4g}"})
        return Ceiling(
            *(Statistic(name, None, reason=reason) for name in (RELIABILITY, LATENT, RATIO, ALL_AGREE))
        )
    r = _reliability(classes, max(signal, 0.0))
    latent = _latent(classes, r, model, signal)
    return Ceiling(Statistic(RELIABILITY, r), latent, _ratio(latent, r), _all_agree(classes, r))


def _latent(classes: int, r: float, model: float | None, signal: float) -> Statistic:
    if model is None:
        return undefined_statistic(LATENT, _NO_MODEL)
    if signal <= _TINY:
        return undefined_statistic(LATENT, _NO_SIGNAL)
    value = _latent_agreement(classes, r, model)
    return Statistic(LATENT, value, remarks=() if 0 <= value <= 1 else (Remark(_OUT_OF_RANGE),))


def _ratio(latent: Statistic, r: float) -> Statistic:
    return Statistic(RATIO, None if latent.value is None else latent.value / r, reason=latent.reason)


def _all_agree(classes: int, r: float) -> Statistic:
    return Statistic(ALL_AGREE, _agreement_of_three(classes, r))


# The formulas, of a number or of an array with one a draw.


def _reliability(classes: int, signal: Any) -> Any:
    return (1 + ((classes - 1) * signal) ** 0.5) / classes


def _latent_agreement(classes: int, r: Any, model: Any) -> Any:
    return (classes * model - model + r - 1) / (classes * r - 1)


def _agreement_of_three(classes: int, r: Any) -> Any:
    return r**3 + (1 - r) ** 3 / (classes - 1) ** 2


def with_intervals(
    ceiling_figures: Ceiling, classes: int, items: int, pairwise: Figure, model: Figure | float | None
) -> Ceiling:
    """The figures of so many items with bootstrap intervals.

    pairwise, model: the agreements that `ceiling` takes, in a draw of the items; a number of the model stays itself.
    """
    import numpy as np

    from benchmark.labelling import resampling

    def reliability(drawn: Floats) -> Floats:
        signal = classes * pairwise(drawn) - 1
        return np.asarray(_reliability(classes, np.where(signal < -_TINY, np.nan, np.maximum(signal, 0.0))))

    def latent(drawn: Floats) -> Floats:
        r = reliability(drawn)
        informed = np.where(classes * r - 1 > _TINY, r, np.nan)
        return np.asarray(_latent_agreement(classes, informed, model(drawn) if callable(model) else model))

    figures: dict[str, tuple[Statistic, Figure]] = {
        "r": (ceiling_figures.r, reliability),
        "r_model": (ceiling_figures.r_model, latent),
        "ratio": (ceiling_figures.ratio, lambda drawn: latent(drawn) / reliability(drawn)),
        "all_agree": (
            ceiling_figures.all_agree,
            lambda drawn: _agreement_of_three(classes, reliability(drawn)),
        ),
    }
    return Ceiling(**resampling.with_intervals(items, figures))
