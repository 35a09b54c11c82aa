"""What the page of a seat shows: everything from the events that reach this seat, and from the turn's clock."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from benchmark.core.attendance import Attendance
from benchmark.core.deadlines import Clock, clock
from benchmark.core.events import Event, TurnGranted, TurnReminded
from benchmark.core.participant import PASSED
from benchmark.core.state import SessionState
from benchmark.core.view import AGENT
from benchmark.core.viewfold import ViewFold
from benchmark.suites import suite_named
from sandbox.toolsets import toolset_named
from sandbox.toolsets.base import Toolset
from webapp.pages import SeatPage, pages_of
from webapp.people.models import Guest, Study, study_of
from webapp.people.states import state_at
from webapp.plans.mapping import places_of
from webapp.seats.inbox import unread_messages
from webapp.seats.models import InboxMessage
from webapp.sessions.chat import chat_html
from webapp.sessions.log import visible, whole_log
from webapp.sessions.models import Session

SHORT = {"zh-hans": "zh", "en": "en"}


@dataclass(frozen=True)
class Waiting:
    """Words, or a pass, that wait for their turn."""

    client_id: str
    words: str
    passes: bool


@dataclass
class Table:
    """A session as whoever has a seat may know it, and what the clock says."""

    guest: Guest

    @cached_property
    def session(self) -> Session:
        return self.guest.seat.session

    @cached_property
    def study(self) -> Study:
        return study_of(self.session)

    @cached_property
    def _read(self) -> tuple[list[InboxMessage], list[Event]]:
        """What is not taken yet, then the log: what is taken meanwhile stands there."""
        return list(unread_messages(self.guest.seat)), whole_log(self.session.pk)

    @property
    def log(self) -> list[Event]:
        return self._read[1]

    @cached_property
    def state(self) -> SessionState:
        """The fold over the whole log. Of it only turns and seats are shown here, which everybody may know."""
        return state_at(self.session.suite, self.session.pk, len(self.log))

    @cached_property
    def shown_events(self) -> list[Event]:
        """The events that reach this seat."""
        return list(visible(self.log, self.seat))

    @cached_property
    def fold(self) -> ViewFold:
        """What this seat knows, grown from these events alone."""
        fold = suite_named(self.session.suite).play.rules.view(self.seat)
        for event in self.shown_events:
            fold.apply(event)
        return fold

    @property
    def seat(self) -> str:
        return self.guest.seat.name

    @property
    def is_agent(self) -> bool:
        return self.seat == AGENT

    @property
    def toolset(self) -> Toolset:
        """What the agent may call."""
        assert self.fold.opening is not None
        return toolset_named(self.fold.opening.sandbox.toolset)

    @property
    def page(self) -> SeatPage:
        """The benchmark's part."""
        return pages_of(self.session.suite).seat

    @cached_property
    def places(self) -> Any:
        """What the world of the session knows, as scores need it; None where it can't be read."""
        return places_of(self.session)

    def card(self) -> dict[str, Any]:
        """The benchmark's context of the card."""
        return self.page.card(self.fold, self.language, self.places)

    @property
    def language(self) -> str:
        """`zh` or `en`."""
        return SHORT[self.guest.language]

    @property
    def speaker(self) -> str:
        """Whose turn it is, "" between turns."""
        turn = self.state.turn
        return turn.speaker if turn is not None and not self.state.ask_again else ""

    @property
    def ends(self) -> datetime | None:
        """When this seat's turn is over."""
        return self.clock.ends if self.clock else None

    @cached_property
    def clock(self) -> Clock | None:
        """Of this seat's turn, None where it has no limit."""
        return clock(self.state, self.log) if self.standing == "yours" else None

    @property
    def left_s(self) -> int | None:
        """Seconds that are left while the clock stands, None while it goes."""
        left = self.clock.time_left if self.clock else None
        return None if left is None else max(0, round(left.total_seconds()))

    @cached_property
    def waiting(self) -> list[Waiting]:
        """What was sent from here and is not taken yet."""
        return [
            Waiting(sent.client_id, self.page.words(sent.content), sent.kind == InboxMessage.Kind.PASS)
            for sent in self._read[0]
        ]

    @property
    def standing(self) -> str:
        """`ended`, `gone`, `paused`, `gathering`, `sent`, `yours` or `others`."""
        if not self.guest.holds:
            return "gone"
        if self.session.ended or self.state.final_event is not None:
            return "ended"
        if not self.guest.sits:
            return "gone"
        if self.session.paused:
            return "paused"
        if self.state.untaken and not self.state.begun:
            return "gathering"
        if self.waiting:
            return "sent"
        if (
            self.speaker != self.seat or self.problem == PASSED
        ):  # who has passed is passed for when asked again
            return "others"
        return "yours"

    @property
    def nudged(self) -> bool:
        """Whether the researcher has reminded whoever has the turn of it."""
        asked = (
            event.body for event in reversed(self.log) if isinstance(event.body, TurnGranted | TurnReminded)
        )
        last = next(asked, None)
        return isinstance(last, TurnReminded) and last.nudged

    @property
    def attendance(self) -> Attendance | None:
        """How this seat is waited for, as the session began."""
        return self.state.attendance.get(self.seat)

    @property
    def gathered(self) -> int:
        """How many are there of those who have to come."""
        return len(self.state.attendance) - len(self.state.untaken)

    @property
    def problem(self) -> str:
        """Why this seat is asked once more, as the benchmark names it."""
        turn = self.state.turn
        return turn.problem if turn is not None and turn.speaker == self.seat else ""


def now_context(table: Table, **more: Any) -> dict[str, Any]:
    """What `people/now.html` needs. more: what came of the last thing that was sent."""
    context: dict[str, Any] = {
        "guest": table.guest,
        "session": table.session,
        "table": table,
        "standing": table.standing,
        "ends": table.ends,
        "left_s": table.left_s,
        "waiting": [] if table.is_agent else table.waiting,  # what the agent sends is read at once
        "reminded": table.standing == "yours" and table.state.reminded,
        "nudged": table.standing == "yours" and table.nudged,
        "card_template": f"suites/{table.session.suite}/seat/card.html",
        "turn_template": _turn_templates(table),
        "posts_plan": table.is_agent and table.page.agent.answers_once,
        **table.card(),
        **more,
    }
    if table.standing == "yours":
        context |= (table.page.agent if table.is_agent else table.page).turn(table.fold, table.language)
    return context


def _turn_templates(table: Table) -> list[str]:
    """The first that there is."""
    own = f"suites/{table.session.suite}/seat"
    return [f"{own}/agent/turn.html", "people/agent/turn.html"] if table.is_agent else [f"{own}/turn.html"]


def page_context(table: Table) -> dict[str, Any]:
    """What `people/seat.html` needs."""
    shown = table.shown_events
    chat = chat_html(shown, session=table.session, viewer=table.seat, language=table.guest.language)
    return {**now_context(table), "chat": chat, "cursor": shown[-1].seq if shown else 0}
