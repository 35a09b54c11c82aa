"""Who is let in where: every address there is, as its URL pattern has it, so that no new one is forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.urls.converters import IntConverter

OPEN = {"health", "set_language", "signin", "signin_link", "signout"}
"""What everybody may call."""
NOT_ALLOWED = 405


def _patterns(resolver: URLResolver) -> Iterator[URLPattern]:
    for entry in resolver.url_patterns:
        if isinstance(entry, URLResolver):
            yield from _patterns(entry)
        elif entry.name not in OPEN:
            yield entry


def _address(pattern: URLPattern) -> str:
    """With values that fit and mean nothing: those who may not ask learn not even that."""
    taken = pattern.pattern.converters.items()
    return reverse(
        str(pattern.name), kwargs={k: 3 if isinstance(c, IntConverter) else "abc" for k, c in taken}
    )


ADDRESSES = {str(pattern.name): _address(pattern) for pattern in _patterns(get_resolver())}


@pytest.mark.django_db
@pytest.mark.parametrize("name", ADDRESSES)
def test_only_researchers_are_let_in(name: str, client: Client, as_annotator: Client) -> None:
    taken = [
        method for method in ("get", "post") if _ask(as_annotator, method, name).status_code != NOT_ALLOWED
    ]
    assert "post" in taken
    for method in taken:
        stranger, refused = _ask(client, method, name), _ask(as_annotator, method, name)
        assert (stranger.status_code, stranger["Location"].split("?")[0]) == (302, reverse("signin"))
        assert (refused.status_code, "This page is for researchers" in refused.content.decode()) == (
            403,
            True,
        )


def _ask(client: Client, method: str, name: str) -> Any:
    return getattr(client, method)(ADDRESSES[name])


def test_there_are_addresses_to_look_at() -> None:
    assert {"session", "run_stop", "report_file", "judge_batch_again", "delete_endpoint"} <= set(ADDRESSES)
