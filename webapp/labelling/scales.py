"""The scales on which people rate under a rubric, in words, and whether ratings are on them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from webapp.judging.wording import dimension_words
from webapp.labelling.models import YES_NO, LabelStudy
from webapp.wording.lists import join_items

DIGITS = range(10)
"""What keys there are for ratings."""


def dimension_label(study: LabelStudy, name: str) -> str:
    """What a dimension is called, in the language of the page."""
    own = (study.dimensions or {}).get(name)
    if own is None:
        return dimension_words(name, study.suite)
    return str(own["zh" if (get_language() or "").startswith("zh") else "en"])


def scales_words(study: LabelStudy) -> str:
    """`from 1 to 5`, or, where the scales differ, `calm from 1 to 5, variety from 0 to 3`."""
    scales = study.scales
    if len({*scales.values()}) == 1 and YES_NO not in scales.values():
        [scale] = {*scales.values()}
        return _("from %(lowest)s to %(highest)s") % {"lowest": scale[0], "highest": scale[-1]}
    words, yes_no = _("%(what)s from %(lowest)s to %(highest)s"), _("%(what)s by yes or no")
    return join_items(
        (yes_no if scale == YES_NO else words)
        % {"what": dimension_label(study, name), "lowest": scale[0], "highest": scale[-1]}
        for name, scale in scales.items()
    )


def rating_words(rating: Any, scale: range | None) -> str:
    """A rating as people read it: a number, or yes or no."""
    if scale == YES_NO and rating in YES_NO:
        return _("Yes") if rating else _("No")
    return str(rating)


def keys_of(scales: Iterable[range]) -> tuple[int, int] | None:
    """The first and the last digit that rates; None where no rating is a digit."""
    wide = [scale for scale in scales if scale != YES_NO]
    digits = [rating for rating in DIGITS if any(rating in scale for scale in wide)]
    return (digits[0], digits[-1]) if digits else None


def are_on_scale(study: LabelStudy, scores: Mapping[str, int | None]) -> bool:
    """Whether every dimension is rated, on its scale."""
    return all(scores.get(name) in scale for name, scale in study.scales.items())


def are_alike(first: Mapping[str, Any], second: Mapping[str, Any], scales: Mapping[str, range]) -> bool:
    """Whether the second has a rating of each dimension of the first, none more than a point apart; yes is no no."""

    def near(name: str) -> int:
        return 0 if scales.get(name) == YES_NO else 1

    return all(name in second and abs(second[name] - score) <= near(name) for name, score in first.items())
