"""Who came to a seat: who they are to this browser, and what they do there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext as _

from benchmark.core.attendance import ABSENCES, Presence
from benchmark.core.events import PresenceChanged
from benchmark.core.view import AGENT
from webapp import clock
from webapp.people.models import Guest, new_guest_id, study_of
from webapp.people.personal import remove_data
from webapp.seats.inbox import unread_messages
from webapp.seats.models import Seat
from webapp.sessions.inbox import MessageRefused, tell

KEY = "guests"
"""Where a browser's session keeps the seats that it has."""
VISITOR = "visitor"
_OFTEN_READ = (
    *(
        "seat_id",
        "invitation_id",
        "user_id",
        "holds",
        "name",
        "program",
        "version",
        "stage",
        "presence",
        "draft",
    ),
    *("left_at", "withdrew_at", "answered_at", "seat__name", "seat__kind", "seat__session_id"),
    *("seat__session__suite", "seat__session__pack", "seat__session__status", "seat__session__paused"),
    *("seat__session__run_id", "seat__session__task__language"),
)
"""All that most requests need. To write the query for every column of four tables takes Django four times as long,
and open pages ask all the time. What else a page reads is fetched when it does.
"""
UNSEEN_S = 20.0
"""A page or a program that was not heard of for so long is disconnected."""


def visitor(request: HttpRequest) -> str:
    """What tells the holder of a link from others before they take a seat: it stays with the browser."""
    visitor_id = request.session.setdefault(VISITOR, new_guest_id())
    return str(visitor_id)


def remember(request: HttpRequest, guest: Guest) -> None:
    """Let this browser, and no other, act as this guest: under a new key, which nobody can have known before."""
    request.session.cycle_key()
    known = [pk for pk in request.session.get(KEY, []) if pk != guest.pk]
    request.session[KEY] = [*known, guest.pk][-20:]


def guest_in(browser: Any, guest_id: str) -> Guest | None:
    """The guest with this id, if the browser with this session is theirs."""
    if browser is None or guest_id not in browser.get(KEY, []):
        return None
    guests = Guest.objects.select_related("seat__session__task").only(*_OFTEN_READ).order_by()
    return guests.filter(pk=guest_id).first()


def guest_by(browser: Any, invitation_id: int) -> Guest | None:
    """Whoever came by this invitation in this browser and has the seat, or has left it to nobody else."""
    known = Guest.objects.filter(pk__in=browser.get(KEY, []), invitation=invitation_id, holds=True)
    return known.first()


def advance(guest: Guest) -> None:
    """Go on to the next of what people see before they take part."""
    study = study_of(guest.seat.session)
    stages = [Guest.Stage.CONSENT]
    stages += [Guest.Stage.WISHES] if study.own_wishes else []
    practises = study.practice and guest.seat.name != AGENT  # the exchange is a traveller's
    stages += [Guest.Stage.PRACTICE] if practises else []
    stages.append(Guest.Stage.READY)
    at = stages.index(Guest.Stage(guest.stage)) if guest.stage in stages else 0
    guest.stage = stages[min(at + 1, len(stages) - 1)]
    guest.save(update_fields=["stage", "consented_at", "name"])
    if guest.stage == Guest.Stage.READY:
        change_presence(guest, "joined")


def change_presence(guest: Guest, presence: Presence) -> None:
    """Keep that a guest is there, away or gone, and have the log say so where that is new."""
    if not guest.sits or guest.stage != Guest.Stage.READY:
        return
    now = clock.now()
    fields = {"seen_at": now} if presence in ("joined", "back", "away") else {}
    if presence == "joined":
        fields["joined_at"] = guest.joined_at or now
    with transaction.atomic():
        same = Guest.objects.filter(pk=guest.pk, holds=True).exclude(presence=presence)
        if not same.update(presence=presence, **fields):
            return
        program = f"{guest.program} {guest.version}".strip()
        body = PresenceChanged(seat=guest.seat.name, presence=presence, program=program)
        tell(session_id=guest.seat.session_id, actor=guest.seat.name, body=body)
    guest.presence = presence


