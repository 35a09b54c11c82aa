"""How many examples of a property are tried: other ones in each run.

`make test` tries a share of them, `make test-both` all. CARAVAN_EXAMPLES is the share, from 0 to 1.
"""

from __future__ import annotations

import math
import os
import random
from collections.abc import Iterable, Iterator
from typing import TypeVar

Case = TypeVar("Case")
SHARE_VARIABLE = "CARAVAN_EXAMPLES"
EVERYDAY_SHARE = 0.25
LEAST = 10
"""A property with no more examples keeps them all."""


def examples_share() -> float:
    """The share of the examples that this run tries."""
    return float(os.environ.get(SHARE_VARIABLE) or EVERYDAY_SHARE)


def examples(count: int) -> int:
    """How many of so many examples of Hypothesis this run tries."""
    return max(min(count, LEAST), math.ceil(examples_share() * count))


def examples_from(cases: Iterable[Case]) -> Iterator[Case]:
    """Of cases that are listed, those that this run tries; one after the other is drawn at random."""
    share = examples_share()
    return (case for case in cases if random.random() < share)
