"""The cast of the web application, and sessions with a log of our own making."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.db.models import QuerySet
from django.test import Client
from django.utils import translation
from pytest_django import Settings

from benchmark.core.engine import Conversation, Step
from benchmark.core.events import (
    AgentNoted,
    DraftWithdrawn,
    ErrorRaised,
    Event,
    EventBody,
    MessagePosted,
    MessageWithheld,
    ModelCalled,
    PlanProposed,
    SessionFinished,
    SessionForked,
    ThoughtKept,
    ToolCalled,
    ToolReturned,
    TurnPassed,
)
from benchmark.models import Usage
from benchmark.suites.grouptravel.conversation.rules import RULES
from benchmark.suites.grouptravel.events import (
    CompromiseApplied,
    MarkerAttempted,
    PlanMended,
    TableInferred,
    TurnGranted,
)
from sandbox.worlds import PackBuilder
from sandbox.worlds.records import City
from tests.kept_session import KeptSession
from webapp.accounts.models import Role, User
from webapp.accounts.services import local_researcher
from webapp.caches.models import ToolCache
from webapp.caches.services import create_cache
from webapp.catalogue.models import Task, World
from webapp.catalogue.services import build_world
from webapp.sessions import services
from webapp.sessions.log import read_log
from webapp.sessions.models import Session

HOSTILE = "<script>alert(1)</script> & \"quoted\" 'single' <img src=x onerror=alert(2)>"


@pytest.fixture(autouse=True)
def own_language() -> Iterator[None]:
    """What follows in this process speaks English again, whatever a request asked for."""
    yield
    translation.deactivate()


@pytest.fixture
def researcher(db: None) -> User:
    return User.objects.create_user("researcher", password="a long enough one", role=Role.RESEARCHER)


@pytest.fixture
def annotator(db: None) -> User:
    return User.objects.create_user("annotator", role=Role.ANNOTATOR)


@pytest.fixture
def as_researcher(researcher: User) -> Client:
    client = Client()
    client.force_login(researcher)
    return client


@pytest.fixture
def as_local(db: None) -> Client:
    """Whoever runs Caravan on their own machine: its administrator."""
    client = Client()
    client.force_login(local_researcher())
    return client


@pytest.fixture
def as_annotator(annotator: User) -> Client:
    client = Client()
    client.force_login(annotator)
    return client


@pytest.fixture
def small_world(db: None, tmp_path: Path) -> World:
    """A world that holds Hangzhou alone."""
    path = tmp_path / "small.sqlite3"
    with PackBuilder(path, "small", "test") as builder:
        builder.add(City(name="杭州市", longitude=120.15, latitude=30.28))
        builder.finish({})
    return build_world(name="small", build=lambda target: shutil.copyfile(path, target))


@pytest.fixture
def data(tmp_path: Path, settings: Settings) -> Path:
    """A data folder of this test's own for caches."""
    settings.CARAVAN_DATA = tmp_path
    return tmp_path


@pytest.fixture
def cache(db: None, data: Path) -> ToolCache:
    return create_cache(name="local")


class Writer:
    """Appends to a session's log as a worker would."""

    def __init__(self, session: Session) -> None:
        claimed = services.claim(session_id=session.pk)
        assert claimed is not None
        self.session, self.claim, self.log = session, claimed, Conversation(RULES)
        self._waiting: list[Event] | None = None
        for event in read_log(session):
            self.log.apply(event)

    def add(self, actor: str, *bodies: EventBody) -> int:
        """Append a step; the number of its first event."""
        events = self.log.append(Step(actor, bodies))
        if self._waiting is None:
            services.append(claimed=self.claim, events=events, state=self.log.state)
        else:
            self._waiting += events
        return events[0].seq

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """What is added meanwhile is stored at the end, as one step: the same rows with a tenth of the queries."""
        self._waiting = []
        yield
        services.append(claimed=self.claim, events=self._waiting, state=self.log.state)
        self._waiting = None

    def call(self, number: int, result: Any = "[]", **returned: Any) -> int:
        call_id = f"call_{number}"
        seq = self.add(
            "Agent", ToolCalled(call_id=call_id, name="search_poi", arguments={"keywords": "西湖"}, step=1)
        )
        self.add("tools", ToolReturned(call_id=call_id, result=result, **returned))
        return seq


@pytest.fixture
def task(stored_tasks: QuerySet[Task]) -> Task:
    """A medium task of four travellers to two cities, with conflicts."""
    return stored_tasks.get(task_id="starter_02")


@pytest.fixture
def begin(task: Task, starter_world: World) -> Callable[[], Writer]:
    """A new session of that task, with its writer."""

    def make_writer() -> Writer:
        setup = services.Setup(seed=7)
        return Writer(services.create_session(task=task, world=starter_world, setup=setup, start=False))

    return make_writer


def activity(
    kind: str, place: str, start: str, end: str, who: Any = ("All",), cost: Any = 50
) -> dict[str, Any]:
    who = list(who) if isinstance(who, tuple) else who
    return {
        "type": kind,
        "location": place,
        "start_time": start,
        "end_time": end,
        "participants": who,
        "avg_cost": cost,
    }


