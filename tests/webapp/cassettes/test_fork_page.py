"""The form of a fork."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from tests.markup import text
from webapp.prompts.services import create_set
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


def test_a_fork_may_be_told_the_words_of_another_set(
    as_researcher: Client, recorded_session: Callable[[str], Session]
) -> None:
    session = recorded_session("easy")
    assert 'name="prompt_set"' not in text(as_researcher.get(f"/sessions/{session.pk}/fork/"))
    create_set(name="elsewhere", suite="travelbench")
    warm = create_set(name="warm", suite="grouptravel", files={"agent/en/turn.txt": "SAY IT WARMLY\n"})
    page = text(as_researcher.get(f"/sessions/{session.pk}/fork/", {"at": session.last_seq // 2}))
    assert re.findall(r'<option value="((?:warm|elsewhere|shipped)[^"]*)"', page) == ["warm@1"]
    chosen = {"at": session.last_seq // 2, "agent": session.agent, "users": session.users}
    chosen |= {"seed": 1, "times": 1, "prompt_set": "warm@1"}
    as_researcher.post(f"/sessions/{session.pk}/fork/", chosen)
    made = session.forks.get()
    assert made.prompt_set == warm
    page = text(as_researcher.get(f"/sessions/{made.pk}/"))
    assert "set of prompts warm, version 1" in page
    page = text(as_researcher.get(f"/sessions/{made.pk}/fork/", {"at": made.last_seq}))
    assert "as in the session: warm@1" in page and '<option value="shipped">' in page
    as_researcher.post(f"/sessions/{made.pk}/fork/", chosen | {"prompt_set": "shipped", "at": made.last_seq})
    back = made.forks.get()
    assert back.prompt_set is None
    assert "the shipped prompts from here on" in text(as_researcher.get(f"/sessions/{back.pk}/"))


def test_a_command_refuses_a_set_that_is_not_there(recorded_session: Callable[[str], Session]) -> None:
    session = recorded_session("easy")
    with pytest.raises(CommandError, match="--prompts: "):
        call_command("fork_session", session.pk, "--prompts", "nobody")
    assert not session.forks.exists()
