"""Costs, and the identity of requests."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Any

import pytest

from benchmark.models import ChatRequest, ModelSetup, Usage, canonical, cost, digest


def _setup(**prices: Any) -> ModelSetup:
    return ModelSetup(name="n", base_url="http://localhost:1", model="m", **prices)


def test_cost() -> None:
    usage = Usage(1_000_000, 500_000, cached=400_000, reasoning=100_000)
    assert cost(_setup(input_price=2, output_price=8), usage) == pytest.approx(2 + 4)
    assert cost(_setup(input_price=2, cached_price=0.5, output_price=8), usage) == pytest.approx(
        1.2 + 0.2 + 4
    )
    assert cost(_setup(input_price=0, output_price=0), usage) == 0
    assert cost(_setup(input_price=1, output_price=1), Usage(0, 0, cached=5)) == 0


def test_cost_is_unknown_without_figures_or_prices() -> None:
    assert cost(_setup(input_price=2, output_price=8), None) is None
    assert cost(_setup(input_price=2), Usage(1, 1)) is None
    assert cost(_setup(output_price=2), Usage(1, 1)) is None


def test_equal_requests_have_one_digest() -> None:
    message = {"role": "user", "content": "你好\ud83d"}
    turned = MappingProxyType(dict(reversed(message.items())))
    one, other = ChatRequest((message,), temperature=0), ChatRequest((turned,), temperature=0.0)
    assert digest(one, "m") == digest(other, "m") and len(digest(one, "m")) == 64
    assert canonical(one).isascii()


def test_everything_that_is_asked_counts() -> None:
    request = ChatRequest(({"role": "user", "content": "a"},), ({"type": "function"},))
    changed = [
        replace(request, messages=({"role": "user", "content": "a "},)),
        replace(request, tools=()),
        replace(request, temperature=0.1),
        replace(request, json_object=True),
        replace(request, top_p=0.95),
    ]
    assert len({digest(each, "m") for each in (request, *changed)} | {digest(request, "n")}) == 7
    assert "top_p" not in canonical(request)  # whose digests are older than it


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(TypeError, match="bytes"):
        canonical(ChatRequest(({"role": "user", "content": b"a"},)))
