"""The events that only GroupTravelBench's logs hold, or in which they hold more than others."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, cast

from pydantic import BaseModel, ConfigDict

from benchmark.core import events
from benchmark.core.events import AGENT_ONLY, EventBody, Kinds, PlanProposed, only


class Member(BaseModel):
    """A member of the group as everybody knows them."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    name: str
    role: str


Protocol = Literal["published", "paper"]
"""Which rules a session follows: those of the published program, or those of the paper where the two differ."""
Contract = Literal["markers", "strict"]
"""What is checked of a traveller over a model: its compromise markers only, or every rule that code can check."""


class SessionOpened(events.SessionOpened):
    """travellers: users with a table, in polling order. companions: young children without one.

    query, time (departure date, YYYY-MM-DD), context: the task's own texts. max_turn, convergence_interval: in
    rounds. guards: what a mention that nobody answers and a round that reaches its cap of events end: only themselves
    (`published`, and every log from before the field was there), or the session (`paper`; appendix A.6, 3a and 3c).
    """

    old_options: ClassVar[tuple[str, ...]] = ("protocol", "contract")
    suite: Literal["grouptravel"] = "grouptravel"
    query: str
    time: str
    context: str
    travellers: tuple[Member, ...]
    companions: tuple[Member, ...] = ()
    max_turn: int
    convergence_interval: int
    guards: Protocol = "published"

    @property
    def protocol(self) -> Protocol:
        """Whose rules hold."""
        return cast("Protocol", self.options.get("protocol", "published"))

    @property
    def contract(self) -> Contract:
        """What travellers over models are held to."""
        return cast("Contract", self.options.get("contract", "strict"))

    @property
    def users(self) -> tuple[str, ...]:
        """The travellers with a table."""
        return tuple(member.name for member in self.travellers)

    @classmethod
    def upcast(cls, payload: dict[str, Any], v: int) -> dict[str, Any]:
        """Version 1 named no benchmark: there was this one alone."""
        return {"suite": "grouptravel", **super().upcast(payload, v)}


class CardDealt(EventBody):
    """What one traveller knows alone.

    card: as published: the role, the table under `preference`, and whether they may give wishes up.
    """

    type: Literal["card_dealt"] = "card_dealt"
    user: str
    card: dict[str, Any]

    @property
    def role(self) -> str:
        return str(self.card.get("role", ""))

    @property
    def preference(self) -> dict[str, Any]:
        """The table before all compromises."""
        table: dict[str, Any] = self.card["preference"]
        return table

    @property
    def compromisable(self) -> bool:
        return bool(self.card.get("compromisable", False))

    def audience(self) -> str:
        return only(self.user)


TurnKind = Literal["summary", "convergence", "polled", "mentioned", "final"]
Place = Literal["hidden", "opening", "checkpoint", "lap", "preempt", "end"]


class TurnGranted(events.TurnGranted):
    """kind: see `benchmark.suites.grouptravel.view.GroupTurn`.

    place: what the turn is to the schedule: `hidden` (a summary), `opening` and `checkpoint` (convergences),
      `lap` (a polling slot), `preempt` (a mention), `end` (the final plan on demand).
    passes: how often a mentioned user has passed already.
    slot: position in the polling lap (users first, the agent last).
    skipped: users who lost their slot just before, since nothing new was said.
    leads_to: what follows a summary. history: how many of the visible messages it works on, None for all.
    """

    kind: TurnKind
    place: Place
    passes: int = 0
    slot: int = 0
    skipped: tuple[str, ...] = ()
    leads_to: Literal["", "opening", "checkpoint", "finish"] = ""
    history: int | None = None

    @property
    def is_repeat(self) -> bool:
        """The same turn once more, after a refused answer or a pass."""
        return super().is_repeat or self.passes > 0

    @property
    def hidden(self) -> bool:
        """A summary is the agent's own affair."""
        return self.kind == "summary"


Verdict = Literal["accepted", "unsolicited", "unresolvable", "over_quota", "not_allowed", "unknown_field"]


class MarkerAttempted(EventBody):
    """A compromise marker with its verdict; anything but `accepted` changes no table.

    path, value: as written, where they could be read. logged: this attempt stands in the record's compromise log.
    event: number of the polling or preemption it happened in, counted from 1. said: the whole refused message.
    """

    type: Literal["marker_attempted"] = "marker_attempted"
    words: ClassVar[tuple[str, ...]] = ("marker", "value", "said")
    user: str
    marker: str
    path: str = ""
    value: Any = None
    verdict: Verdict
    logged: bool = False
    event: int = 0
    said: str = ""

    def audience(self) -> str:
        return only(self.user)


class CompromiseApplied(EventBody):
    """`path` as resolved below the preference table; `value` replaces what stood there (`was`).

    event: number of the polling or preemption it happened in, counted from 1.
    """

    type: Literal["compromise_applied"] = "compromise_applied"
    user: str
    path: str
    value: Any
    was: Any = None
    event: int

    def audience(self) -> str:
        return only(self.user)


class TableInferred(EventBody):
    """The agent wrote down what it believes.

    table: {user: preference table}, which replaces the former belief; None when the text could not be read.

    raw: the text where it could not be read. inline: it came in place of an utterance.
    """

    type: Literal["table_inferred"] = "table_inferred"
    words: ClassVar[tuple[str, ...]] = ("raw",)
    table: dict[str, Any] | None
    raw: str = ""
    inline: bool = False

    def audience(self) -> str:
        return AGENT_ONLY


class PlanMended(EventBody):
    """Broken JSON of a plan was repaired before it was posted.

    written: the message as the model wrote it; the message that follows holds the repaired plan.
    """

    type: Literal["plan_mended"] = "plan_mended"
    words: ClassVar[tuple[str, ...]] = ("written",)
    written: str

    def audience(self) -> str:
        return AGENT_ONLY


KINDS = Kinds(
    SessionOpened,
    CardDealt,
    TurnGranted,
    MarkerAttempted,
    CompromiseApplied,
    TableInferred,
    PlanProposed,
    PlanMended,
)
