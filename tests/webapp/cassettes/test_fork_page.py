"""The form of a fork."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client

from tests.markup import text
from webapp.sessions.models import Session

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("chosen", "models"),
    [
        ({}, set()),
        ({"users": "llm"}, {"user_model"}),
        ({"agent": "react"}, {"agent_model"}),
        ({"agent": "llm", "users": "llm"}, {"agent_model", "user_model"}),
    ],
)
def test_a_fork_asks_for_a_model_only_where_the_kind_needs_one(
    as_researcher: Client,
    recorded_session: Callable[[str], Session],
    chosen: dict[str, str],
    models: set[str],
) -> None:
    session = recorded_session("easy")
    page = text(as_researcher.get(f"/sessions/{session.pk}/fork/", chosen))
    assert set(re.findall(r'name="(\w+_model)"', page)) == models
