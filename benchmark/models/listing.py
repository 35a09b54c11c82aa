"""What a server says of its models at /models: their names, and how long their context is."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import httpx2

from benchmark.models.answers import LONGEST_NAME, storable
from benchmark.models.key_mask import KeyMask
from benchmark.models.setup import ModelSetup, serves
from sandbox.endpoints import NO_KEY, certificates, key_in

_WAIT_S = 10.0
_MOST_BYTES = 8_000_000
_CONTEXT = (
    "loaded_context_length",  # LM Studio
    "max_model_len",  # vLLM, SGLang
    "context_length",  # OpenRouter, Together
    "context_window",  # Groq
    "max_context_length",  # Mistral
    "n_ctx",  # llama.cpp, in `meta`
)
"""Under these names servers tell the tokens of prompt and answer; the first one counts."""


@dataclass(frozen=True, slots=True)
class Listing:
    """model_names: the names of a server's models, () where it lists none. context: tokens of the model that
    was asked for, or of the only one; None where it is not told."""

    model_names: tuple[str, ...] = ()
    context: int | None = None


NOTHING = Listing()


async def listing(setup: ModelSetup) -> Listing:
    """What the endpoint's server lists, without the key wherever it repeats it; nothing where it does not answer."""
    try:
        key = key_in(setup.key_variable)
        listed = read_listing(json.loads(await _body(setup, key)), setup.model)
        return replace(listed, model_names=tuple(map(KeyMask(key).mask, listed.model_names)))
    except (httpx2.HTTPError, httpx2.InvalidURL, ValueError, RecursionError):
        return NOTHING


def read_listing(listed: Any, model: str) -> Listing:
    """The names in an answer, and the context of `model`. Together answers with a list alone, some with `models`."""
    entries = listed.get("data") or listed.get("models") if isinstance(listed, Mapping) else listed
    models = [entry for entry in entries if isinstance(entry, Mapping)] if isinstance(entries, list) else []
    served = tuple(dict.fromkeys(name for entry in models for name in _names(entry)))
    asked = next((entry for entry in models if serves(tuple(_names(entry)), model)), None)
    only = models[0] if len(models) == 1 else None
    return Listing(served, _context(asked or only or {}))


async def _body(setup: ModelSetup, key: str) -> bytes:
    headers = {} if key == NO_KEY else {"Authorization": f"Bearer {key}"}
    async with (
        httpx2.AsyncClient(verify=certificates(), timeout=_WAIT_S, headers=headers) as client,
        client.stream("GET", f"{setup.base_url}/models") as response,
    ):
        response.raise_for_status()
        body = bytearray()
        async for piece in response.aiter_bytes():
            body += piece
            if len(body) > _MOST_BYTES:
                raise ValueError("the list is too long")
        return bytes(body)


def _names(entry: Mapping[str, Any]) -> Iterator[str]:
    """Its id and aliases, but for what is too long to be asked for."""
    aliases = entry.get("aliases")
    for name in (entry.get("id") or entry.get("name"), *(aliases if isinstance(aliases, list) else ())):
        if isinstance(name, str) and 0 < len(name) <= LONGEST_NAME:
            yield storable(name)


def _context(entry: Mapping[str, Any]) -> int | None:
    meta = entry.get("meta")
    told = {**(meta if isinstance(meta, Mapping) else {}), **entry}
    counts = (told.get(name) for name in _CONTEXT)
    return next((count for count in counts if type(count) is int and count > 0), None)
