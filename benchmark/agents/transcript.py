"""A chat in the form that chat completions take, written message by message."""

from __future__ import annotations

import json
from typing import Any

from benchmark.agents.history import ToolStep
from benchmark.core.view import ToolEntry
from benchmark.text import guarded
from benchmark.text.lengths import LONGEST_TOLD, bound_text
from benchmark.text.prompts import Prompts

_NO_NAME = guarded.compile(r"[^A-Za-z0-9_-]")
_LONGEST_NAME = 64


class Transcript:
    """The system prompt, then user and assistant by turns: chat templates of many models refuse anything else.

    So what several people say in a row is one user message, and where the assistant would follow itself a line
    says that nobody else has spoken. What does not end is cut at `LONGEST_TOLD` characters, and says so.

    thinking: the model has thought before. Then its thoughts go back as `reasoning_content` with every message of
    a run that holds tool calls, of past turns too and even where empty: DeepSeek refuses the request otherwise.
    Other thoughts are of use to no server.
    """

    def __init__(self, system: str, prompts: Prompts, language: str, *, thinking: bool) -> None:
        self._prompts, self._language, self._thinking = prompts, language, thinking
        self.messages: list[dict[str, Any]] = [{"role": "system", "content": _sendable(system)}]

    def hear(self, text: str) -> None:
        """Somebody else's words, or an instruction."""
        last, words = self.messages[-1], self._content_for_model(text)
        if last["role"] == "user":
            last["content"] += f"\n\n{words}"
        else:
            self.messages.append({"role": "user", "content": words})

    def speak(self, text: str, thought: str = "") -> None:
        """The agent's own words, and the thought before them."""
        self._assistant({"content": self._content_for_model(text)}, thought)

    def work(self, step: ToolStep) -> None:
        """Tool calls and their results."""
        calls = [_call(entry) for entry in step.entries]
        self._assistant(
            {"content": self._content_for_model(step.note) or None, "tool_calls": calls}, step.thought
        )
        for entry in step.entries:
            self.messages.append(
                {
                    "role": "tool",
                    "tool_call_id": entry.call_id,
                    "content": self._content_for_model(entry.result or ""),
                }
            )

    def _content_for_model(self, text: str) -> str:
        return bound_text(_sendable(text), self._language)

    def _assistant(self, fields: dict[str, Any], thought: str) -> None:
        last = self.messages[-1]["role"]
        if last in ("system", "assistant"):
            self.hear(self._prompts.fill(self._language, "silence"))
        in_run = "tool_calls" in fields or last == "tool"
        reasoning = (
            {"reasoning_content": self._content_for_model(thought)} if self._thinking and in_run else {}
        )
        self.messages.append({"role": "assistant", **fields, **reasoning})


class WrittenTranscript(Transcript):
    """Tool calls in plain words: what the model wrote, then an observation (ReAct)."""

    def work(self, step: ToolStep) -> None:
        self.speak(step.note or "\n".join(map(_action, step.entries)))
        for entry in step.entries:
            self.hear(self._prompts.fill(self._language, "observation", result=entry.result))


def _action(entry: ToolEntry) -> str:
    return f"Action: {entry.name}\nAction Input: {_arguments(entry)}"


def _call(entry: ToolEntry) -> dict[str, Any]:
    """A call as it was made, as far as a server takes it.

    Several servers parse the arguments of past calls and refuse the whole request when one is not a JSON object, or
    its name no identifier. So raw text is quoted in an object; the tool's answer tells the model what was wrong.
    """
    name = _NO_NAME.sub("_", entry.name)[:_LONGEST_NAME] or "_"
    return {
        "id": entry.call_id,
        "type": "function",
        "function": {"name": name, "arguments": _sendable(_arguments(entry))},
    }


def _arguments(entry: ToolEntry) -> str:
    given = entry.arguments
    written = json.dumps(given if isinstance(given, dict) else {"unparsed": given}, ensure_ascii=False)
    return written if len(written) <= LONGEST_TOLD else json.dumps({"shortened": written[:LONGEST_TOLD]})


def _sendable(text: str) -> str:
    """Half a surrogate pair, which published tasks and caches may hold, can't be sent."""
    sent = text.encode("utf-8", "replace").decode()
    return text if sent == text else sent
