"""A chat completions request as it came, and the refusals that it may meet."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Message = Mapping[str, Any]


class Refusal(Exception):
    """An HTTP error in the protocol's own shape. retry_after: seconds for the header, None to leave it out."""

    def __init__(
        self, status: int, message: str, code: str = "", *, retry_after: float | None = None
    ) -> None:
        super().__init__(message)
        self.status, self.code, self.retry_after = status, code, retry_after

    def body(self) -> dict[str, Any]:
        """The error object."""
        kind = "invalid_request_error" if self.status < 429 else "server_error"
        return {"error": {"message": str(self), "type": kind, "param": None, "code": self.code or None}}


@dataclass(frozen=True, slots=True)
class Name:
    """What the `model` field says: `personality:option=value:flag`. A flag's value is ""."""

    whole: str
    personality: str
    options: dict[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, whole: str) -> Name:
        """Split the field at its colons."""
        personality, *written = whole.split(":")
        pairs = (option.partition("=") for option in written)
        return cls(whole, personality, {key: value for key, _, value in pairs})

    def number(self, option: str, default: float) -> float:
        """An option's value, the default where it is absent or a bare flag.

        Raises:
            Refusal: it is not a number.
        """
        text = self.options.get(option, "")
        try:
            return float(text) if text else default
        except ValueError:
            raise Refusal(
                404, f"model {self.whole}: {option}={text} is not a number", "model_not_found"
            ) from None


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One request. digest: of its body, the same for the same request."""

    name: Name
    messages: tuple[Message, ...]
    tools: tuple[Mapping[str, Any], ...]
    tool_choice: Any
    response_format: Mapping[str, Any]
    stream: bool
    include_usage: bool
    max_tokens: int | None
    logprobs: bool
    digest: str

    @classmethod
    def read(cls, body: bytes) -> ModelRequest:
        """Read a body.

        Raises:
            Refusal: it is no such request.
        """
        try:
            raw = json.loads(body)
            name, messages = Name.read(raw["model"]), tuple(raw["messages"])
        except (ValueError, KeyError, TypeError, AttributeError) as problem:
            raise Refusal(400, f"not a chat completions request: {problem!r}", "invalid_request") from None
        if not messages or not all(isinstance(message, dict) and "role" in message for message in messages):
            raise Refusal(400, "messages: a list of objects with a role is wanted", "invalid_request")
        return cls(
            name,
            messages,
            tuple(raw.get("tools") or ()),
            raw.get("tool_choice"),
            raw.get("response_format") or {},
            bool(raw.get("stream")),
            bool((raw.get("stream_options") or {}).get("include_usage")),
            raw.get("max_completion_tokens") or raw.get("max_tokens"),
            bool(raw.get("logprobs")),
            hashlib.sha256(body).hexdigest()[:24],
        )

    @property
    def system(self) -> str:
        """The text of all system messages."""
        texts = (text_of(m) for m in self.messages if m["role"] in ("system", "developer"))
        return "\n".join(texts)

    @property
    def last(self) -> str:
        """The text of the last message."""
        return text_of(self.messages[-1])

    @property
    def may_call(self) -> bool:
        """Whether tools are offered."""
        return bool(self.tools) and self.tool_choice != "none"


def text_of(message: Message) -> str:
    """A message's text, its parts joined where the content is a list."""
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
