"""Programs that take seats: who asks, how they join, what they know, what they send."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from benchmark.agents.llm import DEEPEST
from benchmark.core.actions import CallTools, ToolCall, calls_as_text
from benchmark.core.deadlines import turn_ends
from benchmark.core.events import Event, may_see
from benchmark.core.participant import INBOX, PERSON
from benchmark.core.state import SessionState
from benchmark.core.view import AGENT, View
from benchmark.suites import suite_named
from benchmark.text.prompts import prompt_language
from sandbox.toolsets import toolset_named
from webapp.apis import Refusal
from webapp.jobs.services import hand_over
from webapp.link_keys import derive, is_accepted
from webapp.people import guests
from webapp.people.api_models import Act, CallAction, Ending, SayAction, Status, Table, TurnNow, view_as_json
from webapp.people.invitations import NotAdmitted, invitation_of, redeem
from webapp.people.models import Guest, Invitation
from webapp.people.states import state_at
from webapp.seats.inbox import unread_messages
from webapp.seats.models import InboxMessage, Notice, Role, Seat
from webapp.sessions.inbox import MessageRefused, deliver
from webapp.sessions.jobs import SESSION
from webapp.sessions.log import whole_log

OWN = "seat-"
"""How a token begins that stands for a seat which was taken by a link to a lobby."""


# Who asks.


@dataclass(frozen=True, slots=True)
class Caller:
    """Whom a token stands for. guest: None where nobody has joined by it yet."""

    token: str
    invitation: Invitation | None
    guest: Guest | None


def caller_by(token: str) -> Caller | None:
    """Whom a token stands for: that of an invitation, or of a seat that a program has taken by a lobby's link.

    Whoever came by a link stays when it expires; others are not let in by it any more.
    """
    if token.startswith(OWN):
        guest = _by_own(token)
        return Caller(token, guest.invitation, guest) if guest else None
    invitation = invitation_of(token)
    if invitation is None:
        return None
    guest = None if invitation.is_lobby else _came_by(invitation)
    return Caller(token, invitation, guest) if guest or invitation.usable() else None


def token_of(guest: Guest) -> str:
    """What a program shows that has this seat."""
    return _token_under(guest, settings.SECRET_KEY)


def _token_under(guest: Guest, key: str) -> str:
    if guest.invitation is not None and not guest.invitation.is_lobby:
        return guest.invitation.token_under(key)
    return f"{OWN}{guest.pk}-{derive('caravan.program', guest.pk, key).hex()[:32]}"


def guest_of(caller: Caller) -> Guest:
    """The program that has its seat by this token, and may act there.

    Raises:
        Refusal: there is none (any more).
    """
    guest = caller.guest
    if guest is None:
        _refuse_person(caller.invitation)
        raise Refusal(
            404, "not_joined", _("Nobody has joined by this token yet. Call POST /api/seat/join first.")
        )
    if guest.left_at is not None:
        raise Refusal(
            409, "left", _("The program has left this seat. Ask for a new link to take part again.")
        )
    if not guest.holds or guest.seat.kind != INBOX:
        raise Refusal(409, "taken", _("Somebody else has this seat now."))
    return guest


def _programs(**lookups: Any) -> Guest | None:
    programs = Guest.objects.select_related("seat__session__task", "invitation").exclude(program="")
    return programs.filter(**lookups).order_by("-holds", "-created_at").first()


def _came_by(invitation: Invitation, **lookups: Any) -> Guest | None:
    return _programs(invitation=invitation, **lookups)


def _by_own(token: str) -> Guest | None:
    guest = _programs(pk=token.removeprefix(OWN).rpartition("-")[0])
    return guest if guest and is_accepted(token, partial(_token_under, guest)) else None


def _refuse_person(invitation: Invitation | None) -> None:
    seat = invitation.seat if invitation else None
    if seat is not None and seat.kind == PERSON:
        words = _(
            "This seat is for a person. Open the link in a browser, or start a session with a program in it."
        )
        raise Refusal(403, "person", words)
    if seat is not None and seat.kind != INBOX:
        raise Refusal(
            403, "taken", _("This seat is not for a program: “%(kind)s” sits there.") % {"kind": seat.kind}
        )


# Joining and leaving.


def join(caller: Caller, program: str, version: str, client_id: str) -> Guest:
    """Take the seat, or get it back.

    Raises:
        Refusal: another program has it, or nobody can take it (any more).
    """
    known = caller.guest or _copy_of(caller.invitation, program, client_id)
    if known is None:
        _refuse_person(caller.invitation)
        try:
            known = redeem(token=caller.token, name=client_id, program=program, version=version)
        except NotAdmitted as error:
            known = _at_once(caller, program, client_id)  # the same request was sent twice at the same moment
            if known is None:
                raise Refusal(409, "taken", str(error)) from error
        known = _programs(pk=known.pk) or known
    guest_of(Caller(caller.token, caller.invitation, known))
    if known.program != program or (client_id and known.name not in ("", client_id)):
        words = _("“%(program)s” has this seat. Each link is for one program; ask for one of your own.")
        raise Refusal(409, "taken", words % {"program": f"{known.program} {known.name}".strip()})
    _record_version(known, version)
    record_heartbeat(known)
    return known


def _copy_of(invitation: Invitation | None, program: str, client_id: str) -> Guest | None:
    """The copy of a program that came by a lobby's link under this name."""
    if invitation is None or not client_id:
        return None
    return _came_by(invitation, program=program, name=client_id)


