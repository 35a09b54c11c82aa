"""The page of a session: what is rendered at once is what the socket would have sent."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchmark.core.attendance import Attendance
from benchmark.core.events import (
    RESEARCH,
    AttendanceSet,
    ClockSet,
    EventBody,
    MessagePosted,
    PersonalDataRemoved,
    PresenceChanged,
    PromptSetChosen,
    SessionFinished,
    ToolCalled,
    ToolReturned,
    TurnExtended,
    TurnMissed,
    TurnReminded,
    WarningPassedOver,
)
from benchmark.suites.grouptravel.events import TurnGranted
from benchmark.suites.grouptravel.suite import SUITE
from tests.markup import tight
from tests.webapp.conftest import HOSTILE, Writer
from webapp.sessions.chat import chat_html
from webapp.sessions.log import read_log
from webapp.sessions.models import Session
from webapp.sessions.rendering import render_event
from webapp.templatetags.caravan import LONGEST_SHOWN

pytestmark = pytest.mark.django_db


def html_of(session: Session, seq: int) -> str:
    event = next(e for e in read_log(session) if e.seq == seq)
    return tight(render_event(event, session=session, viewer=RESEARCH, language="en"))


def page_of(client: Client, session: Session, query: str = "") -> str:
    return tight(client.get(f"/sessions/{session.pk}/{query}").content.decode())


OF_PEOPLE = (
    AttendanceSet(seat="User1", attendance=Attendance(turn_s=60.0)),
    PresenceChanged(seat="User1", presence="joined", program=HOSTILE),
    TurnReminded(seat="User1", nudged=True),
    TurnExtended(seat="User1", by_s=60.0),
    TurnMissed(seat="User1", waited_s=180.0),
    ClockSet(seat="User1", how="stands"),
    WarningPassedOver(seat="User1", why="unasked", items=(HOSTILE,)),
    PersonalDataRemoved(seat="User1"),
)


WORDS = PromptSetChosen(
    name=HOSTILE, set_version=2, digest="0f3a9c21" * 8, files={"agent/en/turn.txt": HOSTILE}
)


def test_these_are_all_types_of_events(eventful: Session) -> None:
    kinds = {event.body.type for event in read_log(eventful)}
    assert kinds | {body.type for body in (*OF_PEOPLE, WORDS)} == set(SUITE.play.kinds)


def test_a_set_of_prompts_is_told_to_researchers_alone(begin: Callable[[], Writer]) -> None:
    writer = begin()
    html = html_of(writer.session, writer.add("system", WORDS))
    assert "version 2" in html and "agent/en/turn.txt" in html and "0f3a9c21" in html
    assert "<script>alert" not in html and "<img src=x" not in html
    assert WORDS.audience() == RESEARCH


@pytest.mark.parametrize("body", OF_PEOPLE, ids=lambda body: body.type)
def test_what_people_at_the_table_do_is_shown_to_researchers(
    begin: Callable[[], Writer], body: EventBody
) -> None:
    writer = begin()
    seq = writer.add("User1", body)
    html = html_of(writer.session, seq)
    assert f'id="e{seq}"' in html
    assert "User1" in re.sub("<[^>]*>", "", html)
    assert "<script>alert" not in html and "<img src=x" not in html


def test_every_event_that_shows_something_can_be_linked_to(eventful: Session) -> None:
    for event in read_log(eventful):
        html = html_of(eventful, event.seq)
        assert not html or f'id="e{event.seq}"' in html


def test_the_page_starts_the_socket_after_its_last_event(as_researcher: Client, eventful: Session) -> None:
    page = page_of(as_researcher, eventful)
    assert f'data-cursor="{eventful.last_seq}" data-ended' in page


def test_a_long_conversation_comes_after_the_top_of_its_page(
    as_researcher: Client, eventful: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = page_of(as_researcher, eventful)
    monkeypatch.setattr("webapp.sessions.views.LONG_CHAT", 0)
    response = as_researcher.get(f"/sessions/{eventful.pk}/")
    parts = list(response)
    assert len(parts) > 1 and b"<header" in parts[0] and b'id="e1"' not in parts[0]
    long, ids = tight(b"".join(parts).decode()), re.compile(r' id="([^"]+)"')
    assert ids.findall(long) == ids.findall(whole)
    assert long.endswith(whole[-500:])


def test_an_end_that_comes_while_the_page_is_made_is_left_to_the_socket(
    as_researcher: Client, begin: Callable[[], Writer], monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = begin()
    read_before = Session.objects.select_related("task", "world").get(pk=writer.session.pk)
    writer.add("researcher", SessionFinished(reason="stopped"))
    monkeypatch.setattr("webapp.sessions.views._session", lambda _: read_before)
    page = page_of(as_researcher, read_before)
    assert f'data-cursor="{read_before.last_seq}">' in page
    assert "The session has ended" not in page


def test_a_running_session_is_followed_and_can_be_stopped(
    as_researcher: Client, begin: Callable[[], Writer]
) -> None:
    session = begin().session
    page = page_of(as_researcher, session)
    assert "data-ended" not in page
    assert f'action="/sessions/{session.pk}/stop/"' in page
    assert as_researcher.get(f"/sessions/{session.pk}/stop/").status_code == 405
    assert as_researcher.post(f"/sessions/{session.pk}/stop/")["Location"] == f"/sessions/{session.pk}/"
    session.refresh_from_db()
    assert session.stop_requested
    assert "Stopping after the current step" in page_of(as_researcher, session)


def test_mentions_are_marked_and_nothing_else_is(eventful: Session) -> None:
    said = next(e for e in read_log(eventful) if isinstance(e.body, MessagePosted) and e.body.role == "Agent")
    html = html_of(eventful, said.seq)
    assert '<span class="mention t3">@User3</span>' in html
    assert HOSTILE in unescape(html)
    assert "<script" not in html


def test_a_tool_answers_inside_its_call(begin: Callable[[], Writer]) -> None:
    writer = begin()
    seq = writer.call(1, json.dumps({"results": [{"name": "西湖", "rating": 4.8}]}), latency_ms=3.6)
    html = tight(chat_html(read_log(writer.session), session=writer.session, viewer=RESEARCH, language="en"))
    fold = re.search(
        rf'<details class="tool" data-tool="search_poi" id="e{seq}">.*?</details>', html, re.DOTALL
    )
    assert fold is not None
    assert "world · 4 ms" in fold[0]
    assert "1. name 西湖 · rating 4.8" in fold[0]
    assert "keywords=西湖" in fold[0]


def test_a_long_conversation_stands_in_blocks_that_begin_with_messages(begin: Callable[[], Writer]) -> None:
    writer = begin()
    for number in range(40):
        writer.call(number)
        if number % 4 == 0:
            writer.add("system", TurnGranted(speaker="Agent", kind="convergence", place="opening"))
            writer.add("Agent", MessagePosted(role="Agent", content=f"words {number}"))
    events = list(read_log(writer.session))

    def html(blocks: bool) -> str:
        return chat_html(events, session=writer.session, viewer=RESEARCH, language="en", blocks=blocks)

    plain, _, *blocks = html(False), *html(True).split('<div class="block">')
    assert len(blocks) > 1
    assert all(block.rstrip().endswith("</div>") for block in blocks)
    assert all(re.match(r'\s*<(div|article)[^>]*class="msg', block) for block in blocks[1:])
    bare = "\n".join(block.rstrip().removesuffix("</div>") for block in blocks)
    assert tight(bare) == tight(plain)


def test_an_answer_without_its_call_is_not_lost(begin: Callable[[], Writer]) -> None:
    writer = begin()
    writer.call(1, "late")
    events = [e for e in read_log(writer.session) if e.body.type != "tool_called"]
    assert "late" in tight(chat_html(events, session=writer.session, viewer=RESEARCH, language="en"))


def test_a_call_with_endless_arguments_is_bounded(begin: Callable[[], Writer]) -> None:
    writer = begin()
    called = ToolCalled(call_id="c", name="名" * 30_000, arguments={"query": "字" * 300_000}, step=1)
    html = html_of(writer.session, writer.add("Agent", called))
    assert 0 < html.count("字") <= LONGEST_SHOWN == html.split("<summary>")[1].count("名")
    assert html.count("more characters") == 2


def test_a_long_answer_is_cut_and_can_be_read_whole(
    as_researcher: Client, begin: Callable[[], Writer]
) -> None:
    writer = begin()
    seq = writer.call(1, "x" * 9000) + 1
    html = html_of(writer.session, seq)
    assert "5000 more characters" in html
    address = f"/sessions/{writer.session.pk}/results/{seq}/"
    assert address in html
    whole = as_researcher.get(address)
    assert whole.content == b"x" * 9000
    assert whole["Content-Type"].startswith("text/plain")
    assert as_researcher.get(f"/sessions/{writer.session.pk}/results/1/").status_code == 404


def test_a_refused_marker_and_a_compromise_are_told_in_words(
    as_researcher: Client, eventful: Session
) -> None:
    page = unescape(page_of(as_researcher, eventful))
    assert "User3 gave up <b>transport must: 高铁</b> · 1 of 2 · hidden from the agent" in page
    assert "not applied: named a field that is not in the table" in page
    assert "turn to User3: asked again: named a field that is not in the table" in page
    assert "User1 has nothing new to answer" in page


def test_a_plan_is_shown_as_words_with_its_text_folded(eventful: Session) -> None:
    said = next(e for e in read_log(eventful) if isinstance(e.body, MessagePosted) and e.body.has_plan)
    html = html_of(eventful, said.seq)
    words, _, raw = html.partition("<details")
    assert "方案" in words
    assert "city_segments" not in words
    assert "city_segments" in raw


def test_the_end_is_told_in_words(as_researcher: Client, eventful: Session) -> None:
    assert "The round limit was reached; the plan was demanded." in page_of(as_researcher, eventful)


def test_the_record_can_be_downloaded(as_researcher: Client, eventful: Session) -> None:
    response = as_researcher.get(f"/sessions/{eventful.pk}/record.jsonl")
    assert response["Content-Disposition"] == f'attachment; filename="{eventful.pk}.jsonl"'
    record = json.loads(response.content)
    assert record["task_id"] == "starter_02"
    assert record["completion_reason"] == "max_turn_reached"


def test_a_long_session_asks_the_database_no_more_often(
    as_researcher: Client, begin: Callable[[], Writer]
) -> None:
    def count(session: Session) -> int:
        with CaptureQueriesContext(connection) as queries:
            page_of(as_researcher, session)
        return len(queries)

    short, long = begin(), begin()
    for i in range(60):
        long.add("User1", MessagePosted(role="User1", content=f"message {i}", opening=True))
        long.call(i)
    counts = count(short.session), count(long.session)
    assert counts[0] == counts[1]
    assert counts[0] <= 15


def test_the_outline_jumps_to_rounds_and_marks(as_researcher: Client, eventful: Session) -> None:
    outline = tight(as_researcher.get(f"/sessions/{eventful.pk}/outline/").content.decode())
    failed = next(e.seq for e in read_log(eventful) if isinstance(e.body, ToolReturned) and e.body.error)
    assert f'href="#e{failed}">{failed}</a>' in outline
    assert "Final plan" in outline


def test_the_head_waits_for_somebody_by_name(as_researcher: Client, begin: Callable[[], Writer]) -> None:
    writer = begin()
    writer.add("system", TurnGranted(speaker="User4", kind="polled", place="lap", round=2, slot=3))
    head = tight(as_researcher.get(f"/sessions/{writer.session.pk}/head/").content.decode())
    assert "Round 3 of 20 · waiting for User4: polled" in head
