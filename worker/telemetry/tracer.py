"""Whether spans are sent, and what they belong to. A session is one trace, whichever workers play it: the ids of its
trace, and of the spans of its turns, are made from its id and the numbers of its events.
"""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from webapp.logs import current_ids
from webapp.processes.services import process_name
from webapp.version import code_version

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.trace import Span, Tracer

ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
PACKAGE = "opentelemetry.exporter.otlp.proto.http"
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Parent:
    """What the spans that are made now belong to. turn: the number of the event that granted it."""

    session: str
    turn: int
    speaker: str


parent: ContextVar[Parent | None] = ContextVar("span_parent", default=None)
wanted_ids: ContextVar[tuple[int, int] | None] = ContextVar("wanted_span_ids", default=None)


def are_wanted() -> bool:
    """Whether a receiver is named."""
    return any(os.environ.get(name) for name in ENDPOINTS)


@cache
def tracer() -> Tracer | None:
    """What makes spans; None where nobody wants them, or nothing here can make them."""
    if not are_wanted():
        return None
    if not _is_installed():
        log.warning(
            "%s is set, and the packages that send spans are not installed: "
            "python3 worker/embedded/install.py requirements.txt requirements-telemetry.txt",
            next(name for name in ENDPOINTS if os.environ.get(name)),
        )
        return None
    return _make_tracer()


def _is_installed() -> bool:
    try:
        return find_spec(PACKAGE) is not None
    except ModuleNotFoundError:
        return False


def _make_tracer() -> Tracer:
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor
    from opentelemetry.sdk.trace.id_generator import RandomIdGenerator

    class WantedIds(RandomIdGenerator):
        """Random ids, but where others have to know them."""

        def generate_trace_id(self) -> int:
            wanted = wanted_ids.get()
            return wanted[0] if wanted else super().generate_trace_id()

        def generate_span_id(self) -> int:
            wanted = wanted_ids.get()
            return wanted[1] if wanted else super().generate_span_id()

    named = {
        "service.name": os.environ.get("OTEL_SERVICE_NAME") or "caravan",
        "service.version": code_version(),
        "service.instance.id": process_name(),
    }
    provider = TracerProvider(resource=Resource.create(named), id_generator=WantedIds())
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return provider.get_tracer("caravan", code_version())


def _id_of(name: str, size: int) -> int:
    """An id that whoever knows the name can make."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:size], "big") or 1


def ids_of(session: str, turn: int | None = None) -> tuple[int, int]:
    """The ids of a session's trace, and of the span of a turn, or of the whole session."""
    return _id_of(session, 16), _id_of(session if turn is None else f"{session}/{turn}", 8)


def context_of(session: str, turn: int | None = None) -> Context:
    """As if the span of a turn, or of the session, had been begun elsewhere."""
    from opentelemetry.sdk.trace.sampling import ALWAYS_ON, Decision
    from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, set_span_in_context

    made_by, (trace, span) = tracer(), ids_of(session, turn)
    sampler = getattr(made_by, "sampler", ALWAYS_ON)
    chosen = sampler.should_sample(None, trace, "session").decision is Decision.RECORD_AND_SAMPLE
    flags = TraceFlags(TraceFlags.SAMPLED if chosen else TraceFlags.DEFAULT)
    return set_span_in_context(NonRecordingSpan(SpanContext(trace, span, is_remote=True, trace_flags=flags)))


def ids_told() -> dict[str, str]:
    """What is worked on here, as attributes."""
    ids = current_ids()
    named = {f"caravan.{name}.id": value for name, value in ids.items() if name != "request"}
    if session := ids.get("session"):
        named["gen_ai.conversation.id"] = session
    return named


@contextmanager
def span_of(name: str, operation: str, *, client: bool = False, **attributes: Any) -> Iterator[Span]:
    """A span of what is done within it. client: whether it asks a server."""
    from opentelemetry.trace import SpanKind

    made_by, belongs_to = tracer(), parent.get()
    assert made_by is not None
    told = {"gen_ai.operation.name": operation, **ids_told(), **attributes}
    if belongs_to is not None:
        told["gen_ai.agent.name"] = belongs_to.speaker
    with made_by.start_as_current_span(
        name,
        context=context_of(belongs_to.session, belongs_to.turn) if belongs_to else None,
        kind=SpanKind.CLIENT if client else SpanKind.INTERNAL,
        attributes={key: value for key, value in told.items() if value is not None},
        record_exception=False,  # its words may be somebody's
        set_status_on_exception=False,
    ) as span:
        yield span


def mark_failed(span: Span, kind: str) -> None:
    """What the span is of went wrong."""
    from opentelemetry.trace import Status, StatusCode

    span.set_attribute("error.type", kind)
    span.set_status(Status(StatusCode.ERROR))