def _at_once(caller: Caller, program: str, client_id: str) -> Guest | None:
    again = caller_by(caller.token)
    if again is None:
        return None
    return again.guest or _copy_of(again.invitation, program, client_id)


def _record_version(guest: Guest, version: str) -> None:
    """A program that comes back in another version: the log names it from here on."""
    if guest.version == version:
        return
    guest.version, guest.presence = version, "disconnected" if guest.presence else ""
    guest.save(update_fields=["version", "presence"])


def record_heartbeat(guest: Guest) -> None:
    """A program was heard of; where the log says that it was away, it is back."""
    guests.record_visits(guest.pk)
    seat = guest.seat
    if seat.session.ended:
        return
    told = Notice.objects.filter(session=seat.session_id, actor=seat.name, taken_at_seq=None).exists()
    noted = _state(seat, whole_log(seat.session_id)).presence.get(seat.name, "")
    if noted in ("disconnected", "left") and not told and guest.presence not in ("", noted):
        Guest.objects.filter(pk=guest.pk, holds=True).update(presence=noted)
        guest.presence = noted
    guests.came_back(guest)


def leave(guest: Guest) -> None:
    """Give the seat up for good."""
    guests.leave(guest, withdraw=False)


# What a program knows.


def table_of(guest: Guest) -> Table:
    """What reaches this seat, and whether it has to act."""
    seat = guest.seat
    on_its_way = unread_messages(seat).exists()  # before the log is read: what was taken since is in the log
    events = whole_log(seat.session_id)
    state = _state(seat, events)  # of these events, or what has come since would be awaited and not shown
    view, reached = _view(seat, events)
    mine = not on_its_way and _awaited(state, seat)
    status: Status = "ended" if state.final_event else "your_turn" if mine else "waiting"
    finished = state.final_event
    return Table(
        session=seat.session_id,
        seat=seat.name,
        status=status,
        seq=reached,
        turn=_turn(view, turn_ends(state, events)) if view and status == "your_turn" else None,
        view=view_as_json(seat.session.suite, view) if view else None,
        tools=_tools(seat, state),
        plan_schema=_plan_schema(seat),
        ended=Ending(reason=finished.reason, plan_generated=finished.plan_generated) if finished else None,
    )


def _state(seat: Seat, events: Sequence[Event]) -> SessionState:
    """After these events. Nobody changes it."""
    return state_at(seat.session.suite, seat.session_id, len(events))


def _view(seat: Seat, events: list[Event]) -> tuple[View | None, int]:
    """The seat's own view, None before its first turn, and the last event that it could see."""
    fold, reached = suite_named(seat.session.suite).play.rules.view(seat.name), 0
    for event in events:
        if may_see(seat.name, event.audience):
            fold.apply(event)
            reached = event.seq
    return (fold.view() if fold.opening and fold.turn else None), reached


def _awaited(state: SessionState, seat: Seat) -> bool:
    """Whether an action of this seat is what the session waits for."""
    turn = state.turn
    return turn is not None and turn.speaker == seat.name and not state.ask_again and not state.loop.waiting


def _turn(view: View, deadline: datetime | None) -> TurnNow:
    turn = view.turn
    return TurnNow(
        seq=turn.seq,
        kind=turn.kind,
        attempt=turn.attempt,
        problem=turn.problem or turn.unread or (turn.drafts[-1].why if turn.drafts else ""),
        step=turn.step,
        tools_allowed=view.me == AGENT and turn.tools_allowed,
        deadline=deadline,
    )


def _tools(seat: Seat, state: SessionState) -> list[Any]:
    if seat.role != Role.AGENT or state.opening is None:
        return []
    return list(
        toolset_named(state.opening.sandbox.toolset).definitions(prompt_language(state.opening.language))
    )


