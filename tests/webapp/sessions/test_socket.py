"""The socket: replay from a cursor, then live, in order, filtered by audience on the server."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from typing import Any

import pytest
from channels.auth import get_user_model
from channels.db import database_sync_to_async
from channels.layers import get_channel_layer
from channels.testing import WebsocketCommunicator
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.models import Session as SignIn
from django.db import DatabaseError
from django.test import Client

from benchmark.core.engine import Conversation, Step
from benchmark.core.events import MessagePosted, ToolCalled, only
from benchmark.suites.grouptravel.conversation.rules import RULES
from webapp import counters, sockets
from webapp.accounts.models import Role, User
from webapp.accounts.throttle import redis_limiter
from webapp.asgi import application
from webapp.catalogue.models import Task, World
from webapp.counters import Counts
from webapp.jobs import services as jobs
from webapp.sessions import flow, frames, services
from webapp.sessions.consumers import (
    BROKEN_LOG,
    NONSENSE,
    NOT_ALLOWED,
    NOT_AUTHENTICATED,
    NOT_FOUND,
    SLOW,
    TOO_MANY,
    SessionConsumer,
    _who_and_what_of,
)
from webapp.sessions.log import read_log
from webapp.sessions.models import Session
from webapp.sessions.rendering import render_event
from webapp.sockets import LOOKUPS, Gathering
from worker.notifier import notifier

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.either_engine]


@pytest.fixture
def session(transactional_db: None, starter_world: World, starter_tasks: list[Task]) -> Session:
    return services.create_session(
        task=starter_tasks[0], world=starter_world, setup=services.Setup(), start=False
    )


@pytest.fixture
def researcher(transactional_db: None) -> User:
    return User.objects.create_user("researcher", role=Role.RESEARCHER)


@database_sync_to_async
def cookie_of(user: Any) -> str:
    """What the browser of this person sends; "" of a stranger's."""
    client = Client()
    if user.is_authenticated:
        client.force_login(user)
    return client.cookies.output(header="", attrs=[]).strip()


async def socket(
    session_id: str, user: Any, after: int = 0, origin: str = "http://testserver"
) -> WebsocketCommunicator:
    """A socket that this person's browser opens, through everything that stands before the consumer."""
    headers = [("Host", "testserver"), ("Origin", origin), ("Cookie", await cookie_of(user))]
    encoded = [(name.lower().encode(), value.encode()) for name, value in headers]
    return WebsocketCommunicator(application, f"/ws/sessions/{session_id}/?after={after}", encoded)


@database_sync_to_async
def grow(session: Session, count: int, *, hidden_every: int = 0) -> None:
    """Let the log grow as a worker would; every n-th event is one that travellers may not see."""
    claimed = services.claim(session_id=session.pk)
    assert claimed is not None
    log = Conversation(RULES)
    for event in read_log(session):
        log.apply(event)
    for i in range(count):
        if hidden_every and i % hidden_every == 0:
            body: Any = ToolCalled(call_id=f"c{i}", name="web_search", arguments={"query": "secret"}, step=1)
        else:
            body = MessagePosted(role=log.state.users[0], content=f"message {i}", opening=True)
        events = log.append(Step("x", (body,)))
        services.append(claimed=claimed, events=events, state=log.state)
        notifier().notify_events(session.pk, log.state.seq)
    jobs.release(claimed=claimed)


async def receive_until(communicator: WebsocketCommunicator, until: int) -> list[dict[str, Any]]:
    """All frames until the log's number `until` was reached."""
    frames_: list[dict[str, Any]] = []
    while not frames_ or frames_[-1]["seq"] < until:
        frames_ += (await communicator.receive_json_from(timeout=10))["events"]
    return frames_


async def connect_socket(session_id: str, user: Any, after: int = 0) -> WebsocketCommunicator:
    communicator = await socket(session_id, user, after)
    accepted, _ = await communicator.connect()
    assert accepted
    return communicator


@pytest.fixture
async def viewer(session: Session, researcher: User) -> AsyncIterator[WebsocketCommunicator]:
    communicator = await connect_socket(session.pk, researcher)
    yield communicator
    await communicator.disconnect()


