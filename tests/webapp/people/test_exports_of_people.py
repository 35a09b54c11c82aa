"""Exports say whose texts are personal, and can do without names; those of simulated sessions are as they were."""

from __future__ import annotations

import csv
import json
import zipfile
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from benchmark.core.events import MessagePosted
from benchmark.jsonlines import json_line
from benchmark.models import ChatRequest, Reply
from benchmark.models.exchange import Exchange
from benchmark.models.tokens import Token, TokenLog
from tests.conftest import store_starter_tasks, store_starter_world
from tests.model_server import model_server
from tests.seating import endpoint_at, play
from tests.webapp.people.talking import NAME, session_with_people, sits, talk, words
from tests.worker.hasty import play_hastily
from webapp.cassettes.forking import Players, fork, last_point
from webapp.cassettes.services import replay
from webapp.catalogue.models import Task, World
from webapp.exchange.formats import RUN_ENDINGS, SESSION_ENDINGS, write_run, write_session
from webapp.exchange.training import TRAINING_ENDINGS
from webapp.people.exports import Naming, held_in
from webapp.people.invitations import invite, take
from webapp.people.models import Guest
from webapp.people.questionnaire import store_answers
from webapp.people.results import drawing, of_run
from webapp.runs.services import create_run
from webapp.sessions.log import read_log
from webapp.sessions.models import MetricValue, Run, Session
from webapp.sessions.scoring import record_of
from webapp.sessions.services import Setup, create_session
from webapp.tables.session_columns import columns

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hasty")]


@pytest.fixture(scope="module", autouse=True)
def session_and_run(module_rows: None, starter_pack: Path) -> tuple[str, int]:
    """A session with a person, and a run of a session without one: their ids."""
    with pytest.MonkeyPatch.context() as patch, model_server() as server:
        play_hastily(patch)
        world = store_starter_world(starter_pack)
        task = next(one for one in store_starter_tasks() if one.difficulty == "easy" and one.language == "zh")
        agent = endpoint_at(server.url, "good-agent")
        session = session_with_people(task, world, "User1", agent="llm", agent_model=agent)
        seat = session.seats.get(name="User1")
        guest = take(seat=seat, invitation=invite(seat=seat), name=NAME)
        Guest.objects.filter(pk=guest.pk).update(stage=Guest.Stage.READY)
        talk(session)
        run = create_run(name="mixed", tasks=[task], world=world, setup=Setup(), start=False)
        play(run.sessions.get())
    store_answers(guest, {"fairness": 6, "effort": 2, "open": f"{NAME} says thanks, =1+1"})
    return session.pk, run.pk


@pytest.fixture
def session(session_and_run: tuple[str, int]) -> Session:
    """With a model that is told what our person says, with answers at the end."""
    return Session.objects.get(pk=session_and_run[0])


@pytest.fixture
def task(session: Session) -> Task:
    return session.task


@pytest.fixture
def guest(session: Session) -> Guest:
    return Guest.objects.select_related("invitation", "seat").get(seat__session=session)


@pytest.fixture
def run(session_and_run: tuple[str, int], session: Session) -> Run:
    """Of our session and of one without people."""
    Session.objects.filter(pk=session.pk).update(run=session_and_run[1], trial_id=2)
    return Run.objects.get(pk=session_and_run[1])


def export_bytes(session: Session, format_: str, **options: Any) -> bytes:
    file = BytesIO()
    write_session(Session.objects.get(pk=session.pk), format_, file, **options)
    return unpack_zip(file.getvalue())


def unpack_zip(data: bytes) -> bytes:
    if not data.startswith(b"PK"):
        return data
    with zipfile.ZipFile(BytesIO(data)) as packed:
        return b"\n".join(packed.read(name) for name in packed.namelist())


def test_a_record_says_whose_texts_are_personal(session: Session, guest: Guest) -> None:
    record = json.loads(export_bytes(session, "record"))
    (mark,) = record["personal"]
    assert mark == {"seat": "User1", "person": guest.pk, "first": mark["first"], "last": session.last_seq}
    posted = [e for e in read_log(session) if isinstance(e.body, MessagePosted) and e.body.role == "User1"]
    own = [e.seq for e in posted if not e.body.opening]  # type: ignore[union-attr]
    assert own and all(mark["first"] <= seq <= mark["last"] for seq in own)
    (person,) = record["people"]
    assert person["answers"] == {"fairness": 6, "effort": 2, "open": f"{NAME} says thanks, =1+1"}
    assert person["name"] == NAME and person["seat"] == "User1" and person["answered_at"]
    rest = {name: value for name, value in record.items() if name not in ("personal", "people")}
    assert rest == record_of(session)


