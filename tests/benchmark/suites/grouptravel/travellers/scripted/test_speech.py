"""How wishes are put: in clauses that suit their names, cities named once, nothing said twice in one message."""

from __future__ import annotations

import re
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from benchmark.core.actions import Pass, Say
from benchmark.suites.grouptravel.preferences import TRANSPORT_MODES
from benchmark.suites.grouptravel.travellers.scripted import ScriptedUser
from benchmark.suites.grouptravel.travellers.scripted.language import language
from sandbox.worlds import World
from sandbox.worlds.records import HOTEL_CLASSES
from sandbox.worlds.value_names import value_names
from tests.benchmark.suites.grouptravel.travellers.scripted.cast import ME, TABLE, view
from tests.benchmark.suites.grouptravel.travellers.scripted.sessions import starter_tasks

SEEDS = range(12)
ENGLISH_QUERY = "Hangzhou (杭州市) and Suzhou (苏州市), 3 days and 2 nights, a trip for 3 people"
SUZHOU = {"must_eat": ["茶馆"], "prefer_eat": ["咖啡厅", "苏帮菜"], "avoid_eat": [], "reject_eat": ["奎元馆"]}


def table() -> dict[str, Any]:
    copy = deepcopy(TABLE)
    copy["city_specific_preferences"]["苏州市"]["food"] = SUZHOU
    return copy


def answer(text: str, code: str = "zh", **options: Any) -> str:
    seen = view(f"@{ME} {text}", **{"wishes": table(), **options})
    if code == "en":
        seen = replace(seen, language="en", query=ENGLISH_QUERY)
    action = ScriptedUser().act(seen)
    assert isinstance(action, Say)
    return action.content


def polled_reply(*messages: Any, **options: Any) -> str:
    action = ScriptedUser().act(view(*messages, kind="polled", **options))
    assert isinstance(action, Say | Pass)
    return action.content if isinstance(action, Say) else ""


@pytest.mark.parametrize("seed", SEEDS)
def test_a_city_is_named_once_where_several_are_asked_about_and_else_not(seed: int) -> None:
    both = answer("杭州和苏州有什么必去的景点、想吃的东西？", seed=seed)
    assert both.count("杭州") == both.count("苏州") == 1 and "杭州市" not in both
    one = answer("在苏州有什么必去的景点、想吃的东西？", seed=seed)
    assert "苏州" not in one and "拙政园" in one and "茶馆" in one


@pytest.mark.parametrize("seed", SEEDS)
def test_an_english_city_has_its_english_name(seed: int) -> None:
    both = answer("Which sights must we see in Hangzhou and Suzhou?", "en", seed=seed)
    assert both.count("Hangzhou") == both.count("Suzhou") == 1 and "市" not in both


@pytest.mark.parametrize("seed", SEEDS)
def test_a_place_to_drink_or_eat_at_is_no_dish(seed: int) -> None:
    clauses = re.split("[，。]", answer("在苏州您对吃的有什么要求？", seed=seed))
    for name in ("茶馆", "咖啡厅"):
        said = next(clause for clause in clauses if name in clause)
        assert re.search("喝|坐", said) and "吃" not in said and "喝一杯" not in said
    english = answer("What would you like to eat in Suzhou?", "en", seed=seed)
    assert not re.search(r"eat(?:ing)? (?:some )?(?:teahouses|coffee shops|奎元馆)", english)
    assert re.search(r"drink\w*\b[^.]*teahouses \(茶馆\)", english)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_mild_wish_does_not_contradict_a_must(seed: int) -> None:
    """高铁 is a must and 自驾 is liked: not "one must, and the other rather"."""
    said = answer("您想怎么去？", seed=seed)
    about = next(clause for clause in re.split("[，。]", said) if "自驾" in clause)
    assert "更" not in about and "最好" not in about and "比较" not in about


@pytest.mark.parametrize("code", ["zh", "en"])
def test_a_name_in_two_tiers_is_not_said_in_the_same_words(code: str) -> None:
    wishes = table()
    food = wishes["city_specific_preferences"]["苏州市"]["food"]
    food |= {"must_eat": ["苏帮菜"], "prefer_eat": ["苏帮菜"], "avoid_eat": [], "reject_eat": []}
    asked = {"zh": "在苏州您对吃的有什么要求？", "en": "What would you like to eat in Suzhou?"}[code]
    speech = language(code).speech["food"]
    for seed in SEEDS:
        said = answer(asked, code, wishes=wishes, seed=seed)
        assert said.count("苏帮菜") == 2
        frames = [wording.split("{items}") for wording in speech["twice_prefer"]]
        assert any(before.lower() in said.lower() and after in said for before, after in frames)


def test_what_the_answer_says_is_not_objected_to_before_it() -> None:
    for seed in SEEDS:
        said = answer("我们统一坐飞机去。您对交通有什么要求？", seed=seed)
        assert said.count("飞机") == said.count("高铁") == 1
        assert said.startswith(tuple(language("zh").speech["object"]["lead"]))


def test_an_objection_to_two_things_has_one_lead() -> None:
    for seed in SEEDS:
        said = polled_reply("我们统一坐飞机，第一天去宋城。", seed=seed, round_=15)
        assert "飞机" in said and "宋城" in said and said.count("。") == 1
        leads = [lead for lead in language("zh").speech["object"]["lead"] if lead in said]
        assert said.startswith(tuple(leads))


def test_nobody_asks_what_somebody_has_asked() -> None:
    """Each wording of a question shuts all others about the same thing, whoever used it."""
    asked = language("zh").speech["ask"]
    for wording in asked["ticket"]:
        told = ("User2", wording.format(items="灵隐寺"))
        for seed in range(30):
            said = polled_reply("大家好。", told, "灵隐寺门票30元。", seed=seed, round_=3)
            assert not ("灵隐寺" in said and ("门票" in said or "票" in said)), said


def test_every_kind_has_an_english_name(world: World) -> None:
    """Modes, hotel classes, and every category that a place of the starter world or a shipped table has."""
    glosses = value_names("en")
    kinds = {
        p.category
        for city in world.cities()
        for kind in ("attraction", "restaurant")
        for p in world.places(city.name, kind)
    }
    for task in starter_tasks():
        for card in task.user_preferences.values():
            for city in card.preference["city_specific_preferences"].values():
                liked = city["attractions"]["category_pref"]
                kinds |= {*liked["positive"], *liked["negative"]}
    assert {kind for kind in {*kinds, *TRANSPORT_MODES, *HOTEL_CLASSES} if kind not in glosses} == set()
    assert not any(
        "regular train" in word or re.search(r"[\u3400-\u9fff]", word) for word in glosses.values()
    )
    assert len(set(glosses.values())) == len(glosses)


def test_a_value_is_quoted_in_answers_and_called_by_its_english_name_later() -> None:
    told = answer("How would you like to travel there?", "en")
    assert "high-speed rail (高铁)" in told.lower()
    seen = view(
        (ME, told), f"@{ME} Could you accept slow trains instead of high-speed rail?", compromisable=False
    )
    action = ScriptedUser().act(replace(seen, language="en", query=ENGLISH_QUERY))
    assert isinstance(action, Say)
    assert "high-speed rail" in action.content.lower() and "高铁" not in action.content
