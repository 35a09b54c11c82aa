"""The researcher's monitor: what it shows, and that each of its buttons does what it says."""

from __future__ import annotations

import csv
import re
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from benchmark.core.attendance import Attendance
from benchmark.core.events import (
    AttendanceSet,
    EventBody,
    ParticipantJoined,
    PresenceChanged,
    TurnExtended,
    TurnMissed,
    TurnReminded,
)
from benchmark.core.participant import INBOX, PERSON
from tests.markup import text
from webapp.catalogue.models import Task, World
from webapp.endpoints.choice import SeatPlayer
from webapp.endpoints.models import ModelEndpoint
from webapp.people.guests import change_presence
from webapp.people.invitations import NotAdmitted, invite, redeem
from webapp.people.models import Guest, Invitation, Study
from webapp.people.seating import usable
from webapp.runs.services import create_run
from webapp.seats.models import InboxMessage, Seat
from webapp.sessions.inbox import deliver, tell
from webapp.sessions.log import whole_log
from webapp.sessions.models import Session
from webapp.sessions.services import Setup, create_session
from webapp.sessions.studies import waiting
from worker.sessions import advance

pytestmark = pytest.mark.django_db


@pytest.fixture
def easy(starter_tasks: list[Task]) -> Task:
    return next(task for task in starter_tasks if task.difficulty == "easy")


@pytest.fixture
def session(easy: Task, starter_world: World) -> Session:
    """A session with a person in the first traveller's seat and a program in the second's."""
    first, second = easy.parsed_definition.users[:2]
    setup = Setup(seats={first: SeatPlayer(PERSON), second: SeatPlayer(INBOX)}, **waiting(None))
    return create_session(task=easy, world=starter_world, setup=setup, start=False)


def seat_of(session: Session, kind: str = PERSON) -> Seat:
    return session.seats.get(kind=kind)


def come(seat: Seat, **named: str) -> Guest:
    """Somebody takes a seat by its link, and is there."""
    guest = redeem(token=invite(seat=seat).token, **named)
    guest.stage = Guest.Stage.READY
    guest.save()
    change_presence(guest, "joined")
    return guest


def play(session: Session) -> Session:
    advance(session.pk, budget_s=None, paced=False)
    session.refresh_from_db()
    return session


def to_turn_of(session: Session, seat: Seat) -> None:
    """Everybody comes; play until it is the turn of one, passing for the others."""
    for other in session.seats.filter(kind__in=(PERSON, INBOX)):
        come(other, **({"program": "mine", "version": "2.1"} if other.kind == INBOX else {"name": "Ada"}))
    for number in range(50):
        play(session)
        granted = [body for body in bodies(session) if body.type == "turn_granted"][-1]
        if granted.speaker == seat.name:  # type: ignore[attr-defined]
            return
        deliver(
            seat=session.seats.get(name=granted.speaker),  # type: ignore[attr-defined]
            client_id=str(number),
            kind=InboxMessage.Kind.PASS,
        )
    raise AssertionError("it never was their turn")


def bodies(session: Session) -> list[EventBody]:
    return [event.body for event in whole_log(session.pk)]


def researcher_events(session: Session) -> list[EventBody]:
    """What the researcher did, in the log."""
    return [event.body for event in whole_log(session.pk) if event.actor == "researcher"]


def page_of(client: Client, session: Session, part: str = "") -> str:
    return text(client.get(f"/sessions/{session.pk}/seats/{part}"))