async def test_what_was_said_before_is_replayed_and_what_follows_is_live(
    session: Session, viewer: WebsocketCommunicator
) -> None:
    opening = session.last_seq
    replayed = await receive_until(viewer, opening)
    assert [frame["seq"] for frame in replayed] == list(range(1, opening + 1))
    await grow(session, 30)
    live = await receive_until(viewer, opening + 30)
    assert [frame["seq"] for frame in live] == list(range(opening + 1, opening + 31))
    chain = [frame["prev"] for frame in replayed + live]
    assert chain == list(range(opening + 30))


async def test_a_viewer_goes_on_from_its_cursor(session: Session, researcher: User) -> None:
    await grow(session, 20)
    communicator = await connect_socket(session.pk, researcher, after=session.last_seq + 10)
    found = await receive_until(communicator, session.last_seq + 20)
    assert [frame["seq"] for frame in found] == list(range(session.last_seq + 11, session.last_seq + 21))
    assert found[0]["prev"] == session.last_seq + 10
    await communicator.disconnect()


async def test_a_viewer_that_finds_a_gap_asks_again(session: Session, viewer: WebsocketCommunicator) -> None:
    await receive_until(viewer, session.last_seq)
    await viewer.send_json_to({"after": 2})
    again = await receive_until(viewer, session.last_seq)
    assert [frame["seq"] for frame in again] == list(range(3, session.last_seq + 1))
    for nonsense in ("{", "[]", '{"after": "x"}', '{"after": -1}', '{"after": 9999}'):
        await viewer.send_to(text_data=nonsense)
    await grow(session, 1)
    assert [frame["seq"] for frame in await receive_until(viewer, session.last_seq + 1)] == [
        session.last_seq + 1
    ]


