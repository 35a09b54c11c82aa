"""What a plan costs, on pages."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise


@dataclass(frozen=True)
class CostWords:
    """What stands above and below the lines of `PlanView.costs`."""

    title: Promise
    note: Promise | str = ""