def test_every_format_marks_them_and_none_holds_a_link(session: Session, guest: Guest) -> None:
    assert guest.invitation is not None
    secrets = (guest.invitation.token, guest.invitation.nonce, guest.code)
    for format_ in SESSION_ENDINGS:
        for pseudonyms in (False, True):
            data = export_bytes(session, format_, pseudonyms=pseudonyms).decode()
            assert not [secret for secret in secrets if secret in data], format_
            assert (guest.pk in data) != pseudonyms, format_
            assert (NAME in data) != pseudonyms, format_
            assert ("P1" in data) == pseudonyms, format_
    for line in export_bytes(session, "chat").splitlines():
        assert json.loads(line)["metadata"]["personal"][0]["seat"] == "User1"
    assert "Personal data" in export_bytes(session, "html").decode()


def test_a_pseudonym_stands_in_texts_and_the_rest_stays(session: Session) -> None:
    named, hidden = (json.loads(export_bytes(session, "record", pseudonyms=one)) for one in (False, True))
    assert json.dumps(hidden["personal"]).count("P1") == 1 and hidden["people"][0]["name"] is None
    assert hidden["people"][0]["answers"]["open"] == "P1 says thanks, =1+1"
    before, after = (
        json.dumps({key: one[key] for key in one if key not in ("personal", "people")}, ensure_ascii=False)
        for one in (named, hidden)
    )
    assert NAME in before and after == before.replace(NAME, "P1") and words(0).replace(NAME, "P1") in after


def test_exports_of_simulated_sessions_are_as_they_were(task: Task, starter_world: World, run: Run) -> None:
    alone = play(create_session(task=task, world=starter_world, setup=Setup(), start=False))
    assert export_bytes(alone, "record") == json_line(record_of(alone))
    for format_ in SESSION_ENDINGS:
        plain = export_bytes(alone, format_)
        assert export_bytes(alone, format_, pseudonyms=True) == plain
        assert b'"personal"' not in plain and b'"people"' not in plain and b"Personal data" not in plain
    simulated = run.sessions.get(trial_id__lt=2)
    assert b'"personal"' not in export_bytes(simulated, "record")


def test_a_runs_files(run: Run, guest: Guest, tmp_path: Path) -> None:
    for pseudonyms in (False, True):
        for format_, ending in RUN_ENDINGS.items():
            path = tmp_path / f"{pseudonyms}{format_}{ending}"
            if format_ == "parquet" or format_.endswith("-parquet"):  # below
                continue
            if format_ in TRAINING_ENDINGS:
                rows = write_run(run, format_, path, pseudonyms=pseudonyms)
                assert rows == {"rollouts": 2, "grpo": 1}.get(format_, rows)
                words = path.read_text("utf-8")
                assert not (pseudonyms and NAME in words) and guest.code not in words
                continue
            assert write_run(run, format_, path, pseudonyms=pseudonyms) == 2
            files = list(path.iterdir()) if path.is_dir() else [path]
            data = b"\n".join(unpack_zip(file.read_bytes()) for file in files).decode()
            assert (NAME in data) != pseudonyms and (guest.pk in data) != pseudonyms, (format_, pseudonyms)
            assert guest.code not in data and guest.invitation.nonce not in data  # type: ignore[union-attr]
    folder = tmp_path / "Truefolder"
    with (folder / "people.csv").open(encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file)
    assert (
        row["person"] == "P1" and row["name"] == "" and row["answer_fairness"] == "6" and row["trial"] == "2"
    )
    (line,) = (folder / "people.jsonl").read_text("utf-8").splitlines()
    assert json.loads(line)["answers"]["effort"] == 2
    lines = [json.loads(one) for one in (tmp_path / "Falsejsonl.jsonl").read_text("utf-8").splitlines()]
    assert [("personal" in one, "people" in one) for one in lines].count((True, True)) == 1


