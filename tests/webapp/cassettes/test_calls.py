"""The model calls of a session, opened."""

from __future__ import annotations

import ast
import json
import subprocess
from collections.abc import Callable

import pytest
from django.test import Client

from benchmark.core.events import MessagePosted, ParticipantJoined
from benchmark.core.model_calls import model_called
from benchmark.models import ChatRequest, ModelFailure, ModelSetup, Reply, Usage
from benchmark.models.exchange import Exchange, Failure
from benchmark.suites.grouptravel.events import TurnGranted
from tests.webapp.conftest import HOSTILE, Writer
from webapp.cassettes.calls import call_at
from webapp.cassettes.services import record

pytestmark = [pytest.mark.storage, pytest.mark.django_db]
SETUP = ModelSetup(
    name="gpt",
    base_url="https://models.example/v1",
    model="gpt-1",
    key_variable="SOME_API_KEY",
    thinking="on",
)
SEARCH = {"type": "function", "function": {"name": "web_search", "parameters": {"type": "object"}}}
SYSTEM = {"role": "system", "content": f"Plan. {HOSTILE} it's $HOME `x`\nJSON"}


@pytest.fixture
def calls_writer(begin: Callable[[], Writer], monkeypatch: pytest.MonkeyPatch) -> Writer:
    """A session in which the agent asked its model twice, the second time in vain, and a third request was lost."""
    monkeypatch.setenv("SOME_API_KEY", "sk-very-secret")
    writer = begin()
    writer.add("researcher", ParticipantJoined(seat="Agent", kind="llm", model=SETUP))
    writer.add("system", TurnGranted(speaker="Agent", kind="convergence", place="opening"))
    transcript = "User1: " + "a" * 500
    first = ChatRequest((SYSTEM, {"role": "user", "content": transcript}), (SEARCH,))
    second = ChatRequest((SYSTEM, {"role": "user", "content": transcript + " and more"}), (SEARCH,))
    reply = Reply("<b>yes</b>", reasoning="let me see", usage=Usage(12, 3), model="gpt-1")
    failure = ModelFailure("server", "it failed", status=500)
    for request, outcome in ((first, reply), (second, failure), (second, reply)):
        writer.add("Agent", model_called("Agent", SETUP, request, outcome, attempt=1))
    kept = [Exchange(1, "Agent", first, reply), Exchange(2, "Agent", second, failure=Failure.of(failure))]
    record(writer.session.pk, kept)
    return writer


def address(writer: Writer, back: int, form: str = "") -> str:
    """Of the call so many events before the end."""
    return f"/sessions/{writer.session.pk}/calls/{writer.log.state.seq - back}/{form}"


@pytest.mark.both_engines
def test_what_is_new_is_told_from_what_was_sent_before(calls_writer: Writer) -> None:
    first, second = (call_at(calls_writer.session, calls_writer.log.state.seq - back) for back in (2, 1))
    assert first is not None and second is not None
    assert [message.new for message in first.messages] == [True, True]
    assert [message.new for message in second.messages] == [False, True]
    assert second.messages[1].shown_text == " and more"


def test_a_call_opens_in_place_and_on_a_page(as_researcher: Client, calls_writer: Writer) -> None:
    page = as_researcher.get(address(calls_writer, 2)).content.decode()
    part = as_researcher.get(address(calls_writer, 2), headers={"HX-Request": "true"}).content.decode()
    for shown in (page, part):
        assert "&lt;b&gt;yes&lt;/b&gt;" in shown and "let me see" in shown and "web_search" in shown
        assert "<script>alert" not in shown and "sk-very-secret" not in shown
    assert "<html" in page and "<html" not in part
    assert "it failed" in as_researcher.get(address(calls_writer, 1)).content.decode()
    assert (
        "Only the event of this request was recorded"
        in as_researcher.get(address(calls_writer, 0)).content.decode()
    )
    assert as_researcher.get(address(calls_writer, 3)).status_code == 404


def test_a_call_is_copied_without_its_key(as_researcher: Client, calls_writer: Writer) -> None:
    texts = {
        form: as_researcher.get(address(calls_writer, 2, f"call.{form}")).content.decode()
        for form in ("md", "json", "sh", "py")
    }
    assert not any("sk-very-secret" in text for text in texts.values())
    assert HOSTILE in texts["md"]
    sent = json.loads(texts["json"])["request"]
    assert sent["messages"][0] == SYSTEM and sent["enable_thinking"] is True
    script = f"curl() {{ printf '%s\\n' \"$@\" >&2; cat; }}\n{texts['sh']}"
    ran = subprocess.run(
        ["sh", "-c", script], capture_output=True, text=True, check=True, env={"SOME_API_KEY": "k"}
    )
    assert json.loads(ran.stdout) == sent
    assert (
        "Authorization: Bearer k" in ran.stderr and "https://models.example/v1/chat/completions" in ran.stderr
    )
    assert "os.environ['SOME_API_KEY']" in texts["py"]
    asking = next(node for node in ast.walk(ast.parse(texts["py"])) if _creates(node))
    arguments = {each.arg: ast.literal_eval(each.value) for each in asking.keywords}  # type: ignore[attr-defined]
    assert arguments["messages"] == sent["messages"]
    assert as_researcher.get(address(calls_writer, 0, "call.json")).status_code == 404


def _creates(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "create"


def test_a_long_request_shows_its_last_messages(as_researcher: Client, begin: Callable[[], Writer]) -> None:
    writer = begin()
    said = tuple({"role": "user", "content": f"{n} " + "字" * 20_000} for n in range(100))
    request, reply = ChatRequest(said), Reply("yes")
    writer.add("Agent", model_called("Agent", SETUP, request, reply, attempt=1))
    record(writer.session.pk, [Exchange(1, "Agent", request, reply)])
    page = as_researcher.get(address(writer, 0)).content
    assert len(page) < 500_000
    whole = as_researcher.get(address(writer, 0, "messages/1.txt")).content.decode()
    assert whole == said[0]["content"]


def test_only_researchers_read_calls_and_events(
    as_annotator: Client, as_researcher: Client, calls_writer: Writer
) -> None:
    seq = calls_writer.add("Agent", MessagePosted(role="Agent", content=HOSTILE))
    event = f"/sessions/{calls_writer.session.pk}/events/{seq}.json"
    told = as_researcher.get(event).json()
    assert (told["seq"], told["type"], told["payload"]["content"]) == (seq, "message_posted", HOSTILE)
    assert as_researcher.get(f"/sessions/{calls_writer.session.pk}/events/999.json").status_code == 404
    for private in (event, address(calls_writer, 3), address(calls_writer, 3, "call.json")):
        assert as_annotator.get(private).status_code == 403
