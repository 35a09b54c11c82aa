"""What of a log a model that compares plans is shown."""

from __future__ import annotations

from datetime import UTC, datetime

from benchmark.core.events import Event, MessagePosted
from benchmark.labelling.comparing import spoken_case, told_case


def log(*messages: MessagePosted) -> list[Event]:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return [Event(seq, body.role, "all", body, at) for seq, body in enumerate(messages, 1)]


def test_a_benchmark_without_a_way_of_its_own_shows_opening_and_last_plan() -> None:
    case = told_case(
        log(
            MessagePosted(role="User", content="Two days by the sea", opening=True),
            MessagePosted(role="Agent", content="first plan", has_plan=True),
            MessagePosted(role="User", content="Not that one"),
            MessagePosted(role="Agent", content="second plan", has_plan=True),
            MessagePosted(role="Agent", content="Have fun!"),
        )
    )
    assert (case.language, case.request, case.answer) == ("en", "User: Two days by the sea", "second plan")


def test_a_request_in_chinese_is_asked_about_in_chinese_and_a_missing_plan_is_empty() -> None:
    case = told_case(log(MessagePosted(role="用户", content="杭州两日", opening=True)))
    assert (case.language, case.answer) == ("zh", "")


def test_an_answer_in_words_is_all_that_was_said_up_to_the_agents_last_words() -> None:
    opening = MessagePosted(role="User", content="How do I get there?", opening=True)
    question = MessagePosted(role="Agent", content="From where?")
    reply = MessagePosted(role="User", content="The station.")
    answer = MessagePosted(role="Agent", content="Take line 4.")
    farewell = MessagePosted(role="User", content="[Finish Conversation]")
    case = spoken_case(log(opening, question, reply, answer, farewell))
    assert case.request == "User: How do I get there?"
    assert case.answer == "Agent: From where?\n\nUser: The station.\n\nAgent: Take line 4."
    assert spoken_case(log(opening, answer)).answer == "Take line 4."
    assert spoken_case(log(opening, MessagePosted(role="Agent", content=" "), farewell)).answer == ""
