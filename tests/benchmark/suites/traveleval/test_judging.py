"""Judging by TravelEval's own rubric: what a judge and a meta-judge are asked, and what their pair is worth."""

from __future__ import annotations

import json
from typing import Any

import pytest

from benchmark.core.actions import Say
from benchmark.core.engine import Conversation, Step
from benchmark.core.events import Event, ToolCalled, ToolReturned
from benchmark.judging import PUBLISHED, judge_request, meta_request, read_calibration, read_judgement
from benchmark.labelling.comparing import QUESTIONS, pair_request, told_case
from benchmark.suites.traveleval.conversation.rules import RULES, opening_step, utterance_events
from benchmark.suites.traveleval.judging.rubric import RUBRIC
from tests.scale.traveleval import query

FORM = RUBRIC.forms[PUBLISHED]
KEYS = tuple(dimension.key for dimension in RUBRIC.dimensions)
PLAN = {"summary": {"destination": "杭州"}, "daily_plans": []}


def session_log(**asked: Any) -> list[Event]:
    """Of a query, a tool call and a plan."""
    played = Conversation(RULES)
    played.append(opening_step(query(**asked)))
    call = ToolCalled(call_id="c1", name="search_places", arguments={"city": "杭州"}, step=1)
    played.append(Step("Agent", (call, ToolReturned(call_id="c1", result="湖" * 3000))))
    said = Say(f"```json\n{json.dumps(PLAN, ensure_ascii=False)}\n```")
    played.append(Step("Agent", tuple(utterance_events(played.state, said))))
    return [*played.events]


def ratings_text(score: int, turn: int) -> str:
    return json.dumps({key: {"score": score, "rationale": f"see [{turn}]"} for key in KEYS})


@pytest.mark.parametrize("words", [{"nature_language": "去杭州"}, {"nature_language_en": "to Hangzhou"}])
def test_a_judge_is_asked_for_each_dimension_and_shown_what_the_agent_saw(words: dict[str, str]) -> None:
    shown = FORM.transcript(session_log(**words))
    [system, asked] = [message["content"] for message in judge_request(FORM, shown).messages]
    assert all(key in system + asked for key in KEYS)
    assert next(iter(words.values())) in asked and "daily_plans" in asked
    assert asked.count("湖") == 2000, "a long result is cut"
    assert len(shown.turns) == 3


def test_a_pair_gives_the_mean_rating_weighed_by_the_meta_judge() -> None:
    shown = FORM.transcript(session_log(nature_language="去杭州"))
    found = read_judgement(ratings_text(4, max(shown.turns)), RUBRIC.dimensions, shown.turns)
    assert found.complete and not found.faults and found.scores == dict.fromkeys(KEYS, 4)
    checked = meta_request(FORM, shown, found).messages[-1]["content"]
    assert f"see [{max(shown.turns)}]" in checked and "daily_plans" in checked
    calibration = read_calibration('{"score": 3, "reasoning": "fair"}', shown.turns)
    assert calibration.score == 3
    assert RUBRIC.score(found.scores, None) == 75 and RUBRIC.score(found.scores, calibration.score) == 45


def test_ratings_that_cite_what_is_not_there_are_told_to_the_meta_judge() -> None:
    shown = FORM.transcript(session_log(nature_language="去杭州"))
    found = read_judgement(ratings_text(2, 99), RUBRIC.dimensions, shown.turns)
    assert {fault.kind for fault in found.faults} == {"unknown_turn"}
    assert "99" in meta_request(FORM, shown, found).messages[-1]["content"]
    partial = read_judgement('{"pace": {"score": 6, "rationale": "x"}}', RUBRIC.dimensions, shown.turns)
    assert not partial.complete and partial.scores == {}


def test_two_plans_of_one_query_are_compared_in_both_orders() -> None:
    one, other = (told_case(session_log(nature_language="去杭州")) for _ in range(2))
    asked = pair_request(one, other, QUESTIONS["plan"]).messages[-1]["content"]
    assert asked.count("daily_plans") == 2 and "去杭州" in asked


def test_a_log_without_its_opening_is_refused() -> None:
    with pytest.raises(ValueError, match="opening"):
        FORM.transcript(session_log(nature_language="去杭州")[1:])
