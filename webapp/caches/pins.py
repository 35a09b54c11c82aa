"""Simulated answers of a run, kept in the database, where every worker finds them."""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256

from sandbox.cache import Normalisation, key_of
from sandbox.calls import Call
from sandbox.toolbox.outcome import Answer
from webapp.caches.models import PinnedAnswer


def scope_of(*, run: str | None, session: str, language: str) -> str:
    """Where a session's pins stand: with those of its run, if it has one."""
    return f"{f'run:{run}' if run else f'session:{session}'}:{language}"


def copy_pins(*, scope: str, to: str, until: datetime) -> None:
    """Let what was pinned in a scope up to a moment stand in another one too."""
    kept = PinnedAnswer.objects.filter(scope=scope, pinned_at__lte=until)
    PinnedAnswer.objects.bulk_create(
        PinnedAnswer(scope=to, **pin) for pin in kept.values("tool", "call", "result", "examples")
    )


class DatabasePins:
    """The pins of one scope; see `sandbox.toolbox.isolated_answers.Pins`."""

    def __init__(self, scope: str, normalisation: Normalisation) -> None:
        self._scope, self._normalisation = scope, normalisation

    def get(self, call: Call) -> Answer | None:
        """What was answered to this call before in this scope."""
        row = PinnedAnswer.objects.filter(**self._place(call)).first()
        return _answer(row) if row else None

    def pin(self, call: Call, answer: Answer) -> Answer:
        """Keep an answer unless there is one; returns the one that stands."""
        fresh = {"result": answer.result, "examples": list(answer.examples)}
        row, _ = PinnedAnswer.objects.get_or_create(**self._place(call), defaults=fresh)
        return _answer(row)

    def _place(self, call: Call) -> dict[str, str]:
        key = key_of(call, self._normalisation)
        return {"scope": self._scope, "tool": call.tool, "call": sha256(key.encode()).hexdigest()}


def _answer(row: PinnedAnswer) -> Answer:
    return Answer(row.result, "simulated", tuple(row.examples))
