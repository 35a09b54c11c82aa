"""What judges are asked of a plan, and the reward with what they say."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from benchmark.core.events import Event, PlanProposed
from benchmark.judging import read_judgement
from benchmark.labelling.comparing import pair_request, read_choice, read_points, single_request
from benchmark.suites.base import RubricMeans
from benchmark.suites.tripscore.conversation import opening_step
from benchmark.suites.tripscore.events import SessionOpened
from benchmark.suites.tripscore.judging.comparing import QUESTIONS, compared_case
from benchmark.suites.tripscore.judging.rubrics import RUBRICS, join_ratings
from benchmark.suites.tripscore.scoring.parameters import DEFAULTS
from benchmark.suites.tripscore.scoring.reward import highest_of, score_plan
from benchmark.suites.tripscore.tasks import Task
from tests.scale.tripscore import case, plan

AT = datetime(2026, 5, 1, tzinfo=UTC)


def figures_of(kind: str = "synthetic", **changed: Any) -> dict[str, Any]:
    """Of a feasible plan, as a session stores them."""
    own = case()
    own["query"] = {
        **own["query"],
        "type": kind,
        "user_request": "A quiet weekend at the lake for the two of us, by train.",
    }
    task = Task.model_validate(own)
    parameters = DEFAULTS.model_copy(update=changed)
    score = score_plan(plan(), task, parameters, {})
    assert score.feasible
    evidence = {"stated": list(score.stated_wishes), "parameters": parameters.model_dump(mode="json")}
    return {
        "feasible": True, "reward": score.reward, "task": task, "own": parameters,
        **(score.soft or {}), **(score.pref or {}), "evidence": evidence,
    }  # fmt: skip


def means(**ratings: float) -> dict[str, RubricMeans]:
    return {key: RubricMeans({key: value}, 0.0) for key, value in ratings.items()}


@pytest.mark.parametrize("kind", ["synthetic", "real"])
@pytest.mark.parametrize("missing", ["renormalise", "zero"])
@pytest.mark.parametrize("user", [0, 3])
def test_the_rated_reward_is_that_of_the_rules_with_these_ratings(kind: str, missing: str, user: int) -> None:
    figures = figures_of(kind, missing=missing, user_zero=0.5)
    ratings = {"iconic": 5, "diversity": 2, "user": user}
    by_rules = score_plan(plan(), figures["task"], figures["own"], ratings).reward
    assert join_ratings(figures, means(**ratings)) == {"rated": pytest.approx(by_rules)}


def test_there_is_a_rated_reward_where_everything_that_counts_is_rated() -> None:
    assert join_ratings(figures_of(), means(iconic=5)) == {}
    assert join_ratings(figures_of("real"), means(iconic=5, diversity=5)) == {}
    shut = {"feasible": None, "reward": -3.0, "evidence": {}}
    assert join_ratings(shut, means(iconic=1)) == {"rated": -3.0}


def test_the_highest_reward_is_that_of_what_can_be_had() -> None:
    wishes = ("pacing",)
    tops = {
        (kind, rated): highest_of(kind, DEFAULTS, wished=wishes, rated=rated)
        for kind in ("synthetic", "real")
        for rated in (False, True)
    }
    assert tops == {
        ("synthetic", False): pytest.approx(3.1), ("synthetic", True): pytest.approx(3.1),
        ("real", False): pytest.approx(3.0), ("real", True): pytest.approx(4.4),
    }  # fmt: skip
    zero = DEFAULTS.model_copy(update={"missing": "zero"})
    assert highest_of("real", zero, wished=(), rated=False) == pytest.approx(2 + 2.5 / 2.8)
    assert highest_of("synthetic", zero, wished=wishes, rated=False) == pytest.approx(2 + 2.5 / 2.8 + 0.1)
    assert highest_of("synthetic", zero, wished=(), rated=True) == pytest.approx(3.0)


@pytest.mark.parametrize("rubric", RUBRICS, ids=lambda rubric: rubric.name)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_each_prompt_asks_for_what_is_read(rubric: Any, language: str) -> None:
    """The example of an answer that it shows is one that can be read whole."""
    form = rubric.forms["published"]
    system = form.prompts.fill(language, "judge_system", rubric=form.prompts.fill(language, "rubric"))
    example = system.splitlines()[-1]
    read = read_judgement(example, rubric.dimensions, frozenset())
    assert read.complete and not read.faults and read.scores == {rubric.name: 4}
    lists = read.ratings[rubric.name].as_json().get("lists", {})
    assert set(lists) == {key for key, _label in rubric.dimensions[0].lists}


def test_what_a_judge_lists_is_kept_whatever_its_shape() -> None:
    said = {
        "iconic": {"score": 2, "rationale": "few", "missing_attractions": ["Tower", {"name": "Lake"}, ""]}
    }
    read = read_judgement(json.dumps(said), RUBRICS[0].dimensions, frozenset())
    assert read.ratings["iconic"].lists == {"missing_attractions": ("Tower", '{"name": "Lake"}')}
    assert (
        "lists"
        not in read_judgement('{"user": {"score": 0, "rationale": "x"}}', RUBRICS[2].dimensions, ())
        .ratings["user"]
        .as_json()
    )


@pytest.mark.parametrize("language", ["en", "zh"])
def test_whoever_compares_is_shown_request_and_plan_in_the_language_of_the_task(language: str) -> None:
    """A Chinese name of a city in an English request does not make the questions Chinese."""
    own = case()
    words = {
        "en": "Three quiet days in 深圳市 by train please, for the two of us",
        "zh": "想坐火车去深圳安静地玩三天，两个人",
    }
    own["query"] = {**own["query"], "type": "real", "user_request": words[language]}
    opened = opening_step(Task.model_validate(own)).bodies[0]
    assert isinstance(opened, SessionOpened)
    log = [Event(1, "system", "all", opened.model_copy(update={"language": language}), AT)]
    one, none = (
        compared_case([*log, Event(2, "Agent", "all", PlanProposed(plan=plan()), AT)]),
        compared_case(log),
    )
    pair = [str(message["content"]) for message in pair_request(one, none, QUESTIONS).messages]
    alone = [str(message["content"]) for message in single_request(one, QUESTIONS).messages]
    assert (one.language, one.request) == (language, opened.query)
    assert (
        pair[1].index("itineraryName")
        < pair[1].index("Route B")
        < pair[1].index(QUESTIONS.prompts.line(language, "lines", "no_plan"))
    )
    assert "itineraryName" in alone[1] and "$" not in pair[0] + alone[0] and "10:00" in pair[0]
    assert not pair_request(one, none, QUESTIONS).json_object
    with pytest.raises(ValueError, match="opening"):
        compared_case([])


def test_a_route_and_points_alone_are_answers() -> None:
    assert read_choice("Route B").choice == "B" and read_choice("**Route A**").choice == "A"
    assert read_points("73").points == 73 and not read_choice("Route A or Route B").choice
