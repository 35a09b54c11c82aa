"""What a researcher does at the seats of a session: links, reminders, more time, and who sits there."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from benchmark.core.attendance import ABSENCES
from benchmark.core.events import TurnExtended, TurnReminded
from benchmark.core.participant import OUTSIDE_KINDS
from benchmark.core.state import SessionState
from benchmark.suites import suite_named
from webapp import clock
from webapp.accounts.models import User
from webapp.endpoints.choice import SeatPlayer, chosen_at, joined_as, sampling_at
from webapp.people.guests import change_presence
from webapp.people.invitations import invite, live_seats, revoke
from webapp.people.models import VALID_FOR, Guest, Invitation, study_of
from webapp.people.tabs import notify_pages
from webapp.seats.inbox import unread_messages
from webapp.seats.models import Seat
from webapp.sessions.inbox import tell
from webapp.sessions.log import other_words
from webapp.sessions.models import ENDED_STATUSES, Session
from webapp.sessions.services import read_sampling, waited_for

RESEARCHER = "researcher"
"""The actor of what happens here."""
LONGER_S = (60, 300)
"""How much more time a turn can be given at once."""
DAYS = (1, 7, 14, 60)
"""For how long a new link may work."""


class SeatRefused(ValueError):
    """That can't be done at a seat now; the words say why."""


def usable() -> QuerySet[Invitation]:
    """Links that let somebody in now."""
    return Invitation.objects.filter(revoked_at=None, expires_at__gt=clock.now())


def invite_all(sessions: QuerySet[Session], created_by: User | None = None) -> int:
    """A link to each seat of sessions that go on which nobody has and to which no link leads; how many are new."""
    going = sessions.exclude(status__in=ENDED_STATUSES)
    linked = usable().filter(seat=OuterRef("pk"))
    lacking = live_seats(going).exclude(guests__holds=True).exclude(Exists(linked))
    expires = clock.now() + VALID_FOR
    with transaction.atomic():
        made = [
            Invitation(session_id=seat.session_id, seat=seat, expires_at=expires, created_by=created_by)
            for seat in lacking.order_by("session__created_at", "place")
        ]
        Invitation.objects.bulk_create(made)
    return len(made)


def new_link(seat: Seat, created_by: User | None = None, works_for: timedelta = VALID_FOR) -> Invitation:
    """A link to a seat in place of those that there are."""
    _refuse_still(seat)
    if seat.kind not in OUTSIDE_KINDS:
        raise SeatRefused(_("A simulator sits there. Replace it by a person or a program first."))
    return invite(seat=seat, created_by=created_by, valid_for=works_for)


def let_in_again(seat: Seat, created_by: User | None = None) -> None:
    """Release whoever has a seat, so that they come in by their link once more, from another browser too."""
    _refuse_still(seat)
    with transaction.atomic():
        guest = release_seat(seat)
        if guest is None:
            raise SeatRefused(_("Nobody has this seat."))
        link = guest.invitation
        if link is None:
            invite(seat=seat, created_by=created_by)
        elif link.seat_id is not None and not link.usable():
            link.revoked_at, link.expires_at = None, clock.now() + VALID_FOR
            link.save(update_fields=["revoked_at", "expires_at"])
    notify_pages(guest.pk)


def release_seat(seat: Seat) -> Guest | None:
    """Take a seat from whoever has it; gives back who that was."""
    guest = Guest.objects.select_related("seat__session", "invitation").filter(seat=seat, holds=True).first()
    if guest is None:
        return None
    if guest.presence not in ("", *ABSENCES):
        change_presence(guest, "disconnected")
    Guest.objects.filter(pk=guest.pk).update(holds=False)
    return guest


def nudge(seat: Seat, state: SessionState) -> None:
    """Remind whoever has the turn."""
    _refuse_out_of_turn(seat, state)
    tell(session_id=seat.session_id, actor=RESEARCHER, body=TurnReminded(seat=seat.name, nudged=True))


def extend(seat: Seat, state: SessionState, by_s: int) -> None:
    """Give the turn in progress more time."""
    _refuse_out_of_turn(seat, state)
    attendance = state.attendance.get(seat.name)
    if attendance is None or attendance.turn_s is None:
        raise SeatRefused(_("Turns of this seat have no limit, so there is nothing to extend."))
    if by_s not in LONGER_S:
        raise SeatRefused(_("Choose one of the times that are offered."))
    tell(session_id=seat.session_id, actor=RESEARCHER, body=TurnExtended(seat=seat.name, by_s=by_s))


def replace(seat: Seat, words: str, created_by: User | None = None) -> None:
    """Have somebody else take a seat from here on. words: KIND or KIND:MODEL.

    What was sent to the seat and is not taken goes: it was somebody else's.

    Raises:
        SeatRefused: the session has ended or was played elsewhere, or the same simulator sits there.
        ChoiceRefused: as `chosen_at`.
    """
    _refuse_still(seat)
    session = Session.objects.select_related("task").get(pk=seat.session_id)
    who = chosen_at(seat.name, words, session.suite)
    if who.kind not in OUTSIDE_KINDS and who == SeatPlayer(seat.kind, seat.model):
        raise SeatRefused(_("This simulator sits there already; choose another one."))
    language, sampling = session.task.language, sampling_at(seat.name, read_sampling(session.sampling))
    with suite_named(session.suite).library.in_place(other_words(session.pk)):
        joined = joined_as(seat.name, who, language=language, suite=session.suite, sampling=sampling)
    with transaction.atomic():
        was = release_seat(seat)
        revoke(Invitation.objects.filter(seat=seat))
        unread_messages(seat).delete()
        tell(session_id=session.pk, actor=RESEARCHER, body=joined, model=who.model)
        for body in waited_for([joined], study_of(session).attendance, session.suite):
            tell(session_id=session.pk, actor=RESEARCHER, body=body)
        if who.kind in OUTSIDE_KINDS:
            invite(seat=seat, created_by=created_by)
    if was is not None:
        notify_pages(was.pk)


def valid_for(days: str) -> timedelta:
    """For how long a new link is to work, as a form says it; the usual time where it says nothing."""
    return timedelta(days=int(days)) if days in map(str, DAYS) else VALID_FOR


def _refuse_still(seat: Seat) -> None:
    session = Session.objects.get(pk=seat.session_id)
    if session.ended:
        raise SeatRefused(_("The session has ended, so its seats no longer change."))
    if session.replay_of_id is not None:
        raise SeatRefused(_("This session runs on a recording, so nobody can sit in it."))


def _refuse_out_of_turn(seat: Seat, state: SessionState) -> None:
    _refuse_still(seat)
    if state.turn is None or state.turn.speaker != seat.name or seat.kind not in OUTSIDE_KINDS:
        raise SeatRefused(_("It is not the turn of “%(seat)s”, or no longer.") % {"seat": seat.name})
