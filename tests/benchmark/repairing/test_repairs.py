"""Replies that a model writes again: what it hears, what counts, and what is dropped for which reason."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from benchmark.agents.briefing import fence_plan
from benchmark.core.actions import Action, CallTools, Say, ToolCall
from benchmark.core.events import Event, MessagePosted, PlanProposed
from benchmark.core.setting import Setting
from benchmark.core.view import View
from benchmark.exports.messages import conversation_messages
from benchmark.models import ModelFailure, Reply, RequestedCall
from benchmark.models.failures import FailureKind
from benchmark.repairing import (
    NoVerdict,
    Question,
    Repairable,
    SessionRepair,
    Unsayable,
    repair_session,
    rewrite_replies,
)
from benchmark.repairing.loop import MOST_FAULTS, ROUNDS, taught_turns
from benchmark.suites.tripbench.modes import MULTI_TURN, NO_ISSUE
from benchmark.suites.tripbench.repairs import judge_reply
from benchmark.suites.tripbench.suite import SUITE
from sandbox.toolbox import ToolOutcome
from tests.benchmark.suites.tripbench.talks import EMPTY_SCHEDULE, GOOD, LUXURY, STARS, talk, task_of
from tests.benchmark.suites.tripbench.test_talks import make_task
from tests.properties import examples
from tests.scale.tripbench import WORLD, sound_plan


def plan_without_last_day() -> str:
    plan = sound_plan()
    plan["trip_plan"]["daily_schedule"].pop()
    return fence_plan(plan)


BAD = plan_without_last_day()
STRANGE = GOOD.replace("t3", "t9")


class AllTools:
    """Every call shows the whole world."""

    def call(self, name: str, arguments: dict[str, Any] | str) -> ToolOutcome:
        return ToolOutcome(json.dumps(WORLD), "sandbox", "strict")


@dataclass
class Searcher:
    """Looks once a turn, then says one thing after the other."""

    replies: Sequence[str]
    acts: int = 0

    def act(self, view: View) -> Action:
        self.acts += 1
        if self.acts % 2:
            return CallTools((ToolCall("get_city_center_coords", {"city_name": "Lakeside"}),))
        return Say(self.replies[min(self.acts // 2, len(self.replies)) - 1])


@dataclass
class Model:
    """Answers one thing after the other, and keeps what it is asked."""

    answers: Sequence[str | Reply | ModelFailure]
    questions: list[Question] = field(default_factory=list)

    def __call__(self, question: Question) -> Reply:
        self.questions.append(question)
        answer = self.answers[min(len(self.questions), len(self.answers)) - 1]
        if isinstance(answer, ModelFailure):
            raise answer
        return Reply(answer) if isinstance(answer, str) else answer

    def words(self, at: int) -> str:
        return str(self.questions[at].request.messages[-1]["content"])


def repairable(events: Sequence[Event], setting: Setting[Any, Any], language: str = "en") -> Repairable:
    def judge(log: Sequence[Event], number: int) -> Any:
        return judge_reply(log, setting, number)

    system = ({"role": "system", "content": "You plan trips."},)
    return Repairable(events, SUITE.play.rules, judge, system, language)


def repair(model: Model, *replies: str, mode: str = NO_ISSUE, nodes: Any = None) -> SessionRepair:
    task = task_of(*(nodes or [[{"id": "a", **STARS}]]))
    played, setting = talk(task, agent=Searcher(replies), tools=AllTools(), mode=mode)
    before = copy.deepcopy(played.events)
    made = repair_session(repairable(played.events, setting), model)
    assert played.events == before, "the log stays as it is"
    return made


def outcomes(made: SessionRepair) -> list[tuple[str, int]]:
    return [(turn.outcome, turn.rounds) for turn in made.turns]


def test_a_conversation_that_passes_is_not_asked_about() -> None:
    model = Model([GOOD])
    made = repair(model, GOOD)
    assert (made.outcome, outcomes(made), model.questions) == ("sound", [("sound", 0)], [])
    assert made.reward == 1.0


def test_a_model_hears_the_faults_of_its_answers_until_one_passes() -> None:
    model = Model([BAD, f" Here it is.\n{GOOD}\n"])
    made = repair(model, BAD)
    assert (made.outcome, outcomes(made), made.reason) == ("repaired", [("repaired", 2)], "")
    assert made.words == {1: f"Here it is.\n{GOOD}"} and made.reward == 1.0
    first, second = (question.request for question in model.questions)
    assert [message["role"] for message in first.messages] == [
        *("system", "user", "assistant", "tool", "assistant"),
        "user",
    ]
    assert first.messages[2]["tool_calls"] and not first.tools, (
        "calls stand as they were, and none can be made"
    )
    assert first.messages[-2]["content"] == BAD
    assert "- dates, party, cities or journeys are not those of my trip" in model.words(0)
    assert second.messages[: len(first.messages)] == first.messages
    assert [message["content"] for message in second.messages[-2:]] == [BAD, model.words(1)]


def test_what_fails_three_times_is_dropped_with_its_faults_and_nothing_after_it_is_asked() -> None:
    nodes = [[{"id": "a", **STARS}], [{"id": "b", **LUXURY}]]
    model = Model([BAD])
    made = repair(model, BAD, nodes=nodes)
    assert (made.outcome, made.reason, outcomes(made)) == ("dropped", "faults", [("dropped", ROUNDS)])
    assert len(model.questions) == ROUNDS and made.turns[0].faults and not made.words
    second = repair(Model([BAD]), GOOD, BAD, nodes=nodes)
    assert outcomes(second) == [("sound", 0), ("dropped", ROUNDS)]


def test_a_reply_whose_faults_the_user_reports_stays_and_is_not_taught() -> None:
    nodes = [[{"id": "a", **STARS}], [{"id": "b", "rubric": "hotel.review_count", "args": {"min": 1}}]]
    model = Model([GOOD])
    made = repair(model, BAD, BAD, GOOD, mode=MULTI_TURN, nodes=nodes)
    assert outcomes(made)[0] == ("reported", 0) and made.outcome != "dropped"
    assert 1 not in taught_turns([turn.as_json() for turn in made.turns])
    assert all(question.turn > 1 for question in model.questions)


def test_the_turn_after_rests_on_the_plan_that_was_repaired() -> None:
    """It says that nothing changes, so that its plan is that of the turn before."""
    nodes = [[{"id": "a", **STARS}], [{"id": "b", "rubric": "hotel.review_count", "args": {"min": 1}}]]
    made = repair(Model([GOOD]), BAD, EMPTY_SCHEDULE, nodes=nodes)
    assert outcomes(made) == [("repaired", 1), ("sound", 0)]


def call_of(text: str = "") -> Reply:
    return Reply(text, (RequestedCall("c1", "search_hotels", "{}"),), finish_reason="tool_calls")


@pytest.mark.parametrize(
    ("answer", "reason", "words"),
    [
        (call_of(GOOD), "calls", "calls tools"),
        (Reply(""), "empty", "the answer is empty"),
        (Reply(GOOD, finish_reason="length"), "cut_off", "breaks off"),
        (Reply(STRANGE), "faults", "don't exist"),
        (Reply("I can't."), "faults", "the plan is not complete"),
    ],
)
def test_an_answer_that_is_none_is_told_so_and_counts_as_a_round(
    answer: Reply, reason: str, words: str
) -> None:
    model = Model([answer])
    made = repair(model, BAD)
    assert (made.reason, outcomes(made)) == (reason, [("dropped", ROUNDS)])
    assert words in model.words(1) and "dates, party" in (
        model.words(1) if reason in words else model.words(0)
    )
    assert outcomes(repair(Model([answer, GOOD]), BAD)) == [("repaired", 2)]


def test_what_no_result_of_a_tool_shows_is_an_invention() -> None:
    class Blind:
        def call(self, name: str, arguments: Any) -> ToolOutcome:
            return ToolOutcome("Showing h1, k1, a1 and no more of x-a3 or a2b.", "sandbox", "strict")

    task = task_of([{"id": "a", **STARS}])
    played, setting = talk(task, agent=Searcher([BAD]), tools=Blind(), mode=NO_ISSUE)
    model = Model([GOOD])
    made = repair_session(repairable(played.events, setting, "zh"), model)
    assert (made.reason, outcomes(made)) == ("inventions", [("dropped", ROUNDS)])
    (line,) = made.turns[0].faults
    assert line.endswith("g1, s1, a3, t3, r2, a2, t2, r1, m2, f1, s2") and line in model.words(1)


@pytest.mark.parametrize("kind", ["filtered", "overflow", "malformed"])
def test_a_request_without_an_answer_drops_its_conversation(kind: FailureKind) -> None:
    made = repair(Model([BAD, ModelFailure(kind, "no")]), BAD)
    assert (made.reason, outcomes(made), made.turns[0].faults) == ("no_answer", [("dropped", 2)], (kind,))


def test_an_endpoint_that_fails_is_no_fault_of_the_conversation() -> None:
    with pytest.raises(ModelFailure):
        repair(Model([ModelFailure("auth", "no")]), BAD)


def test_a_session_without_a_world_can_not_be_judged() -> None:
    task = task_of([{"id": "a", **STARS}])
    played, _ = talk(task, BAD)
    with pytest.raises(NoVerdict):
        repair_session(repairable(played.events, Setting(read_task=lambda: task)), Model([GOOD]))


def test_a_session_without_a_reply_is_dropped() -> None:
    task = task_of([{"id": "a", **STARS}])
    played, setting = talk(task, BAD)
    made = repair_session(repairable(played.events[:3], setting), Model([GOOD]))
    assert (made.outcome, made.reason) == ("dropped", "no_reply")


def test_many_faults_are_counted() -> None:
    task = task_of([{"id": "a", **STARS}])
    played, setting = talk(task, agent=Searcher([BAD]), tools=AllTools(), mode=NO_ISSUE)
    whole = repairable(played.events, setting)

    def judge(log: Sequence[Event], number: int) -> Any:
        return whole.judge(log, number)._replace(faults=[f"fault {n}" for n in range(MOST_FAULTS + 2)])

    model = Model(["No."])
    repair_session(Repairable(whole.events, whole.rules, judge), model)
    assert "- fault 39\n- and 2 more of these\n" in model.words(0)


def test_words_that_the_rules_do_not_take_are_no_reply() -> None:
    def no_message(*given: Any) -> list[Any]:
        return []

    task = task_of([{"id": "a", **STARS}])
    played, _ = talk(task, BAD)
    rules = copy.copy(SUITE.play.rules)
    object.__setattr__(rules, "utterance_events", no_message)
    with pytest.raises(Unsayable):
        rewrite_replies(rules, played.events, {1: GOOD})


ANSWERS: Sequence[Callable[[], str | Reply | ModelFailure]] = (
    *(lambda: GOOD, lambda: GOOD, lambda: BAD, lambda: STRANGE, lambda: EMPTY_SCHEDULE),
    *(lambda: "Which hotel do you like?", lambda: f"I can't find such a hotel. {GOOD}"),
    *(call_of, lambda: Reply(""), lambda: ModelFailure("filtered", "no")),
)


def test_of_any_session_and_model_what_is_taught_passes_and_the_log_stays() -> None:
    """Many made tasks, with any replies, users that report faults or do not, and a model that answers anything."""
    seen = set[str]()
    for seed in range(examples(120)):
        random = Random(seed)
        task, mode = make_task(random), random.choice([NO_ISSUE, MULTI_TURN])
        said = [
            random.choice((GOOD, GOOD, BAD, EMPTY_SCHEDULE, "Which hotel do you like?")) for _ in range(13)
        ]
        played, setting = talk(task, agent=Searcher(said), tools=AllTools(), seed=seed, mode=mode)
        before = copy.deepcopy(played.events)
        answers = [random.choice(ANSWERS)() for _ in range(40)]
        made = repair_session(repairable(played.events, setting, task.language), Model(answers))
        assert played.events == before
        log = rewrite_replies(SUITE.play.rules, played.events, made.words)
        assert without_replies(log) == without_replies(before)
        for number in taught_turns([turn.as_json() for turn in made.turns]):
            judged = judge_reply(log, setting, number)
            assert not judged.faults
            assert number not in made.words or (not judged.inventions and judged.fits_next)
        assert made.reason or made.turns[-1].outcome in ("sound", "repaired")
        assert [event.seq for event in log] == [*range(1, len(log) + 1)]
        seen |= {made.outcome, made.reason, *(turn.outcome for turn in made.turns)}
    assert {"sound", "repaired", "reported", "dropped", "faults", "no_answer"} <= seen


def without_replies(log: Sequence[Event]) -> list[Any]:
    rest = [event for event in log if not isinstance(event.body, PlanProposed)]
    messages = conversation_messages([event for event in rest if not is_agents(event)])
    return [messages, [event.body for event in rest if not is_agents(event)]]


def is_agents(event: Event) -> bool:
    return isinstance(event.body, MessagePosted) and event.body.role == "Agent"