def came_back(guest: Guest) -> None:
    """A page of theirs is open and looked at."""
    if guest.presence in ("", "left"):
        change_presence(guest, "joined")
    elif guest.presence in ("away", "disconnected"):
        change_presence(guest, "back")


def record_visits(*guest_ids: str) -> None:
    """Pages of theirs are open, or their program was heard of."""
    Guest.objects.filter(pk__in=guest_ids).update(seen_at=clock.now())


def last_seen(session_id: str, seat: str) -> datetime | None:
    """When whoever has a seat was heard of, None where nobody has it."""
    guests = Guest.objects.filter(seat__session=session_id, seat__name=seat, holds=True)
    return guests.values_list("seen_at", flat=True).first()


def record_disconnection(guest_id: str, ago_s: float) -> None:
    """Their last page was closed so long ago, or its connection was lost, unless another one was heard of."""
    since = clock.now() - timedelta(seconds=ago_s)
    guest = Guest.objects.select_related("seat").filter(pk=guest_id, holds=True, seen_at__lte=since).first()
    if guest is not None and guest.presence not in ("", "left", "withdrawn") and not guest.seat.session.ended:
        change_presence(guest, "disconnected")


@contextmanager
def acting(guest: Guest) -> Iterator[None]:
    """What a guest does at a seat, one after another, and before they leave it or never.

    Raises:
        MessageRefused: the seat is not theirs any more.
    """
    with transaction.atomic():
        _only_one_at(guest)
        if why := loss_reason(guest):
            raise MessageRefused(why)
        yield


def _only_one_at(guest: Guest) -> None:
    """Until the transaction ends, nobody else does anything with the seat; whether it is theirs is read anew."""
    Seat.objects.select_for_update().get(pk=guest.seat_id)
    guest.refresh_from_db(fields=["holds", "left_at", "withdrew_at", "presence"])


def leave(guest: Guest, *, withdraw: bool) -> None:
    """Give a seat up for good. After the end, or after they left, it can be withdrawing alone.

    withdraw: as the study says, their data is removed, or will be once it can be; what waits for their turn is not
    said any more.
    """
    with transaction.atomic():
        _only_one_at(guest)
        if guest.withdrew_at is not None or not (withdraw or may_leave(guest)):
            return
        now = clock.now()
        if not guest.seat.session.ended:
            change_presence(guest, "withdrawn" if withdraw else "left")
        guest.left_at = guest.left_at or now
        if withdraw:
            guest.withdrew_at = now
            # also after the end, or after they had left; who never joined has no presence
            guest.presence = "withdrawn" if guest.presence else ""
            if guest.holds:
                unread_messages(guest.seat).delete()
        guest.save(update_fields=["left_at", "withdrew_at", "presence"])
    if guest.holds and guest.invitation is not None and guest.invitation.seat_id is not None:
        guest.invitation.revoked_at = guest.invitation.revoked_at or now
        guest.invitation.save(update_fields=["revoked_at"])
    if withdraw and study_of(guest.seat.session).delete_withdrawn:
        remove_data(guest)


def may_leave(guest: Guest) -> bool:
    """Whether there is something to leave."""
    return guest.holds and guest.left_at is None and not guest.seat.session.ended


def loss_reason(guest: Guest) -> str:
    """Why the seat is not a guest's (any more), "" where it is. After the end whoever held it last sees it."""
    if guest.sits or (guest.holds and guest.withdrew_at is None and guest.seat.session.ended):
        return ""
    if guest.withdrew_at is not None:
        return _("You have withdrawn from this session.")
    return _("You have left this session.") if guest.left_at else _("Somebody else has this seat now.")


def was_sent_away(guest: Guest) -> bool:
    """Whether a guest who took part has lost the seat to no fault of theirs: they get their code."""
    return guest.stage == Guest.Stage.READY and guest.left_at is None and guest.presence not in ABSENCES


def may_act(guest: Guest) -> str:
    """Why a guest can't act (any more), "" where they can."""
    if why := loss_reason(guest):
        return why
    if guest.stage != Guest.Stage.READY:
        return _("Read the pages before the conversation first.")
    return ""
