"""What helps against a failure, said in one sentence."""

from __future__ import annotations

from benchmark.models.failures import FailureKind
from benchmark.models.kinds import (
    FIREWALL,
    MODERATION,
    NO_CREDIT,
    NO_PARAMETERS,
    NO_PROVIDER,
    NO_TOOLS,
    NOT_IN_PLAN,
    OTHER_REGION,
    TERMS,
)
from benchmark.models.setup import ModelSetup
from benchmark.text import guarded

_CREDIT = "Check the account's credit at the provider."
_FILTER_REMEDY = (
    "The provider's content filter refused the conversation: loosen it there, or use another model."
)
_HINTS: tuple[tuple[str | guarded.Pattern, str], ...] = (
    (
        r"max_completion_tokens",
        "Let the endpoint use the other name of the limit (test the endpoint to find it).",
    ),
    (
        r"logprobs?\b.{0,40}stream",
        "Switch streaming off for the endpoint, or do not ask it for log-probabilities.",
    ),
    (r"logprob", "Do not ask this model for log-probabilities: switch them off for the endpoint."),
    (
        r"stream_options|must.{0,40}non-?stream|stream.{0,40}not supported",
        "Switch streaming off for the endpoint.",
    ),
    (
        r"only supports? stream|stream.{0,20}must be|non-streaming calls",
        "Switch streaming on for the endpoint.",
    ),
    (NO_TOOLS, "Use the text protocol for tools: test the endpoint, and take over what suits."),
    (MODERATION, _FILTER_REMEDY),
    (
        OTHER_REGION,
        "The provider does not serve the region that the request comes from: use another provider of the model, or a "
        "gateway in a region that it serves.",
    ),
    (TERMS, "Accept the model's terms at the provider, with the account that the key belongs to."),
    (
        NO_PARAMETERS,
        "No provider of this model takes all that was sent: test the endpoint, and take over what suits.",
    ),
    (NO_PROVIDER, "Change the account's privacy and provider settings at the gateway, or use another model."),
    (
        r"top_p",
        "Choose no top_p for the run or session, and set the temperature that this model takes: an endpoint with one "
        "of its own is sent no top_p.",
    ),
    (r"(?<![\w-])seed(?![\w-])", "Choose no seed of the model for the run or session."),
    (r"temperature", "Set the temperature that this model takes, or its thinking dialect."),
    (
        r"reasoning_content|enable_thinking|chat_template_kwargs|thinking",
        "Check the endpoint's thinking dialect.",
    ),
    (r"response_format|json_object", "Switch JSON mode off for the endpoint."),
    (r"max_tokens", "Lower the endpoint's maximum output."),
    (NO_CREDIT, _CREDIT),
    (r"insufficient|quota|balance|billing", _CREDIT),
    (r"request too large", "The account's limit of tokens a minute is lower than this request; raise it."),
    (
        NOT_IN_PLAN,
        "The account's plan does not include this model: change the plan at the provider, or use another model.",
    ),
    (
        FIREWALL,
        "A firewall in front of the server refused the request: ask who runs it to let this machine in.",
    ),
)


def remedy(kind: FailureKind, setup: ModelSetup, words: str) -> str:
    """One sentence, "" where only waiting helps, or what was said says it. words: what the server said."""
    if kind in ("auth", "no_key"):
        return _for_key(setup, kind == "no_key")
    if kind == "refused":
        return next((says for hint, says in _HINTS if _fits(hint, words)), "")
    if kind == "malformed" and words.startswith("ended "):
        return "Use the text protocol for tools if this goes on, or another model."
    if kind == "not_found":
        return "" if words.startswith("redirect ") else _for_address(setup)
    return _GENERAL.get(kind, "")


def _fits(hint: str | guarded.Pattern, words: str) -> bool:
    if isinstance(hint, str):
        hint = guarded.compile(hint, guarded.IGNORECASE | guarded.DOTALL)
    return hint.search(words) is not None


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
