"""Removing one person's words and name: nothing of them is found anywhere, and all that counts stays."""

from __future__ import annotations

import json
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db.models import TextField
from django.db.models.functions import Cast
from django.test import Client
from pytest_django import Settings

from benchmark.core.actions import CallTools, ToolCall, calls_as_text
from benchmark.core.engine import Conversation
from benchmark.core.events import RESEARCH, MessagePosted, PersonalDataRemoved, ToolCalled
from benchmark.core.participant import PERSON
from benchmark.models.tokens import TokenLog
from benchmark.suites.grouptravel.conversation.rules import RULES
from tests.model_server import model_server
from tests.seating import endpoint_at, play
from tests.webapp.people.talking import (
    NAME,
    TOKEN,
    guest_at,
    holding,
    session_with_people,
    sits,
    step,
    talk,
    turn,
    words,
)
from webapp.cassettes.forking import Players, fork, last_point, place_at
from webapp.cassettes.models import ModelExchange
from webapp.cassettes.selectors import recorded_in
from webapp.cassettes.services import replay
from webapp.catalogue.models import Task, World
from webapp.exchange.formats import SESSION_ENDINGS, write_session
from webapp.forms import ChoiceRefused
from webapp.jobs.models import Job
from webapp.judging.models import JudgeBatch, Judgement
from webapp.judging.models import Status as Judged
from webapp.notes.models import Kind as NoteKind
from webapp.notes.models import Note
from webapp.people import guests, personal
from webapp.people.jobs import REMOVAL
from webapp.people.models import Guest, Sitting, Study
from webapp.people.personal import NotYet, erase, remove_data
from webapp.people.words import Eraser
from webapp.seats.models import InboxMessage
from webapp.sessions.archiving import archive_session
from webapp.sessions.chat import chat_html
from webapp.sessions.inbox import deliver
from webapp.sessions.log import read_log, whole_log
from webapp.sessions.models import Event, MetricValue, Score, Session, SessionArchive
from webapp.sessions.scoring import rescore
from webapp.sessions.services import request_stop
from worker.steppers import STEPPERS

pytestmark = [pytest.mark.django_db, pytest.mark.storage, pytest.mark.usefixtures("hasty")]


@pytest.fixture
def task(starter_tasks: list[Task]) -> Task:
    return next(task for task in starter_tasks if task.difficulty == "easy" and task.language == "zh")


@pytest.fixture
def session(task: Task, starter_world: World) -> Session:
    """With a model that is told all that our person says, and with our person."""
    with model_server() as server:
        made = session_with_people(
            task,
            starter_world,
            "User1",
            agent="llm",
            agent_model=endpoint_at(server.url, "good-agent", logprobs=True),
        )
        sits(made, "User1")
        talk(made)
    return made


@pytest.fixture
def short(task: Task, starter_world: World) -> Session:
    """With the agent that needs no model."""
    made = session_with_people(task, starter_world, "User1")
    sits(made, "User1")
    talk(made)
    return made


def stored_text(session: Session) -> str:
    """The payloads of a log as the database has them."""
    rows = Event.objects.filter(session=session).annotate(text=Cast("payload", TextField()))
    return "\n".join(rows.values_list("text", flat=True))


def joined_tokens(session: Session) -> str:
    """What the tokens of all answers say."""
    replies = ModelExchange.objects.filter(session=session, reply__isnull=False).values_list(
        "reply", flat=True
    )
    return "\n".join(TokenLog(**reply["tokens"]).text for reply in replies if reply.get("tokens"))


def figures(session: Session) -> list[Any]:
    rows = MetricValue.objects.filter(session=session).order_by("profile", "key")
    return [*rows.values_list("profile", "rater", "key", "value")]


def said_by_others(session: Session) -> list[str]:
    bodies = (event.body for event in read_log(session))
    return [
        body.content
        for body in bodies
        if isinstance(body, MessagePosted) and body.role not in ("User1", "Agent")
    ]


