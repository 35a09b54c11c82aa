"""What is asked of whoever has a set of tasks made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from benchmark.metrics import gettext_noop as _
from benchmark.suites.base import Option, OrderForm, check_between, fill_options
from benchmark.suites.tripbench.tasks.listing import SPLIT_WORDS, SUBSET_WORDS
from benchmark.suites.tripbench.tasks.task import Subset

PAPER: Final = "paper"
SHARES: Final[Mapping[Subset, int]] = {
    "easy": 100,
    "mid": 100,
    "lit": 50,
    "fit": 50,
    "ais": 50,
    "pmr": 50,
}
"""Tasks of Table 2, as its overall figures weigh them."""
USUAL_PREFIX: Final = "made-"
OPTIONS: Final = (
    Option(
        key="subset",
        label=_("Subset"),
        default=PAPER,
        values={PAPER: _("all but plain hard ones, in the shares of the paper"), **SUBSET_WORDS},
    ),
    Option(
        key="split",
        label=_("Split"),
        default="test",
        values=SPLIT_WORDS,
        help=_("No trip of one split has the cities of one of the other, in their order."),
    ),
    Option(
        key="english",
        label=_("In English"),
        default=3,
        check=check_between(0, 1000),
        help=_("Every so many tasks; 0 for none."),
    ),
    Option(
        key="prefix",
        label=_("Beginning of the ids"),
        default=USUAL_PREFIX,
        help=_("Such as made- for made-easy-0001. No task there may have an id that begins so."),
    ),
)
ORDER_FORM: Final = OrderForm(
    fields=frozenset({"count"}),
    options=OPTIONS,
    id_prefix=lambda options: str(fill_options(OPTIONS, options)["prefix"]),
)
