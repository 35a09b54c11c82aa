"""Two people at a table, for tests of what a seat does with what no page would send."""

from __future__ import annotations

from typing import Any

from benchmark.core.events import PresenceChanged
from benchmark.suites.grouptravel.events import TurnGranted
from tests.people import Sitter, with_people
from tests.webapp.conftest import Writer
from webapp.catalogue.models import Task, World
from webapp.seats.models import InboxMessage, Notice


def sit_down(task: Task, world: World) -> tuple[Sitter, Writer]:
    """A browser at User1, whose turn it is in a session of two people, and the session's writer."""
    session = with_people(task, world, "User1", "User2")
    writer, here = Writer(session), Sitter(session.seats.get(name="User1")).come()
    Sitter(session.seats.get(name="User2")).come()
    for seat in ("User1", "User2"):
        writer.add(seat, PresenceChanged(seat=seat, presence="joined"))
    writer.add("system", TurnGranted(speaker="User1", kind="polled", place="lap"))
    Notice.objects.all().delete()
    assert here.table.standing == "yours"
    return here, writer


def inbox_contents(sitter: Sitter) -> list[str]:
    return list(
        InboxMessage.objects.filter(seat=sitter.seat).order_by("pk").values_list("content", flat=True)
    )


def arrived(response: Any) -> bool:
    assert response.status_code == 200, response
    return bool(response.headers.get("HX-Trigger") == "seat:sent")