def test_parquet_has_columns_for_people_where_there_are_some(run: Run, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    write_run(run, "parquet", tmp_path / "run.parquet")
    rows = parquet.read_table(tmp_path / "run.parquet").to_pylist()
    marks = [row["personal"] for row in rows]
    assert sorted(mark is None for mark in marks) == [False, True]
    assert json.loads(next(filter(None, marks)))[0]["seat"] == "User1"


def test_forks_and_re_runs_say_whose_texts_they_have(session: Session, guest: Guest) -> None:
    point = last_point(session)
    further = fork(session=session, chosen=point, players=Players.of(session), start=False)
    (held,) = held_in(further)
    assert (held.guest, held.seat, held.last) == (guest, "User1", further.fork_seq)
    again = replay(session=session, start=False)
    assert [one.guest for one in held_in(again)] == [guest]
    assert json.loads(export_bytes(further, "record"))["personal"][0]["person"] == guest.pk


def test_whoever_takes_a_seat_over_is_told_apart(task: Task, starter_world: World) -> None:
    session = session_with_people(task, starter_world, "User1")
    first = sits(session, "User1", "Ann")
    talk_some(session)
    Guest.objects.filter(pk=first.pk).update(holds=False)
    sits(session, "User1", "Ben")
    talk(session, lambda number: f"number {number + 10}")
    one, two = held_in(session)
    assert one.last + 1 == two.first and two.last == session.last_seq
    out = StringIO()
    call_command("export_session", session.pk, "--pseudonyms", stdout=out)
    assert [mark["person"] for mark in json.loads(out.getvalue())["personal"]] == ["P1", "P2"]


def talk_some(session: Session) -> None:
    from tests.webapp.people.talking import step
    from webapp.sessions.inbox import deliver

    assert step(session)
    deliver(seat=session.seats.get(name="User1"), client_id="first", content="first of all")
    assert step(session)


def test_pages_offer_it(
    session: Session, run: Run, guest: Guest, as_researcher: Client, as_annotator: Client
) -> None:
    page = as_researcher.get(session.get_absolute_url()).content.decode()
    assert 'name="pseudonyms"' in page
    assert 'name="pseudonyms"' in as_researcher.get(run.get_absolute_url()).content.decode()
    simulated = run.sessions.get(trial_id__lt=2)
    assert 'name="pseudonyms"' not in as_researcher.get(simulated.get_absolute_url()).content.decode()
    address = f"/sessions/{session.pk}/export.record"
    hidden = b"".join(as_researcher.get(f"{address}?pseudonyms=1"))
    assert NAME.encode() not in hidden and NAME.encode() in b"".join(as_researcher.get(address))
    assert json.loads(as_researcher.get(f"/sessions/{session.pk}/record.jsonl").content)["personal"]
    for file in (f"/runs/{run.pk}/people.csv", f"/sessions/{session.pk}/people.jsonl"):
        assert NAME in as_researcher.get(file).content.decode()
        assert NAME not in as_researcher.get(f"{file}?pseudonyms=1").content.decode()
        assert as_annotator.get(file).status_code == 403
        assert Client().get(file).status_code == 302
    assert as_researcher.get(f"/runs/{run.pk}/people.pdf").status_code == 404


def test_a_pseudonym_leaves_no_tokens_with_the_name() -> None:
    naming = Naming(True)
    naming.meet([Guest(pk="g1", name="Anton")])
    request = ChatRequest(())
    for word, is_kept in (("Anton", False), ("Antwerp", True)):
        log = TokenLog.of([Token(word[:2].encode(), -1.0), Token(word[2:].encode(), -1.0)])
        reply = naming.exchange(Exchange(1, "Agent", request, Reply(word, tokens=log))).reply
        assert reply and reply.tokens == (log if is_kept else None)


def test_names_are_whole_words_and_markup_stays() -> None:
    naming = Naming(True)
    naming.meet([Guest(pk="g1", name="Ann"), Guest(pk="g2", name="div"), Guest(pk="g3", name="A&B")])
    assert naming.text("Ann met Annette, g1") == "P1 met Annette, P1"
    assert naming.html('<div class="div">a div of A&amp;B</div>') == '<div class="div">a P2 of P3</div>'
    assert naming.value({"name": "Ann", "content": "Ann"}) == {"name": "Ann", "content": "P1"}
    assert naming.line('{"a":1}') == '{"a":1}'
    assert Naming(False).text("Ann") == "Ann"


def test_the_panel_shows_who_sat_where_and_what_they_answered(
    session: Session, run: Run, guest: Guest, as_researcher: Client
) -> None:
    page = as_researcher.get(f"{session.get_absolute_url()}?tab=people").content.decode()
    assert NAME in page and "How fair is the plan" in page and f"/people/{guest.pk}/remove/" in page
    assert "very unfair" in page and "=1+1" in page
    simulated = run.sessions.get(trial_id__lt=2)
    assert "tab-people" not in as_researcher.get(simulated.get_absolute_url()).content.decode()
    assert as_researcher.get(f"{simulated.get_absolute_url()}panels/people/").status_code in (200, 404)


def test_the_run_shows_means_with_intervals_and_a_chart(
    task: Task, starter_world: World, run: Run, as_researcher: Client
) -> None:
    other = session_with_people(task, starter_world, "User1")
    Session.objects.filter(pk=other.pk).update(run=run, trial_id=3)
    store_answers(sits(other, "User1"), {"fairness": 4})
    page = as_researcher.get(run.get_absolute_url()).content.decode()
    rows = {one.question.key: one for one in of_run(run)}
    assert list(rows) == ["fairness", "effort"]
    fairness, effort = rows.values()
    assert (fairness.mean, fairness.count, fairness.low, fairness.high) == (5.0, 2, 4.0, 6.0)
    assert (effort.mean, effort.count, effort.low) == (2.0, 1, None)
    assert "5.00" in page and "4.00 – 6.00" in page and 'data-chart="people-json"' in page
    assert drawing([*rows.values()])["data"][0]["error_x"]["array"] == [1.0, None]
    Run.objects.filter(pk=run.pk).update(name="x")
    MetricValue.objects.filter(rater__startswith="person:").delete()
    assert "data-chart" not in as_researcher.get(run.get_absolute_url()).content.decode()


def test_values_of_people_leave_the_table_of_sessions_as_it_is(run: Run, as_researcher: Client) -> None:
    assert not [key for key in columns() if "person:" in key]
    assert as_researcher.get("/sessions/").status_code == 200
    assert "person:" not in as_researcher.get(f"/runs/{run.pk}/sessions.csv").content.decode()
