"""What one participant of GroupTravelBench knows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from benchmark.core import view
from benchmark.suites.grouptravel.events import TurnKind


@dataclass(frozen=True, slots=True)
class Traveller:
    """A member of the group: `name` is the chat name (User1 …), `role` free text such as 女友."""

    name: str
    role: str


@dataclass(frozen=True, slots=True)
class GroupTurn(view.Turn):
    """Why this participant is asked.

    kind: `summary` (agent: answer with the JSON object {user: preference table}, hidden from everyone),
      `convergence` (agent: sum up, mediate, ask, or plan), `polled` (it is your turn in the lap), `mentioned`
      (the agent's last message addresses you), `final` (agent: the round limit is reached, give the plan).
    solicited: the last visible message is the agent's and mentions you; only then is a compromise marker valid.
    problem: `unsolicited`, `unresolvable`, `over_quota`, `not_allowed`, `unknown_field`, `no_plan` or `passed`.
    unread: `no_table` after a summary in which no preference tables could be read.
    """

    kind: TurnKind
    solicited: bool = False


@dataclass(frozen=True, slots=True)
class Card:
    """A traveller's own secret: the original table, the effective one (after compromises), and the flag.

    Both tables have the published shape: {"global_constraints": …, "city_specific_preferences": …}.
    """

    role: str
    preference: dict[str, Any]
    effective: dict[str, Any]
    compromisable: bool
    compromises_left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupView(view.View):
    """Everything that participant `me` may know at this moment.

    query, time (departure date, YYYY-MM-DD), context: the task's own texts.
    travellers: the users with a table, in polling order; companions: young children without one.
    protocol: whose rules the session follows. contract: what a traveller over a model is held to.
    round: laps and convergences finished so far; the session ends at `max_turn`.
    messages: markers are already stripped.
    card: a user's own card, None for the agent. table: the agent's own last preference summary ({user: table}),
      None for users.
    """

    turn: GroupTurn
    query: str
    time: str
    context: str
    travellers: tuple[Traveller, ...]
    companions: tuple[Traveller, ...]
    max_turn: int
    convergence_interval: int
    card: Card | None = None
    table: dict[str, Any] | None = None
    protocol: str = "published"
    contract: str = "markers"