def test_nothing_of_a_person_is_found_anywhere(
    session: Session, as_researcher: Client, researcher: Any
) -> None:
    guest = guest_at(session)
    Guest.objects.filter(pk=guest.pk).update(
        draft=f"not sent {TOKEN}", answers={"fairness": 6, "open": f"words {TOKEN}"}, plan_draft={"a": TOKEN}
    )
    said = InboxMessage.objects.filter(seat=guest.seat).exclude(content="").first()
    assert said is not None
    Note.objects.create(
        session=session, kind=NoteKind.COMMENT, text=f"“{said.content}” is odd", author=researcher
    )
    before, others, last = figures(session), said_by_others(session), session.last_seq
    plans = [event.payload for event in Event.objects.filter(session=session, type="plan_proposed")]
    whole_log(session.pk)
    page = as_researcher.get(session.get_absolute_url()).content.decode()
    assert NAME in joined_tokens(session)
    assert TOKEN in page and {"caravan_sessions_event", "cassettes_modeltext", "tables_saidtext"} <= {
        *holding(TOKEN)
    }

    assert remove_data(Guest.objects.get(pk=guest.pk))

    assert holding(TOKEN) == [] and holding(NAME) == []
    left = joined_tokens(session)
    assert left and TOKEN not in left and NAME not in left
    assert figures(session) == before and before and said_by_others(session) == others
    assert [event.payload for event in Event.objects.filter(session=session, type="plan_proposed")] == plans
    session.refresh_from_db()
    log = list(read_log(session))
    assert [event.seq for event in log] == list(range(1, last + 2)) and session.last_seq == last + 1
    assert log[-1].body == PersonalDataRemoved(seat="User1") and log[-1].actor == "User1"
    posted = [
        event.body for event in log if isinstance(event.body, MessagePosted) and event.body.role == "User1"
    ]
    assert {body.content for body in posted if not body.opening} == {"[已删除]"}
    assert whole_log(session.pk) == log
    guest.refresh_from_db()
    assert guest.answers == {"fairness": 6, "open": "[已删除]"} and guest.name == guest.draft == ""
    assert guest.data_removed_at is not None and guest.plan_draft is None
    Conversation(RULES, log[:-1])


def test_no_page_export_or_search_has_it(session: Session, as_researcher: Client) -> None:
    everything = f"/sessions/?said={TOKEN}"
    assert session.pk in as_researcher.get(everything).content.decode()
    assert remove_data(guest_at(session))
    session.refresh_from_db()
    tabs = (
        "",
        *(f"?tab={tab}" for tab in ("preferences", "tools", "models", "plan", "scores", "judge", "notes")),
    )
    calls = Event.objects.filter(session=session, type="model_called").values_list("seq", flat=True)
    pages = [session.get_absolute_url() + tab for tab in tabs]
    pages += [f"{session.get_absolute_url()}calls/{seq}/" for seq in calls[:40]]
    for page in pages:
        answer = as_researcher.get(page)
        assert answer.status_code in (200, 404), page
        assert TOKEN not in answer.content.decode() and NAME not in answer.content.decode(), page
    assert session.pk not in as_researcher.get(everything).content.decode()
    for format_ in SESSION_ENDINGS:
        file = BytesIO()
        write_session(session, format_, file)
        if format_ == "inspect":
            from zipfile import ZipFile

            with ZipFile(file) as packed:
                written = b"".join(packed.read(name) for name in packed.namelist())
        else:
            written = file.getvalue()
        assert written and TOKEN.encode() not in written and NAME.encode() not in written, format_


def test_forks_and_re_runs_lose_it_too_and_nobody_plays_on_from_what_is_gone(short: Session) -> None:
    again = play(replay(session=short, start=False))
    first = (
        Event.objects.filter(session=short, type="message_posted", payload__contains=TOKEN)
        .earliest("seq")
        .seq
    )
    further = fork(session=short, chosen=last_point(short), players=Players.of(short), start=False)
    further.seats.filter(name="User1").get()
    guest = guest_at(short)
    with pytest.raises(NotYet, match=further.pk):
        erase(guest.pk)
    talk(further, lambda number: f"这里是另一个人 {number}")
    assert remove_data(guest) and holding(TOKEN) == []
    for one in (short, again, further):
        assert isinstance(list(read_log(one))[-1].body, PersonalDataRemoved)
        assert recorded_in(one) == ""
        with pytest.raises(ChoiceRefused, match="can't be run again"):
            replay(session=one, start=False)
    with pytest.raises(ChoiceRefused, match=f"event {first}"):
        fork(session=short, chosen=first, players=Players.of(short), start=False)
    assert str(first) in place_at(short, last_point(short)).refusal
    assert not place_at(short, first - 2).refusal
    assert fork(session=short, chosen=first - 2, players=Players.of(short), start=False).pk
    with pytest.raises(CommandError, match="removed"):
        call_command("cassette", "export", short.pk, "/nowhere/file")


