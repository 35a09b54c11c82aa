"""A message that does not end: what it does to the next requests and to the page."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from benchmark.core.events import MessagePosted
from benchmark.text.lengths import LONGEST_TOLD
from tests.seating import endpoint_at, session_with_models
from tests.worker.raw import Answer, raw_server, whole
from webapp.accounts.services import local_researcher
from webapp.catalogue.models import Task, World
from webapp.sessions.log import whole_log
from webapp.templatetags.caravan import LONGEST_SHOWN
from worker.sessions import advance

pytestmark = [pytest.mark.storage, pytest.mark.django_db(transaction=True)]

LENGTH = 250_000


def longest(body: dict[str, Any]) -> str:
    texts = [str(message["content"]) for message in body["messages"]]
    return max((text for text in texts if "界" in text), key=len, default="")


def test_a_message_without_end_is_bounded_in_requests_and_on_the_page(
    starter_tasks: list[Task], starter_world: World
) -> None:
    def answer(body: dict[str, Any]) -> Answer:
        return whole("界" * LENGTH, finish="stop")

    task = next(task for task in starter_tasks if (task.language, task.difficulty) == ("zh", "easy"))
    with raw_server(answer) as (url, seen):
        model = endpoint_at(url, "m")
        session = session_with_models(task, starter_world, model, model)
        while sum("界" in longest(body) for body in seen) < 3:
            assert advance(session.pk, budget_s=0.0, paced=False)
    said = [event for event in whole_log(session.pk) if isinstance(event.body, MessagePosted)]
    (posted, *_) = [event.body for event in said if len(event.body.content) == LENGTH]
    for text in filter(None, map(longest, seen)):
        assert LONGEST_TOLD <= text.count("界") <= 3 * LONGEST_TOLD
        left_out = re.search(r"其后还有([\d,]+)个字符", text)
        assert left_out and int(left_out[1].replace(",", "")) >= LENGTH - LONGEST_TOLD
    client = Client()
    client.force_login(local_researcher())
    page = client.get(session.get_absolute_url()).content.decode()
    shown = [part for part in page.split("<article") if "界" in part]
    assert shown and all(part.count("界") <= LONGEST_SHOWN + 200 for part in shown)
    assert f"{LENGTH - LONGEST_SHOWN:,} more characters" in page
    assert posted.role == "Agent"