async def test_a_traveller_never_receives_what_is_not_theirs(
    session: Session, researcher: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A viewer who may see only part of the log gets an unbroken chain of what of that part shows something."""
    user = "User2"
    monkeypatch.setattr("webapp.sessions.consumers.viewer_of", lambda *_: user)
    communicator = await connect_socket(session.pk, researcher)
    await grow(session, 40, hidden_every=3)
    found = await receive_until(communicator, session.last_seq + 39)  # the fortieth is hidden
    theirs = await database_sync_to_async(
        lambda: [
            event.seq
            for event in read_log(session)
            if event.audience in ("all", only(user))
            and render_event(event, session=session, viewer=user, language="en")
        ]
    )()
    assert len(theirs) > 20
    assert [frame["seq"] for frame in found] == theirs
    assert [frame["prev"] for frame in found] == [0, *theirs[:-1]]
    assert "secret" not in str(found)
    await communicator.disconnect()


@pytest.mark.parametrize("who", ["anonymous", "annotator"])
async def test_who_may_not_watch_is_refused(session: Session, who: str) -> None:
    model = get_user_model()
    user = (
        AnonymousUser()
        if who == "anonymous"
        else await database_sync_to_async(model.objects.create_user)("a", role=Role.ANNOTATOR)
    )
    communicator = await connect_socket(session.pk, user)
    closed = await communicator.receive_output(timeout=5)
    assert closed["type"] == "websocket.close"
    assert closed["code"] == (NOT_AUTHENTICATED if who == "anonymous" else NOT_ALLOWED)


@pytest.mark.parametrize("change", ["signs out", "loses the role", "is closed"])
async def test_who_may_watch_no_longer_is_sent_away(
    session: Session, researcher: User, monkeypatch: pytest.MonkeyPatch, change: str, own_counts: Counts
) -> None:
    monkeypatch.setattr("webapp.sessions.consumers.CHECK_S", 0.2)
    communicator = await connect_socket(session.pk, researcher, after=session.last_seq)
    await asyncio.sleep(0.1)
    if change == "signs out":
        await SignIn.objects.all().adelete()
    else:
        changed = {"role": Role.ANNOTATOR} if change == "loses the role" else {"is_active": False}
        await User.objects.all().aupdate(**changed)
    closed = await communicator.receive_output(timeout=5)
    assert closed["code"] == (NOT_ALLOWED if change == "loses the role" else NOT_AUTHENTICATED)
    assert counters.HANDSHAKES.name not in own_counts


@pytest.fixture
def own_counts(monkeypatch: pytest.MonkeyPatch) -> Counts:
    """What this process counts from now on."""
    counts: Counts = {}
    monkeypatch.setattr(counters, "_counts", counts)
    return counts


async def test_sockets_and_what_reaches_them_are_counted(
    session: Session, researcher: User, own_counts: Counts
) -> None:
    communicator = await connect_socket(session.pk, researcher)
    await receive_until(communicator, session.last_seq)
    assert own_counts == {counters.SOCKETS: {"": 1}}, "what was there before is late by no fault"
    await grow(session, 3)
    await receive_until(communicator, session.last_seq + 3)
    assert own_counts[counters.EVENTS.name] == {"": 3}
    assert sum(own_counts[counters.LAG.name].values()) > own_counts[counters.LAG.name][counters.LAG_SUM]
    await communicator.disconnect()
    assert own_counts[counters.SOCKETS] == {"": 0}


async def test_an_account_opens_no_more_live_pages_than_it_may(
    session: Session, researcher: User, own_counts: Counts, settings: Any
) -> None:
    settings.CARAVAN_LIMITS = "sockets=2/1 hour"
    redis_limiter().storage.reset()
    for _ in range(2):
        assert (await (await connect_socket(session.pk, researcher)).receive_output(timeout=5))["type"] != (
            "websocket.close"
        )
    closed = await (await connect_socket(session.pk, researcher)).receive_output(timeout=5)
    assert closed["code"] == TOO_MANY
    assert own_counts[counters.REFUSALS.name] == {"sockets": 1}


async def test_refused_handshakes_are_counted_by_their_reason(
    session: Session, researcher: User, own_counts: Counts
) -> None:
    for name, user in (("nosuchid", researcher), (session.pk, AnonymousUser())):
        await (await connect_socket(name, user)).receive_output(timeout=5)
    await (await socket(session.pk, researcher, origin="http://elsewhere")).connect()
    elsewhere = await socket(session.pk, researcher)
    elsewhere.scope["path"] = "/ws/elsewhere/"
    assert not (await elsewhere.connect())[0]
    reasons = {str(NOT_FOUND), str(NOT_AUTHENTICATED), "origin", "address"}
    assert own_counts[counters.HANDSHAKES.name] == dict.fromkeys(reasons, 1)


@pytest.mark.parametrize("origin", ["http://elsewhere", "http://testserver:8001", "null", ""])
async def test_a_page_of_another_origin_opens_no_socket(
    session: Session, researcher: User, monkeypatch: pytest.MonkeyPatch, origin: str
) -> None:
    monkeypatch.setattr("django.conf.settings.ALLOWED_HOSTS", ["*"])
    accepted, _ = await (await socket(session.pk, researcher, origin=origin)).connect()
    assert not accepted


async def test_a_socket_for_a_host_that_is_not_ours_is_refused(
    session: Session, researcher: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("django.conf.settings.ALLOWED_HOSTS", ["caravan.example"])
    accepted, _ = await (await socket(session.pk, researcher)).connect()
    assert not accepted


async def test_a_session_that_is_none(session: Session, researcher: User) -> None:
    communicator = await connect_socket("nosuchid", researcher)
    assert (await communicator.receive_output(timeout=5))["code"] == NOT_FOUND


@pytest.mark.both_engines
async def test_a_lost_wake_up_is_made_good(
    session: Session, researcher: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.sessions.consumers.CHECK_S", 0.3)
    communicator = await connect_socket(session.pk, researcher, after=session.last_seq)
    await asyncio.sleep(0.1)
    monkeypatch.setattr("tests.webapp.sessions.test_socket.notifier", _Silent)
    await grow(session, 3)
    assert len(await receive_until(communicator, session.last_seq + 3)) == 3
    await communicator.disconnect()


async def test_viewers_who_are_woken_together_have_the_log_read_once(
    session: Session, researcher: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    viewers = [await connect_socket(session.pk, researcher) for _ in range(6)]
    for viewer in viewers:
        await receive_until(viewer, session.last_seq)
    reads: list[int] = []

    def count_reads(**given: Any) -> frames.Batch:
        reads.append(given["after"])
        return frames.frames_after(**given)

    monkeypatch.setattr("webapp.sessions.consumers.frames_after", count_reads)
    await grow(session, 1)
    fed = [await receive_until(viewer, session.last_seq + 1) for viewer in viewers]
    assert fed == [fed[0]] * 6 and reads == [session.last_seq]
    for viewer in viewers:
        await viewer.disconnect()


async def test_sockets_that_ask_again_who_may_watch_are_answered_at_once_and_read_no_log(
    session: Session, researcher: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.sessions.consumers.CHECK_S", 0.3)
    viewers = [await connect_socket(session.pk, researcher) for _ in range(6)]
    for viewer in viewers:
        await receive_until(viewer, session.last_seq)
    looks: list[int] = []

    def count_asked(asked: dict[Any, Any]) -> dict[Any, Any]:
        looks.append(sum(map(len, asked.values())))
        return _who_and_what_of(asked)

    monkeypatch.setattr(sockets, "GATHER_S", 0.5)
    monkeypatch.setattr("webapp.sessions.consumers._LOOKS", Gathering(count_asked))
    monkeypatch.setattr("webapp.sessions.consumers.frames_after", None)
    await asyncio.sleep(1.3)
    assert looks and max(looks) == 6
    for viewer in viewers:
        await viewer.disconnect()


async def test_a_look_that_fails_reaches_all_who_asked_and_nobody_after_them() -> None:
    answers: list[Any] = [DatabaseError("away"), {"a": 1}]

    def look(asked: dict[str, Any]) -> dict[str, int]:
        if isinstance(answer := answers.pop(0), Exception):
            raise answer
        return dict(answer)

    gathered: Gathering[str, int] = Gathering(look)
    failed = await asyncio.gather(gathered.ask("a"), gathered.ask("b"), return_exceptions=True)
    assert [type(each) for each in failed] == [DatabaseError] * 2
    assert await asyncio.gather(gathered.ask("a"), gathered.ask("b")) == [1, None]


async def test_a_viewer_whose_log_can_not_be_read_is_sent_away_to_come_back(
    session: Session, researcher: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail_reading(**_: Any) -> frames.Batch:
        raise DatabaseError("database is locked")

    monkeypatch.setattr("webapp.sessions.consumers.frames_after", fail_reading)
    communicator = await connect_socket(session.pk, researcher)
    closed = await communicator.receive_output(timeout=5)
    assert (closed["type"], closed["code"]) == ("websocket.close", BROKEN_LOG)


async def test_who_comes_is_looked_up_while_others_are_fed(
    session: Session, researcher: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    feeding, fed = threading.Event(), threading.Event()

    def slow(**_: Any) -> frames.Batch:
        feeding.set()
        assert fed.wait(20)
        return frames.Batch([], session.last_seq, complete=True)

    monkeypatch.setattr("webapp.sessions.consumers.frames_after", slow)
    stranger = await socket(session.pk, AnonymousUser())
    viewer = await connect_socket(session.pk, researcher)
    try:
        await asyncio.to_thread(feeding.wait, 10)
        assert (await stranger.connect(timeout=5))[0]
        assert (await stranger.receive_output(timeout=5))["code"] == NOT_AUTHENTICATED
    finally:
        fed.set()
    await viewer.disconnect()


async def test_nothing_is_looked_up_for_those_who_have_left(
    session: Session, researcher: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[str] = []
    own = SessionConsumer._who_and_what

    def count_look(consumer: SessionConsumer) -> Any:
        looks.append(consumer.channel_name)
        return own(consumer)

    monkeypatch.setattr(SessionConsumer, "_who_and_what", count_look)
    hasty = [await socket(session.pk, researcher) for _ in range(20)]
    stays = await socket(session.pk, researcher)
    busy = threading.Event()
    for _ in range(2):
        LOOKUPS.submit(busy.wait, 20)
    try:
        for each in hasty:
            assert (await each.connect())[0]
            await each.disconnect()
        assert (await stays.connect())[0]
    finally:
        busy.set()
    assert (await receive_until(stays, session.last_seq))[-1]["seq"] == session.last_seq
    assert len(looks) == 1
    await stays.disconnect()


async def test_a_viewer_costs_redis_no_subscription_of_its_own(session: Session, researcher: User) -> None:
    viewers = [await connect_socket(session.pk, researcher) for _ in range(3)]
    for viewer in viewers:
        await receive_until(viewer, session.last_seq)
    layer = get_channel_layer()
    assert {name for shard in layer._get_layer()._shards for name in shard._subscribed_to} == {
        f"caravan__group__session.{session.pk}"
    }
    for viewer in viewers:
        await viewer.disconnect()


class _Silent:
    def notify_events(self, session_id: str, seq: int) -> None:
        """A wake-up that never arrives."""


@pytest.mark.both_engines
def test_long_logs_come_in_batches(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "BATCH", 4)
    batch = frames.frames_after(session=session, viewer="research", after=0, prev=0, language="en")
    assert (len(batch.events), batch.cursor, batch.complete) == (4, 4, False)


@pytest.mark.both_engines
def test_a_batch_fits_into_a_message_whatever_the_log_holds(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frames, "MOST_BYTES", 300)
    sizes, seen, after, complete = [], [0], 0, False
    while not complete:
        batch = frames.frames_after(
            session=session, viewer="research", after=after, prev=seen[-1], language="en"
        )
        sizes.append(sum(len(frame["html"]) for frame in batch.events))
        assert [frame["prev"] for frame in batch.events] == seen[-1:] + [f["seq"] for f in batch.events[:-1]]
        seen += [frame["seq"] for frame in batch.events]
        after, complete = batch.cursor, batch.complete
    assert seen == list(range(session.last_seq + 1)) and len(sizes) > 2
    assert max(sizes) <= 300
    told = frames.frames_after(session=session, viewer="research", after=0, prev=0, language="en").events[0]
    assert "#1 is too long to be sent here" in told["html"]


async def test_a_viewer_that_asks_for_everything_and_reads_nothing_is_sent_away(
    session: Session, researcher: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flow, "MOST", 20_000)
    monkeypatch.setattr(flow, "PATIENCE_S", 1.0)
    await grow(session, 200)
    communicator = await connect_socket(session.pk, researcher)
    for _ in range(100):
        await communicator.send_json_to({"after": 0, "read": "made up"})
        await asyncio.sleep(0.01)
    sent = 0
    while (message := await communicator.receive_output(timeout=10))["type"] == "websocket.send":
        sent += len(message["text"])
    assert (message["type"], message["code"]) == ("websocket.close", SLOW) and message["reason"]
    assert sent < 20 * 20_000, "one frame beyond the bound at most"


async def test_a_viewer_that_reads_may_ask_for_everything_again_and_again(
    session: Session, researcher: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flow, "MOST", 20_000)
    monkeypatch.setattr(flow, "PATIENCE_S", 5.0)
    communicator = await connect_socket(session.pk, researcher)
    for _ in range(30):
        told = await communicator.receive_json_from(timeout=10)
        await communicator.send_json_to({"read": told["receipt"], "after": 0})
    await communicator.disconnect()


@pytest.mark.parametrize(
    "frame",
    [
        {"bytes_data": b"\x00\x01"},
        {"text_data": "[" * 3_900},
        {"text_data": '{"a":' * 700 + "1" + "}" * 700},
        {"text_data": "x" * 100_000},
    ],
    ids=["binary", "lists", "objects", "long"],
)
async def test_nonsense_ends_the_connection_with_a_reason_and_no_traceback(
    session: Session, researcher: User, caplog: pytest.LogCaptureFixture, frame: dict[str, Any]
) -> None:
    communicator = await connect_socket(session.pk, researcher)
    await receive_until(communicator, session.last_seq)
    await communicator.send_to(**frame)
    message = await communicator.receive_output(timeout=10)
    assert (message["type"], message["code"]) == ("websocket.close", NONSENSE) and message["reason"]
    assert "Traceback" not in caplog.text and not caplog.records


async def test_why_a_session_does_not_go_on_is_told(session: Session, viewer: WebsocketCommunicator) -> None:
    await receive_until(viewer, session.last_seq)
    notifier().notify_halt(session.pk, "The disk is full.")
    assert (await viewer.receive_json_from(timeout=10)) == {"halted": "The disk is full."}


async def test_a_viewer_who_leaves_as_a_wake_up_comes_is_followed_no_longer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked = asyncio.Event()

    async def look(consumer: SessionConsumer) -> bool:
        looked.set()
        return True

    monkeypatch.setattr(SessionConsumer, "_still_admitted", look)
    monkeypatch.setattr(SessionConsumer, "_send_all", look)
    consumer = SessionConsumer()
    consumer._more = asyncio.Event()
    sender = asyncio.create_task(consumer._follow())
    await looked.wait()
    await asyncio.sleep(0.05)
    consumer._more.set()
    sender.cancel()
    await asyncio.wait([sender], timeout=1)
    assert sender.cancelled()