def _plan_schema(seat: Seat) -> dict[str, Any] | None:
    plans = suite_named(seat.session.suite).plans
    return dict(plans.schema) if plans is not None and seat.role == Role.AGENT else None


# What it sends.


def act(guest: Guest, sent: Act) -> InboxMessage:
    """Send an action to the seat; the same `client_id` again gives the first one.

    Raises:
        Refusal: it is not the turn that this answers, or the action is none that the seat can take.
    """
    seat = guest.seat
    kind, content = _inbox_content(sent)
    with transaction.atomic():
        # one after another: one action for a turn, and of equal ones at one moment each finds the first
        Seat.objects.select_for_update().get(pk=seat.pk)
        if (known := InboxMessage.objects.filter(seat=seat, client_id=sent.client_id).first()) is not None:
            _refuse_another(known, sent, kind, content)
            return known
        _refuse_late(guest, sent)
        try:
            message = deliver(seat=seat, client_id=sent.client_id, kind=kind, content=content)
        except MessageRefused as error:
            raise Refusal(422, "unfit", str(error), where=_field(sent)) from error
    hand_over(kind=SESSION, subject=seat.session_id)  # again: nobody could see the message before
    return message


def _refuse_another(known: InboxMessage, sent: Act, kind: InboxMessage.Kind, content: str) -> None:
    """A program that gives all its actions one id learns it, in place of waiting for its turn to end."""
    later = known.taken_at_seq is not None and known.taken_at_seq < sent.turn
    if later or (known.kind, known.content) != (kind, content):
        words = _("Another action of this seat has this client_id. Choose a new one for each action.")
        raise Refusal(422, "unfit", words, where="client_id")


def _field(sent: Act) -> str:
    """Where an action is that a seat can't take."""
    if isinstance(sent.action, SayAction):
        return "action.content"
    return "action.calls" if isinstance(sent.action, CallAction) else "action.type"


def _refuse_late(guest: Guest, sent: Act) -> None:
    if unread_messages(guest.seat).exists():
        words = _(
            "An action of this seat is being handled. Wait until GET /api/seat/view says that it is "
            "your turn."
        )
        raise Refusal(409, "on_its_way", words)
    table = table_of(guest)
    if table.status == "ended":
        raise Refusal(409, "ended", _("The session has ended."))
    if table.turn is None:
        words = _("It is not this seat's turn. Wait until GET /api/seat/view says that it is.")
        raise Refusal(409, "another_turn", words)
    if table.turn.seq != sent.turn:
        words = _(
            "Turn %(sent)s is not in progress; turn %(now)s is. Read GET /api/seat/view, and answer that one."
        )
        raise Refusal(409, "another_turn", words % {"sent": sent.turn, "now": table.turn.seq}, where="turn")
    if isinstance(sent.action, CallAction) and guest.seat.role == Role.AGENT and not table.turn.tools_allowed:
        words = _("Tools can't be called now (turn.tools_allowed is false). Say something.")
        raise Refusal(422, "unfit", words, where="action.type")


def _inbox_content(sent: Act) -> tuple[InboxMessage.Kind, str]:
    """The action as an inbox keeps it."""
    if isinstance(sent.action, SayAction):
        return InboxMessage.Kind.SAY, sent.action.content
    if not isinstance(sent.action, CallAction):
        return InboxMessage.Kind.PASS, ""
    calls = tuple(ToolCall(call.name, _parse_arguments(call.arguments)) for call in sent.action.calls)
    if any(not _plain(call.arguments) for call in calls):
        words = _(
            "Arguments may be nested at most %(deepest)s levels deep, and NaN and Infinity are not "
            "allowed in them."
        )
        raise Refusal(422, "unfit", words % {"deepest": DEEPEST}, where="action.calls")
    return InboxMessage.Kind.CALL, calls_as_text(CallTools(calls, sent.action.note))


def _parse_arguments(arguments: dict[str, Any] | str) -> dict[str, Any] | str:
    """The object that a model wrote; a text that is none stays: the sandbox tells what is wrong with it."""
    if not isinstance(arguments, str):
        return arguments
    try:
        parsed = json.loads(arguments)
    except (ValueError, RecursionError):
        return arguments
    return parsed if isinstance(parsed, dict) and _plain(parsed) else arguments


def _plain(arguments: dict[str, Any] | str) -> bool:
    """Whether a log can hold these arguments."""
    level: list[Any] = [arguments]
    for _depth in range(DEEPEST + 1):
        nested = (each for each in level if isinstance(each, dict | list))
        level = [value for each in nested for value in (each.values() if isinstance(each, dict) else each)]
        if not level:
            break
    else:
        return False
    try:
        json.dumps(arguments, allow_nan=False)
    except ValueError:
        return False
    return True
