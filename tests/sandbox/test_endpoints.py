"""Addresses of endpoints."""

from __future__ import annotations

import pytest

from sandbox.endpoints import BadAddress, check_address


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1:8000/v1", "https://host/a/b@c/v1/", "http://[::1]:80/v1", "http://模型.example/v1"],
)
def test_addresses_that_can_be_asked(url: str) -> None:
    check_address(url)


@pytest.mark.parametrize(
    ("url", "fault", "says"),
    [
        ("ftp://host/v1", "form", "http:// or https://"),
        ("http:///v1", "form", "with a host"),
        ("http://[::1/v1", "form", "with a host"),
        ("https://me:sk-abc@host/v1", "form", "without name and password"),
        ("http://host/v1?api_key=sk-abc", "query", "a key belongs into an environment variable"),
        ("http://host/v1/chat/completions?sk-abc", "query", "whose name is given"),
        ("http://host/v1?", "query", "without ?"),
        ("http://host/v1#sk-abc", "query", "or #"),
        ("http://a b/v1", "blank", "blanks"),
        ("http://host/v1\tsk-abc", "blank", "blanks"),
        ("http://ho\u200bst/v1", "blank", "control characters"),
        ("http://host:99999/v1", "port", "from 1 to 65535"),
        ("http://host:0/v1", "port", "from 1 to 65535"),
        ("http://host:sk-abc/v1", "port", "from 1 to 65535"),
    ],
)
def test_what_is_wrong_with_an_address_is_said_without_quoting_it(url: str, fault: str, says: str) -> None:
    with pytest.raises(BadAddress) as refused:
        check_address(url)
    assert refused.value.fault == fault and says in str(refused.value)
    assert "sk-abc" not in str(refused.value) and refused.value.__cause__ is None
