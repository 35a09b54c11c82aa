"""A benchmark that brings nothing to the pages has whole ones."""

from __future__ import annotations

import re

import pytest
from channels.testing import WebsocketCommunicator
from django.test import Client
from django.utils.translation import gettext_lazy

from benchmark.core.view import AGENT
from tests.markup import tight
from tests.toysuite.events import PLAYER, NumberDealt
from tests.webapp.sessions.test_socket import receive_until, socket
from webapp.accounts.models import User
from webapp.pages import Panel, place_parts
from webapp.sessions.frames import frames_after
from webapp.sessions.log import visible, whole_log
from webapp.sessions.models import Session

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.either_engine]


def page_of(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return tight(answer.content.decode())


def test_the_session_page_tells_the_game(client: Client, session: Session) -> None:
    page = page_of(client, f"/sessions/{session.pk}/")
    assert "<h1>toy-3</h1>" in page
    for said in (
        "Is it 1?",
        "Is it 3?",
        "yes",
        "next_number after=2",
        "turn to Player<",
        "number found",
    ):
        assert said in page, said
    assert re.findall(r'id="tab-(\w+)"', page) == ["tools", "models", "scores", "notes", "judge"]
    assert re.findall(r'id="round-\d"[^>]*>([^<]*)<', page) == ["Opening", "1", "2", "3"]
    assert "plan" not in page.lower()


def test_its_figures_stand_in_the_head_and_on_the_panel_with_their_evidence(
    client: Client, session: Session
) -> None:
    page = page_of(client, f"/sessions/{session.pk}/?tab=scores")
    assert "<b>3</b> <span>questions asked</span>" in page
    assert "<h2>plain</h2>" in page and '<b class="">3</b>' in page
    assert "asked: Is it 1?, Is it 2?, Is it 3?" in page


def test_an_event_of_its_own_shows_its_type_and_fields_and_no_markup(
    client: Client, session: Session
) -> None:
    page = page_of(client, f"/sessions/{session.pk}/")
    assert "<summary>number dealt" in page
    assert "number: 3" in page and "hint: &lt;script&gt;alert(1)" in page
    assert "<script>alert" not in page and "<img src=x" not in page


@pytest.mark.parametrize("tab", ["tools", "models", "scores", "notes", "judge"])
def test_the_shared_panels_stand_at_any_moment(client: Client, session: Session, tab: str) -> None:
    for at in ("", "?at=1", f"?at={session.last_seq}"):
        assert f'id="tab-{tab}"' in page_of(client, f"/sessions/{session.pk}/panel/{tab}/{at}")


def test_a_panel_of_its_own_that_stands_before_none_comes_last() -> None:
    shared, own = ([Panel(name, gettext_lazy(name), dict, "") for name in names] for names in ("ab", "bc"))
    assert place_parts(shared, own) == [shared[0], *own]


@pytest.mark.parametrize("tab", ["preferences", "plan"])
def test_the_panels_of_another_benchmark_are_not_there(client: Client, session: Session, tab: str) -> None:
    assert client.get(f"/sessions/{session.pk}/panel/{tab}/").status_code == 404


def test_the_page_of_its_task_shows_the_definition_as_it_is_stored(client: Client, session: Session) -> None:
    page = page_of(client, f"/tasks/{session.task.task_id}/")
    assert "number: 3" in page and "Travellers" not in page


def test_nobody_sees_an_event_that_is_not_theirs(session: Session) -> None:
    def types(viewer: str) -> set[str]:
        return {event.body.type for event in visible(whole_log(session.pk), viewer)}

    shared = {"session_opened", "turn_granted", "message_posted", "session_finished"}
    assert types(PLAYER) == shared | {"number_dealt"}
    assert types(AGENT) == shared | {"tool_called", "tool_returned"}


def test_a_seat_is_sent_what_every_seat_has_a_page_for_and_no_more(session: Session) -> None:
    heard = {"message_posted", "session_finished"}
    for viewer, shown in ((PLAYER, heard), (AGENT, heard | {"tool_called", "tool_returned"})):
        batch = frames_after(session=session, viewer=viewer, after=0, prev=0, language="en")
        assert {frame["type"] for frame in batch.events} == shown


async def test_the_socket_sends_the_same_elements(session: Session, researcher: User) -> None:
    communicator: WebsocketCommunicator = await socket(session.pk, researcher)
    assert (await communicator.connect())[0]
    frames = await receive_until(communicator, session.last_seq)
    await communicator.disconnect()
    assert [frame["seq"] for frame in frames] == list(range(1, session.last_seq + 1))
    dealt = next(frame["html"] for frame in frames if frame["type"] == NumberDealt(number=3).type)
    assert "hint: &lt;script" in dealt and "<script" not in dealt
