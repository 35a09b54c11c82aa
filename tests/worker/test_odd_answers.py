"""Whatever a server answers: every request is in the log, and no step is taken twice for nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from benchmark.core.events import ModelCalled, ToolCalled
from tests.seating import endpoint_at, play, session_with_models
from tests.worker.raw import JSON, Answer, call, pieces, raw_server, whole
from webapp.catalogue.models import Task, World
from webapp.sessions.log import whole_log

pytestmark = [pytest.mark.storage, pytest.mark.django_db(transaction=True)]


def deep(levels: int) -> str:
    return '{"a":' * levels + "1" + "}" * levels


def broken_answer(status: int, body: bytes, **headers: str) -> Answer:
    return status, {**JSON, **{name.replace("_", "-"): value for name, value in headers.items()}}, body


ODD: dict[str, Callable[[], Answer]] = {
    "arguments 200 deep": lambda: whole(calls=(("search_poi", deep(200)),)),
    "arguments 300 deep": lambda: whole(calls=(("search_poi", deep(300)),)),
    "arguments 5000 deep": lambda: whole(calls=(("search_poi", deep(5000)),)),
    "a list 990 deep": lambda: whole(calls=(("search_poi", '{"city":' + "[" * 990 + "]" * 990 + "}"),)),
    "half a letter in arguments": lambda: whole(calls=(("search_poi", '{"city":"\ud83d"}'),)),
    "a letter split over pieces": lambda: pieces(call('{"city":"\ud83d', "search_poi"), call('\ude00"}')),
    "half a letter in a name": lambda: whole(calls=(("sea\ud83d", "{}"),)),
    "half a letter in the model": lambda: whole("hello", model="m\ud83d"),
    "half a letter as the reason": lambda: whole("hello", finish="st\ud83dop"),
    "half a letter in an error": lambda: broken_answer(400, b'{"error":{"message":"bad \\ud83d \\u0000"}}'),
    "NUL everywhere": lambda: whole("a\0b", calls=(("sea\0rch", '{"city":"a\\u0000b"}'),)),
    "a pause of ages": lambda: broken_answer(429, b"{}", Retry_After="1" + "0" * 20),
    "a pause beyond numbers": lambda: broken_answer(503, b"{}", Retry_After="1e300"),
    "a date beyond years": lambda: broken_answer(
        429, b"{}", Retry_After="Fri, 31 Dec 99999999999999 23:59:59 GMT"
    ),
    "a deep error": lambda: broken_answer(500, b"[" * 200_000),
    "150 calls": lambda: whole(calls=tuple(("search_poi", f'{{"n":{i}}}') for i in range(150))),
    "tokens without end": lambda: broken_answer(
        200, whole("hi")[2].replace(b'"prompt_tokens": 10', b'"prompt_tokens": ' + b"9" * 400)
    ),
}


@pytest.mark.parametrize("name", ODD)
def test_an_odd_answer_is_logged_once_and_ends_in_words(
    name: str, starter_tasks: list[Task], starter_world: World
) -> None:
    def answer(body: dict[str, Any]) -> Answer:
        return ODD[name]() if body.get("tools") else whole("{}")

    task = next(task for task in starter_tasks if task.difficulty == "easy")
    with raw_server(answer) as (url, seen):
        agent = endpoint_at(url, "m", patience_s=1.0, input_price=1.0, output_price=1.0)
        session = play(session_with_models(task, starter_world, agent, None, seed=1))
    log = [event.body for event in whole_log(session.pk)]
    assert session.ended
    assert sum(isinstance(body, ModelCalled) for body in log) == len(seen)
    assert "workers ended in the middle" not in str(log)
    if name == "150 calls":
        assert sum(isinstance(body, ToolCalled) for body in log) >= 150
