"""How a model is called, as a session's log records it: everything but the key."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from sandbox.endpoints import check_address

Thinking = Literal["default", "on", "off"]
Dialect = Literal["enable_thinking", "chat_template", "thinking_type", "reasoning_effort"]
ToolProtocol = Literal["native", "text"]
LimitParameter = Literal["max_tokens", "max_completion_tokens"]


class ModelSetup(BaseModel):
    """An OpenAI-compatible chat endpoint and how it is asked.

    name: the endpoint's name in Caravan. key_variable: the environment variable that holds the key, never the key;
    empty where none is needed. temperature: None for what the role asks for (0.7 agents, 0 travellers, simulators
    and judges; appendix C.1). max_tokens: of one answer. thinking, dialect: whether the model is told to think, and
    in which of the common ways. context_limit: tokens of prompt and answer, None where it is not known. tools:
    native calls, or a protocol in plain text for models without them. streams: whether answers come in pieces.
    input_price, cached_price, output_price: per million tokens, None where not known; cached_price counts for the
    part of the prompt that the server had cached, where it is None input_price does. timeout_s: without a byte;
    deadline_s: for a whole answer. patience_s: how long after its first failure a request is made
    again, until the session crashes. json_mode: whether the server may be told to write a JSON object.
    limit_parameter: under which name it takes max_tokens, None to choose by its address (`dialects`). logprobs:
    whether the log-probability of each token is asked for, and kept with the answer; top_p, seed: of how tokens are
    drawn, None for what the role and the server do (`Sampling` chooses them). These are written only where they are
    chosen, so that older versions read what they know.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", protected_namespaces=(), hide_input_in_errors=True)
    name: str = Field(min_length=1, max_length=60)
    base_url: str
    model: str = Field(min_length=1, max_length=200)
    key_variable: str = ""
    temperature: float | None = Field(default=None, ge=0, le=2)
    max_tokens: int = Field(default=8192, ge=1)
    thinking: Thinking = "default"
    dialect: Dialect = "enable_thinking"
    context_limit: int | None = Field(default=None, ge=1)
    tools: ToolProtocol = "native"
    streams: bool = True
    input_price: float | None = Field(default=None, ge=0)
    cached_price: float | None = Field(default=None, ge=0)
    output_price: float | None = Field(default=None, ge=0)
    currency: str = "USD"
    timeout_s: float = Field(default=120.0, gt=0)
    deadline_s: float = Field(default=900.0, gt=0)
    patience_s: float = Field(default=900.0, ge=0)
    json_mode: bool = False
    limit_parameter: LimitParameter | None = None
    logprobs: bool = Field(default=False, exclude_if=lambda asked: not asked)
    top_p: float | None = Field(default=None, gt=0, le=1, exclude_if=lambda chosen: chosen is None)
    seed: int | None = Field(default=None, ge=0, exclude_if=lambda chosen: chosen is None)

    @model_validator(mode="before")
    @classmethod
    def _without_attempts(cls, given: Any) -> Any:
        """Setups of older logs count attempts, which nothing does any more."""
        if isinstance(given, dict) and "attempts" in given:
            return {name: value for name, value in given.items() if name != "attempts"}
        return given

    @field_validator("base_url")
    @classmethod
    def _can_be_asked(cls, url: str) -> str:
        check_address(url)
        return url.rstrip("/")

    @property
    def answer_settings(self) -> dict[str, Any]:
        """The settings that may change what the model answers, by name."""
        return self.model_dump(include=set(_ANSWER_SETTINGS))


_ANSWER_SETTINGS = (
    *("base_url", "model", "temperature", "max_tokens", "thinking", "dialect", "context_limit", "json_mode"),
    *("top_p", "seed"),
)


# Names of models.


def serves(served: tuple[str, ...], model: str) -> bool:
    """Whether a model is among the names; Gemini lists `models/NAME` for NAME."""
    return any(name == model or name == f"models/{model}" for name in served)
