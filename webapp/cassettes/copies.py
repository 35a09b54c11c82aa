"""A model call as text to take elsewhere. No text holds a key: each names the environment variable that does."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from webapp.cassettes.calls import Call, as_json

_CURL = """curl -sS -N {url} \\
  -H 'Content-Type: application/json' \\
{key}  --data-binary @- <<'JSON'
{body}
JSON
"""
_PYTHON = """{imports}
client = OpenAI(base_url={url!r}, api_key={key})
answer = client.chat.completions.create(
{arguments}
)
print(answer.model_dump_json(indent=2))
"""


def as_data(call: Call) -> dict[str, Any]:
    """The event, the setup, the request as it was sent, and what came of it."""
    exchange = call.exchange
    return {
        "session": call.session.pk,
        "seq": call.seq,
        "event": call.call_event.model_dump(mode="json"),
        "setup": call.setup.model_dump(mode="json") if call.setup else None,
        "request": call.body if exchange else None,
        "reply": asdict(exchange.reply) if exchange and exchange.reply else None,
        "failure": asdict(exchange.failure) if exchange and exchange.failure else None,
    }


def markdown(call: Call) -> str:
    """The messages and the answer under headings, the tools by name."""
    parts = [f"# {call.session.pk}, event {call.seq}: {call.call_event.seat} asks {call.call_event.model}"]
    if call.tools:
        parts.append("Tools: " + ", ".join(f"`{name}`" for name, _definition in call.tools))
    parts += [f"## {message.number}. {message.role}\n\n{message.text}" for message in call.messages]
    exchange = call.exchange
    if exchange and exchange.reply:
        reply = exchange.reply
        parts += [f"## Reasoning\n\n{reply.reasoning}"] if reply.reasoning else []
        parts.append(f"## Answer\n\n{reply.text}")
        parts += [f"### {call.name}\n\n```json\n{call.arguments}\n```" for call in reply.calls]
    elif exchange and exchange.failure:
        parts.append(f"## Failure: {exchange.failure.kind}\n\n{exchange.failure.message}")
    return "\n\n".join(parts) + "\n"


def curl(call: Call) -> str:
    """A command that sends the same request again. Its quoted document needs no escapes."""
    assert call.setup is not None
    variable = call.setup.key_variable
    key = f'  -H "Authorization: Bearer ${{{variable}}}" \\\n' if variable else ""
    url = shlex.quote(f"{call.setup.base_url}/chat/completions")
    return _CURL.format(url=url, key=key, body=json.dumps(call.body, ensure_ascii=False))


def python(call: Call) -> str:
    """A script over the openai package that sends the same request again, with the answer in one piece."""
    assert call.setup is not None
    variable = call.setup.key_variable
    sent = {name: value for name, value in call.arguments.items() if name not in ("stream", "stream_options")}
    return _PYTHON.format(
        imports=("import os\n\n" if variable else "") + "from openai import OpenAI\n",
        url=call.setup.base_url,
        key=f"os.environ[{variable!r}]" if variable else "'none'",
        arguments="\n".join(f"    {name}={value!r}," for name, value in sent.items()),
    )


COPIES: dict[str, Callable[[Call], str]] = {
    "md": markdown,
    "json": lambda call: as_json(as_data(call)),
    "sh": curl,
    "py": python,
}
"""By the ending of a file. A command and a script need the setup."""
