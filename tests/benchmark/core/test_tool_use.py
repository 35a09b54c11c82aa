"""The use of tools is a fold: hits, misses and errors of a log, tool by tool."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from benchmark.core.engine import Conversation, Step
from benchmark.core.events import ToolCalled, ToolReturned
from benchmark.core.tool_use import ToolUse, tool_use, total
from benchmark.suites.grouptravel.conversation.record import run_record
from tests.benchmark.suites.grouptravel.conversation.play import play_scenario, scenario

ANSWERS = st.tuples(
    st.sampled_from(("search_poi", "maps_weather", "no_such_tool")),
    st.sampled_from(
        (
            ("world", ""),
            ("cache", ""),
            ("cache", "answer"),
            ("simulated", ""),
            ("live", ""),
            ("none", "arguments"),
            ("none", "timeout"),
            ("none", "schema"),
        )
    ),
    st.floats(0, 1e4),
)


def log_of_answers(answers: list[tuple[str, tuple[str, str], float]]) -> Conversation:
    talk = play_scenario(scenario(say={"User1": ["好"]}))
    for number, (name, (source, kind), latency) in enumerate(answers):
        call = f"extra_{number}"
        asked = ToolCalled(call_id=call, name=name, arguments={}, step=1)
        back = ToolReturned(call_id=call, result="{}", source=source, error_kind=kind, latency_ms=latency)
        talk.append(Step("Agent", (asked,)))
        talk.append(Step("tools", (back,)))
    return talk


@given(answers=st.lists(ANSWERS, max_size=12))
def test_every_answer_is_a_hit_or_a_miss(answers: list[tuple[str, tuple[str, str], float]]) -> None:
    whole = total(tool_use(log_of_answers(answers).events).values())
    assert whole.hits == sum(source in ("world", "cache") for _, (source, _), _ in answers)
    assert whole.hits + whole.misses == whole.calls == len(whole.latencies) == len(answers)
    assert whole.error_count == sum(bool(kind) for _, (_, kind), _ in answers)
    assert whole.simulated + whole.live <= whole.misses


@given(answers=st.lists(ANSWERS, max_size=12))
def test_what_is_stored_is_read_back_and_adds_up(answers: list[tuple[str, tuple[str, str], float]]) -> None:
    uses = tool_use(log_of_answers(answers).events)
    again = {name: ToolUse.of(json.loads(json.dumps(use.as_json()))) for name, use in uses.items()}
    assert again == uses
    assert total([*uses.values(), *again.values()]).calls == 2 * len(answers)


@given(answers=st.lists(ANSWERS, max_size=6))
def test_the_run_record_counts_alike(answers: list[tuple[str, tuple[str, str], float]]) -> None:
    """A cached error is a hit and an error; a wrong call is a miss and an error (reference behaviour, rule 9)."""
    talk = log_of_answers(answers)
    whole = total(tool_use(talk.events).values())
    assert run_record(talk.events)["agent_tool_stats"] == {
        "cache_hits": whole.hits,
        "cache_misses": whole.misses,
        "tool_errors": whole.error_count,
        "tool_calls_executed": len(answers),
    }


def test_a_call_without_an_answer_is_a_call_only() -> None:
    talk = log_of_answers([])
    talk.append(Step("Agent", (ToolCalled(call_id="c", name="search_poi", arguments={}, step=1),)))
    use = tool_use(talk.events)["search_poi"]
    assert (use.calls, use.hits, use.misses, use.hit_rate, use.latency_ms) == (1, 0, 0, None, None)
