"""Why a model gave no answer."""

from __future__ import annotations

from typing import Literal, get_args

from benchmark.models.chat import Usage

FailureKind = Literal[
    "no_key",
    "auth",
    "not_found",
    "refused",
    "overflow",
    "rate_limit",
    "server",
    "connection",
    "closed",
    "timeout",
    "cut",
    "filtered",
    "oversized",
    "malformed",
    "cancelled",
]
FAILURES: tuple[str, ...] = get_args(FailureKind)
RETRYABLE = frozenset(FAILURES) - {"auth", "not_found", "refused", "overflow", "cancelled"}


class ModelFailure(Exception):
    """One request without an answer. The message says what happened and what helps, and never quotes a key.

    kind: no_key (this process does not have the key, so nothing was sent), auth (401, 403), not_found (404: address
    or model), refused (another 4xx), overflow (the context limit), rate_limit (429), server (5xx, 408, 409),
    connection (nothing reached the server), closed (the server closed the connection instead of answering), timeout,
    cut (an answer that broke off), filtered (an answer that the server's content filter cut), oversized (an answer
    beyond `reading.MOST_BYTES`), malformed (no chat completion), cancelled (by a researcher). retry_after_s: as the
    server asked. answering: the server had begun to answer, so that it may have counted tokens. usage: what it
    counted, None where nobody knows. latency_ms: until it was known. unquoted: the message without the words of the
    server.
    """

    def __init__(
        self,
        kind: FailureKind,
        message: str,
        *,
        status: int | None = None,
        retry_after_s: float | None = None,
        answering: bool = False,
        usage: Usage | None = None,
        latency_ms: float = 0.0,
        unquoted: str = "",
    ) -> None:
        super().__init__(message)
        self.unquoted = unquoted or message
        self.kind = kind
        self.status = status
        self.retry_after_s = retry_after_s
        self.answering = answering
        self.usage = usage
        self.latency_ms = latency_ms

    @property
    def retryable(self) -> bool:
        """Whether the same request may succeed later."""
        return self.kind in RETRYABLE