def test_it_waits_for_the_end_and_for_the_scores(
    task: Task, starter_world: World, django_capture_on_commit_callbacks: Any
) -> None:
    session = session_with_people(task, starter_world, "User1")
    guest = sits(session, "User1")
    assert step(session)
    deliver(seat=guest.seat, client_id="1", content=words(1))
    assert step(session)
    assert not remove_data(guest) and "caravan_sessions_event" in holding(TOKEN)
    job = Job.objects.get(kind=REMOVAL.name, subject=guest.pk, ended_at=None)
    STEPPERS[REMOVAL.name](guest.pk)
    job.refresh_from_db()
    assert job.ended_at is None and job.due_at is not None and job.attempts == 0
    request_stop(Session.objects.filter(pk=session.pk))
    with django_capture_on_commit_callbacks(execute=True):
        assert not step(session)
    job.refresh_from_db()
    assert job.due_at is None
    STEPPERS[REMOVAL.name](guest.pk)
    job.refresh_from_db()
    assert job.ended_at is not None and holding(TOKEN) == []


def test_a_study_may_say_that_withdrawing_removes_it(task: Task, starter_world: World) -> None:
    for delete in (True, False):
        session = session_with_people(task, starter_world, "User1")
        study = Study.objects.create(name=str(delete), delete_withdrawn=delete)
        Sitting.objects.create(session=session, study=study)
        guest = sits(session, "User1")
        talk(session)
        guest = guest_at(session)
        guests.leave(guest, withdraw=True)
        assert (Guest.objects.get(pk=guest.pk).data_removed_at is not None) == delete
        assert Event.objects.filter(session=session, payload__contains=TOKEN).exists() != delete
        assert MetricValue.objects.filter(session=session).exists()


def test_scores_are_not_made_again_from_what_is_left(short: Session) -> None:
    assert remove_data(guest_at(short))
    before = figures(short)
    Score.objects.filter(session=short).update(code_version="old", tried="old")
    assert rescore(session_id=short.pk) and figures(short) == before
    assert set(Score.objects.filter(session=short).values_list("code_version", flat=True)) == {"old"}
    assert not rescore(session_id=short.pk)


def test_only_the_words_of_that_person_go(task: Task, starter_world: World) -> None:
    """Two people at a table, and a third who takes a seat over."""
    session = session_with_people(task, starter_world, "User1", "User2")
    sits(session, "User1")
    sits(session, "User2", "Ottoline")
    names = {"User1": TOKEN, "User2": "marrowgate"}
    number = 0
    while step(session):
        seat = session.seats.get(name=turn(session))
        if number == 3:
            Guest.objects.filter(seat__name="User1", holds=True).update(holds=False)
            sits(session, "User1", "Third")
            names["User1"] = "thistlewick"
        deliver(seat=seat, client_id=str(number), content=f"我想要 {names[seat.name]} 的第{number}件")
        number += 1
    first = Guest.objects.get(seat__session=session, name=NAME)
    kept = {text: len(holding(text)) for text in ("marrowgate", "thistlewick")}
    assert all(kept.values())
    assert remove_data(first) and holding(TOKEN) == []
    assert {text: len(holding(text)) for text in kept} == kept
    assert (
        not remove_data(first)
        or Event.objects.filter(session=session, type="personal_data_removed").count() == 1
    )


def test_what_a_process_has_kept_is_dropped(short: Session, tmp_path: Path, settings: Settings) -> None:
    """A log and its HTML, once it sees the event: the removal tells no process. An archive comes back before."""
    settings.CARAVAN_DATA = tmp_path
    assert archive_session(short.pk)

    def chat_page() -> str:
        return chat_html(whole_log(short.pk), session=short, viewer=RESEARCH, language="en")

    assert TOKEN in chat_page()
    erase(guest_at(short).pk)
    assert TOKEN not in chat_page()
    assert not SessionArchive.objects.exists() and '"@archive"' not in stored_text(short)


