"""Why an answer ended: what finish reasons mean, and answers that came to an end but are no whole answers."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from benchmark.models.calls import object_in
from benchmark.models.chat import Reply, RequestedCall
from benchmark.models.diagnosis import NoAnswer
from benchmark.models.failures import FailureKind
from benchmark.models.setup import ModelSetup
from benchmark.text import guarded

Ending = Literal["stop", "tool_calls", "length", "overflow", "filtered", "cut", "malformed"]

_REASONS: dict[Ending, str] = {
    # OpenAI; TGI; Anthropic; Cohere; DashScope and others
    "stop": "stop eos eos_token eos_found endoftext end_turn stop_sequence stop_token complete completed finish "
    "finished done end normal",
    # OpenAI and before; Anthropic; Cohere; AI SDK
    "tool_calls": "tool_calls function_call function_calls tool_use tool_call tool",
    # OpenAI; Anthropic, Gemini, Cohere, Bedrock; Mistral; the Responses API; TGI
    "length": "length max_tokens model_length max_output_tokens max_length max_completion_tokens max_new_tokens "
    "max_tokens_reached max_tokens_exceeded token_limit token_limit_reached limit output_limit truncated",
    # Reka and SenseNova; Anthropic and Z.ai; OpenAI; Cohere; llama.cpp
    "overflow": "context model_context_window_exceeded context_window_exceeded context_length_exceeded "
    "context_length context_limit context_full error_limit exceed_context_size",
    # OpenAI and Azure; Gemini and Vertex; Anthropic; Zhipu; Bedrock; DashScope; Cohere
    "filtered": "content_filter content_filtered safety recitation language blocklist prohibited_content spii "
    "model_armor image_safety image_prohibited_content image_recitation refusal sensitive guardrail_intervened "
    "guardrails moderation content_moderation data_inspection_failed error_toxic blocked",
    # OpenRouter; vLLM, SGLang; DeepSeek; Z.ai; Cohere; Ollama; the Responses API; watsonx; LM Studio
    "cut": "error abort aborted insufficient_system_resource network_error timeout cancelled canceled user_cancel "
    "interrupted repetition failed failure incomplete server_error overloaded engine_overloaded load unload "
    "time_limit not_finished user_stopped",
    # Gemini; Bedrock; others
    "malformed": "malformed_function_call unexpected_tool_call too_many_tool_calls malformed_response "
    "missing_thought_signature malformed_tool_call malformed_tool_use malformed_model_output invalid_tool_call "
    "tool_use_failed",
}
"""The finish reasons of the providers that people use, in lower case and with underscores."""
_ENDINGS: dict[str, Ending] = {
    reason: ending for ending, reasons in _REASONS.items() for reason in reasons.split()
}
_SEPARATOR = guarded.compile(r"[^a-z0-9]+")
_HUMP = guarded.compile(r"(?<=[a-z])(?=[A-Z])")
_CALL_WORDS = "call calls tool tools function functions json output response"
_TELLING_WORDS: dict[Ending, tuple[str, ...]] = {
    "overflow": ("context prompt input", "length window limit exceeded full overflow reached long size"),
    "malformed": ("malformed invalid unparsable unparseable parse parsing", _CALL_WORDS),
    "filtered": (
        "safety unsafe filter filtered policy moderation moderated sensitive blocked censored prohibited jailbreak "
        "harmful guardrail guardrails violation violated toxic refusal refused recitation",
    ),
    "length": ("max limit length budget truncated", "tokens token output completion generation"),
    "cut": (
        "error errors failed failure fail exception timeout timed aborted abort cancelled canceled cancel "
        "interrupted disconnect disconnected disconnection reset econnreset unloaded preempted overloaded limited "
        "crashed crash killed shutdown unavailable unfinished incomplete",
    ),
    "stop": ("eos eot eom end ended stop stopped finished completed",),
}
_TELLING: dict[Ending, tuple[set[str], ...]] = {
    ending: tuple(set(words.split()) for words in sets) for ending, sets in _TELLING_WORDS.items()
}
"""What an unknown reason means by its words: at least one of each set stands in it. The first that fits counts."""
_FULL = 0.98
"""The part of the context limit from which the context counts as full."""
_WELL_BELOW = 0.9
"""The part of max_tokens below which `length` can't mean max_tokens."""
_SMALLEST = 256
"""Tokens. No context is smaller; a server that cuts below has a limit of its own."""
_ENDING_WORDS: dict[Ending, tuple[FailureKind, str]] = {
    "cut": ("cut", "the server gave the answer up"),
    "filtered": ("filtered", "the server's content filter cut the answer off"),
    "overflow": ("overflow", "the context was full before the answer ended"),
    "malformed": ("malformed", "the server could not read what its model wrote"),
}


