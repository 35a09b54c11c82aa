"""What a researcher sees of the seats of sessions: who sits there, whose turn it is, and the links."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property, lru_cache
from typing import Any

import segno
from django.db.models import Count, Prefetch, Q, QuerySet
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from benchmark.core.attendance import Attendance
from benchmark.core.deadlines import turn_ends
from benchmark.core.participant import OUTSIDE_KINDS, PERSON
from webapp import clock
from webapp.endpoints.choice import agents, kind_words, travellers
from webapp.people.guests import UNSEEN_S
from webapp.people.invitations import live_seats
from webapp.people.models import PRESENCES, Guest, Invitation, study_of
from webapp.people.seating import DAYS, usable
from webapp.seats.models import InboxMessage, Notice, Role, Seat
from webapp.sessions.forms import kind_choices_with_models
from webapp.sessions.head import gathering_words
from webapp.sessions.models import Run, Session, Status
from webapp.sessions.reading import Reading
from webapp.wording.numbers import duration_words

STAGES: dict[str, Promise] = {
    Guest.Stage.CONSENT: gettext_lazy("reads the consent"),
    Guest.Stage.WISHES: gettext_lazy("writes their wishes"),
    Guest.Stage.PRACTICE: gettext_lazy("practises"),
    Guest.Stage.READY: gettext_lazy("about to join"),
}
TONES = {
    "joined": "good",
    "back": "good",
    "away": "stale",
    "disconnected": "bad",
    "left": "bad",
    "withdrawn": "bad",
}
LOCAL = ("127.0.0.1", "localhost", "[::1]")


@lru_cache(maxsize=500)
def qr_code(address: str) -> str:
    """A QR code as the address of an image."""
    return str(segno.make(address, micro=False).svg_data_uri(scale=5, border=3, dark="#000", light="#fff"))


class LinkAddress:
    """The address of a link that is given away."""

    address: str

    @property
    def qr(self) -> str:
        """Its QR code."""
        return qr_code(self.address)

    @property
    def only_here(self) -> bool:
        """Whether nobody on another machine reaches the address."""
        host = self.address.partition("://")[2].partition("/")[0]
        return host.rpartition(":")[0] in LOCAL or host in LOCAL


@dataclass(frozen=True)
class Link(LinkAddress):
    """A link as it is given away."""

    invitation: Invitation
    address: str


def link_of(request: HttpRequest, invitation: Invitation) -> Link:
    """An invitation, under the address by which the researcher reaches Caravan."""
    return Link(invitation, request.build_absolute_uri(invitation.get_absolute_url()))


@dataclass
class SeatRow:
    """One seat. link: by which somebody can take it now, None where there is none. reading: the session's log, None
    where only who sits there is shown. waiting: messages that are not taken yet. coming: who is going to sit there as
    soon as a worker has read it. choices: who can take it from here on.
    """

    seat: Seat
    link: Link | None
    reading: Reading | None = None
    waiting: int = 0
    coming: str = ""
    choices: Sequence[tuple[str, str]] = ()

    @cached_property
    def guest(self) -> Guest | None:
        """Whoever has it."""
        return next((guest for guest in self.seat.guests.all() if guest.holds), None)

    @property
    def live(self) -> bool:
        """Whether it is for a person or a program."""
        return self.seat.kind in OUTSIDE_KINDS

    @property
    def kind(self) -> str:
        return kind_words(self.seat.kind)

    @property
    def who(self) -> str:
        """As they call themselves; of a simulator, what it speaks through."""
        if self.guest is None:
            return self.seat.model.name if self.seat.model and not self.live else ""
        if self.guest.program:
            return f"{self.guest.program} {self.guest.version}".strip()
        return self.guest.shown_name

    @property
    def state_key(self) -> str:
        """The presence, by what was heard of them last rather than by what the log says."""
        guest = self.guest
        if guest is None or not guest.presence:
            return ""
        silent = clock.now() - guest.seen_at > timedelta(seconds=UNSEEN_S)
        return "disconnected" if guest.presence in ("joined", "back", "away") and silent else guest.presence

    @property
    def presence(self) -> str:
        """The same in words."""
        guest = self.guest
        if guest is None:
            return _("nobody at the moment") if self.seat.guests.all() else _("nobody yet")
        key = self.state_key
        return str(PRESENCES[key] if key in PRESENCES else STAGES[guest.stage])

    @property
    def tone(self) -> str:
        return TONES.get(self.state_key, "muted")

    @property
    def since(self) -> datetime | None:
        """Since when they are not there."""
        guest = self.guest
        if guest is None or self.state_key not in ("disconnected", "left", "withdrawn"):
            return None
        return guest.left_at or guest.seen_at

    @property
    def its_turn(self) -> bool:
        turn = self.reading.state.turn if self.reading else None
        return bool(turn and turn.speaker == self.seat.name)

    @property
    def ends(self) -> datetime | None:
        """When its turn is over, None without a limit."""
        if self.reading is None or not self.its_turn:
            return None
        return turn_ends(self.reading.state, self.reading.events)

    @property
    def attendance(self) -> Attendance | None:
        return self.reading.state.attendance.get(self.seat.name) if self.reading else None

    @property
    def misses(self) -> int:
        return self.reading.state.misses.get(self.seat.name, 0) if self.reading else 0


def rows_of(request: HttpRequest, seats: QuerySet[Seat], reading: Reading | None = None) -> list[SeatRow]:
    """These seats in their order."""
    session = reading.session if reading else None
    coming = _coming(session) if session else {}
    waiting = _waiting(session) if session else {}
    choices = _choices(session.suite) if session else {}
    rows = seats.select_related("session__task", "model").prefetch_related(
        "guests", Prefetch("invitations", usable().order_by("-pk"), "links")
    )
    return [
        SeatRow(
            seat,
            link_of(request, seat.links[0]) if seat.links else None,
            reading,
            waiting.get(seat.pk, 0),
            coming.get(seat.name, ""),
            choices.get(seat.role, ()),
        )
        for seat in rows
    ]


def _waiting(session: Session) -> dict[int, int]:
    """How many messages are not taken, by seat."""
    unread = InboxMessage.objects.filter(seat__session=session, taken_at_seq=None)
    return dict(unread.order_by().values_list("seat").annotate(Count("pk")))


def _choices(suite: str) -> dict[str, Sequence[tuple[str, str]]]:
    """Who can take a seat, by its role."""
    kinds = {Role.AGENT: agents(suite), Role.TRAVELLER: travellers(suite)}
    return {role: kind_choices_with_models(known) for role, known in kinds.items()}


def _coming(session: Session) -> dict[str, str]:
    """Who is going to sit where as soon as the worker has read it, by the name of the seat."""
    told = Notice.objects.filter(session=session, taken_at_seq=None, type="participant_joined")
    return {notice.payload["seat"]: kind_words(notice.payload["kind"]) for notice in told}


@dataclass
class Lobby:
    """An open lobby, or the offer of one. taken, all: of the seats for people that it leads to. lacking: what
    happens if too few come. has_travellers: whether there are seats to which lobbies can lead.
    """

    link: Link | None
    taken: int
    all: int
    lacking: str
    has_travellers: bool

    @property
    def full(self) -> bool:
        return self.taken >= self.all


def lobby_of(
    request: HttpRequest, sessions: QuerySet[Session], where: Q, attendance: Attendance | None
) -> Lobby:
    """The lobby of a session or of a run. where: which of the two, of its invitation."""
    places = live_seats(sessions).filter(kind=PERSON, role=Role.TRAVELLER)
    counted = places.aggregate(all=Count("pk"), taken=Count("pk", filter=Q(guests__holds=True)))
    invitation = usable().filter(where, seat=None).order_by("-pk").first()
    link = link_of(request, invitation) if invitation else None
    has_travellers = Seat.objects.filter(session__in=sessions.order_by(), role=Role.TRAVELLER).exists()
    return Lobby(link, counted["taken"], counted["all"], lacking_words(attendance), has_travellers)


def lacking_words(attendance: Attendance | None) -> str:
    """What happens if too few come."""
    if attendance is None:
        return _("The session does not wait for people: it goes on until it is the turn of an empty seat.")
    if attendance.gather_s is None:
        return _("The session waits until all seats are taken.")
    words = (
        _("After %(time)s simulators take the empty seats.")
        if attendance.lacking == "replace"
        else _("If seats are empty after %(time)s, the session ends.")
    )
    return words % {"time": duration_words(attendance.gather_s)}


def session_context(request: HttpRequest, session: Session) -> dict[str, Any]:
    """All seats of a session, and its lobby."""
    reading = Reading.of(session)
    seats = Seat.objects.filter(session=session).exclude(role=Role.SIMULATOR)
    rows = rows_of(request, seats, reading)
    attended: Iterable[Attendance] = reading.state.attendance.values()
    sessions = Session.objects.filter(pk=session.pk)
    live = [row for row in rows if row.live]
    return {
        "session": session,
        "standing": _standing(session, reading),
        "rows": rows,
        "live": live,
        "unlinked": [row for row in live if row.guest is None and row.link is None],
        "lobby": lobby_of(request, sessions, Q(session=session), next(iter(attended), None)),
        "study": study_of(session),
        "now": clock.now(),
        "link_days": DAYS,
        "changeable": not session.ended and session.replay_of_id is None and not session.imported,
    }


def _standing(session: Session, reading: Reading) -> str:
    """Whom it waits for before it begins, else its status."""
    if session.status == Status.QUEUED and reading.state.untaken:
        return gathering_words(reading.state)
    return str(session.get_status_display())


def run_attendance(run: Run) -> Attendance | None:
    """How people in the sessions of a run are waited for."""
    kept = run.setup.get("attendance")
    return Attendance.model_validate(kept) if kept else None


def seats_of_run(run: Run) -> QuerySet[Seat]:
    """Its seats for people and programs."""
    return live_seats(run.sessions.all()).order_by("session__created_at", "session", "place")


def counted_words(taken: int, count: int) -> str:
    """How many seats somebody has."""
    words = ngettext("%(taken)s of %(n)s seat is taken", "%(taken)s of %(n)s seats are taken", count)
    return words % {"taken": taken, "n": count}