def test_it_is_all_or_nothing(short: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    before = holding(TOKEN)

    def fail_writing(*given: Any) -> None:
        raise OSError("no room")

    monkeypatch.setattr(personal, "_tell", fail_writing)
    with pytest.raises(OSError, match="no room"):
        erase(guest_at(short).pk)
    assert holding(TOKEN) == before and guest_at(short).data_removed_at is None


def test_what_judges_quote_goes_too(short: Session) -> None:
    from webapp.endpoints.models import ModelEndpoint

    judge = ModelEndpoint.objects.create(name="wise", base_url="http://127.0.0.1:9/v1", model="some/judge")
    batch = JudgeBatch.objects.create(judge=judge, meta_judge=judge, judge_setup={}, meta_setup={})
    quote = f"User1 says “{words(0)}”, and later “{TOKEN} 第1句”."
    row = Judgement.objects.create(
        batch=batch,
        session=short,
        raw=json.dumps({"a": {"rationale": quote}}),
        ratings={"a": {"score": 3, "rationale": quote}},
        meta_reasoning=quote,
        score=61.0,
    )
    with pytest.raises(NotYet, match="judged"):
        erase(guest_at(short).pk)
    Judgement.objects.update(status=Judged.JUDGED)
    erase(guest_at(short).pk)
    row.refresh_from_db()
    assert holding(TOKEN) == [] and row.score == 61.0 and row.ratings["a"]["score"] == 3
    assert row.meta_reasoning.startswith("User1 says “[已删除]”")


def test_a_person_in_the_agents_seat(task: Task, starter_world: World) -> None:
    session = session_with_people(task, starter_world, agent=PERSON)
    guest = sits(session, "Agent")
    assert step(session)
    deliver(seat=guest.seat, client_id="summary", content=f"nothing but {TOKEN} is known yet")
    assert step(session)  # a turn in which tools can be called
    asked = ToolCall("search_poi", {"keywords": f"{TOKEN} tea", "city": "苏州市"})
    said = calls_as_text(CallTools((asked,), note=f"let me look for {TOKEN}"))
    deliver(seat=guest.seat, client_id="call", content=said, kind=InboxMessage.Kind.CALL)
    assert step(session)
    for number in range(4):
        deliver(seat=guest.seat, client_id=str(number), content=f"各位好，{TOKEN} 是我的看法 {number}")
        step(session)
    assert {"tool_called", "message_posted"} <= set(
        Event.objects.filter(session=session, payload__contains=TOKEN).values_list("type", flat=True)
    )
    request_stop(Session.objects.filter(pk=session.pk))
    step(session)
    assert session.ended and remove_data(guest) and holding(TOKEN) == []
    assert [event.body.name for event in read_log(session) if isinstance(event.body, ToolCalled)] == [
        "search_poi"
    ]


def test_the_command_asks_first(short: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    out = StringIO()
    monkeypatch.setattr("builtins.input", lambda words: "n")
    with pytest.raises(CommandError, match="nothing was removed"):
        call_command("remove_person", short.pk, "User1", stdout=out)
    assert guest_at(short).data_removed_at is None and short.pk in out.getvalue()
    call_command("remove_person", guest_at(short).pk, "--yes", stdout=out)
    assert holding(TOKEN) == []
    call_command("remove_person", short.pk, "User1", "--yes", stdout=out)
    assert "before" in out.getvalue()
    with pytest.raises(CommandError, match="nobody has had seat User9"):
        call_command("remove_person", short.pk, "User9", "--yes")


def test_only_researchers_remove(short: Session, as_researcher: Client, as_annotator: Client) -> None:
    address = f"/people/{guest_at(short).pk}/remove/"
    assert as_annotator.post(address).status_code == 403 and Client().post(address).status_code == 302
    assert as_researcher.get(address).status_code == 405
    assert guest_at(short).data_removed_at is None
    assert as_researcher.post(address).status_code == 302
    assert holding(TOKEN) == []
    assert list(read_log(short))[-1].actor == "researcher"


def eraser(*texts: str, seat: str = "User1", name: str = "Ann", world: str = "") -> Eraser:
    long = [text for text in texts if len(text) > 7 and text not in world]
    brief = [text for text in texts if text not in long]
    return Eraser(
        texts=texts,
        said=long,
        short=brief,
        of_world=lambda text: text in world,
        seat=seat,
        name=name,
        replacement="[removed]",
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('They wrote: I hate long "walks" here', "They wrote: [removed]"),
        (json.dumps({"a": 'I hate long "walks" here'}), '{"a": "[removed]"}'),
        (json.dumps(json.dumps({"a": 'I hate long "walks" here'})), '"{\\"a\\": \\"[removed]\\"}"'),
        ("User1: ok\nUser2: ok", "User1: [removed]\nUser2: ok"),
        ("User1：ok", "User1：[removed]"),
        ("Hi Ann, Annette is here", "Hi [removed], Annette is here"),
        ("ok, all is ok", "ok, all is ok"),
        ('they want “long "walks"” only', 'they want “long "walks"” only'),
    ],
)
def test_words_are_found_as_others_write_them(before: str, after: str) -> None:
    assert eraser('I hate long "walks" here', "ok").text(before) == after


def test_names_of_places_stay() -> None:
    found = eraser("please, the Old Harbour Museum", world="Old Harbour Museum")
    assert found.text("“the Old Harbour Museum” it is") == "“[removed]” it is"
    assert found.text("“Old Harbour Museum” it is") == "“Old Harbour Museum” it is"
    kept = {"plan": [{"place": "Old Harbour Museum", "who": "Ann"}]}
    assert found.value(kept, names=False, parts=False) == kept
