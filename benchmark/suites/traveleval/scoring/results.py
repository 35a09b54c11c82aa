"""What a rule gives of a plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from benchmark.plans.view import Mark


class Result(NamedTuple):
    """value: NaN where the published program has it. marks: what the rule finds. rows: what it is made of."""

    value: float
    marks: Sequence[Mark] = ()
    rows: Sequence[Mapping[str, Any]] = ()
