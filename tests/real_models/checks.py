"""What holds for every session over a real model, however it went."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass

from benchmark.core.events import ErrorRaised, EventBody, ModelCalled
from webapp.endpoints.models import ModelEndpoint
from webapp.jobs.models import Job
from webapp.sessions import services
from webapp.sessions.jobs import SESSION
from webapp.sessions.log import whole_log
from webapp.sessions.models import Session
from worker.sessions import advance

LONGEST_S = 900.0
"""A session that takes longer hangs, or as good as."""
REMEDIES = {
    "context_overflow": ("llama-server -c", "--max-model-len", "num_ctx"),
    "connection_error": ("Is the server running", "Raise the endpoint's timeouts", "broke in the middle"),
    "runtime_error": ("raise max_tokens", "turn thinking off", "withdrawn 40 drafts"),
}
"""Of what a session that crashed for this reason has to say one."""
_NO_WORDS = re.compile(r"Traceback|[A-Z]\w+(Error|Exception)\b")


@dataclass(frozen=True, slots=True)
class EndedSession:
    """A session that has ended. error: what it says, "" where it did not crash."""

    session: Session
    bodies: Sequence[EventBody]
    seconds: float

    @property
    def calls(self) -> list[ModelCalled]:
        """Its requests."""
        return [body for body in self.bodies if isinstance(body, ModelCalled)]

    @property
    def error(self) -> str:
        """What it says of its crash."""
        return next((body.detail for body in self.bodies if isinstance(body, ErrorRaised)), "")


def play_to_end(session: Session) -> EndedSession:
    """To its end, step by step, without pauses between attempts; stopped where it takes too long."""
    begun = time.monotonic()
    while stepped(session):
        if time.monotonic() - begun > LONGEST_S:
            services.request_stop(Session.objects.filter(pk=session.pk))
    session.refresh_from_db()
    return EndedSession(session, [event.body for event in whole_log(session.pk)], time.monotonic() - begun)


def stepped(session: Session) -> bool:
    """One step, without the pause before it; whether there was one to take."""
    Job.objects.filter(kind=SESSION.name, subject=session.pk).update(due_at=None)
    ModelEndpoint.objects.update(not_before=None)
    return advance(session.pk, budget_s=0.0, paced=False)


def check_end(ended: EndedSession, context: int) -> None:
    """A true reason and a true remedy."""
    reason, calls = ended.session.completion_reason, ended.calls
    assert ended.session.ended and reason != "stopped", f"it hung for {ended.seconds:.0f} s"
    assert not _NO_WORDS.search(ended.error), ended.error
    if reason in REMEDIES:
        assert any(remedy in ended.error for remedy in REMEDIES[reason]), ended.error
    if reason == "context_overflow":
        _check_overflow(calls, context)
    if reason == "connection_error":
        assert calls[-1].outcome in ("connection", "closed", "cut", "timeout")


def _check_overflow(calls: Sequence[ModelCalled], context: int) -> None:
    """The server's figures say that the context was full, or it refused the request in words; nobody asked again."""
    last = calls[-1]
    assert last.outcome == "overflow" and last.retry_in_s is None
    if last.tokens is not None:
        assert last.tokens.prompt + last.tokens.completion >= 0.98 * context
    else:
        assert last.status == 400 and "context" in last.detail
    assert all(call.outcome != "overflow" for call in calls[:-1])
