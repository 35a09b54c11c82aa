"""What is chosen for sessions with the methods that search."""

from __future__ import annotations

from typing import Final

from benchmark.metrics import gettext_noop as _
from benchmark.suites.base import Option, check_between

NO_PLAN, RELAX = "no_plan", "relax"
NO_SOLUTION: Final = Option(
    key="no_solution",
    label=_("Where a search keeps not all that is wished"),
    default=NO_PLAN,
    values={
        NO_PLAN: _("there is no plan, as in the paper"),
        RELAX: _("wishes are given up, one after the other"),
    },
    help=_("ttg gives up pacing, then budget, then density; nesy gives up all wishes at once."),
    usual=False,
)
TTG_SECONDS: Final = Option(
    key="ttg_seconds",
    label=_("Seconds of ttg"),
    default=5.0,
    check=check_between(0.1, 600),
    help=_("How long HiGHS looks for a better solution; 5 in the paper."),
    usual=False,
)
GAP: Final = Option(
    key="ttg_gap",
    label=_("Gap of ttg"),
    default=0.01,
    check=check_between(0, 1),
    help=_("How far a solution may be from the best one, as a share of it."),
    usual=False,
)
NESY_SECONDS: Final = Option(
    key="nesy_seconds",
    label=_("Seconds of nesy"),
    default=60.0,
    check=check_between(0.1, 600),
    help=_("How long the search may take."),
    usual=False,
)
OPTIONS: Final = (NO_SOLUTION, TTG_SECONDS, GAP, NESY_SECONDS)
