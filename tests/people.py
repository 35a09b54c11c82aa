"""People at the table, for tests: browsers that took a seat by its link, and what they send."""

from __future__ import annotations

from copy import copy, deepcopy
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from django.test import Client

from benchmark.core.actions import Pass, Say
from benchmark.core.attendance import Attendance
from benchmark.core.participant import PERSON
from benchmark.suites.grouptravel.travellers.scripted import ScriptedUser
from webapp.catalogue.models import Task, World
from webapp.endpoints.choice import SeatPlayer
from webapp.people.invitations import invite
from webapp.people.models import Guest
from webapp.people.page import Table
from webapp.seats.models import Seat
from webapp.sessions import services
from webapp.sessions.models import Session

PATIENT = Attendance(turn_s=None)


def with_people(
    task: Task, world: World, *names: str, attendance: Attendance | None = PATIENT, **setup: Any
) -> Session:
    """A session in which these seats are people's."""
    seats = {name: SeatPlayer(PERSON) for name in names}
    chosen = services.Setup(seats=seats, attendance=attendance, **setup)
    return services.create_session(task=task, world=world, setup=chosen, start=False)


@dataclass
class Sitter:
    """A person's browser at a seat."""

    seat: Seat
    client: Client = field(default_factory=Client)
    ids: Any = field(default_factory=lambda: (f"said-{n}" for n in count()))

    def __post_init__(self) -> None:
        self.link = invite(seat=self.seat).get_absolute_url()

    @property
    def guest(self) -> Guest:
        """Who this browser is."""
        return Guest.objects.select_related("seat__session__task").get(seat=self.seat, holds=True)

    @property
    def path(self) -> str:
        """Of the seat's page."""
        return self.guest.get_absolute_url()

    def come(self) -> Sitter:
        """By the link, through the pages before the conversation."""
        self.client.post(self.link)
        self.client.post(self.path + "consent/", {"agree": "1"})
        self.client.post(self.path + "practised/")
        assert self.guest.stage == Guest.Stage.READY
        return self

    def copy(self) -> Sitter:
        """The same browser for one test, where rows stay for a whole module."""
        other = copy(self)
        other.seat, other.client, other.ids = (
            Seat.objects.get(pk=self.seat.pk),
            Client(),
            (f"said-{n}" for n in count()),
        )
        other.client.cookies = deepcopy(self.client.cookies)
        return other

    def say(self, content: str, **more: Any) -> Any:
        """Send words, whatever the page asks before."""
        given = {"client_id": next(self.ids), "content": content, "sure": "1", "only_words": "1", **more}
        return self.client.post(self.path + "say/", given)

    def passes(self) -> Any:
        """Press the button."""
        return self.client.post(self.path + "say/", {"client_id": next(self.ids), "content": "", "pass": "1"})

    @property
    def table(self) -> Table:
        """What the page knows now."""
        return Table(self.guest)

    def as_scripted(self) -> bool:
        """At their turn, do what the scripted traveller would; False where it is not their turn."""
        table = self.table
        if table.standing != "yours":
            return False
        action = ScriptedUser().act(table.fold.view())
        match action:
            case Say(content):
                response = self.say(content)
            case Pass():
                response = self.passes()
        assert response.headers.get("HX-Trigger") == "seat:sent", response.content.decode()
        return True
