"""How a conversation is held, how long it may be, and what somebody chooses of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from benchmark.metrics import gettext_noop as _
from benchmark.suites.base import Option, check_between
from benchmark.suites.tripbench.tasks.listing import STYLE_WORDS
from benchmark.suites.tripbench.tasks.task import STYLES, Subset, Tier

MULTI_TURN, NO_ISSUE, SINGLE_TURN = "multi-turn", "no issue", "single-turn"
MODE = Option(
    key="mode",
    label=_("Conversation"),
    default=MULTI_TURN,
    values={
        MULTI_TURN: _("several turns"),
        NO_ISSUE: _("several turns, without reports of faults"),
        SINGLE_TURN: _("everything at once, one answer"),
    },
    name=_("conversation"),
)
OWN_STYLE: Final = "own"
STYLE = Option(
    key="style",
    label=_("How the user talks"),
    default=OWN_STYLE,
    values={OWN_STYLE: _("as the task says"), **{key: STYLE_WORDS[key] for key in STYLES}},
    usual=False,
)
FIT_P = Option(
    key="fit_p",
    label=_("Chance a turn that what can't be met is taken back"),
    default=0.3,
    check=check_between(0, 1),
    usual=False,
)
OPTIONS: Final = (MODE, STYLE, FIT_P)

MODEL_STEPS: Final = 50
"""Of one turn of the agent; each may make any number of calls."""
MOST_TURNS: Final[Mapping[Tier, int]] = {"easy": 6, "mid": 8, "hard": 12}
LIT_TURNS: Final = 15
MOST_DUE: Final[Mapping[Tier, int]] = {"easy": 2, "mid": 3, "hard": 3}
"""Instructions that a program says in a turn after the first."""
MOST_IDS: Final = 4
"""What a message may say at once, unless the first node holds more."""
MOST_ISSUES: Final = 2
ISSUE_P: Final = 0.8
SPECIAL_P: Final = 0.25


def most_turns(tier: Tier, subset: Subset, mode: object) -> int:
    """After so many the session ends."""
    if mode == SINGLE_TURN:
        return 1
    return LIT_TURNS if subset == "lit" else MOST_TURNS[tier]
