"""Answers that came to an end but are no whole answers: what their finish reason and tokens tell."""

from __future__ import annotations

from benchmark.models.chat import Reply
from benchmark.models.diagnosis import NoAnswer
from benchmark.models.failures import FailureKind
from benchmark.models.setup import ModelSetup

_GIVEN_UP = frozenset({"error", "abort", "insufficient_system_resource"})
"""Finish reasons of answers that the server did not bring to an end: OpenRouter, vLLM and SGLang, DeepSeek."""
_FILTERED = frozenset(
    {"content_filter", "safety", "recitation", "blocklist", "prohibited_content", "spii", "sensitive"}
)
"""Finish reasons of answers that a content filter cut: OpenAI and Azure; Gemini; Zhipu."""
_FULL = 0.98
"""The part of the context limit from which the context counts as full."""
_WELL_BELOW = 0.9
"""The part of max_tokens below which `length` can't mean max_tokens."""


def check_whole(reply: Reply, setup: ModelSetup) -> None:
    """
    Raises:
        NoAnswer: the reply is not what the model had to say.
    """
    if reply.finish_reason in _GIVEN_UP:
        raise _none(reply, "cut", f"the server gave the answer up (finish reason {reply.finish_reason})")
    if reply.finish_reason.lower() in _FILTERED:
        raise _none(
            reply,
            "filtered",
            f"the server's content filter cut the answer off (finish reason {reply.finish_reason})",
        )
    if _context_is_full(reply, setup):
        raise _none(reply, "overflow", _full(reply, setup))


def _none(reply: Reply, kind: FailureKind, what: str) -> NoAnswer:
    return NoAnswer(kind, what, usage=reply.usage)


def _context_is_full(reply: Reply, setup: ModelSetup) -> bool:
    """Whether an answer ended at the context's end: many servers then say `length`, as for max_tokens."""
    usage = reply.usage
    if reply.finish_reason != "length" or usage is None or not usage.prompt:
        return False
    limit = setup.context_limit
    if limit and usage.prompt + usage.completion >= _FULL * limit:
        return True
    return usage.completion < _WELL_BELOW * setup.max_tokens


def _full(reply: Reply, setup: ModelSetup) -> str:
    assert reply.usage is not None
    prompt, completion = reply.usage.prompt, reply.usage.completion
    return (
        f"the context was full after {prompt} tokens of conversation and {completion} of answer, where an answer "
        f"may have {setup.max_tokens}"
    )
