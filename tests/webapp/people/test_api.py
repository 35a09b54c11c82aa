"""The API of programs: who is let in, what they get to know, what is refused and in what words."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
from django.core.handlers.asgi import ASGIHandler
from django.db import OperationalError
from django.test import Client
from django.utils import timezone
from limits import RateLimitItemPerMinute

from benchmark.core.actions import CallTools, ToolCall, calls_in_text
from benchmark.core.attendance import Attendance
from benchmark.core.events import AgentNoted, MessagePosted, PresenceChanged, SessionFinished, TurnMissed
from benchmark.core.participant import INBOX, PERSON
from benchmark.core.view import AGENT
from benchmark.suites.grouptravel.events import CompromiseApplied, MarkerAttempted, TableInferred, TurnGranted
from tests.threads import start_in_thread
from tests.webapp.conftest import Writer
from webapp import apis
from webapp.catalogue.models import Task, World
from webapp.endpoints.choice import SeatPlayer
from webapp.people import api, polling, programs
from webapp.people.invitations import invite, open_lobby, revoke
from webapp.people.models import Guest, Invitation
from webapp.seats.models import InboxMessage, Notice, Seat
from webapp.sessions import services
from webapp.sessions.live import group_of, wake_up

pytestmark = pytest.mark.either_engine
SECRET = "a secret of somebody else"
SAY = {"type": "say", "content": "I would like a quiet place."}


class Program:
    """A program at its seat, over the test client."""

    def __init__(self, token: str) -> None:
        self.client, self.token = Client(enforce_csrf_checks=True), token

    def get(self, path: str, **given: Any) -> Any:
        return self.client.get(f"/api/{path}", given, headers={"Authorization": f"Bearer {self.token}"})

    def post(self, path: str, body: Any = None) -> Any:
        headers = {"Authorization": f"Bearer {self.token}"}
        return self.client.post(f"/api/{path}", body, content_type="application/json", headers=headers)

    def join(self, program: str = "robot", **more: str) -> Any:
        return self.post("seat/join", {"program": program, "version": "1.0", **more})

    def view(self, **given: Any) -> Any:
        found = self.get("seat/view", **given)
        assert found.status_code == 200, found.content
        return found.json()

    def act(self, turn: int, action: Any = SAY, client_id: str = "a") -> Any:
        return self.post("seat/actions", {"client_id": client_id, "turn": turn, "action": action})


def check_refusal(response: Any, status: int, code: str, *words: str) -> None:
    told = response.json()
    assert (response.status_code, told["code"]) == (status, code), told
    assert len(told["detail"]) > 15 and all(word in told["detail"] for word in words), told


@pytest.fixture
def make(task: Task, starter_world: World) -> Callable[..., Writer]:
    """A session of four travellers with programs in some seats, and its writer."""

    def make_writer(*names: str, kind: str = INBOX) -> Writer:
        users = {name: SeatPlayer(kind) for name in names if name != AGENT}
        given = {"agent": kind} if AGENT in names else {}
        setup = services.Setup(seats=users, attendance=Attendance(turn_s=60), **given)
        return Writer(services.create_session(task=task, world=starter_world, setup=setup, start=False))

    return make_writer


def seat_of(writer: Writer, name: str) -> Seat:
    return writer.session.seats.get(name=name)


def program_at(writer: Writer, name: str) -> Program:
    return Program(invite(seat=seat_of(writer, name)).token)


def grant(writer: Writer, name: str, kind: Any = "polled", **more: Any) -> int:
    return writer.add("system", TurnGranted(speaker=name, kind=kind, place="lap", **more))


def test_a_program_joins_and_gets_its_seat_back(make: Callable[..., Writer]) -> None:
    writer = make("User2")
    program = program_at(writer, "User2")
    found = program.join()
    assert found.status_code == 200 and found.json() == {
        "session": writer.session.pk,
        "seat": "User2",
        "role": "traveller",
        "language": "zh",
        "suite": "grouptravel",
        "status": "waiting",
        "token": program.token,
    }
    again = Program(program.token)
    assert again.join().json() == found.json() and Guest.objects.count() == 1
    told = Notice.objects.get()
    assert (told.actor, told.payload["presence"], told.payload["program"]) == ("User2", "joined", "robot 1.0")
    check_refusal(again.join("another"), 409, "taken", "“robot” has this seat")
    newer = again.post("seat/join", {"program": "robot", "version": "1.1"})
    assert newer.status_code == 200 and Guest.objects.get().version == "1.1"
    assert Notice.objects.last().payload["program"] == "robot 1.1"  # type: ignore[union-attr]


def test_who_stays_when_a_link_ends_and_who_does_not_come_in(make: Callable[..., Writer]) -> None:
    writer = make("User1", "User2")
    inside, outside = program_at(writer, "User1"), program_at(writer, "User2")
    assert inside.join().status_code == 200
    Invitation.objects.update(expires_at=timezone.now() - timedelta(days=1))
    check_refusal(outside.join(), 401, "token", "expired")
    assert inside.join().status_code == 200 and inside.view()["status"] == "waiting"
    revoke(Invitation.objects.all())
    assert inside.view()["seat"] == "User1"


def test_a_link_that_was_withdrawn_and_one_of_another_seat(make: Callable[..., Writer]) -> None:
    writer = make("User1", "User2")
    old = program_at(writer, "User1")
    new, other = program_at(writer, "User1"), program_at(writer, "User2")
    check_refusal(old.join(), 401, "token", "new one")
    assert new.join().json()["seat"] == "User1" and other.join().json()["seat"] == "User2"
    forged = Program(f"{new.token.partition('-')[0]}-{other.token.partition('-')[2]}")
    check_refusal(forged.get("seat/view"), 401, "token")


@pytest.mark.parametrize(
    "token", ["", "nothing", "1-abc", "99999-" + "0" * 32, "seat-abc-def", "seat-", "9" * 300]
)
def test_a_token_that_nobody_has(db: None, token: str) -> None:
    program = Program(token)
    for asked in (program.join(), program.get("seat/view"), program.act(1), program.post("seat/leave")):
        check_refusal(asked, 401, "token", "Bearer")
        assert asked["WWW-Authenticate"] == "Bearer"
    check_refusal(Client().get("/api/seat/view"), 401, "token")
    check_refusal(Client().get("/api/seat/view", headers={"Authorization": "Basic abc"}), 401, "token")


def test_a_signed_in_researcher_needs_a_token_as_well(as_researcher: Client) -> None:
    check_refusal(as_researcher.get("/api/seat/view"), 401, "token")


def test_a_seat_for_a_person_and_one_of_nobody_outside(make: Callable[..., Writer]) -> None:
    writer = make("User1", kind=PERSON)
    person = program_at(writer, "User1")
    check_refusal(person.join(), 403, "person", "browser")
    check_refusal(person.get("seat/view"), 403, "person")
    scripted = program_at(writer, "User2")
    check_refusal(scripted.join(), 403, "taken", "scripted")


def test_a_program_is_called_by_what_can_be_read(make: Callable[..., Writer]) -> None:
    program = program_at(make("User2"), "User2")
    check_refusal(program.join("\u202e\u200b"), 422, "unfit", "Give a name that can be read")
    assert program.join("\u202erobot\n\u200btwo").status_code == 200
    assert Guest.objects.get().program == "robot two"
    assert program.join("robot two").status_code == 200 and Guest.objects.count() == 1


def test_nothing_before_joining_and_after_leaving(make: Callable[..., Writer]) -> None:
    writer = make("User1")
    program = program_at(writer, "User1")
    check_refusal(program.get("seat/view"), 404, "not_joined", "join")
    check_refusal(program.act(1), 404, "not_joined")
    program.join()
    assert program.post("seat/here").status_code == 204
    assert program.post("seat/leave").status_code == 204
    assert program.post("seat/leave").status_code == 204
    for asked in (program.get("seat/view"), program.act(1), program.join(), program.post("seat/here")):
        check_refusal(asked, 409, "left", "link")
    assert [told.payload["presence"] for told in Notice.objects.all()] == ["joined", "left"]


def test_a_seat_that_somebody_else_has_now(make: Callable[..., Writer]) -> None:
    writer = make("User1")
    program = program_at(writer, "User1")
    program.join()
    Seat.objects.filter(name="User1").update(kind="scripted")
    check_refusal(program.get("seat/view"), 409, "taken")
    Seat.objects.filter(name="User1").update(kind=INBOX)
    Guest.objects.update(holds=False)
    check_refusal(program.get("seat/view"), 409, "taken")


def test_a_lobby_gives_each_copy_its_own_seat(make: Callable[..., Writer]) -> None:
    writer = make("User1", "User3")
    link = open_lobby(session=writer.session).token
    first, second, third = (Program(link) for _ in range(3))
    one, two = first.join(client_id="1").json(), second.join(client_id="2").json()
    assert {one["seat"], two["seat"]} == {"User1", "User3"} and one["token"] != two["token"]
    assert first.join(client_id="1").json() == one
    check_refusal(third.join(client_id="3"), 409, "taken", "All seats are taken")
    check_refusal(first.get("seat/view"), 404, "not_joined")
    assert Program(one["token"]).view()["seat"] == one["seat"]
    assert Program(one["token"]).join(client_id="1").json() == one
    check_refusal(Program(one["token"][:-1] + "x").get("seat/view"), 401, "token")


def test_a_turn_is_answered_once(make: Callable[..., Writer]) -> None:
    writer = make("User1")
    program = program_at(writer, "User1")
    program.join()
    waits = program.view()
    assert (waits["status"], waits["turn"], waits["view"], waits["tools"]) == ("waiting", None, None, [])
    turn = grant(writer, "User1")
    table = program.view()
    assert (table["status"], table["seq"], table["turn"]["seq"]) == ("your_turn", turn, turn)
    assert table["turn"]["deadline"] and not table["turn"]["tools_allowed"]
    check_refusal(program.act(turn - 1), 409, "another_turn", str(turn))
    sent = program.act(turn)
    assert sent.json() == {"client_id": "a", "taken": False}
    assert program.view()["status"] == "waiting"
    check_refusal(program.act(turn, client_id="b"), 409, "on_its_way")
    assert program.act(turn).json() == sent.json() and InboxMessage.objects.count() == 1
    InboxMessage.objects.update(taken_at_seq=writer.add("User1", MessagePosted(role="User1", content="x")))
    assert program.act(turn).json() == {"client_id": "a", "taken": True}
    check_refusal(program.act(turn, client_id="c"), 409, "another_turn", "not this seat's turn")
    assert program.view(after=table["seq"])["seq"] > table["seq"]


@pytest.mark.storage
@pytest.mark.django_db(transaction=True)
def test_equal_requests_at_one_moment_get_one_answer(make: Callable[..., Writer]) -> None:
    writer = make("User1")
    program = program_at(writer, "User1")
    program.join()
    turn = grant(writer, "User1")
    answers: list[tuple[int, Any]] = []
    gate = Barrier(5)

    def send() -> None:
        again = Program(program.token)
        gate.wait(10)
        sent = again.act(turn)
        answers.append((sent.status_code, sent.json()))

    for thread in [start_in_thread(send) for _ in range(5)]:
        thread.join(30)
    assert answers == [(200, {"client_id": "a", "taken": False})] * 5
    assert InboxMessage.objects.count() == 1


def test_another_seat_s_turn_is_not_ours(make: Callable[..., Writer]) -> None:
    writer = make("User1", "User2")
    program = program_at(writer, "User1")
    program.join()
    turn = grant(writer, "User2")
    assert program.view()["status"] == "waiting"
    check_refusal(program.act(turn), 409, "another_turn")


def test_what_no_seat_can_take(make: Callable[..., Writer]) -> None:
    writer = make("User1", AGENT)
    traveller, agent = program_at(writer, "User1"), program_at(writer, AGENT)
    traveller.join()
    agent.join()
    turn = grant(writer, "User1")
    call = {"type": "call_tools", "calls": [{"name": "search_poi", "arguments": {}}]}
    check_refusal(traveller.act(turn, call), 422, "unfit", "Only the agent calls tools")
    check_refusal(traveller.act(turn, {"type": "say", "content": "  "}), 422, "unfit", "empty")
    check_refusal(traveller.act(turn, {"type": "say", "content": "a\x00b"}), 422, "unfit", "U+0000")
    check_refusal(traveller.act(turn, {"type": "say", "content": "x" * 20_001}), 422, "unfit", "20000")
    check_refusal(traveller.act(turn, {"type": "sing"}), 422, "unfit", "action", "call_tools")
    check_refusal(traveller.act(turn, client_id=""), 422, "unfit", "client_id")
    check_refusal(traveller.post("seat/actions", {"turn": turn}), 422, "unfit", "client_id", "action")
    check_refusal(traveller.post("seat/actions", "no json"), 422, "unfit", "JSON")
    check_refusal(traveller.join(seat="User2"), 422, "unfit", "seat")
    check_refusal(traveller.get("seat/view", wait=26), 422, "unfit", "wait")
    problems = traveller.post(
        "seat/actions", {"client_id": "a", "turn": turn, "action": {"type": "say"}}
    ).json()
    assert [each["where"] for each in problems["problems"]] == ["action.content"]
    writer.add("User1", MessagePosted(role="User1", content="x"))
    turn = grant(writer, AGENT, "summary")
    check_refusal(agent.act(turn, call), 422, "unfit", "Say something")
    check_refusal(agent.act(turn, {"type": "pass"}), 422, "unfit", "agent must speak")
    assert not InboxMessage.objects.exists()


NUL = "a\x00b"
UNFIT: tuple[tuple[str, Any], ...] = (
    ("program", {"program": NUL}),
    ("program", {"program": "\ud800"}),
    ("program", {"program": "  "}),
    ("program", {"program": "x" * 61}),
    ("program", {"version": "1"}),
    ("version", {"program": "robot", "version": NUL}),
    ("version", {"program": "robot", "version": 1}),
    ("client_id", {"program": "robot", "client_id": NUL}),
    ("seat", {"program": "robot", "seat": "User2"}),
    ("body", []),
    ("body", "robot"),
)


@pytest.mark.parametrize(("field", "body"), UNFIT)
def test_a_program_that_introduces_itself_wrongly(make: Callable[..., Writer], field: str, body: Any) -> None:
    found = program_at(make("User1"), "User1").post("seat/join", json.dumps(body))
    check_refusal(found, 422, "unfit", field)
    assert [place["where"] for place in found.json()["problems"]] == [field]
    assert not Guest.objects.exists()


def tool_call(arguments: Any = None, name: str = "search_poi", **more: Any) -> Any:
    call = {"name": name} if arguments is None else {"name": name, "arguments": arguments}
    return {"type": "call_tools", "calls": [call], **more}


WRONG_ACTIONS: tuple[tuple[str, Any], ...] = (
    ("client_id", {"client_id": NUL}),
    ("client_id", {"client_id": "\ud800"}),
    ("client_id", {"client_id": "x" * 101}),
    ("turn", {"turn": "soon"}),
    ("turn", {"turn": None}),
    ("seat", {"seat": "User2"}),
    ("action", {"action": {"type": "x" * 100_000}}),
    ("action", {"action": {"content": "no type"}}),
    ("action.content", {"action": {"type": "say", "content": NUL}}),
    ("action.content", {"action": {"type": "say", "content": "\ud800"}}),
    ("action.content", {"action": {"type": "say", "content": "  "}}),
    ("action.content", {"action": {"type": "say", "content": "x" * 20_001}}),
    ("action.calls", {"action": {"type": "call_tools", "calls": []}}),
    ("action.calls.0.name", {"action": tool_call(name=NUL)}),
    ("action.calls.0.name", {"action": tool_call(name="")}),
    ("action.calls.0.arguments", {"action": tool_call([1])}),
    ("action.calls", {"action": tool_call({"a": "\ud800"})}),
    ("action.calls", {"action": tool_call({"a": "x" * 20_000})}),
    ("action.note", {"action": tool_call(note=NUL)}),
    ("action.type", {"action": {"type": "pass"}}),
    ("k" * 300, {"k" * 100_000: 1}),
)


@pytest.mark.parametrize(("field", "given"), WRONG_ACTIONS)
def test_an_action_that_is_none_names_its_field(make: Callable[..., Writer], field: str, given: Any) -> None:
    writer = make(AGENT)
    agent = program_at(writer, AGENT)
    agent.join()
    right = {"client_id": "a", "turn": grant(writer, AGENT), "action": SAY}
    found = agent.post("seat/actions", json.dumps({**right, **given}))
    check_refusal(found, 422, "unfit")
    assert {place["where"] for place in found.json()["problems"]} == {field}
    assert len(found.content) < 5_000 and not InboxMessage.objects.exists()
    assert agent.post("seat/actions", right).status_code == 200


def test_what_a_model_calls_wrongly_is_the_sandbox_s_to_tell(make: Callable[..., Writer]) -> None:
    writer = make(AGENT)
    agent = program_at(writer, AGENT)
    agent.join()
    turn = grant(writer, AGENT)
    for number, action in enumerate(
        (tool_call({"a": NUL}), tool_call("no JSON"), tool_call({"x": 1}, "sing"))
    ):
        assert agent.act(turn, action, str(number)).status_code == 200
        InboxMessage.objects.all().delete()


def test_an_id_is_of_one_action(make: Callable[..., Writer]) -> None:
    writer = make("User1")
    program = program_at(writer, "User1")
    program.join()
    turn = grant(writer, "User1")
    assert program.act(turn).status_code == 200 and program.act(turn).status_code == 200
    check_refusal(program.act(turn, {"type": "pass"}), 422, "unfit", "client_id")
    InboxMessage.objects.update(taken_at_seq=writer.add("User1", MessagePosted(role="User1", content="x")))
    assert program.act(turn).json()["taken"]
    turn = grant(writer, "User1")
    check_refusal(program.act(turn), 422, "unfit", "client_id")
    assert program.act(turn, client_id="b").status_code == 200


def test_a_body_that_is_too_large_and_one_that_is_no_json(make: Callable[..., Writer]) -> None:
    program = program_at(make("User1"), "User1")
    for size in (apis.MOST_BODY + 1, 9_000_000):
        check_refusal(program.post("seat/join", "x" * size), 413, "too_large", str(apis.MOST_BODY))
    for body in ("{", '{"program": "\xff"}'.encode("latin1"), "9" * 6_000):
        check_refusal(program.post("seat/join", body), 422, "unfit", "JSON")


@pytest.mark.parametrize("method", ["GET", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"])
def test_a_method_that_is_not_possible_and_what_is(db: None, method: str) -> None:
    for path in ("seat/join", "seat/actions", "seat/here", "seat/leave"):
        found = Client().generic(method, f"/api/{path}")
        assert (found.status_code, found["Allow"]) == (405, "POST")
        if method != "HEAD":
            check_refusal(found, 405, "method", method, "POST")
    check_refusal(Client().post("/api/seat/view"), 405, "method", "GET")


def test_what_is_nested_too_deeply_or_no_number(make: Callable[..., Writer]) -> None:
    writer = make(AGENT)
    agent = program_at(writer, AGENT)
    agent.join()
    turn = grant(writer, AGENT)

    def call(arguments: Any) -> Any:
        return {"type": "call_tools", "calls": [{"name": "search_poi", "arguments": arguments}]}

    deep: Any = {}
    for _ in range(150):
        deep = {"a": [deep]}
    check_refusal(agent.act(turn, call(deep)), 422, "unfit", "levels")
    check_refusal(agent.act(turn, call({"a": float("nan")})), 422, "unfit", "NaN")
    bottomless = '{"client_id": "a", "turn": 1, "action": ' + "[" * 100_000 + "]" * 100_000 + "}"
    check_refusal(agent.post("seat/actions", bottomless), 422, "unfit")
    assert agent.act(turn, call('{"keywords": "西湖"}'), "b").status_code == 200
    kept = calls_in_text(InboxMessage.objects.get().content)
    assert kept == CallTools((ToolCall("search_poi", {"keywords": "西湖"}),))


def test_the_agent_has_tools_and_their_results(make: Callable[..., Writer]) -> None:
    writer = make(AGENT)
    agent = program_at(writer, AGENT)
    assert agent.join().json()["role"] == "agent"
    turn = grant(writer, AGENT)
    table = agent.view()
    names = [tool["function"]["name"] for tool in table["tools"]]
    assert len(names) == 10 and "search_poi" in names and table["turn"]["tools_allowed"]
    assert table["view"]["card"] is None and table["view"]["query"]
    writer.add(AGENT, AgentNoted(content="my note"))
    writer.call(1, '{"pois": []}')
    table = agent.view()
    (entry,) = table["view"]["tool_log"]
    assert (entry["call_id"], entry["result"], entry["turn"]) == ("call_1", '{"pois": []}', turn)
    assert (table["status"], table["turn"]["step"], table["view"]["notes"][0]["content"]) == (
        "your_turn",
        1,
        "my note",
    )


def test_no_action_is_awaited_for_what_is_not_shown_yet(
    make: Callable[..., Writer], monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = make(AGENT)
    agent = program_at(writer, AGENT)
    agent.join()
    grant(writer, AGENT)
    writer.call(1, '{"pois": []}')
    log = programs.whole_log(writer.session.pk)
    reads = iter([log, log[:-1]])  # of the heartbeat, of the table; the result is stored just then
    monkeypatch.setattr(programs, "whole_log", lambda _session: next(reads, log))
    table = agent.view()
    assert (table["view"]["tool_log"][-1]["result"], table["status"]) == (None, "waiting")
    assert agent.view()["status"] == "your_turn"


def test_a_summary_that_cannot_be_read_is_told_at_the_next_turn(make: Callable[..., Writer]) -> None:
    writer = make(AGENT)
    agent = program_at(writer, AGENT)
    agent.join()
    grant(writer, AGENT, "summary")
    writer.add(AGENT, TableInferred(table=None, raw="I have no idea"))
    grant(writer, AGENT, "convergence")
    assert agent.view()["turn"]["problem"] == "no_table"
    writer.add(AGENT, MessagePosted(role=AGENT, content="So far so good."))
    grant(writer, AGENT)
    assert agent.view()["turn"]["problem"] == ""
    grant(writer, AGENT, "summary")
    writer.add(AGENT, TableInferred(table={"User1": {}}, raw=""))
    grant(writer, AGENT, "convergence")
    assert agent.view()["turn"]["problem"] == ""


def test_a_traveller_learns_nothing_of_the_others(make: Callable[..., Writer], task: Task) -> None:
    """Every byte that seat 2 is sent while things happen elsewhere."""
    writer = make("User2")
    program, seen = program_at(writer, "User2"), []
    program.join()
    mine = program.view

    def look() -> None:
        seen.append(json.dumps(mine(), ensure_ascii=False))

    grant(writer, AGENT, "summary")
    writer.add(AGENT, TableInferred(table={"User1": {SECRET: 1}}))
    grant(writer, AGENT)
    writer.add(AGENT, AgentNoted(content=SECRET))
    writer.call(1, SECRET)
    look()
    writer.add(AGENT, MessagePosted(role=AGENT, content="@User1 hello"))
    grant(writer, "User1", "mentioned")
    writer.add("User1", MarkerAttempted(user="User1", marker=SECRET, verdict="accepted", said=SECRET))
    applied = CompromiseApplied(user="User1", path="global_constraints.avg_budget", value=SECRET, event=1)
    writer.add("User1", applied, MessagePosted(role="User1", content="hello to all"))
    look()
    grant(writer, "User2")
    writer.add("system", TurnMissed(seat="User1", waited_s=987.0))
    look()
    last = mine()
    others = [writer.log.state.cards[name].preference for name in writer.log.state.users if name != "User2"]
    sent = "".join(seen)
    assert SECRET not in sent and "hello to all" in sent and "987" not in sent and "search_poi" not in sent
    assert last["view"]["card"]["preference"] == writer.log.state.cards["User2"].preference
    assert all(json.dumps(other, ensure_ascii=False) not in sent for other in others)
    assert (last["tools"], last["view"]["tool_log"], last["view"]["notes"], last["view"]["table"]) == (
        [],
        [],
        [],
        None,
    )


def test_the_end_gives_its_reason(make: Callable[..., Writer]) -> None:
    writer = make("User1")
    program = program_at(writer, "User1")
    program.join()
    turn = grant(writer, "User1")
    writer.add("system", SessionFinished(reason="stopped", plan_generated=False))
    table = program.view(after=10_000)
    assert (table["status"], table["ended"]) == ("ended", {"reason": "stopped", "plan_generated": False})
    check_refusal(program.act(turn), 409, "ended")
    assert program.post("seat/here").status_code == 204


def test_who_was_away_is_back_when_heard_of(make: Callable[..., Writer]) -> None:
    writer = make("User1")
    program = program_at(writer, "User1")
    program.join()
    Notice.objects.update(taken_at_seq=1)
    writer.add("User1", PresenceChanged(seat="User1", presence="joined", program="robot 1.0"))
    long_ago = timezone.now() - timedelta(hours=1)
    Guest.objects.update(seen_at=long_ago)
    program.view()
    assert Guest.objects.get().seen_at > long_ago and not Notice.objects.filter(taken_at_seq=None)
    writer.add("system", PresenceChanged(seat="User1", presence="disconnected"))
    for _ in range(2):
        program.post("seat/here")
    assert [told.payload["presence"] for told in Notice.objects.filter(taken_at_seq=None)] == ["back"]


def test_too_many_requests_are_told_when_to_come_again(
    make: Callable[..., Writer], monkeypatch: pytest.MonkeyPatch
) -> None:
    program = program_at(make("User1"), "User1")
    program.join()
    monkeypatch.setattr(api, "CALLS", RateLimitItemPerMinute(2, namespace="test-seat-api"))
    assert [program.get("seat/view").status_code for _ in range(3)] == [200, 200, 429]
    again = program.get("seat/view")
    check_refusal(again, 429, "too_many", "wait")
    assert int(again["Retry-After"]) > 0
    monkeypatch.setattr(api, "WRONG", RateLimitItemPerMinute(1, namespace=f"test-{program.token}"))
    assert [Program("x").get("seat/view").status_code for _ in range(2)] == [401, 429]


def test_a_database_that_is_away_and_an_unknown_address(
    make: Callable[..., Writer], monkeypatch: pytest.MonkeyPatch
) -> None:
    program = program_at(make("User1"), "User1")
    program.join()

    def raise_locked(*_: Any) -> None:
        raise OperationalError("database is locked")

    check_refusal(program.get("seat/nothing"), 404, "unknown", "openapi.json")
    check_refusal(Client().post("/api/seats"), 404, "unknown")
    check_refusal(Client().get("/api/"), 404, "unknown")
    with monkeypatch.context() as patched:
        patched.setattr(programs, "table_of", raise_locked)
        response = program.get("seat/view")
    check_refusal(response, 503, "storage", "locked")
    assert int(response["Retry-After"]) > 0


def test_refusals_are_in_the_language_that_is_asked_for(make: Callable[..., Writer]) -> None:
    found = Client().get("/api/seat/view", headers={"Accept-Language": "zh-hans"})
    assert found.status_code == 401 and found["Content-Language"] == "zh-hans"


# The OpenAPI file, held against what is really sent.


def fits(value: Any, schema: Any, file: Any) -> bool:
    """Whether a value is of a JSON Schema, as far as ours go."""
    if "$ref" in schema:
        return fits(value, file["components"]["schemas"][schema["$ref"].rpartition("/")[2]], file)
    if "anyOf" in schema or "oneOf" in schema:
        return any(fits(value, each, file) for each in schema.get("anyOf") or schema["oneOf"])
    if "const" in schema or "enum" in schema:
        return value in schema.get("enum", [schema.get("const")])
    kinds: dict[str, Any] = {"string": str, "integer": int, "boolean": bool, "array": list, "object": dict}
    kind = schema.get("type")
    if kind is None:
        return True
    if kind == "null" or value is None:
        return kind == "null" and value is None
    if not isinstance(value, kinds[kind]) or (kind == "integer" and isinstance(value, bool)):
        return False
    if kind == "array":
        return all(fits(each, schema.get("items", {}), file) for each in value)
    return kind != "object" or _object_fits(value, schema, file)


def _object_fits(value: dict[str, Any], schema: Any, file: Any) -> bool:
    own, more = schema.get("properties", {}), schema.get("additionalProperties", True)
    known = all(fits(value[name], each, file) for name, each in own.items() if name in value)
    extra = [name for name in value if name not in own]
    taken = (
        not extra if more is False else more is True or all(fits(value[name], more, file) for name in extra)
    )
    return known and taken and set(schema.get("required", ())) <= set(value)


@pytest.fixture
def file(db: None) -> Any:
    return Client().get("/api/openapi.json").json()


def answer_fits(file: Any, method: str, path: str, response: Any) -> bool:
    told = file["paths"][f"/api/{path}"][method]["responses"][str(response.status_code)]
    if "content" not in told:
        return response.content == b""
    return fits(response.json(), told["content"]["application/json"]["schema"], file)


def test_the_openapi_file_tells_what_is_sent(make: Callable[..., Writer], file: Any) -> None:
    writer = make("User1", AGENT)
    for name, kind in (("User1", "mentioned"), (AGENT, "polled")):
        program = program_at(writer, name)
        assert answer_fits(file, "get", "seat/view", program.get("seat/view"))
        assert answer_fits(file, "post", "seat/join", program.join())
        assert answer_fits(file, "get", "seat/view", program.get("seat/view"))
        turn = grant(writer, name, kind)
        view = program.get("seat/view")
        assert view.json()["turn"] and answer_fits(file, "get", "seat/view", view)
        own = {**view.json(), "view": {**view.json()["view"], "messages": "none"}}
        assert not fits(own["view"], {"$ref": "#/components/schemas/GroupView"}, file)
        assert fits(view.json()["view"], {"$ref": "#/components/schemas/GroupView"}, file)
        for sent in (program.act(turn + 1), program.act(turn, {"type": "sing"}), program.act(turn)):
            assert answer_fits(file, "post", "seat/actions", sent)
        InboxMessage.objects.update(taken_at_seq=writer.add(name, MessagePosted(role=name, content="x")))
        assert answer_fits(file, "post", "seat/leave", program.post("seat/leave"))


def test_the_openapi_file_explains_itself(file: Any) -> None:
    assert set(file["paths"]) == {
        f"/api/seat/{name}" for name in ("join", "view", "actions", "here", "leave")
    }
    schemas = file["components"]["schemas"]
    assert not [name for name in schemas if "__" in name]  # two classes of one name would bear their modules
    assert {
        "GroupView",
        "Card",
        "Message",
        "ToolEntry",
        "TurnNow",
        "SayAction",
        "CallAction",
        "Problem",
    } <= set(schemas)
    assert all(schema.get("description") for schema in schemas.values())
    assert all(each["description"] for path in file["paths"].values() for each in path.values())
    assert file["components"]["securitySchemes"]["Token"]["scheme"] == "bearer"
    assert Client().get("/api/docs").status_code == 404


# Requests that wait, over the ASGI application.


class Waiting:
    """A request for a view that may wait, through the waiting room, as a web server sends it."""

    def __init__(self, token: str, **given: Any) -> None:
        query = "&".join(f"{name}={value}" for name, value in given.items()).encode()
        self.scope = {
            "type": "http",
            "http_version": "1.1",
            "method": "GET",
            "path": "/api/seat/view",
            "query_string": query,
            "headers": [(b"host", b"localhost"), (b"authorization", f"Bearer {token}".encode())],
        }
        self.asked, self.responses = 0, list[dict[str, Any]]()
        self.closed_event, self._read = asyncio.Event(), False
        self._django = ASGIHandler()

    async def _application(self, scope: Any, receive: Any, send: Any) -> None:
        self.asked += 1
        await self._django(scope, receive, send)

    async def _receive(self) -> dict[str, Any]:
        if not self._read:
            self._read = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self.closed_event.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: dict[str, Any]) -> None:
        self.responses.append(message)

    async def __call__(self) -> Any:
        await polling.waiting_room(self._application)(self.scope, self._receive, self._send)
        body = b"".join(each.get("body", b"") for each in self.responses[1:])
        return json.loads(body)


async def wake_sockets(writer: Writer) -> None:
    from channels.layers import get_channel_layer

    layer = get_channel_layer()
    assert layer is not None
    await layer.group_send(group_of(writer.session.pk), wake_up(writer.session.pk, 0))


@pytest.fixture
def joined_program(transactional_db: None, make: Callable[..., Writer]) -> Iterator[tuple[Writer, Program]]:
    writer = make("User1")
    program = program_at(writer, "User1")
    program.join()
    yield writer, program


async def sync(act: Callable[[], Any]) -> Any:
    from channels.db import database_sync_to_async

    return await database_sync_to_async(act)()


def test_the_web_server_has_the_waiting_room() -> None:
    from webapp import asgi

    def parts_of(served: Any) -> Iterator[str]:
        yield str(served)
        for cell in getattr(served, "__closure__", None) or ():
            yield from parts_of(cell.cell_contents)

    assert any("waiting_room" in part for part in parts_of(asgi.application.application_mapping["http"]))


async def test_a_view_waits_for_its_turn(
    joined_program: tuple[Writer, Program], monkeypatch: pytest.MonkeyPatch
) -> None:
    writer, program = joined_program
    monkeypatch.setattr(polling, "CHECK_S", 60)
    first = await Waiting(program.token, after=0, wait=20)()
    assert first["status"] == "waiting" and first["seq"] > 0
    request = Waiting(program.token, after=first["seq"], wait=20)
    waiting = asyncio.create_task(request())
    await asyncio.sleep(0.7)
    assert not waiting.done() and request.asked == 2 and not request.responses
    turn = await sync(lambda: grant(writer, "User1"))
    await wake_sockets(writer)
    table = await asyncio.wait_for(waiting, 10)
    assert (table["status"], table["turn"]["seq"], request.asked) == ("your_turn", turn, 3)


async def test_a_view_looks_again_without_a_wake_up(
    joined_program: tuple[Writer, Program], monkeypatch: pytest.MonkeyPatch
) -> None:
    writer, program = joined_program
    monkeypatch.setattr(polling, "CHECK_S", 0.2)
    seq = (await Waiting(program.token)())["seq"]
    long_ago = timezone.now() - timedelta(hours=1)
    await sync(lambda: Guest.objects.update(seen_at=long_ago))
    waiting = asyncio.create_task(Waiting(program.token, after=seq, wait=20)())
    await asyncio.sleep(0.3)
    await sync(lambda: grant(writer, "User1"))
    assert (await asyncio.wait_for(waiting, 10))["status"] == "your_turn"
    guest = await sync(Guest.objects.get)
    assert guest.seen_at > long_ago


async def test_a_view_that_waits_in_vain_answers_in_time_and_one_whose_program_left_ends(
    joined_program: tuple[Writer, Program],
) -> None:
    _writer, program = joined_program
    seq = (await Waiting(program.token)())["seq"]
    assert (await Waiting(program.token, after=seq, wait=0.5)())["status"] == "waiting"
    request = Waiting(program.token, after=seq, wait=20)
    waiting = asyncio.create_task(request())
    await asyncio.sleep(0.3)
    request.closed_event.set()
    await asyncio.wait_for(waiting, 8)
    unknown = Waiting("nobody", wait=20)
    assert (await unknown())["code"] == "token" and unknown.asked == 1
    assert (await Waiting(program.token, wait=26)())["code"] == "unfit"
