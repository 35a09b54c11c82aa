"""Replaying from a session's page, and the verdict on the replay's."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchmark.core.events import ErrorRaised, MessagePosted, ParticipantJoined, SessionFinished
from benchmark.core.participant import OverModel
from benchmark.models import ChatRequest, Reply
from benchmark.models.exchange import Exchange
from benchmark.suites.grouptravel.events import TurnGranted
from benchmark.suites.grouptravel.participants import AGENTS
from tests.benchmark.cassettes.script import recorded_cassette
from tests.markup import tight
from tests.webapp.conftest import HOSTILE, Writer
from webapp.cassettes.models import ModelText
from webapp.cassettes.selectors import cassette_of
from webapp.cassettes.services import record, replay
from webapp.sessions.log import event_of
from webapp.sessions.models import Event, Session, Status

pytestmark = [pytest.mark.either_engine, pytest.mark.django_db]


@pytest.fixture
def ended_session(begin: Callable[[], Writer]) -> Session:
    writer = begin()
    writer.add("system", TurnGranted(speaker="Agent", kind="convergence", place="opening"))
    writer.add("Agent", MessagePosted(role="Agent", content=f"one {HOSTILE}"))
    writer.add("system", SessionFinished(reason="max_turn_reached"))
    return Session.objects.get(pk=writer.session.pk)


def played_replay(session: Session, said: str = f"one {HOSTILE}") -> Session:
    """A replay that went as `said`."""
    writer = Writer(replay(session=session, start=False))
    writer.add("system", TurnGranted(speaker="Agent", kind="convergence", place="opening"))
    writer.add("Agent", MessagePosted(role="Agent", content=said))
    writer.add("system", SessionFinished(reason="max_turn_reached"))
    return Session.objects.get(pk=writer.session.pk)


def head_of(client: Client, session: Session) -> str:
    page = client.get(f"/sessions/{session.pk}/head/").content.decode()
    found = re.search(r'<div id="replay-of">.*?</div>', page, re.DOTALL)
    return unescape(re.sub(r"\s+", " ", re.sub("<[^>]*>", "", found[0]))).strip() if found else ""


def test_an_ended_session_can_be_replayed_from_its_page(
    as_researcher: Client, ended_session: Session
) -> None:
    page = tight(as_researcher.get(f"/sessions/{ended_session.pk}/").content.decode())
    assert f'action="/sessions/{ended_session.pk}/replay/"' in page
    assert 'id="replay-of"' not in page
    answer = as_researcher.post(f"/sessions/{ended_session.pk}/replay/")
    made = Session.objects.get(replay_of=ended_session)
    assert answer["Location"] == f"/sessions/{made.pk}/"
    assert (made.status, made.task, made.world, made.seed) == (
        Status.QUEUED,
        ended_session.task,
        ended_session.world,
        ended_session.seed,
    )
    assert head_of(as_researcher, made) == f"Re-run from the recording of {ended_session.pk}"
    assert "/replay/" not in tight(as_researcher.get(f"/sessions/{made.pk}/head/").content.decode())


def test_a_replay_is_offered_as_what_it_is(as_researcher: Client, ended_session: Session) -> None:
    def replay_button(session: Session) -> str:
        found = re.search(
            r'<button id="replay"[^>]*>(.*?)</button>',
            tight(as_researcher.get(f"/sessions/{session.pk}/head/").content.decode()),
        )
        return found[1] if found else ""

    assert replay_button(ended_session) == "Re-run from recording"
    again = played_replay(ended_session)
    record(ended_session.pk, recorded_cassette().exchanges)
    assert replay_button(ended_session) == replay_button(again) == "Re-run from recording"


def test_where_nothing_happened_there_is_nothing_to_replay(
    as_researcher: Client, begin: Callable[[], Writer]
) -> None:
    writer = begin()
    writer.add("researcher", SessionFinished(reason="stopped"))
    assert 'id="replay"' not in tight(as_researcher.get(f"/sessions/{writer.session.pk}/").content.decode())


def test_only_researchers_replay(as_annotator: Client, as_researcher: Client, ended_session: Session) -> None:
    assert as_annotator.post(f"/sessions/{ended_session.pk}/replay/").status_code == 403
    assert as_researcher.get(f"/sessions/{ended_session.pk}/replay/").status_code == 405
    assert as_researcher.post("/sessions/zzzz/replay/").status_code == 404
    assert not Session.objects.filter(replay_of=ended_session).exists()


def test_a_session_that_runs_is_not_replayed(as_researcher: Client, begin: Callable[[], Writer]) -> None:
    session = begin().session
    answer = as_researcher.post(f"/sessions/{session.pk}/replay/", follow=True)
    assert "has not ended" in tight(answer.content.decode())
    assert Session.objects.count() == 1


def test_a_replay_opens_as_its_recording_did(ended_session: Session) -> None:
    again = replay(session=ended_session, start=False)
    opening = [event_of(row).body for row in Event.objects.filter(session=again)]
    recorded = [event_of(row).body for row in Event.objects.filter(session=ended_session)]
    assert opening == recorded[: len(opening)] and len(opening) == len(recorded) - 3
    assert (again.replay_of, again.pace, again.run, again.last_seq) == (
        ended_session,
        None,
        None,
        len(opening),
    )


def test_the_prompts_of_a_replay_are_those_of_now(
    begin: Callable[[], Writer], monkeypatch: pytest.MonkeyPatch, as_researcher: Client
) -> None:
    def fail_if_called(*_: object) -> None:
        raise AssertionError("nobody is seated here")

    writer = begin()
    writer.add("researcher", SessionFinished(reason="stopped"))
    ended = Session.objects.get(pk=writer.session.pk)
    monkeypatch.setitem(AGENTS, "reference", OverModel(fail_if_called, lambda language: f"new {language}"))  # type: ignore[arg-type]
    again = Writer(replay(session=ended, start=False))
    seats = {e.body.seat: e.body for e in again.log.events if isinstance(e.body, ParticipantJoined)}
    assert seats["Agent"].prompts == "new zh"
    again.add("researcher", SessionFinished(reason="stopped"))
    told = head_of(as_researcher, Session.objects.get(pk=again.session.pk))
    assert "identical" in told
    assert "The prompts have another version than in the recording: Agent." in told


def test_an_identical_replay_says_so(as_researcher: Client, ended_session: Session) -> None:
    again = played_replay(ended_session)
    assert (
        head_of(as_researcher, again)
        == f"Re-run from the recording of {ended_session.pk}: identical, {ended_session.last_seq} events"
    )


def test_a_replay_that_departs_says_where_and_links_to_both_events(
    as_researcher: Client, ended_session: Session
) -> None:
    again = played_replay(ended_session, f"two {HOSTILE}")
    at = ended_session.last_seq - 1
    told = head_of(as_researcher, again)
    assert told.startswith(
        f"Re-run from the recording of {ended_session.pk}: first differs at event {at} message_posted, "
        "content: recorded “one <scr"
    )
    assert "now “two <scr" in told
    page = tight(as_researcher.get(f"/sessions/{again.pk}/head/").content.decode())
    assert (
        f'href="/sessions/{ended_session.pk}/#e{at}"' in page
        and f'href="/sessions/{again.pk}/#e{at}"' in page
    )
    assert "<script>alert" not in page


def test_a_replay_that_broke_off_says_why(as_researcher: Client, ended_session: Session) -> None:
    writer = Writer(replay(session=ended_session, start=False))
    raised = ErrorRaised(where="Agent", kind="runtime_error", detail=f"model call 1 departs {HOSTILE}")
    writer.add("system", raised, SessionFinished(reason="runtime_error"))
    told = head_of(as_researcher, Session.objects.get(pk=writer.session.pk))
    assert "type: recorded “turn_granted”, now “error_raised”" in told
    assert told.endswith(f"model call 1 departs {HOSTILE}")


def test_a_log_that_is_longer_or_shorter_is_told(as_researcher: Client, ended_session: Session) -> None:
    writer = Writer(replay(session=ended_session, start=False))
    writer.add("system", TurnGranted(speaker="Agent", kind="convergence", place="opening"))
    writer.add("Agent", MessagePosted(role="Agent", content=f"one {HOSTILE}"))
    Session.objects.filter(pk=writer.session.pk).update(status=Status.CRASHED)
    told = head_of(as_researcher, Session.objects.get(pk=writer.session.pk))
    assert "The recording continues with session_finished, but the re-run has ended." in told


def test_a_session_that_is_no_replay_costs_no_query_before_it_ends_and_one_after(
    as_researcher: Client, ended_session: Session, begin: Callable[[], Writer]
) -> None:
    for session, asked in ((begin().session, 0), (ended_session, 1)):
        with CaptureQueriesContext(connection) as queries:
            as_researcher.get(f"/sessions/{session.pk}/")
        assert len([q for q in queries if "cassettes_" in q["sql"]]) == asked


def test_what_requests_repeat_is_stored_once(ended_session: Session) -> None:
    tape = recorded_cassette()
    for exchange in tape.exchanges:
        record(ended_session.pk, [exchange])
    assert cassette_of(ended_session).exchanges == tape.exchanges
    messages = {str(message) for exchange in tape.exchanges for message in exchange.request.messages}
    assert ModelText.objects.filter(session=ended_session).count() == len(messages) + 1  # the list of tools


def test_recording_takes_three_queries_however_long_a_request_is(ended_session: Session) -> None:
    with CaptureQueriesContext(connection) as queries:
        record(ended_session.pk, [recorded_cassette().exchanges[-1]])
    assert len([q for q in queries if "cassettes_" in q["sql"]]) == 3


def test_half_a_character_of_a_model_is_no_harm(ended_session: Session) -> None:
    request = ChatRequest(({"role": "user", "content": "a\ud83d"},))
    record(ended_session.pk, [Exchange(1, "Agent", request, Reply("b\udc00"))])
    kept = cassette_of(ended_session).exchanges[0]
    assert kept.reply == Reply("b\ufffd") and kept.request.messages[0]["content"] == "a\ufffd"
