"""The table of a session: the participants at its seats, their models, and the tools."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from benchmark.core.engine import Tools
from benchmark.core.events import ParticipantJoined
from benchmark.core.line import Line, SeatModel
from benchmark.core.participant import (
    OUTSIDE_KINDS,
    FromOutside,
    Kind,
    OverModel,
    Participant,
    SeatContext,
)
from benchmark.core.setting import Check
from benchmark.core.state import SessionState
from benchmark.core.view import AGENT, SIMULATOR
from benchmark.models import Model, ModelSetup
from benchmark.models.chat import Delta
from benchmark.suites import suite_named
from sandbox.toolsets import toolset_named
from webapp.cassettes.playing import AnsweredModel, Playback
from webapp.cassettes.selectors import cassette_of, given_answer
from webapp.endpoints.models import ModelEndpoint
from webapp.jobs.services import Claim
from webapp.seats.inbox import SeatInbox, unread_in
from webapp.sessions.models import Session
from webapp.sessions.setting import setting_of
from worker.lease_keeper import lease_keeper
from worker.model_calls.live import LiveModel
from worker.notifier import notifier
from worker.sessions.tools import tools_of
from worker.telemetry.calls import SpannedTools

WOKEN_S = 15.0
"""A session that got no place at an endpoint sleeps for this long, unless a free place wakes it earlier."""


@dataclass(frozen=True, slots=True)
class Table:
    """Participants by seat, the line to their models, who answers tool calls, and the cassette of a replay.

    inboxes: by the name of the seat, of those that act from outside. check: what the rules find in a plan.
    """

    seats: Mapping[str, Participant[Any]]
    line: Line
    tools: Tools
    playback: Playback | None = None
    inboxes: Mapping[str, SeatInbox] = field(default_factory=dict)
    check: Check | None = None

    def mail(self, session_id: str) -> frozenset[int]:
        """The keys of the messages to its seats that are not taken."""
        return unread_in(session_id) if self.inboxes else frozenset()


def set_table(session: Session, claimed: Claim, state: SessionState) -> Table:
    """The table of a session, by the participants that its log names. claimed: a model request stops if it is lost.

    Raises:
        KeyError: a kind of participant that this version does not have.
        RuntimeError: a seat that needs a model has none.
        WorldError, CacheError, IndexMissing, NotConfigured: a part of the sandbox is missing.
    """
    assert state.opening is not None
    line = Line()
    rows = list(session.seats.select_related("model"))
    endpoints = {seat.name: seat.model for seat in rows}
    playback = None  # a replay answers from its cassette, and needs neither endpoints nor a sandbox
    if session.replay_of_id:
        playback = Playback(cassette_of(session), state, lambda: len(line.calls))

    given = None if playback else given_answer(session)

    def model(joined: ParticipantJoined, setup: ModelSetup) -> Model:
        behind: Model = (
            playback.model(joined.seat, setup)
            if playback
            else _live_model(session, claimed, state, joined.seat, setup, endpoints.get(joined.seat))
        )
        if given is not None and given.seat == joined.seat:
            behind = AnsweredModel(
                behind, given.number, given.reply, lambda: state.model_calls + len(line.calls)
            )
        return SeatModel(joined.seat, behind, line)

    joined = [state.seats.get(seat) or _by_columns(session, seat) for seat in (AGENT, *state.users)]
    play, setting = suite_named(session.suite).play, setting_of(session, state.opening)
    cast, toolset = play.cast(), toolset_named(state.opening.sandbox.toolset)
    inboxes = {seat.name: SeatInbox(seat) for seat in rows if seat.kind in OUTSIDE_KINDS}
    seats = {
        each.seat: _participant_at(
            cast.at(each.seat)[each.kind],
            each,
            play.seat_context(setting, each.seat, toolset),
            model,
            inboxes,
        )
        for each in joined
    }
    simulating = state.seats.get(SIMULATOR)
    simulator = model(simulating, simulating.model) if simulating and simulating.model else None
    tools = playback.tools(simulator) if playback else tools_of(session, state.opening, simulator)
    return Table(seats, line, SpannedTools(tools), playback, inboxes, play.check(setting))


def _participant_at(
    kind: Kind,
    joined: ParticipantJoined,
    context: SeatContext,
    model: Callable[[ParticipantJoined, ModelSetup], Model],
    inboxes: Mapping[str, SeatInbox],
) -> Participant[Any]:
    seat = joined.seat
    if isinstance(kind, FromOutside):
        return kind.make(inboxes[seat])
    if not isinstance(kind, OverModel):
        return kind.make(context)
    if joined.model is None:
        raise RuntimeError(f"{seat} ({joined.kind}) speaks through a model, and the log names none")
    return kind.make(context, model(joined, joined.model))


def _by_columns(session: Session, seat: str) -> ParticipantJoined:
    """The participant of a seat in a log that was written before seats were events."""
    return ParticipantJoined(seat=seat, kind=session.agent if seat == AGENT else session.users)


def _draft_kind(state: SessionState, delta: Delta) -> str:
    """How viewers see a draft: words of a hidden turn are shown apart, since they do not reach the chat."""
    return "hidden" if state.turn is not None and state.turn.hidden else delta.kind


def _live_model(
    session: Session,
    claimed: Claim,
    state: SessionState,
    seat: str,
    setup: ModelSetup,
    endpoint: ModelEndpoint | None,
) -> Model:
    if endpoint is None or state.opening is None:
        raise RuntimeError(f"the endpoint of {seat} is gone")
    pk = session.pk

    def show(delta: Delta) -> None:
        if seat != SIMULATOR:  # it writes a tool's result, which is shown when it is there and was checked
            notifier().notify_draft(pk, seat, state.model_calls, _draft_kind(state, delta), delta.text)

    return LiveModel(
        setup,
        endpoint,
        state.opening.language,
        on_delta=show,
        is_stopped=lambda: lease_keeper().is_unwanted(claimed),
        asleep_s=WOKEN_S,
    )
