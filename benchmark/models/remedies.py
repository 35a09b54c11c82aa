"""What helps against a failure, said in one sentence."""

from __future__ import annotations

from benchmark.models.failures import FailureKind
from benchmark.models.setup import ModelSetup
from benchmark.text import guarded

_HINTS = (
    (
        r"max_completion_tokens",
        "Let the endpoint use the other name of the limit (test the endpoint to find it).",
    ),
    (
        r"stream_options|must.{0,40}non-?stream|stream.{0,40}not supported",
        "Switch streaming off for the endpoint.",
    ),
    (
        r"only supports? stream|stream.{0,20}must be|non-streaming calls",
        "Switch streaming on for the endpoint.",
    ),
    (
        r"tool.?choice|enable-auto-tool|support.{0,24}(tool|function call)|(tools?|functions?) (is|are) not support",
        "Use the text protocol for tools: test the endpoint, and take over what suits.",
    ),
    (
        r"content.?filter|content management policy|data_inspection|inappropriate content",
        "The provider's content filter refused the conversation: loosen it there, or use another model.",
    ),
    (
        r"top_p",
        "Set the temperature that this model takes: an endpoint with one of its own is sent no top_p.",
    ),
    (r"temperature", "Set the temperature that this model takes, or its thinking dialect."),
    (
        r"reasoning_content|enable_thinking|chat_template_kwargs|thinking",
        "Check the endpoint's thinking dialect.",
    ),
    (r"response_format|json_object", "Switch JSON mode off for the endpoint."),
    (r"max_tokens", "Lower the endpoint's maximum output."),
    (r"insufficient|quota|balance|arrear|billing", "Check the account's credit at the provider."),
    (r"request too large", "The account's limit of tokens a minute is lower than this request; raise it."),
)


def remedy(kind: FailureKind, setup: ModelSetup, words: str) -> str:
    """One sentence, "" where only waiting helps, or what was said says it. words: what the server said."""
    if kind in ("auth", "no_key"):
        return _for_key(setup, kind == "no_key")
    if kind == "refused":
        return next(
            (
                says
                for hint, says in _HINTS
                if guarded.search(hint, words, guarded.IGNORECASE | guarded.DOTALL)
            ),
            "",
        )
    if kind == "not_found":
        return "" if words.startswith("redirect ") else _for_address(setup)
    return _GENERAL.get(kind, "")


_GENERAL: dict[FailureKind, str] = {
    "overflow": "Give the server a longer context (llama-server -c, Ollama num_ctx, vLLM --max-model-len), use a "
    "model with a longer context, or lower the endpoint's maximum output.",
    "filtered": "Loosen the content filter at the provider, or use another model.",
    "oversized": "Lower the endpoint's maximum output.",
    "rate_limit": "Lower the endpoint's concurrency or rate if this goes on.",
    "connection": "Is the server running, and can it be reached from where Caravan runs?",
    "malformed": "The address must be that of an OpenAI-compatible API; it usually ends in /v1.",
    "timeout": "Raise the endpoint's timeouts if the model is only slow.",
}


def _for_key(setup: ModelSetup, keyless: bool) -> str:
    if not setup.key_variable:
        return "Name the environment variable that holds the key in the endpoint."
    if keyless:
        return (
            f"Set the environment variable {setup.key_variable} where the workers run, and start them again."
        )
    return f"Check the key in the environment variable {setup.key_variable}, and that it may use this model."


def _for_address(setup: ModelSetup) -> str:
    if guarded.search(r"/v\d", setup.base_url):
        return "Check the model's name, and the address."
    return f"The address usually ends in /v1 ({setup.base_url}/v1); else check the model's name."
