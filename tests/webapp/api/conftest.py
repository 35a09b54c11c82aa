"""A researcher's programs, and what they read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client

from webapp.accounts import throttle
from webapp.accounts.models import User
from webapp.accounts.tokens import SCOPES, issue_token


class Program:
    """A program with a token, over the test client."""

    def __init__(self, token: str) -> None:
        self.client, self.token = Client(enforce_csrf_checks=True), token

    def ask(self, path: str, given: Any = None, **headers: str) -> Any:
        headers = {"Authorization": f"Bearer {self.token}", **headers}
        return self.client.get(f"/api/v1/{path}", given or {}, headers=headers)

    def get(self, path: str, given: Any = None, **headers: str) -> Any:
        response = self.ask(path, given, **headers)
        assert response.status_code == 200, response.content
        return response.json()

    def lines(self, path: str, given: Any = None) -> list[Any]:
        response = self.ask(path, given, Accept="application/x-ndjson")
        assert response.status_code == 200 and response["Content-Type"].startswith("application/x-ndjson")
        return [json.loads(line) for line in b"".join(response).splitlines()]

    def pages(self, path: str, given: Any = None) -> list[Any]:
        """All items, page by page."""
        items, cursor = [], ""
        while cursor is not None:
            page = self.get(path, {**(given or {}), **({"cursor": cursor} if cursor else {})})
            items += page["items"]
            cursor = page["next"]
        return items

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        headers = {"Authorization": f"Bearer {self.token}", **headers}
        return self.client.post(f"/api/v1/{path}", body, content_type="application/json", headers=headers)


@pytest.fixture(autouse=True)
def fresh_counts() -> Iterator[None]:
    """No requests of other tests, and none left for them."""
    throttle.redis_limiter().storage.reset()
    yield
    throttle.redis_limiter().storage.reset()


@pytest.fixture
def program(researcher: User) -> Program:
    """One that may do everything."""
    return Program(issue_token(user=researcher, name="tests", scopes=SCOPES)[1])


@pytest.fixture
def program_with(researcher: User) -> Callable[..., Program]:
    """One that may do some things alone."""
    return lambda *scopes: Program(issue_token(user=researcher, name="tests", scopes=scopes)[1])


def check_refusal(response: Any, status: int, code: str, *words: str) -> dict[str, Any]:
    told: dict[str, Any] = response.json()
    assert (response.status_code, told["code"]) == (status, code), told
    assert len(told["detail"]) > 10 and all(word in json.dumps(told) for word in words), told
    return told
