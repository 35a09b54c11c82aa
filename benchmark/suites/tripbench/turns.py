"""A reply of the agent at its turn, as it is judged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from benchmark.plans.view import Plan

CODE_VERSION: Final = "2"
"""Of the rules by which replies are judged."""
CONSTRAINT: Final = "constraint"
"""The param of a mark that names what is broken."""


class AgentTurn(NamedTuple):
    """seq: of the message. issued_ids: of the instructions so far. told_ids: of what the message before has said.

    needs_plan: whether a reply without a plan fails. plan: of the reply, None without any. before: the plan of the
    turn before. is_carried: whether the days are those of that one.
    """

    seq: int
    issued_ids: Sequence[str]
    told_ids: Sequence[str]
    needs_plan: bool
    plan: Plan | None = None
    before: Plan | None = None
    is_carried: bool = False
