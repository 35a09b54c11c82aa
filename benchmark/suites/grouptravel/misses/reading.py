"""A session as those read it who look for what it lost: its log, its record, its scored plan and their evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Self

from benchmark.core.events import (
    AgentNoted,
    DraftWithdrawn,
    Event,
    MessagePosted,
    PlanProposed,
    ToolCalled,
    ToolReturned,
)
from benchmark.core.setting import Setting
from benchmark.core.view import AGENT
from benchmark.suites.grouptravel.conversation.state import fold
from benchmark.suites.grouptravel.itineraries.extraction import last_plan
from benchmark.suites.grouptravel.preferences import (
    FieldValues,
    PreferenceField,
    filled_by_city,
    paths_in,
)
from benchmark.suites.grouptravel.scoring.catalogue import Catalogue
from benchmark.suites.grouptravel.scoring.run_record import RunRecord, read_record
from benchmark.suites.grouptravel.scoring.score import score_with_trip
from benchmark.suites.grouptravel.scoring.sessions import session_record
from benchmark.suites.grouptravel.scoring.trip import Trip
from benchmark.suites.grouptravel.scoring.utility import Point
from benchmark.suites.grouptravel.tasks import Task
from sandbox.worlds import World, WorldError

_IN_HISTORY = (MessagePosted, AgentNoted, ToolCalled, ToolReturned)


class WishKnowledge(NamedTuple):
    """What the agent came to know of a wish. cause: what it is called where a plan then lacks the wish.

    seqs: the message in which it was said, or in which the agent asked.
    """

    cause: str
    seqs: tuple[int, ...]

    @property
    def is_known(self) -> bool:
        """Whether somebody said it, or the agent noted it."""
        return self.cause == "dropped"


class PlanVersion(NamedTuple):
    """A plan that the agent proposed or withdrew. seq: of the event that shows it."""

    seq: int
    plan: Mapping[str, Any]


@dataclass
class LostSession:
    """An ended session. trip: its plan, None without one. evidence: of its figures, as the published profile has it.

    tables: what each traveller wishes at the end, as far as group utility counts them; read from the log where the
    session crashed, whose record lacks them.
    """

    log: Sequence[Event]
    setting: Setting[Task, Catalogue]
    record: RunRecord
    figures: Mapping[str, Any]
    trip: Trip | None
    tables: Mapping[str, FieldValues]

    @classmethod
    def of(cls, log: Sequence[Event], setting: Setting[Task, Catalogue]) -> Self:
        """Read a log."""
        assert setting.world is not None  # `Scoring.world` makes one of any pack
        record = read_record(session_record(log, setting))
        figures, trip = score_with_trip(record, setting.world)
        if record.crashed:
            state = fold(log)
            tables = {
                user: filled_by_city(own.get("preference"))
                for user, own in state.effective.items()
                if user in state.users
            }
        else:
            references = {user: own for user, own in record.references.items() if own.counted}
            tables = {u: filled_by_city(references[u].table) for u in record.users if u in references}
        return cls(log, setting, record, figures, trip, tables)

    @property
    def catalogue(self) -> Catalogue:
        """The places that the plan was scored against."""
        assert self.setting.world is not None
        return self.setting.world

    @cached_property
    def pack(self) -> World | None:
        """The world, None where it is not here."""
        try:
            return self.setting.pack
        except (WorldError, OSError):
            return None

    @property
    def evidence(self) -> Mapping[str, Any]:
        """By part."""
        evidence: Mapping[str, Any] = self.figures.get("evidence", {})
        return evidence

    @cached_property
    def points(self) -> Mapping[str, Sequence[Point]]:
        """What the plan earned and lost, by traveller."""
        found: dict[str, list[Point]] = {user: [] for user in self.tables}
        for point in self.evidence.get("utility", ()):
            found.setdefault(point["user"], []).append(point)
        return found

    @cached_property
    def history(self) -> Sequence[int]:
        """The event number of each entry of the record's `conversation_history`."""
        return [event.seq for event in self.log if isinstance(event.body, _IN_HISTORY)]

    def seq_of(self, index: int | None) -> tuple[int, ...]:
        """The event of a place in the history, () for none."""
        return () if index is None or index >= len(self.history) else (self.history[index],)

    @cached_property
    def versions(self) -> Sequence[PlanVersion]:
        """Every plan that the agent showed, the first one first."""
        return list(self._versions())

    def _versions(self) -> Iterator[PlanVersion]:
        message = 1
        for event in self.log:
            body = event.body
            if isinstance(body, MessagePosted) and body.role == AGENT:
                message = event.seq
            elif isinstance(body, PlanProposed):
                yield PlanVersion(message, body.plan)
            elif isinstance(body, DraftWithdrawn) and body.speaker == AGENT:
                plan = last_plan([body.content])
                if plan is not None:
                    yield PlanVersion(event.seq, plan)

    @property
    def plan_seq(self) -> tuple[int, ...]:
        """The event that shows the last plan, () without one."""
        return () if self.trip is None or not self.versions else (self.versions[-1].seq,)

    @cached_property
    def _fields(self) -> Mapping[tuple[str, str], Mapping[str, Any]]:
        users = self.evidence.get("completeness", {}).get("users", {})
        return {(user, entry["path"]): entry for user, entries in users.items() for entry in entries}

    def knowledge_of(self, user: str, field: PreferenceField, city: str, item: Any) -> WishKnowledge:
        """What the agent came to know of an item of a traveller's table."""
        entry = self._fields.get((user, paths_in(city)[field]), {})
        said = next(
            (
                at
                for how in ("said", "mentioned")
                for told, at in entry.get(how, ())
                if told == item and at is not None
            ),
            None,
        )
        noted = item in entry.get("found", ()) or any(
            item == told for told, _path in entry.get("wrong_tier", ())
        )
        if said is not None or noted:
            return WishKnowledge("dropped", self.seq_of(said))
        asked = entry.get("asked")
        return WishKnowledge("never_asked" if asked is None else "not_told", self.seq_of(asked))
