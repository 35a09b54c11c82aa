"""The clock of a turn: it stands for warnings and lost connections, and starts anew where an agent gets on."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from benchmark.core.attendance import Attendance
from benchmark.core.deadlines import clock
from benchmark.core.engine import Conversation, Step
from benchmark.core.events import (
    AttendanceSet,
    ClockSet,
    Event,
    ParticipantJoined,
    PresenceChanged,
    ToolCalled,
    ToolReturned,
    TurnExtended,
    TurnReminded,
)
from benchmark.core.view import AGENT
from benchmark.suites.grouptravel.conversation.rules import RULES
from benchmark.suites.grouptravel.events import Member, SessionOpened, TurnGranted

START = datetime(2026, 1, 1, tzinfo=UTC)
TURN_S = 60


def state_and_events(seat: str, *later: tuple[float, Any], kind: str = "person") -> tuple[Any, list[Event]]:
    """The state and the events of a session in which a seat got the turn at `START`, and of what came later."""
    opened = SessionOpened(
        task_id="t",
        query="",
        time="",
        context="",
        travellers=(Member(name="User1", role=""),),
        max_turn=15,
        convergence_interval=3,
    )
    log: Conversation[Any] = Conversation(RULES)
    joined = ParticipantJoined(seat=seat, kind=kind)
    waits = AttendanceSet(seat=seat, attendance=Attendance(turn_s=TURN_S))
    granted = TurnGranted(speaker=seat, kind="polled", place="lap")
    log.append(Step("system", (opened, joined, waits, granted)))
    log.append(Step(seat, tuple(body for _, body in later)))
    first = len(log.events) - len(later)
    at = [START] * first + [START + timedelta(seconds=seconds) for seconds, _ in later]
    return log.state, [replace(event, at=when) for event, when in zip(log.events, at, strict=True)]


def ends_after(seat: str, *later: tuple[float, Any], **more: Any) -> tuple[float, float | None]:
    """Seconds from `START` to the end of the turn, and those that are left while the clock stands."""
    found = clock(*state_and_events(seat, *later, **more))
    assert found is not None
    return (found.ends - START).total_seconds(), found.time_left and found.time_left.total_seconds()


def stands(how: Any, seat: str = "User1") -> ClockSet:
    return ClockSet(seat=seat, how=how)


def presence_change(presence: Any) -> PresenceChanged:
    return PresenceChanged(seat="User1", presence=presence)


@pytest.mark.parametrize(
    ("later", "ends", "left"),
    [
        ([], 60, None),
        ([(10, stands("stands"))], 120, 50),
        ([(10, stands("stands")), (25, stands("goes"))], 75, None),
        ([(10, stands("stands")), (20, stands("stands")), (25, stands("goes"))], 75, None),
        ([(10, stands("stands")), (15, stands("goes")), (20, stands("stands"))], 120, 45),
        ([(10, stands("stands")), (200, stands("goes"))], 120, None),
        ([(10, presence_change("disconnected"))], 120, 50),
        ([(10, presence_change("disconnected")), (40, presence_change("back"))], 90, None),
        ([(10, presence_change("away"))], 60, None),
        ([(10, stands("stands", "User2"))], 60, None),
        (
            [(10, TurnExtended(seat="User1", by_s=30)), (20, stands("stands")), (30, stands("goes"))],
            100,
            None,
        ),
    ],
)
def test_the_clock_stands_while_a_warning_or_a_lost_page_waits(
    later: list[tuple[float, Any]], ends: float, left: float | None
) -> None:
    assert ends_after("User1", *later) == (ends, left)


def test_a_program_that_was_lost_has_no_more_time() -> None:
    assert ends_after("User1", (10, presence_change("disconnected")), kind="inbox") == (60, None)


def test_an_agents_time_starts_anew_with_each_result_and_step_of_its_plan() -> None:
    call = ToolCalled(call_id="c", name="search_poi", arguments={}, step=1)
    assert ends_after(AGENT, (5, call)) == (60, None)
    assert ends_after(AGENT, (5, call), (20, ToolReturned(call_id="c", result="{}"))) == (80, None)
    assert ends_after(AGENT, (30, stands("anew", AGENT))) == (90, None)
    state, _ = state_and_events(AGENT, (5, TurnReminded(seat=AGENT)), (30, stands("anew", AGENT)))
    assert not state.reminded
