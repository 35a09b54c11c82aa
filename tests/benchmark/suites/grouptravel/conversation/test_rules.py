"""Each rule of the published conversation, in a conversation small enough to read."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmark.suites.grouptravel.conversation.state import fold
from benchmark.suites.grouptravel.events import MarkerAttempted, SessionOpened, TableInferred, TurnGranted
from tests.benchmark.suites.grouptravel.conversation.play import (
    PLAN,
    converse_in_lines,
    play_scenario,
    scenario,
)

QUIET = ["[pass]"]


def test_the_last_mention_speaks_at_once_and_uses_no_slot() -> None:
    case = scenario(
        say={"User1": ["一", "[pass]"], "User2": ["二", "[pass]"]},
        convergence=["@User1 您好，@User2 预算是多少？"],
        limits=(1, 5),
    )
    assert converse_in_lines(case)["messages"][:3] == [
        "Agent: @User1 您好，@User2 预算是多少？",
        "User2: 二",
        "User1: 一",
    ]


@pytest.mark.parametrize("text", ["@User13 你好", "@user1 你好", "@ User1 你好", "@User1x 你好", "没有人"])
def test_what_is_no_mention(text: str) -> None:
    case = scenario(
        say={"User1": ["一", "[pass]"], "User2": ["二", "[pass]"]}, convergence=[text], limits=(1, 5)
    )
    assert converse_in_lines(case)["messages"][1] == "User1: 一"


def test_a_name_that_begins_another_name_is_not_mentioned_by_it() -> None:
    names = [f"User{i}" for i in range(1, 11)]
    case = scenario(say={n: [n, "[pass]"] for n in names}, convergence=["@User10你好"], limits=(1, 5))
    assert converse_in_lines(case)["messages"][1] == "User10: User10"


def test_the_agent_that_mentions_itself_speaks_again() -> None:
    case = scenario(
        say={"User1": QUIET}, convergence=["@Agent 我想想"], turns=["想好了", "好"], limits=(1, 5)
    )
    assert converse_in_lines(case)["messages"][:2] == ["Agent: @Agent 我想想", "Agent: 想好了"]


def test_users_are_polled_in_the_order_of_their_keys_then_the_agent() -> None:
    case = scenario(say={"User3": ["三"], "User1": ["一"], "User2": ["二"]}, turns=["好"], limits=(1, 5))
    assert converse_in_lines(case)["messages"][1:5] == ["User3: 三", "User1: 一", "User2: 二", "Agent: 好"]


def test_a_mentioned_user_is_asked_three_times_and_then_the_mention_is_spent() -> None:
    case = scenario(
        say={"User1": ["[pass]", "[pass]", "[pass]", "第四次"]}, convergence=["@User1 您好？"], limits=(1, 5)
    )
    found = converse_in_lines(case)
    assert found["messages"][1] == "User1: 第四次"
    assert found["total_events"] == 5  # convergence, the spent mention, two polls, the forced plan


def test_an_exhausted_mention_ends_a_session_by_the_paper_s_protocol() -> None:
    case = scenario(
        say={"User1": ["[pass]", "[pass]", "[pass]", "第四次"]}, convergence=["@User1 您好？"], limits=(1, 5)
    )
    found = converse_in_lines(case, "paper")
    assert (found["completion_reason"], found["plan_generated"]) == ("mention_exhausted", False)
    assert found["messages"] == ["Agent: @User1 您好？"] and found["total_events"] == 2
    assert converse_in_lines(case)["completion_reason"] == "max_turn_reached"


def test_a_mention_that_is_answered_at_the_third_time_ends_nothing() -> None:
    case = scenario(
        say={"User1": ["[pass]", "[pass]", "好", "[pass]"]}, convergence=["@User1 您好？"], limits=(1, 5)
    )
    assert converse_in_lines(case, "paper") == converse_in_lines(case)


def test_a_user_without_news_loses_the_slot_and_a_pass_is_not_seeing() -> None:
    case = scenario(say={"User1": ["[pass]", "一"]}, turns=["好", "好的"], limits=(2, 5))
    log = play_scenario(case)
    granted = [e.body for e in log.events if isinstance(e.body, TurnGranted) and e.body.place == "lap"]
    assert [turn.speaker for turn in granted] == ["User1", "Agent", "User1", "Agent"]
    case = scenario(
        say={"User1": ["一", "二"], "User2": ["甲", "乙"]}, convergence=["@User2 您好"], limits=(1, 5)
    )
    granted = [
        e.body
        for e in play_scenario(case).events
        if isinstance(e.body, TurnGranted) and e.body.place == "lap"
    ]
    assert [(turn.speaker, turn.skipped) for turn in granted] == [("User1", ()), ("User2", ()), ("Agent", ())]


@pytest.mark.parametrize(
    ("said", "seen"),
    [
        ("我都可以。[pass]", "User1: 我都可以。"),
        ("我都可以。 [PASS] [pass]\n", "User1: 我都可以。"),
        (" [PASS] ", "User1:  [PASS] "),
        ("好\n\n", "User1: 好"),
    ],
)
def test_trailing_passes_and_newlines_are_cut(said: str, seen: str) -> None:
    assert converse_in_lines(scenario(say={"User1": [said]}, limits=(1, 5)))["messages"][1] == seen


def test_convergences_take_a_round_and_none_stands_at_the_limit() -> None:
    log = play_scenario(scenario(say={"User1": QUIET}, limits=(15, 3)))
    kinds = [e.body.place for e in log.events if isinstance(e.body, TurnGranted) and not e.body.is_repeat]
    assert kinds.count("checkpoint") == 4
    laps = [e for e in log.events if isinstance(e.body, TurnGranted) and e.body.kind == "polled"]
    assert sum(1 for e in laps if e.body.speaker == "Agent") == 11  # type: ignore[union-attr]
    assert log.state.round == 15


def test_a_round_is_closed_at_its_cap_of_events() -> None:
    case = scenario(
        say={"User1": ["一"]}, convergence=["@Agent 想想"], turns=["@Agent 再想想"], limits=(2, 9)
    )
    found = converse_in_lines(case)
    assert found["total_rounds"] == 2
    assert found["total_events"] == 1 + 10 + 10 + 1


def test_a_round_at_its_cap_ends_a_session_by_the_paper_s_protocol() -> None:
    case = scenario(
        say={"User1": ["一"]}, convergence=["@Agent 想想"], turns=["@Agent 再想想"], limits=(2, 9)
    )
    found = converse_in_lines(case, "paper")
    assert (found["completion_reason"], found["plan_generated"]) == ("event_cap_reached", False)
    assert (found["total_rounds"], found["total_events"]) == (0, 1 + 10)


def test_the_last_slot_of_a_round_at_its_cap_ends_the_round_alone() -> None:
    """A mention of itself in eight answers; the ninth and tenth events are the polls that close the lap."""
    turns = ["@Agent 再想想"] * 7 + ["好了", "好", "好的"]
    case = scenario(say={"User1": ["一"]}, convergence=["@Agent 想想"], turns=turns, limits=(1, 9))
    assert converse_in_lines(case, "paper")["completion_reason"] == "max_turn_reached"


def test_a_log_from_before_the_guards_is_folded_as_it_was_played() -> None:
    case = scenario(
        say={"User1": ["[pass]", "[pass]", "[pass]", "第四次"]}, convergence=["@User1 您好？"], limits=(1, 5)
    )
    opened, *later = play_scenario(case).events
    stored = {**opened.body.model_dump(exclude={"guards", "options"}), "protocol": "paper"}
    before = replace(opened, body=SessionOpened.load(stored, 2))
    assert fold([before, *later]).ending == "max_turn_reached"


def test_a_plan_ends_the_session_at_once_and_is_summarised_without_its_message() -> None:
    log = play_scenario(scenario(say={"User1": QUIET}, turns=[f"```json\n{PLAN}\n```"], limits=(5, 5)))
    assert log.state.final_event is not None
    assert (log.state.final_event.reason, log.state.final_event.plan_generated) == ("plan_generated", True)
    last = [e.body for e in log.events if isinstance(e.body, TurnGranted)][-1]
    assert (last.kind, last.history) == ("summary", len(log.state.messages) - 1)
    assert isinstance(log.events[-2].body, TableInferred)


def test_the_final_plan_is_demanded_three_times_and_only_the_last_is_seen() -> None:
    found = converse_in_lines(scenario(say={"User1": QUIET}, final=["没有", "还没有", PLAN], limits=(1, 5)))
    assert found["messages"][-1] == f"Agent: {PLAN}"
    assert "Agent: 没有" not in found["messages"]
    assert (found["completion_reason"], found["plan_generated"]) == ("max_turn_reached", True)
    found = converse_in_lines(scenario(say={"User1": QUIET}, final=["没有"], limits=(1, 5)))
    assert found["messages"].count("Agent: 没有") == 1
    assert not found["plan_generated"]


def test_the_same_call_for_the_third_time_ends_the_session_after_that_turn() -> None:
    found = converse_in_lines(
        scenario(say={"User1": QUIET}, turns=[{"say": "查好了", "repetitive": "multiple"}], limits=(5, 5))
    )
    assert found["completion_reason"] == "multiple_repeated_tool_calls"
    assert found["messages"][-1] == "Agent: 查好了"
    assert not found["plan_generated"]


def test_two_turns_running_with_a_repeated_call_end_the_session() -> None:
    turn = {"say": "查好了", "repetitive": "consecutive"}
    found = converse_in_lines(
        scenario(say={"User1": QUIET}, turns=[turn, "歇一下", turn, turn], limits=(9, 9))
    )
    assert found["completion_reason"] == "consecutive_repeated_tool_calls"
    assert found["messages"].count("Agent: 查好了") == 3


def test_a_plan_in_a_forced_message_still_counts() -> None:
    turn = {"say": PLAN, "repetitive": "multiple"}
    found = converse_in_lines(scenario(say={"User1": QUIET}, turns=[turn], limits=(5, 5)))
    assert (found["completion_reason"], found["plan_generated"]) == ("plan_generated", True)


def test_a_table_in_place_of_an_utterance_is_withheld_and_a_convergence_follows() -> None:
    written = '{"User1": {"global_constraints": {"avg_budget": 1}}}'
    case = scenario(
        say={"User1": QUIET}, turns=[written, "好"], convergence=["开始。", "小结。"], limits=(1, 5)
    )
    log = play_scenario(case)
    assert [m.content for m in log.state.messages][1:3] == ["开始。", "小结。"]
    assert log.state.table == {"User1": {"global_constraints": {"avg_budget": 1}}}
    assert (
        log.state.events == 4
    )  # convergence, a poll, the withheld turn with its convergence, the forced plan
    again = scenario(say={"User1": QUIET}, turns=[written], convergence=["开始。", "小结。"], limits=(2, 5))
    assert [m.content for m in play_scenario(again).state.messages][
        -2
    ] == written  # it changes nothing the second time


ASK = ["@User1 能放弃灵隐寺吗？"]
GIVE_UP = "行。\n[city_specific_preferences.杭州市.attractions.must_visit : []]"


def test_a_solicited_marker_is_applied_and_never_seen() -> None:
    case = scenario(say={"User1": [GIVE_UP, "[pass]"]}, convergence=ASK, limits=(1, 5))
    found = converse_in_lines(case)
    assert found["messages"][1] == "User1: 行。"
    own = found["effective_preferences"]["User1"]["preference"]["city_specific_preferences"]["杭州市"]
    assert own["attractions"]["must_visit"] == []
    assert play_scenario(case).state.compromise_log == [
        {
            "round": 2,  # the event number
            "user": "User1",
            "field_path": "city_specific_preferences.杭州市.attractions.must_visit",
            "new_value": [],
            "applied": True,
        }
    ]


@pytest.mark.parametrize(
    ("marker", "path", "value"),
    [
        ("[transport.must : 飞机]", "global_constraints.transport.must", "飞机"),
        ('[transport.must : ["飞机"]', "global_constraints.transport.must", ["飞机"]),
        ("[杭州市.food.prefer_eat : []]", "city_specific_preferences.杭州市.food.prefer_eat", []),
        ("[global_constraints.avg_budget : ]", "global_constraints.avg_budget", ""),
        ("[global_constraints.avg_budget_max: 9]", "global_constraints.avg_budget", 9),
        ("[transport.transport_must.must : []]", "global_constraints.transport.must", []),
        ("[avg_budget : 1800]", "avg_budget", 1800),
        ("[a : 1] [b : 2]", "a", "1] [b : 2"),
    ],
)
def test_how_a_marker_is_read(marker: str, path: str, value: object) -> None:
    log = play_scenario(scenario(say={"User1": [f"行 {marker}", "[pass]"]}, convergence=ASK, limits=(1, 5)))
    entry = log.state.compromise_log[0]
    assert (entry["field_path"], entry["new_value"], entry["applied"]) == (path, value, True)


@pytest.mark.parametrize(
    "text", ["[transport.must：[]]", "[transport.must : []] 谢谢", "[transport.must : ["]
)
def test_what_is_no_marker_stays_in_the_message(text: str) -> None:
    found = converse_in_lines(
        scenario(say={"User1": [f"行 {text}", "[pass]"]}, convergence=ASK, limits=(1, 5))
    )
    assert found["messages"][1] == f"User1: 行 {text}"
    assert found["compromise_log"] == []


def test_an_unsolicited_marker_is_asked_for_again_and_taken_on_the_third_try() -> None:
    case = scenario(say={"User1": [GIVE_UP]}, limits=(1, 5))
    log = play_scenario(case)
    verdicts = [e.body.verdict for e in log.events if isinstance(e.body, MarkerAttempted)]
    assert verdicts == ["unsolicited", "unsolicited", "accepted"]
    assert log.state.applied_counts["User1"] == 1


def test_an_unresolvable_path_is_logged_each_time_and_its_words_kept_at_last() -> None:
    said = "行。 [global_constraints.nothing.here : 3]"
    found = converse_in_lines(scenario(say={"User1": [said]}, convergence=ASK, limits=(1, 5)))
    assert [entry["applied"] for entry in found["compromise_log"]] == [False] * 3
    assert found["messages"][1] == "User1: 行。"


def test_the_third_compromise_of_a_user_is_not_applied() -> None:
    lines = [f"行。[avg_budget : {i}]" for i in range(9)]
    case = scenario(say={"User1": lines}, convergence=ASK, turns=ASK, limits=(4, 9))
    assert len([e for e in converse_in_lines(case)["compromise_log"] if e["applied"]]) == 2


def test_a_pass_when_asked_to_mend_a_marker_neither_counts_nor_spends_the_mention() -> None:
    said = ["行 [no.way.here : 1]", "[pass]", "算了", "[pass]"]
    found = converse_in_lines(scenario(say={"User1": said}, convergence=ASK, limits=(1, 5)))
    assert found["messages"][1] == "User1: 算了"
    assert found["total_events"] == 4  # convergence, the answer, the agent's poll, the forced plan


def test_the_paper_protocol_never_applies_an_invalid_marker() -> None:
    for said, willing in (
        (GIVE_UP, False),
        ("行 [avg_budget : 1]", True),
        ("行 [global_constraints.x : 1]", True),
    ):
        case = scenario(say={"User1": [said]}, convergence=ASK, compromisable=willing, limits=(1, 5))
        assert not any(entry["applied"] for entry in converse_in_lines(case, "paper")["compromise_log"])
    unsolicited = scenario(say={"User1": [GIVE_UP]}, limits=(1, 5))
    assert converse_in_lines(unsolicited, "paper")["compromise_log"] == []
    solicited = scenario(say={"User1": [GIVE_UP, "[pass]"]}, convergence=ASK, limits=(1, 5))
    assert converse_in_lines(solicited, "paper")["compromise_log"][0]["applied"]


def test_a_pass_in_the_polling_lap_is_an_event_even_when_a_marker_was_to_be_mended() -> None:
    case = scenario(say={"User1": [GIVE_UP, "[pass]"]}, limits=(1, 5))
    assert (
        converse_in_lines(case)["total_events"] == 4
    )  # convergence, the pass, the agent's poll, the forced plan


def test_a_user_who_never_mends_a_marker_and_never_answers_does_not_hold_the_session() -> None:
    case = scenario(say={"User1": ["行 [no.way.here : 1]", "[pass]"] * 50}, convergence=ASK, limits=(1, 5))
    log = play_scenario(case)
    asked = [e for e in log.events if isinstance(e.body, TurnGranted) and e.body.place == "preempt"]
    assert len(asked) == 2 * log.state.cap
    assert log.state.final_event is not None


def test_each_try_is_one_step_and_the_words_kept_at_last_are_none_of_their_own() -> None:
    said = "行。 [global_constraints.nothing.here : 3]"
    log = play_scenario(scenario(say={"User1": [said]}, convergence=ASK, limits=(1, 5)))
    # convergence, three tries, the agent's poll, the forced plan
    assert (log.state.steps, log.state.events) == (6, 4)


@pytest.mark.parametrize("text", ["\n[pass]", " [pass] ", "[pass][pass]", "[pass]。", "[Pass]"])
def test_only_the_exact_word_is_a_pass(text: str) -> None:
    assert (
        converse_in_lines(scenario(say={"User1": [text]}, limits=(1, 5)))["messages"][1] == f"User1: {text}"
    )


@pytest.mark.parametrize("value", ["NaN", '"\\ud800"', "[" * 300 + "]" * 300, "[" * 5000])
def test_a_value_that_no_record_can_hold_is_a_bare_string(value: str) -> None:
    case = scenario(say={"User1": [f"行 [avg_budget : {value}]", "[pass]"]}, convergence=ASK, limits=(1, 5))
    assert converse_in_lines(case)["compromise_log"][0]["new_value"] == value


def test_a_long_message_is_read_in_no_time() -> None:
    for text in (
        "[pass]" * 9000 + "好",
        "好" + " " * 40000 + "啊",
        "[a:]" * 9000 + "好",
        "[a" + " " * 40000 + "]",
    ):
        found = converse_in_lines(scenario(say={"User1": [text]}, limits=(1, 5)))
        assert found["messages"][1] == f"User1: {text}"
