"""What exporters need of a session and of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmark.core.events import Event, ModelCalled, ParticipantJoined
from benchmark.metrics import Metric
from benchmark.models.exchange import Exchange

SECRET = ("base_url", "key_variable")
"""Of how a model is asked: the address may hold a password, and neither says anything of the session."""


@dataclass(frozen=True)
class ScoreLine:
    """A value of a session.

    name: the metric's key, after the profile where it is not the first and before who gave it where rules did not
    (`gu`, `paper/gu`, `judge@NAME`). evidence: what stands behind it, a line each.
    """

    name: str
    metric: Metric
    value: float
    evidence: Sequence[str] = ()

    @property
    def plain(self) -> float | int | bool:
        """A flag as true or false, a count as a whole number."""
        plain_value = self.metric.plain(self.value)
        assert plain_value is not None
        return plain_value


@dataclass(frozen=True)
class SessionExport:
    """A session that has ended, whole.

    about: plain columns (session, task, agent, …), as files of sessions have them. exchanges: what was asked of
    models and came of it, as far as it was recorded. record: the line of the published run record. notes: of
    readers. personal: the seats whose texts are a person's (seat, person, first and last event). people: who sat
    there, with their answers. evidence: behind all scores of the first profile.
    """

    id: str
    task: str
    trial: int
    status: str
    reason: str
    about: Mapping[str, Any]
    events: Sequence[Event]
    exchanges: Sequence[Exchange]
    scores: Sequence[ScoreLine]
    record: str
    notes: Sequence[Mapping[str, Any]] = ()
    personal: Sequence[Mapping[str, Any]] = ()
    people: Sequence[Mapping[str, Any]] = ()
    evidence: Mapping[str, Any] = field(default_factory=dict)

    @property
    def of_people(self) -> dict[str, Any]:
        """`personal` and `people`, where there are any."""
        return {"personal": list(self.personal), "people": list(self.people)} if self.people else {}

    @property
    def seats(self) -> dict[str, ParticipantJoined]:
        """Who sat where, by the name of the seat."""
        bodies = (event.body for event in self.events)
        return {body.seat: body for body in bodies if isinstance(body, ParticipantJoined)}


@dataclass(frozen=True)
class RunExport:
    """A run. averages: by the key of the metric, as its page shows them. sessions: how many have ended."""

    id: str
    name: str
    suite: str
    created: str
    setup: Mapping[str, Any]
    trials: int
    tasks: Sequence[str]
    averages: Mapping[str, float] = field(default_factory=dict)
    sessions: int = 0


def payload_of(event: Event) -> dict[str, Any]:
    """The contents of an event without what is nobody else's business."""
    payload = event.body.model_dump(mode="json")
    if isinstance(event.body, ParticipantJoined) and payload.get("model"):
        payload["model"] = without_secrets(payload["model"])
    return payload


def without_secrets(setup: Mapping[str, Any]) -> dict[str, Any]:
    """How a model is asked, without its address and the name of the variable with its key."""
    return {name: value for name, value in setup.items() if name not in SECRET}


def calls_of(session: SessionExport) -> list[tuple[Event, ModelCalled, Exchange | None]]:
    """The requests to models in order, each with what was recorded of it."""
    recorded = {exchange.number: exchange for exchange in session.exchanges}
    called = [(event, event.body) for event in session.events if isinstance(event.body, ModelCalled)]
    return [(event, body, recorded.get(number)) for number, (event, body) in enumerate(called, 1)]