def press(client: Client, seat: Seat, verb: str, **given: Any) -> str:
    """A button at a seat, as htmx presses it."""
    address = f"/sessions/{seat.session_id}/seats/{seat.pk}/{verb}/"
    answer = client.post(address, given, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    return text(answer)


def test_nobody_but_researchers_looks_or_presses(
    as_researcher: Client, as_annotator: Client, session: Session
) -> None:
    seat = seat_of(session)
    here = f"/sessions/{session.pk}/seats/"
    run = create_run(name="r", tasks=[session.task], world=session.world, setup=Setup(), start=False)  # type: ignore[arg-type]
    pages = [here, f"{here}live/", f"/runs/{run.pk}/seats/", f"/runs/{run.pk}/seats/live/"]
    pages += [f"/runs/{run.pk}/seats/links.csv", "/studies/", "/studies/new/"]
    for page in pages:
        assert as_researcher.get(page).status_code == 200, page
        assert as_annotator.get(page).status_code == 403, page
        assert Client().get(page)["Location"].startswith("/signin/"), page
    actions = [
        f"{here}{seat.pk}/{verb}/" for verb in ("link", "withdraw", "again", "nudge", "extend", "replace")
    ]
    actions += [f"{here}{verb}/" for verb in ("links", "lobby", "close", "pause", "resume", "end")]
    actions += [f"/runs/{run.pk}/seats/{verb}/" for verb in ("links", "lobby", "close", "withdraw")]
    for action in actions:
        assert as_annotator.post(action).status_code == 403, action
        assert Client().post(action)["Location"].startswith("/signin/"), action
        assert as_researcher.get(action).status_code == 405, action
    careful = Client(enforce_csrf_checks=True)
    careful.force_login(session.created_by or as_researcher.get("/").wsgi_request.user)  # type: ignore[arg-type]
    assert careful.post(f"{here}links/").status_code == 403
    assert not Invitation.objects.exists()
    assert as_researcher.post(f"{here}{seat.pk}/other/").status_code == 404
    assert as_researcher.post(f"{here}other/").status_code == 404


def test_a_seat_of_another_session_is_not_found(as_researcher: Client, session: Session) -> None:
    other = create_session(task=session.task, world=session.world, setup=Setup(), start=False)  # type: ignore[arg-type]
    assert as_researcher.post(f"/sessions/{other.pk}/seats/{seat_of(session).pk}/link/").status_code == 404


def test_links_are_made_shown_and_withdrawn(as_researcher: Client, session: Session) -> None:
    assert "2 seats are open and have no link." in page_of(as_researcher, session)
    answer = as_researcher.post(f"/sessions/{session.pk}/seats/links/")
    assert answer["Location"] == f"/sessions/{session.pk}/seats/"
    as_researcher.post(f"/sessions/{session.pk}/seats/links/")
    person, program = (Invitation.objects.get(seat=seat_of(session, kind)) for kind in (PERSON, INBOX))
    page = page_of(as_researcher, session)
    assert f"http://testserver{person.get_absolute_url()}" in page and "data:image/svg+xml" in page
    markup = as_researcher.get(f"/sessions/{session.pk}/seats/").content.decode()
    assert len(re.findall(r'<details class="fold" id="link-of-\d+" open>', markup)) == 2  # to be copied
    assert f"<code>{program.token}</code>" in page and f"<code>{person.token}</code>" not in page
    assert "no link leads" not in page and "Works until" in page
    assert "on this machine only" not in page
    page = text(as_researcher.get(f"/sessions/{session.pk}/seats/", headers={"Host": "localhost:8000"}))
    assert "This address works on this machine only" in page
    page = press(as_researcher, seat_of(session), "withdraw")
    assert person.token not in page and "1 seat is open" in page
    with pytest.raises(NotAdmitted, match="withdrawn"):
        redeem(token=person.token)
    press(as_researcher, seat_of(session), "link", days="1")
    new = usable().get(seat=seat_of(session))
    assert new.pk != person.pk and new.expires_at < timezone.now() + timedelta(days=1, seconds=1)


def test_it_shows_who_is_there(as_researcher: Client, session: Session) -> None:
    page = page_of(as_researcher, session)
    assert page.count("nobody yet") == 2
    waits = "Waiting for people to join: 0 of 2 are present"
    assert waits in page and waits in text(as_researcher.get(f"/sessions/{session.pk}/"))
    seat = seat_of(session)
    guest = redeem(token=invite(seat=seat).token, name="<b>Ada</b>")
    page = text(as_researcher.get(f"/sessions/{session.pk}/seats/"))
    assert "reads the consent" in page
    assert not re.search(r'id="link-of-\d+" open', page_of(as_researcher, session))  # used by then, or none
    assert "&lt;b&gt;Ada" in as_researcher.get(f"/sessions/{session.pk}/seats/").content.decode()
    guest.stage = Guest.Stage.READY
    guest.save()
    for presence, words in (
        ("joined", '<dd class="good">present'),
        ("away", '<dd class="stale">away'),
        ("back", '<dd class="good">present'),
        ("disconnected", '<dd class="bad">disconnected'),
        ("left", '<dd class="bad">left'),
    ):
        change_presence(guest, presence)  # type: ignore[arg-type]
        assert words in page_of(as_researcher, session, "live/"), presence
    Guest.objects.filter(pk=guest.pk).update(
        presence="joined", seen_at=timezone.now() - timedelta(seconds=30)
    )
    assert '<dd class="bad">disconnected since ' in page_of(as_researcher, session, "live/")
    come(seat_of(session, INBOX), program="planner", version="0.3")
    assert "planner 0.3" in page_of(as_researcher, session)


def test_it_shows_whose_turn_it_is_and_until_when(as_researcher: Client, session: Session) -> None:
    seat = seat_of(session)
    to_turn_of(session, seat)
    page = page_of(as_researcher, session)
    granted = next(e for e in reversed(whole_log(session.pk)) if e.body.type == "turn_granted")
    until = int((granted.at + timedelta(seconds=180)).timestamp())
    assert f'data-until="{until}"' in page and f'<li id="sitting-{seat.pk}" class="on">' in page
    deliver(seat=session.seats.get(kind=INBOX), client_id="early", content="@Agent hello")
    assert "<dt>messages waiting</dt><dd>1</dd>" in page_of(as_researcher, session)
    assert 'hx-trigger="refresh, every 2s"' in page


def test_missed_turns_are_counted(as_researcher: Client, session: Session) -> None:
    seat = seat_of(session)
    to_turn_of(session, seat)
    tell(session_id=session.pk, actor="system", body=TurnMissed(seat=seat.name, waited_s=180))
    play(session)
    page = page_of(as_researcher, session)
    assert re.search(r"<dt>turns missed</dt><dd class=.?stale.?>\s*1\s*of 2\s*</dd>", page)


def test_a_nudge_and_more_time_are_in_the_log(as_researcher: Client, session: Session) -> None:
    seat = seat_of(session)
    to_turn_of(session, seat)
    assert "alert" not in press(as_researcher, seat, "nudge")
    press(as_researcher, seat, "extend", by_s="60")
    press(as_researcher, seat, "extend", by_s="300")
    play(session)
    assert researcher_events(session) == [
        TurnReminded(seat=seat.name, nudged=True),
        TurnExtended(seat=seat.name, by_s=60),
        TurnExtended(seat=seat.name, by_s=300),
    ]
    granted = next(e for e in reversed(whole_log(session.pk)) if e.body.type == "turn_granted")
    until = int((granted.at + timedelta(seconds=180 + 360)).timestamp())
    assert f'data-until="{until}"' in page_of(as_researcher, session)


def test_what_does_not_fit_the_moment_is_refused_in_words(as_researcher: Client, session: Session) -> None:
    seat = seat_of(session)
    for verb in ("nudge", "extend"):
        assert f"It is not the turn of “{seat.name}”" in press(as_researcher, seat, verb, by_s="60")
    to_turn_of(session, seat)
    assert "Choose one of the times" in press(as_researcher, seat, "extend", by_s="99999")
    agent = session.seats.get(name="Agent")
    assert "A simulator sits there" in press(as_researcher, agent, "link")
    assert "This simulator sits there already" in press(as_researcher, agent, "replace", who="reference")
    assert "there is no agent of the kind “mime”" in press(as_researcher, agent, "replace", who="mime")
    assert "there is no traveller of the kind “mime”" in press(as_researcher, seat, "replace", who="mime")
    assert "Nobody has this seat" in press(as_researcher, agent, "again")
    answer = as_researcher.post(f"/sessions/{session.pk}/seats/{agent.pk}/again/", follow=True)
    assert "Nobody has this seat" in text(answer)  # without htmx it is said on the page that follows
    assert researcher_events(play(session)) == []


def test_they_come_in_again_by_their_link(as_researcher: Client, session: Session) -> None:
    seat = seat_of(session)
    guest = come(seat, name="Ada")
    link = guest.invitation
    assert link is not None
    with pytest.raises(NotAdmitted, match="Somebody has taken this seat"):
        redeem(token=link.token)
    press(as_researcher, seat, "again")
    assert "nobody at the moment" in page_of(as_researcher, session)
    again = redeem(token=link.token)
    guest.refresh_from_db()
    assert again.holds and not guest.holds
    play(session)
    assert PresenceChanged(seat=seat.name, presence="disconnected") in bodies(session)
    Invitation.objects.update(revoked_at=timezone.now())
    press(as_researcher, seat, "again")
    assert redeem(token=link.token).holds  # a link that was withdrawn works again


def test_a_person_is_replaced_by_a_simulator(as_researcher: Client, session: Session) -> None:
    seat = seat_of(session)
    to_turn_of(session, seat)
    guest = Guest.objects.get(seat=seat)
    deliver(seat=session.seats.get(kind=INBOX), client_id="x", content="stays")
    page = press(as_researcher, seat, "replace", who="scripted")
    assert "becomes scripted" in page
    play(session)
    assert researcher_events(session) == [ParticipantJoined(seat=seat.name, kind="scripted")]
    seat.refresh_from_db()
    guest.refresh_from_db()
    assert seat.kind == "scripted" and not guest.holds
    assert not usable().filter(seat=seat).exists()
    assert session.seats.get(kind=INBOX).inbox.exists()


def test_a_simulator_is_replaced_by_a_person_and_back_by_one_over_a_model(
    as_researcher: Client, easy: Task, starter_world: World
) -> None:
    gpt = ModelEndpoint.objects.create(name="gpt", base_url="http://localhost:1/v1", model="gpt-x")
    session = create_session(task=easy, world=starter_world, setup=Setup(), start=False)
    page = page_of(as_researcher, session)
    assert "No seat of this session is for a person or a program." in page and "lobby-head" not in page
    agent, traveller = (
        session.seats.get(name="Agent"),
        session.seats.get(name=easy.parsed_definition.users[0]),
    )
    for seat, kind in ((agent, PERSON), (traveller, INBOX)):
        press(as_researcher, seat, "replace", who=kind)
        assert usable().filter(seat=seat).count() == 1
    play(session)
    assert researcher_events(session) == [
        ParticipantJoined(seat="Agent", kind=PERSON),
        AttendanceSet(seat="Agent", attendance=Attendance()),
        ParticipantJoined(seat=traveller.name, kind=INBOX),
        AttendanceSet(seat=traveller.name, attendance=Attendance()),
    ]
    assert not session.ended and set(session.seats.values_list("kind", flat=True)) >= {PERSON, INBOX}
    assert f'href="/sessions/{session.pk}/seats/"' in text(as_researcher.get(session.get_absolute_url()))
    press(as_researcher, agent, "replace", who="llm:gpt")
    advance(session.pk, budget_s=0.0, paced=False)
    agent.refresh_from_db()
    assert agent.kind == "llm" and agent.model == gpt
    joined = researcher_events(session)[-1]
    assert isinstance(joined, ParticipantJoined) and joined.prompts and joined.model is not None


def test_another_person_does_not_say_what_the_last_one_sent(as_researcher: Client, session: Session) -> None:
    seat = seat_of(session)
    come(seat)
    deliver(seat=seat, client_id="1", content="words of the first")
    page = press(as_researcher, seat, "replace", who=PERSON)
    assert "becomes a person" in page and not seat.inbox.exists()
    play(session)
    assert researcher_events(session)[0] == ParticipantJoined(seat=seat.name, kind=PERSON)


def test_a_study_says_how_a_newcomer_is_waited_for(
    as_researcher: Client, easy: Task, starter_world: World
) -> None:
    study = Study.objects.create(name="patient", turn_s=600)
    setup = Setup(agent=PERSON, **waiting(study))
    session = create_session(task=easy, world=starter_world, setup=setup, start=False)
    seat = session.seats.get(name=easy.parsed_definition.users[0])
    press(as_researcher, seat, "replace", who=PERSON)
    play(session)
    assert researcher_events(session)[1] == AttendanceSet(seat=seat.name, attendance=study.attendance)
    assert "study patient" in page_of(as_researcher, session)


def test_it_pauses_resumes_and_ends(as_researcher: Client, session: Session) -> None:
    here = f"/sessions/{session.pk}/seats/"
    for verb, paused in (("pause", True), ("resume", False)):
        as_researcher.post(f"{here}{verb}/")
        session.refresh_from_db()
        assert session.paused is paused
    as_researcher.post(f"{here}end/")
    play(session)
    assert session.completion_reason == "stopped"
    page = page_of(as_researcher, session)
    seats = page.partition('id="seats-live"')[2].partition('id="zone"')[0]
    assert "every 2s" not in page and seats and "<button" not in seats
    assert "The session has ended" in press(as_researcher, seat_of(session), "link")


def test_pages_of_sessions_and_runs_lead_to_it(
    as_researcher: Client, session: Session, easy: Task, starter_world: World
) -> None:
    plain = create_run(name="plain", tasks=[easy], world=starter_world, setup=Setup(), start=False)
    live = create_run(
        name="live",
        tasks=[easy],
        world=starter_world,
        setup=Setup(users=PERSON, **waiting(None)),
        start=False,
    )
    assert 'id="seats"' in text(as_researcher.get(session.get_absolute_url()))
    assert 'id="seats"' not in text(as_researcher.get(plain.sessions.get().get_absolute_url()))
    assert f'href="/runs/{live.pk}/seats/"' in text(as_researcher.get(live.get_absolute_url()))
    assert 'id="run-seats"' not in text(as_researcher.get(plain.get_absolute_url()))


def test_a_run_has_all_its_seats_and_their_links_as_a_file(
    as_researcher: Client, easy: Task, starter_world: World
) -> None:
    first, second = easy.parsed_definition.users[:2]
    setup = Setup(seats={first: SeatPlayer(PERSON), second: SeatPlayer(INBOX)}, **waiting(None))
    run = create_run(name="r", tasks=[easy], world=starter_world, setup=setup, trials=3, start=False)
    as_researcher.post(f"/runs/{run.pk}/seats/links/")
    assert Invitation.objects.count() == 6
    taken = redeem(token=Invitation.objects.filter(seat__kind=PERSON)[0].token, name="Ada")
    page = text(as_researcher.get(f"/runs/{run.pk}/seats/"))
    assert page.count('class="copying"') == 6 and "<b>Ada</b>" in page
    lines = list(
        csv.DictReader(StringIO(as_researcher.get(f"/runs/{run.pk}/seats/links.csv").content.decode()))
    )
    assert len(lines) == 6 and sum(int(line["taken"]) for line in lines) == 1
    assert {line["link"] for line in lines} == {
        f"http://testserver{each.get_absolute_url()}" for each in Invitation.objects.all()
    }
    assert [line["for"] for line in lines if line["session"] == taken.seat.session_id] == [PERSON, INBOX]
    as_researcher.post(f"/runs/{run.pk}/seats/withdraw/")
    assert not usable().exists() and Guest.objects.get().holds
    plain = create_run(name="plain", tasks=[easy], world=starter_world, setup=Setup(), start=False)
    assert "No seat of this run is for" in text(as_researcher.get(f"/runs/{plain.pk}/seats/"))
