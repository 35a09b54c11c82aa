"""Where wishes and places come from."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from benchmark.core.events import Event, EventBody, MessagePosted, ToolReturned
from benchmark.suites.grouptravel.provenance import Sources

AT = datetime(2026, 1, 1, tzinfo=UTC)


def log(*bodies: EventBody) -> list[Event]:
    return [Event(seq, "system", "all", body, AT) for seq, body in enumerate(bodies, 1)]


def result(told: object, **given: str) -> ToolReturned:
    text = told if isinstance(told, str) else json.dumps(told, ensure_ascii=False)
    return ToolReturned(call_id="c", result=text, **given)  # type: ignore[arg-type]


def test_the_first_message_of_the_traveller_counts() -> None:
    sources = Sources(
        log(
            MessagePosted(role="Agent", content="高铁还是飞机？"),
            MessagePosted(role="User2", content="我坐高铁"),
            MessagePosted(role="User1", content="高铁，最多2600元"),
            MessagePosted(role="User1", content="高铁！"),
        )
    )
    assert (sources.message_with("User1", "高铁"), sources.message_with("User2", "高铁")) == (3, 2)
    assert sources.message_with("User1", 2600) == sources.message_with("User1", 2600.0) == 3
    assert sources.message_with("User1", "火锅") is None and sources.message_with("User1", "") is None


def test_the_last_result_before_the_plan_that_names_a_place_counts() -> None:
    sources = Sources(
        log(
            result({"pois": [{"name": "西湖"}]}),
            result({"pois": [{"name": "西湖"}, {"name": "灵隐寺(北门)"}]}),
            result("西湖 is closed", error_kind="arguments", source="none"),
            result({"pois": [{"name": "西湖"}]}),
        )
    )
    assert sources.result_with("西湖") == 4
    assert sources.result_with("西湖", before=4) == 2
    assert sources.result_with("灵隐寺") == 2, "a part of a longer name, where nothing has it whole"
    escaped = Sources(log(result(json.dumps({"name": "西湖"})), result({"name": "灵隐寺"})))
    assert escaped.result_with("西湖") == 1 and escaped.result_with("灵隐寺") == 2
    assert sources.result_with("雷峰塔") is None and sources.result_with("") is None


anything = st.recursive(
    st.none() | st.booleans() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
)


@given(anything, st.text(min_size=2, max_size=4).filter(lambda name: name.strip() == name))
def test_a_name_anywhere_in_a_result_is_found(told: object, name: str) -> None:
    assert Sources(log(result({"x": [told, {"y": name}]}))).result_with(name) == 1
