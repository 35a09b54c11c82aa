"""Spans that a worker sends to a receiver of OTLP, here one that decodes what comes."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from typing import Any

import pytest

from tests.local_server import Handler, running_server
from tests.model_server import ModelServer
from tests.seating import Make, calls, endpoint_at, play
from webapp.logs import log_ids
from webapp.sessions.log import whole_log
from worker.telemetry import tracer as tracing
from worker.telemetry.tracer import tracer

pytest.importorskip(
    "opentelemetry.exporter.otlp.proto.http", reason="requirements-telemetry.txt is not installed"
)
pytestmark = pytest.mark.django_db(transaction=True)
CLOCKS_NS = 5_000_000
"""Turns have the times of the log, by the clock of the database (SQLite tells milliseconds); calls the process's."""


class Receiver(Handler):
    """Keeps every span. spans: where."""

    spans: list[Any]

    def do_POST(self) -> None:
        """Take a batch."""
        from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

        content = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Content-Encoding") == "gzip":
            content = gzip.decompress(content)
        sent = ExportTraceServiceRequest.FromString(content)
        for resource in sent.resource_spans:
            names = {each.key: each.value.string_value for each in resource.resource.attributes}
            assert names["service.name"] == "caravan"
            self.spans += [span for scope in resource.scope_spans for span in scope.spans]
        self.reply(200, "", kind="application/x-protobuf")


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """What the receiver has got, once `flush` was called."""
    found: list[Any] = []
    with running_server(Receiver, spans=found) as url:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", url)
        tracer.cache_clear()
        yield found
        flush()
    tracer.cache_clear()


def flush() -> None:
    made_by: Any = tracer()
    made_by.span_processor.force_flush()


def attributes(span: Any) -> dict[str, Any]:
    """The attributes with their values, whatever their type."""
    values = {each.key: each.value for each in span.attributes}
    return {key: getattr(value, value.WhichOneof("value")) for key, value in values.items()}


def spans_of(spans: list[Any], begin: str) -> list[Any]:
    return [span for span in spans if span.name.startswith(begin)]


def test_a_session_is_a_trace_of_turns_calls_and_tools(
    spans: list[Any], server: ModelServer, make_model_session: Make
) -> None:
    agent, users = endpoint_at(server.url, "good-agent"), endpoint_at(server.url, "good-user")
    with log_ids(run="therun"):
        session = play(make_model_session(agent, users))
    flush()
    kinds = [event.body.type for event in whole_log(session.pk)]
    chats, tools = spans_of(spans, "chat "), spans_of(spans, "execute_tool ")
    turns, (whole,) = spans_of(spans, "invoke_agent "), spans_of(spans, "invoke_workflow ")
    assert len(spans) == len(chats) + len(tools) + len(turns) + 1
    assert len({span.trace_id for span in spans}) == 1, "one trace a session"
    assert len(chats) == len(calls(session)) and len(tools) == kinds.count("tool_returned")
    assert whole.parent_span_id == b"" and {span.parent_span_id for span in turns} == {whole.span_id}
    by_id = {span.span_id: span for span in turns}
    assert {span.parent_span_id for span in chats + tools} <= by_id.keys()
    for span in chats + tools:
        turn = by_id[span.parent_span_id]
        assert turn.start_time_unix_nano - CLOCKS_NS <= span.start_time_unix_nano < span.end_time_unix_nano
        assert span.end_time_unix_nano <= turn.end_time_unix_nano + CLOCKS_NS
        told = attributes(span)
        assert told["gen_ai.conversation.id"] == told["caravan.session.id"] == session.pk
        assert told["gen_ai.agent.name"] == attributes(turn)["gen_ai.agent.name"]
        assert told["caravan.run.id"] == "therun"
    told = [attributes(span) for span in chats]
    assert {(each["gen_ai.operation.name"], each["gen_ai.provider.name"]) for each in told} == {
        ("chat", "openai")
    }
    assert {span.name for span in chats} == {"chat good-agent", "chat good-user"}
    counted = [call.tokens for call in calls(session) if call.tokens]
    assert sum(each["gen_ai.usage.input_tokens"] for each in told) == sum(each.prompt for each in counted)
    assert sum(each["gen_ai.usage.output_tokens"] for each in told) == sum(
        each.completion for each in counted
    )
    asked = {
        body.name for body in (event.body for event in whole_log(session.pk)) if body.type == "tool_called"
    }
    assert {attributes(span)["gen_ai.tool.name"] for span in tools} == asked
    content = {"gen_ai.input.messages", "gen_ai.output.messages", "gen_ai.tool.call.arguments"}
    assert not any(content & attributes(span).keys() for span in spans), "nobody has asked for what was said"


def test_what_was_said_is_sent_where_that_is_asked_for_and_failures_are_told(
    spans: list[Any], server: ModelServer, make_model_session: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "true")
    broken = endpoint_at(server.url, "good-agent:fail=503")
    session = play(make_model_session(broken, endpoint_at(server.url, "good-user")))
    flush()
    failed, answered = spans_of(spans, "chat good-agent"), spans_of(spans, "chat good-user")
    assert {attributes(span)["error.type"] for span in failed} == {"503"}
    assert all(span.status.code == 2 for span in failed) and not any(
        span.status.code == 2 for span in answered
    )
    (whole,) = spans_of(spans, "invoke_workflow ")
    assert attributes(whole)["error.type"] == session.completion_reason == "connection_error"
    assert '"parts": [{"type": "text"' in attributes(failed[0])["gen_ai.input.messages"]


def test_nothing_is_made_without_a_receiver(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for name in tracing.ENDPOINTS:
        monkeypatch.delenv(name, raising=False)
    tracer.cache_clear()
    assert tracer() is None and not caplog.records
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", server.url)
    monkeypatch.setattr(tracing, "PACKAGE", "opentelemetry.exporter.nowhere.proto")
    tracer.cache_clear()
    assert tracer() is None
    assert "requirements-telemetry.txt" in caplog.text
    tracer.cache_clear()
