"""How many examples of a property are tried (Hypothesis): other ones in each run.

`make test` tries a share of them, `make test-both` all. CARAVAN_EXAMPLES is the share, from 0 to 1.
"""

from __future__ import annotations

import math
import os

SHARE_VARIABLE = "CARAVAN_EXAMPLES"
EVERYDAY_SHARE = 0.25
LEAST = 10
"""A property with no more examples keeps them all."""


def examples(count: int) -> int:
    """How many of so many examples this run tries."""
    share = float(os.environ.get(SHARE_VARIABLE) or EVERYDAY_SHARE)
    return max(min(count, LEAST), math.ceil(share * count))
