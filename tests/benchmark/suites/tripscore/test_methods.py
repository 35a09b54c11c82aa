"""The methods that search: ttg's program against all solutions, nesy's language and search, and both over a model."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark.core.engine import Conversation, run
from benchmark.core.events import DraftWithdrawn, PlanProposed, ThoughtKept
from benchmark.core.participant import OverModel, SeatContext
from benchmark.core.view import AGENT
from benchmark.suites.base import read_options
from benchmark.suites.tripscore.methods.nesy.concepts import CONCEPTS, Draft
from benchmark.suites.tripscore.methods.nesy.language import PLAN, StatementFault, read_expression
from benchmark.suites.tripscore.methods.nesy.search import Limits, Search, course_of
from benchmark.suites.tripscore.methods.nesy.statements import program_of, read_program
from benchmark.suites.tripscore.methods.requests import Request, Unreadable, read_request
from benchmark.suites.tripscore.methods.results import PROMPTS
from benchmark.suites.tripscore.methods.ttg.days import RELAXABLE
from benchmark.suites.tripscore.methods.ttg.program import Program
from benchmark.suites.tripscore.methods.ttg.solving import Limits as SolverLimits
from benchmark.suites.tripscore.methods.ttg.solving import plan_by_program
from benchmark.suites.tripscore.participants import AGENTS
from benchmark.suites.tripscore.planner.days import empty_days
from benchmark.suites.tripscore.planner.journeys import journeys
from benchmark.suites.tripscore.scoring.options import parameters_of
from benchmark.suites.tripscore.scoring.parameters import DEFAULTS
from benchmark.suites.tripscore.scoring.reward import score_plan
from benchmark.suites.tripscore.suite import SUITE
from benchmark.suites.tripscore.tasks import STARTER, TASK_FILES, Task
from sandbox.toolbox import world_tools
from sandbox.worlds import open_world
from tests.benchmark.agents.cast import ScriptedModel
from tests.properties import examples
from tests.scale.tripscore import REFERENCE, query
from tests.scale.tripscore_methods import BASELINE, best_worth, compare, small_task, solved_worth, table

STARTERS = [read.task for file in STARTER for read in TASK_FILES.whole(file)]
TASK = STARTERS[2]


def task_of(**changes: Any) -> Task:
    """A task of four days in two cities; changes are those of the query, or `reference`."""
    reference = {**REFERENCE, **changes.pop("reference", {})}
    return Task.model_validate({"id": "own", "query": query(**changes), "reference": reference})


# ttg.


@settings(max_examples=examples(5), deadline=None)
@given(st.integers(0, 10_000), st.booleans())
def test_the_program_finds_the_best_of_all_solutions(seed: int, strict: bool) -> None:
    relaxed = () if strict else RELAXABLE
    task = small_task(seed, sights=2) if seed % 2 else small_task(seed, sights=3, days=1)
    assert solved_worth(task, relaxed) == pytest.approx(best_worth(task, relaxed), abs=1e-6)


@pytest.mark.parametrize("agent", ["ttg_fields", "nesy_fields"])
def test_shipped_queries_have_plans_that_pass_the_gates(agent: str) -> None:
    quick = [task for task in STARTERS if task.query.days <= 3 and len(task.query.cities) == 1]
    for task in quick[::12]:
        told = [play(agent, task).plan for _ in range(2)]
        score = score_plan(told[0], task, DEFAULTS, {})
        assert told[0] == told[1] and score.feasible and score.reward > 2.9


def test_what_nothing_keeps_is_no_plan_or_given_up_in_order() -> None:
    inns = [{**hotel, "star": 1} for hotel in REFERENCE["hotels"]]
    task = task_of(reference={"hotels": inns}, preferences={"budget": "premium", "pacing": "compact"})
    strict = plan_by_program(Request(task), SolverLimits())
    assert strict.plan is None
    assert [line[0] for line in strict.log] == ["ttg_infeasible", "ttg_no_plan"]
    free = plan_by_program(Request(task), SolverLimits(relax=True))
    assert [line[1]["relaxed"] for line in free.log] == ["–", "pacing", "pacing, budget"]
    assert score_plan(free.plan, task, DEFAULTS, {}).feasible


def test_a_solver_without_time_gives_no_plan_and_says_so() -> None:
    result = plan_by_program(Request(STARTERS[9]), SolverLimits(seconds=1e-6))
    # HiGHS looks at the clock between nodes, and on some processors it needs none but the first
    solved = result.log[0][0] == "ttg_optimal"
    assert solved or result.plan is None or "time" in result.log_text("en")
    assert result.log[0][0].startswith("ttg_") and "HiGHS" in result.log_text("zh")


def test_a_program_that_needs_many_nodes_stops_when_its_time_is_over() -> None:
    chance, program = random.Random(0), Program()
    items = [program.add(item, gain=chance.randint(1, 99)) for item in range(120)]
    for _ in range(60):
        weights = [chance.randint(1, 99) for _ in items]
        program.add_row(list(zip(items, weights, strict=True)), high=sum(weights) / 3)
    assert program.solve(seconds=0.3, gap=0.0).status == "time_limit"


@pytest.mark.parametrize(
    "changes",
    [
        {"fixed_order": True},
        {"departure_city": None},
        {"return_required": False},
        {"departure_city": "Elm"},
        {"reference": {"transportation": []}},
    ],
)
def test_journeys_of_all_kinds_pass_the_gates(changes: dict[str, Any]) -> None:
    task = task_of(**changes, preferences={})
    plans = [
        plan_by_program(Request(task), SolverLimits(relax=True)).plan,
        Search(program_of(task), Limits(relax=True)).run().plan,
    ]
    for plan in plans:
        score = score_plan(plan, task, DEFAULTS, {})
        assert score.feasible, score.marks


def test_a_departure_city_without_legs_leaves_the_program_without_a_solution() -> None:
    assert plan_by_program(Request(task_of(departure_city="Nowhere")), SolverLimits(relax=True)).plan is None


def test_sights_that_are_asked_for_are_visited_and_others_avoided() -> None:
    task = task_of(preferences={})
    request = read_request(task, {"must_visit": ["s3"], "avoid": ["p1", "s1"]})
    told = {"must_visit": ["s3"], "avoid": ["p1", "s1"]}
    plans = [
        plan_by_program(request, SolverLimits(relax=True)).plan,
        Search(read_program(task, told), Limits(relax=True)).run().plan,
    ]
    for plan in map(json.dumps, plans):
        assert '"s3"' in plan and '"p1"' not in plan and '"s1"' not in plan


def test_the_methods_beat_a_model_that_plans_at_once(starter_pack: Path) -> None:
    tasks = [task for task in STARTERS if len(task.query.cities) == 1][1:4]
    outcomes = compare(tasks, starter_pack, ("ttg_fields", "nesy_fields", "ttg", "nesy"))
    assert all(one.feasible for name, own in outcomes.items() if name != BASELINE for one in own)
    rewards = {name: sum(one.reward for one in own) for name, own in outcomes.items()}
    assert min(rewards, key=lambda name: rewards[name]) == BASELINE
    assert table(outcomes).count("\n") == len(outcomes) + 1


# nesy.


def test_thirty_two_functions_have_words_in_both_languages() -> None:
    assert len(CONCEPTS) == 32
    for language in ("en", "zh"):
        lines = PROMPTS.fill(language, "concepts").splitlines()[1:]
        assert [line.partition("(")[0] for line in lines] == list(CONCEPTS)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("day_count() - 1 + 6 / 4", 4.5),
        ("all(city_on(d) in cities() for d in days()) and not none", True),
        ("len([s for d in days() for s in visits_on(d)]) == 0", True),
        ("max(x for x in [1, -2]) >= 1 > min([])", True),
        ("[departs(leg) for leg in legs()]", [8.0, 9.0, 18.5]),
        ("1 / 0", 0.0),
    ],
)
def test_an_expression_is_worked_out(text: str, value: object) -> None:
    task = task_of()
    draft = Draft(task, empty_days(task, next(journeys(task, course_of(task))), DEFAULTS), 2)
    for day in draft.days:
        day.visits = [{} for _ in day.stretches]
    assert read_expression(text, CONCEPTS)({PLAN: draft}) == value


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os')",
        "days().append(1)",
        "'a' * 9",
        "9 ** 9",
        "(lambda: 1)()",
        "visits_on()",
        "plan",
        "x",
        "all(1, 2)",
        "len([x for x in days() for y in days() for z in days()])",
        "days(",
        "(" * 300,
        "1 +" * 400 + "1",
        "all(a == b for a, b in days())",
        "f'{days()}'",
    ],
)
def test_what_is_no_expression_is_refused(text: str) -> None:
    with pytest.raises(StatementFault):
        read_expression(text, CONCEPTS, "day")


def test_cities_go_by_direct_legs_and_days_in_turn() -> None:
    turned = course_of(task_of(cities=["Port", "Elm"]))
    assert (turned.stops, turned.days) == (["elm", "port"], [0, 2])
    fixed = course_of(task_of(cities=["Port", "Elm"], fixed_order=True, days=5))
    assert (fixed.stops, fixed.days) == (["port", "elm"], [0, 3])
    assert course_of(task_of(reference={"transportation": []}, cities=["Port", "Elm"])).stops == [
        "port",
        "elm",
    ]


def test_without_a_leg_somebody_drives_in_fixed_hours() -> None:
    task = task_of(reference={"transportation": []}, preferences={})
    plan = Search(program_of(task), Limits(relax=True)).run().plan
    written = json.dumps(plan, ensure_ascii=False)
    assert "09:00–11:00" in written and "18:00–20:00" in written
    assert score_plan(plan, task, DEFAULTS, {}).feasible


def test_a_search_that_finds_nothing_says_what_stood_in_its_way() -> None:
    program = read_program(TASK, {"hard": [{"on": "day", "must": "stars(hotel_on(day)) > 7"}]})
    result = Search(program, Limits(nodes=300)).run()
    assert result.plan is None and "stars(hotel_on(day)) > 7" in result.log_text("zh")
    relaxed = Search(program, Limits(nodes=300, relax=True)).run()
    assert score_plan(relaxed.plan, TASK, DEFAULTS, {}).feasible
    long = task_of(days=60)
    assert (
        Search(program_of(long), Limits())
        .run()
        .log_text("en")
        .startswith("No plan: the journey has more than")
    )


# Over a model.


class Play:
    """A session that was played: its plan, its thoughts, what did not count."""

    def __init__(self, conversation: Conversation[Any], model: ScriptedModel) -> None:
        bodies = [event.body for event in conversation.events]
        self.plan = next((body.plan for body in bodies if isinstance(body, PlanProposed)), None)
        self.thoughts = [body.content for body in bodies if isinstance(body, ThoughtKept)]
        self.drafts = [(body.why, body.note) for body in bodies if isinstance(body, DraftWithdrawn)]
        self.model, self.words = model, conversation.state.messages[-1].content


def play(agent: str, task: Task, *replies: Any, **chosen: str) -> Play:
    kind, model = AGENTS[agent], ScriptedModel([r if isinstance(r, str) else json.dumps(r) for r in replies])
    conversation = Conversation(SUITE.play.rules)
    conversation.append(SUITE.play.opening(task))
    options = read_options(SUITE.options, chosen)
    context = SeatContext(seat=AGENT, task=task, language=task.language, options=options)
    seat = kind.make(context, model) if isinstance(kind, OverModel) else kind.make(context)  # type: ignore[union-attr,call-arg]
    run(conversation, {AGENT: seat}, world_tools(open_world(_PACK[0]), task.language))
    return Play(conversation, model)


_PACK: list[Path] = []


@pytest.fixture(autouse=True, scope="module")
def _pack(starter_pack: Path) -> None:
    _PACK[:] = [starter_pack]


def test_constraints_of_a_model_are_solved_and_what_it_wrote_is_kept() -> None:
    sight = TASK.reference.attractions[0]
    played = play("ttg", TASK, {"preferences": {"pacing": "relaxed"}, "must_visit": [sight.id]})
    assert sight.id in json.dumps(played.plan, ensure_ascii=False)
    assert "must_visit" in played.thoughts[0] and "HiGHS: solved" in played.thoughts[0]
    system: Any = played.model.requests[0].messages[0]
    assert sight.name in system["content"] and played.model.requests[0].json_object


def test_a_translation_that_cannot_be_used_is_asked_for_again_then_there_is_no_plan() -> None:
    wrong = {"days": "many", "must_visit": ["nothing"], "colour": 1}
    played = play("ttg", TASK, "Gladly!", wrong, wrong)
    assert [why for why, _ in played.drafts] == ["unreadable", "unreadable"]
    for words in ("days", "“nothing”", "colour"):
        assert words in played.drafts[1][1] and words in str(played.model.requests[2].messages[-1])
    assert played.plan is None and played.words.startswith("No plan") and "Gladly!" not in played.thoughts[0]


def test_statements_of_a_model_are_kept_and_its_sights_come_first() -> None:
    best = TASK.reference.attractions[-1].id
    statements = {"hard": [{"on": "day", "must": "len(visits_on(day)) <= 2"}], "prefer": ["1"]}
    played = play("nesy", TASK, statements, {"sights": [best]})
    assert [why for why, _ in played.drafts] == ["translation"] and played.plan
    counts = [
        sum(item["type"] == "poi" for part in day["scheduleDetail"] for item in part["detailList"])
        for day in played.plan["dayInfos"]
    ]
    assert max(counts) <= 2 and best in json.dumps(played.plan, ensure_ascii=False)
    assert "visits_on(day)" in str(played.model.requests[0].messages[0])


def test_sights_that_cannot_be_read_leave_the_choice_to_kinds_and_distance() -> None:
    played = play("nesy", TASK, {}, "no", {"sights": [3]}, {"sights": ["x"]})
    assert [why for why, _ in played.drafts] == ["translation", "unreadable", "unreadable"]
    assert played.plan == play("nesy_fields", TASK).plan and "kinds and distance" in played.thoughts[0]


@pytest.mark.parametrize(
    "told",
    [
        {"hard": {}},
        {"hard": ["x"]},
        {"hard": [{"on": "now", "must": "1"}]},
        {"hard": [{"on": "day", "must": "rain()"}]},
        {"prefer": [1]},
        {"prefer": ["1"] * 41},
        {"cities": []},
        {"avoid": "x"},
        {"preferences": {"pacing": "wild"}},
    ],
)
def test_a_wrong_translation_names_its_field(told: dict[str, Any]) -> None:
    with pytest.raises(Unreadable, match=next(iter(told))):
        read_program(TASK, told)


def test_options_are_chosen_for_a_run() -> None:
    inns = [{**hotel, "star": 1} for hotel in REFERENCE["hotels"]]
    task = task_of(reference={"hotels": inns}, preferences={"budget": "premium"})
    for agent in ("ttg_fields", "nesy_fields"):
        assert play(agent, task).plan is None
        assert play(agent, task, no_solution="relax").plan is not None


@pytest.mark.parametrize("agent", ["planner", "ttg_fields", "nesy_fields"])
def test_agents_without_a_model_plan_by_the_parameters_of_the_run(agent: str) -> None:
    task = task_of(days=2, cities=["Elm"], return_required=False, preferences={"pacing": "Relaxed"})
    task = task.model_copy(update={"query": task.query.model_copy(update={"departure_city": None})})
    chosen = {"density_full": "0-2", "pacing": "relaxed=0-2", "default_visit_h": "1"}
    usual, changed = play(agent, task), play(agent, task, **chosen)
    parameters = parameters_of(read_options(SUITE.options, chosen))
    before, after = (score_plan(one.plan, task, parameters, {}) for one in (usual, changed))
    assert after.feasible and after.pref is not None and after.pref["pacing"] == 1
    assert before.pref is not None and before.pref["pacing"] < 1 and after.reward > before.reward
