"""What is asked of whoever has a set of queries made."""

from __future__ import annotations

from typing import Final

from benchmark.metrics import gettext_noop as _
from benchmark.suites.base import Option, Options, OrderForm, check_between, fill_options
from benchmark.suites.tripscore.making.reference import Limits
from benchmark.suites.tripscore.tasks.listing import SPLIT_WORDS

DURATIONS: Final = (1, 2, 3, 4, 5)
SHARES: Final = "shares"
"""In place of a split: the paper's shares."""
IN_TURN: Final = "turn"
NO_SPLIT: Final = "none"
_LIMITS: Final = Limits()


def _limit(key: str, label: str) -> Option:
    return Option(key=key, label=label, default=getattr(_LIMITS, key), check=check_between(1, 100))


OPTIONS: Final = (
    Option(key="queries", label=_("Queries"), default=100, help=_("The paper has 4,593 synthetic ones.")),
    Option(
        key="length",
        label=_("Days of each journey"),
        default=IN_TURN,
        values={IN_TURN: _("one to five in turn"), **{str(days): str(days) for days in DURATIONS}},
    ),
    _limit("sights", _("Sights a city")),
    _limit("hotels", _("Hotels a city")),
    _limit("services", _("Services a day between two cities")),
    Option(
        key="english",
        label=_("In English"),
        default=3,
        check=check_between(0, 1000),
        help=_("Every so many queries; 0 for none."),
    ),
    Option(
        key="split",
        label=_("Split"),
        default=NO_SPLIT,
        values={NO_SPLIT: _("none"), **SPLIT_WORDS, SHARES: _("all three, in the shares of the paper")},
    ),
    Option(
        key="prefix",
        label=_("Beginning of the ids"),
        default="made-",
        help=_("Such as made- for made-0001. No task there may have an id that begins so."),
    ),
)


def _count(options: Options) -> int:
    return int(fill_options(OPTIONS, options)["queries"])


ORDER_FORM: Final = OrderForm(
    fields=frozenset(),
    options=OPTIONS,
    count=_count,
    id_prefix=lambda options: str(fill_options(OPTIONS, options)["prefix"]),
)
