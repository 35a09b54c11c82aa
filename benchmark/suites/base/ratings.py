"""What a judge says of a session, by rubric."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class RubricMeans(NamedTuple):
    """What a judge says of a session by one rubric, over its verdicts.

    ratings: means by dimension, none of a session that counts 0 without being judged. score: the mean of S.
    """

    ratings: Mapping[str, float]
    score: float


Ratings = Mapping[str, RubricMeans]
"""By the name of the rubric; rubrics by which the judge has not rated the session are left out."""
