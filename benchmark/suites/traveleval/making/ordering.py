"""What is asked of whoever has a set of queries made."""

from __future__ import annotations

from typing import Final

from benchmark.metrics import gettext_noop as _
from benchmark.suites.base import Option, Options, OrderForm, fill_options
from benchmark.suites.traveleval.tasks.listing import BUDGETS
from benchmark.suites.traveleval.tasks.rules import DAYS

PAPER: Final = "paper"
USUAL_PREFIX: Final = "made-"
SIZES = ("easy", "medium", "hard", "groups")
_IN_PROPORTION = _("in the proportions of the paper")
OPTIONS: Final = (
    Option(key="easy", label=_("Easy queries"), default=8, help=_("Without wishes.")),
    Option(
        key="medium", label=_("Medium queries"), default=12, help=_("With wishes of one or two categories.")
    ),
    Option(
        key="hard",
        label=_("Hard queries"),
        default=12,
        help=_("With wishes of three or four categories, something of which is not wanted."),
    ),
    Option(
        key="groups",
        label=_("Groups of queries"),
        default=4,
        help=_(
            "Of three queries each, easy to hard, that share all but their wishes: each adds to the one before."
        ),
    ),
    Option(
        key="length",
        label=_("Days of each journey"),
        default=PAPER,
        values={PAPER: _IN_PROPORTION, **{str(days): str(days) for days in DAYS}},
    ),
    Option(
        key="budget",
        label=_("Budgets"),
        default=PAPER,
        values={PAPER: _IN_PROPORTION, **BUDGETS},
        help=_("In the paper half of the hard queries and of the groups are economy."),
    ),
    Option(
        key="english",
        label=_("In English alone"),
        default=4,
        help=_("Every so many queries or groups; 0 for none. The others have words in both languages."),
    ),
    Option(
        key="prefix",
        label=_("Beginning of the ids"),
        default=USUAL_PREFIX,
        help=_("Such as made- for made-T0001. No task there may have an id that begins so."),
    ),
)


def _count(options: Options) -> int:
    chosen = fill_options(OPTIONS, options)
    return sum(int(chosen[size]) * (3 if size == "groups" else 1) for size in SIZES)


ORDER_FORM: Final = OrderForm(
    fields=frozenset(),
    options=OPTIONS,
    count=_count,
    id_prefix=lambda options: str(fill_options(OPTIONS, options)["prefix"]),
)