def ending_of(reason: str) -> Ending | None:
    """What a finish reason means, None for an unknown one.

    Of `content_filter: PROHIBITED_CONTENT`, `function_call_filter: MALFORMED_FUNCTION_CALL` and `FinishReason.STOP`
    the last part counts that is known; of an unknown one its words (`upstream_error`, `contextLengthReached`).
    """
    whole = _HUMP.sub("_", reason).lower().removeprefix("finish_reason_")
    parts = [_SEPARATOR.sub("_", part).strip("_") for part in guarded.split(r"[:.]", whole)]
    known = (_ENDINGS.get(part) for part in reversed(parts))
    return next((ending for ending in known if ending), None) or _ending_by_words("_".join(parts).split("_"))


def _ending_by_words(words: list[str]) -> Ending | None:
    fitting = (
        ending for ending, sets in _TELLING.items() if all(telling.intersection(words) for telling in sets)
    )
    return next(fitting, None)


def tells_more(native: str, told: str) -> bool:
    """Whether the finish reason of a model's own server says of an answer what its gateway's hides."""
    whole = ("stop", "tool_calls", None)
    return bool(native) and (not told or (ending_of(told) in whole and ending_of(native) not in whole))


def check_finish(reply: Reply, setup: ModelSetup) -> Reply:
    """The reply with its finish reason as OpenAI names it, where it is a known one.

    Raises:
        NoAnswer: the reply is not what the model had to say.
    """
    ending = ending_of(reply.finish_reason)
    if ending in _ENDING_WORDS:
        kind, what = _ENDING_WORDS[ending]
        raise _none(reply, kind, f"{what} (finish reason {reply.finish_reason})")
    if ending is None:
        return _reply_of_unknown_ending(reply)
    if ending == "tool_calls" and not (reply.calls or reply.text.strip()):
        raise _none(reply, "malformed", "the server speaks of tool calls and sends none")
    if ending == "length" and "max" not in reply.finish_reason.lower() and _context_is_full(reply, setup):
        raise _none(reply, "overflow", _full(reply, setup))
    return replace(reply, finish_reason=ending)


def _reply_of_unknown_ending(reply: Reply) -> Reply:
    """An answer that ended for a reason of which nobody knows: whole where there is something in it."""
    said = f"unknown finish reason {reply.finish_reason}"
    if not (reply.text.strip() or (reply.calls and all(map(_can_be_read, reply.calls)))):
        raise _none(reply, "malformed", f"the answer holds no words and no call that can be read ({said})")
    return reply.with_note(f"{said}, taken as a whole answer")


def _can_be_read(call: RequestedCall) -> bool:
    return not call.arguments.strip() or object_in(call.arguments) is not None


def _none(reply: Reply, kind: FailureKind, what: str) -> NoAnswer:
    return NoAnswer(kind, what, words="ended" if kind == "malformed" else "", usage=reply.usage)


def _context_is_full(reply: Reply, setup: ModelSetup) -> bool:
    """Whether an answer ended at the context's end: many servers then say `length`, as for max_tokens. Those that say
    `MAX_TOKENS` mean that, and may not count thoughts."""
    usage = reply.usage
    if usage is None or not usage.prompt:
        return False
    limit, tokens = setup.context_limit, usage.prompt + usage.completion
    if limit and tokens >= _FULL * limit:
        return True
    return tokens >= _SMALLEST and usage.completion < _WELL_BELOW * setup.max_tokens


def _full(reply: Reply, setup: ModelSetup) -> str:
    assert reply.usage is not None
    prompt, completion = reply.usage.prompt, reply.usage.completion
    return (
        f"the context was full after {prompt} tokens of conversation and {completion} of answer, where an answer "
        f"may have {setup.max_tokens}"
    )