def broken_plan(users: list[str], cities: list[str]) -> dict[str, Any]:
    """A plan with a split, and with an issue of nearly every kind."""
    first = [
        activity("attraction", "西湖", "10:00", "12:00"),
        activity("food", "楼外楼", "12:00", "13:00", cost=None),
        activity("attraction", "灵隐寺", "14:00", "16:00", tuple(users[:2])),
        activity("attraction", HOSTILE, "14:00", "15:30", tuple(users[2:])),
        activity("attraction", "雷峰塔", "15:00", "25:00", (users[2],)),
        activity("attraction", "断桥", "17:00", "16:00", ("Nobody",)),
    ]
    hotel = {
        "type": "hotel",
        "location": "酒店",
        "start_time": "20:00",
        "end_time": "08:00",
        "avg_cost": 9000,
    }
    second = [hotel, activity("rest", "", "21:00", "22:00", "all")]
    return {
        "days": [
            {"day": 1, "date": "2026-03-27", "city_segments": [{"city": cities[0], "activities": first}]},
            {"day": 2, "date": "2026-03-28", "city_segments": [{"city": cities[1], "activities": second}]},
            {"day": 3, "date": None, "city_segments": []},
        ]
    }


_EVENTFUL: dict[str, KeptSession] = {}
"""The fixture's session as the code made it for the first test that wanted it."""


@pytest.fixture
def eventful(begin: Callable[[], Writer], task: Task, starter_world: World) -> Session:
    """A finished and scored session with an event of every type, hostile text wherever text can come from."""
    from webapp.sessions.scoring import score_session

    if "session" in _EVENTFUL:
        return _EVENTFUL["session"].store(task, starter_world)
    writer = begin()
    with writer.at_once():
        _say_everything(writer, task)
    session = Session.objects.get(pk=writer.session.pk)
    score_session(session=session)
    session.refresh_from_db()
    _EVENTFUL["session"] = KeptSession(session)
    return session


def _say_everything(writer: Writer, task: Task) -> None:
    add, users, city = writer.add, writer.log.state.users, task.cities[0]
    add("system", TurnGranted(speaker="Agent", kind="summary", place="hidden", leads_to="opening"))
    belief = {
        "global_constraints": {"avg_budget": 1, "transport": {"prefer": ["高铁"]}},
        "city_specific_preferences": {city: {"food": {"must_eat": ["火锅", HOSTILE]}}},
    }
    add(
        "Agent",
        TableInferred(table={users[0]: belief, users[2]: writer.log.state.cards[users[2]].preference}),
    )
    add("system", TurnGranted(speaker="Agent", kind="convergence", place="opening"))
    failed = ModelCalled(seat="Agent", endpoint="e", outcome="rate_limit", detail=HOSTILE, retry_in_s=1.0)
    answered = ModelCalled(seat="Agent", endpoint="e", model=HOSTILE, tokens=Usage(prompt=9, completion=1))
    add("system", failed)
    add("Agent", answered, ThoughtKept(speaker="Agent", content=HOSTILE))
    add("Agent", DraftWithdrawn(speaker="Agent", content=HOSTILE, why=HOSTILE, note=HOSTILE))
    add("Agent", AgentNoted(content=HOSTILE))
    writer.call(1, json.dumps({"results": [{"name": HOSTILE, "rating": 4.6}]}), latency_ms=4.2)
    writer.call(2, HOSTILE, error_kind="arguments", source="none")
    add("Agent", MessagePosted(role="Agent", content=f"@{users[2]} {HOSTILE}"))
    add("system", TurnGranted(speaker=users[2], kind="mentioned", place="preempt"))
    add(users[2], MarkerAttempted(user=users[2], marker=HOSTILE, verdict="unresolvable"))
    again = TurnGranted(
        speaker=users[2], kind="mentioned", place="preempt", attempt=2, problem="unresolvable"
    )
    add("system", again)
    add(
        users[2],
        MarkerAttempted(user=users[2], marker="[x : []]", verdict="accepted"),
        CompromiseApplied(
            user=users[2], path="global_constraints.transport.must", value=[], was=["高铁"], event=1
        ),
        MessagePosted(role=users[2], content=HOSTILE),
    )
    add("system", TurnGranted(speaker=users[0], kind="polled", place="lap", skipped=(users[1],), slot=1))
    add(users[0], TurnPassed(user=users[0]))
    add("system", TurnGranted(speaker="Agent", kind="final", place="end", round=20))
    add("Agent", MessageWithheld(content=HOSTILE, why="no_plan"))
    add(
        "system",
        TurnGranted(speaker="Agent", kind="final", place="end", round=20, attempt=2, problem="no_plan"),
    )
    plan = broken_plan(users, task.cities)
    words = f"方案 @{users[0]}\n```json\n{json.dumps(plan, ensure_ascii=False)}\n```\n{HOSTILE}"
    said = MessagePosted(role="Agent", content=words, has_plan=True)
    add("Agent", PlanMended(written=HOSTILE), said, PlanProposed(plan=plan))
    add("researcher", SessionForked(origin=HOSTILE, seq=writer.log.state.seq, chosen=9, seed=5))
    add("system", ErrorRaised(where="Agent", kind="runtime_error", detail=HOSTILE))
    add("system", SessionFinished(reason="max_turn_reached", plan_generated=True))
