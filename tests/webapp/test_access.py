"""Who is let in where: every address there is, as its URL pattern has it, so that no new one is forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.urls.converters import IntConverter

OPEN = {"health", "metrics", "ready", "set_language", "signin", "signin_link", "signout"}
"""What everybody may call."""
TOKEN_ASKED = {"api_join": 401, "api_view": 401, "api_act": 401, "api_here": 401, "api_leave": 401}
"""What programs call, with a token in place of a session."""
TOKEN_ASKED |= {"api_openapi": 200, "api_unknown": 404, "api_nothing": 404}
RESEARCH = (
    *("runs", "start_run", "run", "run_sessions", "control_run", "sessions", "session", "events", "scores"),
    *("judgements", "labels", "report", "report_table", "report_file", "tasks", "task", "worlds"),
)
"""What programs of researchers call."""
TOKEN_ASKED |= {f"api_v1_{name}": 401 for name in RESEARCH}
TOKEN_ASKED |= {"api_v1_openapi": 401, "api_v1_unknown": 404, "api_v1_nothing": 404}
SIGNED_IN = {"api_v1_openapi"}
"""Of these, what researchers may read in a browser too."""
NOT_ALLOWED = 405
Converters = dict[str, Any]


def _patterns(
    resolver: URLResolver, above: Converters | None = None
) -> Iterator[tuple[URLPattern, Converters]]:
    """Every named address, with the converters of its whole path."""
    for entry in resolver.url_patterns:
        taken = {**(above or {}), **entry.pattern.converters}
        if isinstance(entry, URLResolver):
            yield from _patterns(entry, taken)
        elif entry.name not in OPEN:
            yield entry, taken


def _address(pattern: URLPattern, taken: Converters) -> str:
    """With values that fit and mean nothing: those who may not ask learn not even that."""
    kwargs = {name: 3 if isinstance(one, IntConverter) else "abc" for name, one in taken.items()}
    return reverse(str(pattern.name), kwargs=kwargs)


EVERY = {str(pattern.name): _address(pattern, taken) for pattern, taken in _patterns(get_resolver())}
LABELLERS = {name for name, path in EVERY.items() if path.startswith("/annotate/")}
"""Of annotators, by a link and the browsers that came by it."""
SEATS = {name for name, path in EVERY.items() if path.startswith(("/seat/", "/join/"))}
"""Of those who take seats, by a link and the browser that took it."""
ADDRESSES = {name: path for name, path in EVERY.items() if name not in SEATS | LABELLERS | set(TOKEN_ASKED)}


@pytest.mark.django_db
@pytest.mark.parametrize("name", ADDRESSES)
def test_only_researchers_are_let_in(name: str, client: Client, as_annotator: Client) -> None:
    answers = {method: _ask(as_annotator, method, name) for method in ("get", "post")}
    taken = {method: refused for method, refused in answers.items() if refused.status_code != NOT_ALLOWED}
    assert "post" in taken
    for method, refused in taken.items():
        stranger = _ask(client, method, name)
        assert (stranger.status_code, stranger["Location"].split("?")[0]) == (302, reverse("signin"))
        assert (refused.status_code, "This page is for researchers" in refused.content.decode()) == (
            403,
            True,
        )


@pytest.mark.django_db
@pytest.mark.parametrize("name", sorted(SEATS))
def test_a_seat_is_of_one_browser_whoever_else_asks(
    name: str, client: Client, as_annotator: Client, as_researcher: Client
) -> None:
    """Not even of a researcher: what a person says there, they say themselves."""
    for asking in (client, as_annotator, as_researcher):
        told = [_ask(asking, method, name) for method in ("get", "post")]
        assert all(response.status_code in (403, NOT_ALLOWED) for response in told)
        assert any("You can't come in here" in response.content.decode() for response in told)
        assert all(response.headers["Cache-Control"] == "no-store" for response in told)


@pytest.mark.django_db
@pytest.mark.parametrize("name", sorted(LABELLERS))
def test_an_annotator_s_page_is_not_there_for_anybody_else(
    name: str, client: Client, as_annotator: Client, as_researcher: Client
) -> None:
    """Not even for a researcher, and no answer tells whether there is such an annotator."""
    for asking in (client, as_annotator, as_researcher):
        told = [_ask(asking, method, name) for method in ("get", "post")]
        assert 404 in {response.status_code for response in told} <= {404, NOT_ALLOWED}
        assert all(response.headers["Cache-Control"] == "no-store" for response in told)


@pytest.mark.django_db
@pytest.mark.parametrize("name", sorted(TOKEN_ASKED))
def test_programs_need_a_token(
    name: str, client: Client, as_annotator: Client, as_researcher: Client
) -> None:
    for asking in (client, as_annotator, as_researcher):
        told = {_ask(asking, method, name).status_code for method in ("get", "post")}
        status = 200 if asking is as_researcher and name in SIGNED_IN else TOKEN_ASKED[name]
        assert status in told <= {status, NOT_ALLOWED}


def _ask(client: Client, method: str, name: str) -> Any:
    return getattr(client, method)(EVERY[name])


def test_there_are_addresses_to_look_at() -> None:
    assert {"session", "run_stop", "report_file", "judge_batch_again", "delete_endpoint"} <= set(ADDRESSES)
