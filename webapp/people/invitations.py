"""Links to seats: made, shown again, withdrawn, and taken up."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from benchmark.core.participant import INBOX, OUTSIDE_KINDS, PERSON
from webapp import clock
from webapp.accounts.models import User
from webapp.link_keys import is_accepted
from webapp.people.models import VALID_FOR, Guest, Invitation, study_of
from webapp.seats.models import Role, Seat
from webapp.sessions.models import ENDED_STATUSES, Run, Session


class NotAdmitted(ValueError):
    """Nobody comes in by this link now; the words say why and what helps."""


def invite(*, seat: Seat, created_by: User | None = None, valid_for: timedelta = VALID_FOR) -> Invitation:
    """A new link to one seat; others to it are withdrawn."""
    with transaction.atomic():
        revoke(Invitation.objects.filter(seat=seat))
        return Invitation.objects.create(
            session_id=seat.session_id,
            seat=seat,
            expires_at=clock.now() + valid_for,
            created_by=created_by,
        )


def open_lobby(
    *,
    session: Session | None = None,
    run: Run | None = None,
    created_by: User | None = None,
    valid_for: timedelta = VALID_FOR,
) -> Invitation:
    """A new link to whichever seat for a person is free in a session, or in the sessions of a run."""
    expires = clock.now() + valid_for
    return Invitation.objects.create(session=session, run=run, expires_at=expires, created_by=created_by)


def revoke(invitations: QuerySet[Invitation]) -> None:
    """Let nobody else in by these links. Whoever came by one stays."""
    invitations.filter(revoked_at=None).update(revoked_at=clock.now())


def invitation_of(token: str) -> Invitation | None:
    """The invitation with this token, usable or not."""
    number, dash, _digest = token.partition("-")
    if not dash or not number.isascii() or not number.isdigit() or len(number) > 15:
        return None
    invitation = (
        Invitation.objects.select_related("session", "run", "seat__session__task")
        .filter(pk=int(number))
        .first()
    )
    return invitation if invitation and is_accepted(token, invitation.token_under) else None


def live_seats(sessions: QuerySet[Session]) -> QuerySet[Seat]:
    """The seats of these sessions that are for people and programs."""
    return Seat.objects.filter(session__in=sessions.order_by(), kind__in=OUTSIDE_KINDS).exclude(
        role=Role.SIMULATOR
    )


def free_seats(invitation: Invitation, kind: str = PERSON) -> QuerySet[Seat]:
    """The seats that an invitation leads to and nobody has; sessions that lack fewest come first."""
    seats = (
        Seat.objects.filter(kind=kind).exclude(guests__holds=True).exclude(session__status__in=ENDED_STATUSES)
    )
    if invitation.seat_id is not None:
        return seats.filter(pk=invitation.seat_id)
    seats = seats.filter(role=Role.TRAVELLER)
    if invitation.session_id is not None:
        return seats.filter(session=invitation.session_id)
    return seats.filter(session__run=invitation.run_id)


@dataclass(frozen=True)
class Room:
    """Who is there where a lobby leads to next. taken, seats: of those for people and programs. lacking: what happens
    where too few come in time, "" where everybody is waited for.
    """

    taken: int
    seats: int
    lacking: str


def room_behind(invitation: Invitation) -> Room | None:
    """The room whose seat the next person gets, None where no seat is free."""
    seat = _fullest(free_seats(invitation))
    if seat is None:
        return None
    study = study_of(seat.session)
    seats = live_seats(Session.objects.filter(pk=seat.session_id))
    taken = seats.filter(guests__holds=True).distinct().count()
    return Room(taken, seats.count(), study.lacking if study.gather_s is not None else "")


def admits(invitation: Invitation) -> bool:
    """Whether a person can take a seat by it now."""
    return invitation.usable() and free_seats(invitation).exists()


def redeem(*, token: str, name: str = "", visitor: str = "", program: str = "", version: str = "") -> Guest:
    """Take the seat that a link leads to, as a person, or as the program that gives its name.

    visitor: a person's browser; to whoever has a seat by this link already that one is given.

    Raises:
        NotAdmitted: the link does not work (any more), or nobody can take a seat by it now.
    """
    invitation = invitation_of(token)
    if invitation is None:
        raise NotAdmitted(_("This link is not valid. Check that you copied all of it, or ask for a new one."))
    if not invitation.usable():
        raise NotAdmitted(_("This link has expired or was withdrawn. Ask whoever sent it for a new one."))
    kind = INBOX if program else PERSON
    with transaction.atomic():
        # one after another: two who open a lobby at once get two seats
        Invitation.objects.select_for_update().get(pk=invitation.pk)
        if visitor and (known := invitation.guests.filter(holds=True, visitor=visitor).first()) is not None:
            return known
        seat = _fullest(free_seats(invitation, kind))
        if seat is None:
            raise NotAdmitted(_why_none(invitation, kind))
        return take(
            seat=seat, invitation=invitation, name=name, visitor=visitor, program=program, version=version
        )


def take(
    *,
    seat: Seat,
    invitation: Invitation | None = None,
    user: User | None = None,
    name: str = "",
    visitor: str = "",
    program: str = "",
    version: str = "",
) -> Guest:
    """Let somebody have a free seat; of two at once one gets it.

    Raises:
        NotAdmitted: somebody has it.
    """
    with transaction.atomic():
        Seat.objects.select_for_update().get(pk=seat.pk)
        if Guest.objects.filter(seat=seat, holds=True).exists():
            raise NotAdmitted(_("Somebody has this seat already."))
        stage = Guest.Stage.CONSENT
        if program:
            stage = Guest.Stage.READY
        elif user is not None:
            stage = Guest.Stage.WISHES if study_of(seat.session).own_wishes else Guest.Stage.READY
        return Guest.objects.create(
            seat=seat,
            invitation=invitation,
            user=user,
            name=name,
            visitor=visitor,
            program=program,
            version=version,
            stage=stage,
            seen_at=clock.now(),
        )


def _fullest(seats: QuerySet[Seat]) -> Seat | None:
    """A seat of the session that lacks fewest people, so that sessions can begin."""
    free: dict[str, list[Seat]] = {}
    for seat in seats.select_related("session__task").order_by("session__created_at", "place"):
        free.setdefault(seat.session_id, []).append(seat)
    return min(free.values(), key=len)[0] if free else None


def _why_none(invitation: Invitation, kind: str) -> str:
    if invitation.seat is None:
        return _(
            "All seats are taken. Thank you for coming; ask whoever sent the link whether more are planned."
        )
    if invitation.seat.session.ended:
        return _("This session has ended.")
    if invitation.seat.kind != kind:
        if kind == INBOX:
            return _("This seat is not for a program.")
        return _("This seat is not for a person, or no longer.")
    return _(
        "Somebody has taken this seat by this link already. Each link is for one person; ask for one of your own."
    )
