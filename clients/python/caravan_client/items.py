"""What lists are made of. What a newer server tells beyond these fields stands in `more`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from datetime import datetime
from typing import Any, TypeVar

I = TypeVar("I", bound="Item")  # noqa: E741  # any item


@dataclass(frozen=True)
class Item:
    """Anything that a list holds."""

    more: Mapping[str, Any] = field(default_factory=dict, kw_only=True, repr=False)

    @classmethod
    def of(cls: type[I], told: Mapping[str, Any]) -> I:
        """From JSON. Fields that an older server does not tell have their defaults."""
        own = {each.name: each for each in fields(cls) if each.name != "more"}
        given = {name: _parse(name, told[name]) for name in own if name in told}
        for name, each in own.items():
            if name not in given and each.default is MISSING and each.default_factory is MISSING:
                given[name] = None
        return cls(**given, more={name: value for name, value in told.items() if name not in own})


def _parse(name: str, value: Any) -> Any:
    is_time = (name == "at" or name.endswith("_at")) and isinstance(value, str)
    return datetime.fromisoformat(value) if is_time else value


@dataclass(frozen=True)
class Run(Item):
    """A run. state: going, paused, stopping or ended. values: its figures by metric."""

    id: str
    name: str
    suite: str
    page: str
    state: str
    created_at: datetime
    sessions: int
    ended: int
    counts: Mapping[str, int]
    trials: int
    seed: int
    agent: str
    model: str
    users: str
    user_model: str
    world: str
    mode: str
    cache: str
    values: Mapping[str, float]


@dataclass(frozen=True)
class Session(Item):
    """A session. values: of metrics under the benchmark's first profile, and of judges as `metric@judge`."""

    id: str
    page: str
    run: str
    run_name: str
    task: str
    suite: str
    trial: int
    seed: int
    status: str
    reason: str
    origin: str
    agent: str
    model: str
    users: str
    user_model: str
    world: str
    mode: str
    cache: str
    planned: bool
    rounds: int
    events: int
    seconds: float | None
    tool_calls: int
    tool_errors: int
    requests: int
    tokens: int | None
    cost: float | None
    issues: list[str]
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    values: Mapping[str, float]


@dataclass(frozen=True)
class Event(Item):
    """One line of a session's log."""

    seq: int
    type: str
    v: int
    actor: str
    audience: str
    at: datetime
    payload: Mapping[str, Any]


@dataclass(frozen=True)
class Score(Item):
    """The value of a metric for a session. rater: empty for the rules."""

    session: str
    run: str
    run_name: str
    suite: str
    task: str
    trial: int
    agent: str
    model: str
    profile: str
    rater: str
    metric: str
    value: float


@dataclass(frozen=True)
class Judgement(Item):
    """One session judged once. scores: by dimension."""

    id: int
    batch: str
    session: str
    run: str
    task: str
    suite: str
    repeat: int
    judge: str
    meta_judge: str
    rubric: str
    form: str
    status: str
    scores: Mapping[str, Any]
    meta_score: int | None
    score: float | None
    prompts: str
    ended_at: datetime | None


@dataclass(frozen=True)
class Label(Item):
    """One answer of a rater. Until a blind study is closed, its sessions and agents are None."""

    id: int
    study: str
    study_name: str
    kind: str
    item: int
    purpose: str
    task: str
    message: int | None
    left_session: str | None
    right_session: str | None
    left_agent: str | None
    right_agent: str | None
    rater: str
    rater_kind: str
    source: str
    choice: str
    scores: Mapping[str, int]
    strength: str
    rationale: str
    swapped: bool
    seconds: float | None
    hurried: bool
    repeat: int
    counts: bool
    current: bool
    created_at: datetime


@dataclass(frozen=True)
class Task(Item):
    """A task. fields: what its benchmark tells of it."""

    id: str
    page: str
    suite: str
    collection: str
    line: int
    version: int
    language: str
    query: str
    fields: Mapping[str, Any]


@dataclass(frozen=True)
class World(Item):
    """A world."""

    name: str
    page: str
    cities: list[str]
    places: int
    pack_hash: str
    imported_at: datetime
