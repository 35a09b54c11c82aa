"""The openings of logs that earlier versions wrote: read in today's shape, whatever was a field of its own then."""

from __future__ import annotations

from typing import Any

import pytest

from benchmark.suites import load_body
from benchmark.suites.grouptravel import events as grouptravel

TASK = {
    "task_id": "1-1",
    "language": "zh",
    "seed": 3,
    "world": "starter",
    "pack_hash": "abc",
    "query": "苏州市，两天一夜",
    "time": "2025-11-02",
    "context": "出发城市：上海市",
    "travellers": [{"name": "User1", "role": "男友"}],
    "companions": [],
    "max_turn": 15,
    "convergence_interval": 3,
}
REQUEST = {
    "suite": "travelbench",
    "task_id": "travelbench-multi-7",
    "language": "en",
    "seed": 0,
    "world": "",
    "pack_hash": "",
    "subtask": "multi",
    "trace_id": "7",
    "query": "A hotel?",
    "time": "2025-06-01 10:00",
    "context": "",
}


@pytest.mark.parametrize(
    ("v", "stored", "options"),
    [
        (1, {}, {"protocol": "published", "contract": "strict"}),
        (1, {"protocol": "paper"}, {"protocol": "paper", "contract": "strict"}),
        (2, {"suite": "grouptravel", "protocol": "paper"}, {"protocol": "paper", "contract": "strict"}),
        (
            2,
            {"suite": "grouptravel", "protocol": "published", "contract": "markers", "guards": "published"},
            {"protocol": "published", "contract": "markers"},
        ),
        (3, {"suite": "grouptravel", "options": {"protocol": "paper"}}, {"protocol": "paper"}),
    ],
)
def test_an_opening_of_a_group_is_read_whatever_version_wrote_it(
    v: int, stored: dict[str, Any], options: dict[str, Any]
) -> None:
    payload = {**TASK, **stored}
    before = repr(payload)
    opened = load_body("grouptravel", "session_opened", v, payload)
    assert isinstance(opened, grouptravel.SessionOpened)
    assert (opened.suite, opened.options) == ("grouptravel", options)
    assert (opened.seed, opened.world, opened.users, opened.max_turn) == (3, "starter", ("User1",), 15)
    assert repr(payload) == before
    again = opened.model_dump(mode="json", exclude={"type"})
    assert load_body("grouptravel", "session_opened", opened.version, again) == opened


@pytest.mark.parametrize(
    "stored", [{}, {"protocol": "published", "contract": "strict"}, {"contract": "markers"}]
)
def test_an_opening_of_a_request_keeps_the_protocol_alone(stored: dict[str, Any]) -> None:
    opened: Any = load_body("travelbench", "session_opened", 2, {**REQUEST, **stored})
    assert opened.options == {"protocol": "published"} and opened.protocol == "published"
    paper: Any = load_body("travelbench", "session_opened", 2, {**REQUEST, **stored, "protocol": "paper"})
    assert paper.options == {"protocol": "paper"} and paper.protocol == "paper"


def test_a_field_that_no_version_had_is_refused() -> None:
    with pytest.raises(ValueError, match="depth"):
        load_body("travelbench", "session_opened", 2, {**REQUEST, "depth": 3})
    with pytest.raises(ValueError, match="protocol"):
        load_body("travelbench", "session_opened", 3, {**REQUEST, "protocol": "paper"})
