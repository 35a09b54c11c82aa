"""What in a message of the agent goes against a strong wish of the person's."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark.suites.grouptravel.scoring import Catalogue
from benchmark.suites.grouptravel.travellers.people.clashes import Clash, clashes
from tests.benchmark.suites.grouptravel.scoring.build import block, day, leg, meal, place, plan, sight
from tests.benchmark.suites.grouptravel.travellers.people.people import HANGZHOU, JUNK, SUZHOU, odd_tables
from tests.benchmark.suites.grouptravel.travellers.scripted.cast import ME, TABLE, view
from tests.properties import examples

MUSTS = (sight("灵隐寺"), sight("西湖风景名胜区", "11:00", "12:00"))
GARDEN = block(sight("拙政园", "15:00", "16:00"), city="苏州市")


def in_plan(*segments: Any, catalogue: Catalogue | None = None, **options: Any) -> list[tuple[str, str]]:
    text = "```json\n" + json.dumps(plan(day(*segments)), ensure_ascii=False) + "\n```"
    return [(c.item, c.kind) for c in clashes(view(text, **options), text, catalogue)]


def in_prose(text: str) -> list[tuple[str, str]]:
    return [(clash.item, clash.kind) for clash in clashes(view(text), text)]


def test_prose_that_proposes_what_is_refused_or_drops_a_must_or_exceeds_a_cap_clashes() -> None:
    assert in_prose("建议大家坐飞机去，人均3000元，取消灵隐寺。") == [
        ("高铁", "left_out"),
        ("飞机", "refused"),
        ("2500", "limit"),
        ("灵隐寺", "left_out"),
    ]


def test_a_clash_says_which_field_of_which_city_it_is() -> None:
    text = "建议在杭州吃川菜。"
    assert clashes(view(text), text) == (Clash("川菜", f"{HANGZHOU}.food.reject_eat", "杭州市", "refused"),)


def test_a_question_to_this_person_proposes_nothing() -> None:
    assert in_prose(f"@{ME} 您能接受川菜吗？") == []


def test_weak_wishes_do_not_clash() -> None:
    assert in_prose("建议大家住豪华型酒店，吃西式快餐。") == []


def test_what_was_defended_before_clashes_again() -> None:
    seen = view("我们决定坐飞机去。", (ME, "等一下，飞机我绝对不坐。"), "我们还是决定坐飞机去。")
    assert ("飞机", "refused") in [(c.item, c.kind) for c in clashes(seen, "我们还是决定坐飞机去。")]


def test_a_plan_that_keeps_all_strong_wishes_does_not_clash() -> None:
    assert in_plan(leg("上海市", "杭州市"), block(*MUSTS), GARDEN) == []


def test_a_plan_without_a_must_leaves_it_out() -> None:
    assert in_plan(leg("上海市", "杭州市"), block(MUSTS[0])) == [
        ("西湖风景名胜区", "left_out"),
        ("拙政园", "left_out"),
    ]


def test_a_must_that_others_visit_alone_is_left_out() -> None:
    apart = sight("灵隐寺", who=("User2",))
    assert in_plan(leg("上海市", "杭州市"), block(apart, MUSTS[1]), GARDEN) == [("灵隐寺", "left_out")]


def test_a_refused_sight_dish_or_mode_in_the_plan_clashes_for_those_who_take_part() -> None:
    city = block(*MUSTS, sight("宋城", "13:00", "14:00"), meal("老成都川菜馆", "14:00", "15:00"))
    assert in_plan(leg("上海市", "杭州市", "飞机"), leg("杭州市", "苏州市"), city) == [
        ("飞机", "refused"),
        ("宋城", "refused"),
        ("川菜", "refused"),
        ("拙政园", "left_out"),
    ]
    others = block(*MUSTS, sight("宋城", "13:00", "14:00", who=("User2",)))
    assert in_plan(leg("上海市", "杭州市"), others, GARDEN) == []


def test_what_overlaps_in_time_is_in_the_plan_all_the_same() -> None:
    city = block(*MUSTS, sight("宋城", "11:30", "12:30"))
    assert in_plan(leg("上海市", "杭州市"), city) == [("宋城", "refused"), ("拙政园", "left_out")]


def test_one_of_several_modes_that_must_be_is_enough() -> None:
    own = json.loads(json.dumps(TABLE))
    own["global_constraints"]["transport"]["must"] = ["高铁", "自驾"]
    assert in_plan(leg("上海市", "杭州市"), block(*MUSTS), GARDEN, wishes=own) == []
    assert in_plan(leg("上海市", "杭州市", "火车"), block(*MUSTS), GARDEN, wishes=own) == [
        ("高铁", "left_out"),
        ("自驾", "left_out"),
    ]


def test_a_plan_that_is_too_dear_or_too_full_exceeds_a_cap() -> None:
    more = [sight(f"湖{at}", f"{at}:00", f"{at}:30") for at in (13, 14)]
    found = in_plan(leg("上海市", "杭州市", avg_cost=2600), block(*MUSTS, *more), GARDEN)
    assert found == [("2500", "limit"), ("3", "limit")]


def test_with_the_catalogue_it_is_known_what_a_restaurant_serves() -> None:
    catalogue = Catalogue({"杭州市": [place("蜀香", "川菜", "food"), place("外婆家", "杭帮菜", "food")]})
    city = block(*MUSTS, meal("蜀香"))
    assert in_plan(leg("上海市", "杭州市"), city, GARDEN) == []
    assert in_plan(leg("上海市", "杭州市"), city, GARDEN, catalogue=catalogue) == [
        ("杭帮菜", "left_out"),
        ("川菜", "refused"),
    ]
    both = block(*MUSTS, meal("外婆家"))
    assert in_plan(leg("上海市", "杭州市"), both, GARDEN, catalogue=catalogue) == []


def test_what_was_given_up_no_longer_clashes() -> None:
    own = json.loads(json.dumps(TABLE))
    own["city_specific_preferences"]["苏州市"]["attractions"]["must_visit"] = []
    assert in_plan(leg("上海市", "杭州市"), block(*MUSTS), wishes=own) == []


def test_a_bare_name_that_a_compromise_left_is_one_name() -> None:
    own = {"city_specific_preferences": {"苏州市": {"attractions": {"must_visit": "拙政园"}}}}
    assert in_plan(block(), wishes=own) == [("拙政园", "left_out")]
    text = json.dumps(plan(day(block())))
    assert [clash.path for clash in clashes(view(text, wishes=own), text)] == [
        f"{SUZHOU}.attractions.must_visit"
    ]


def test_without_a_card_nothing_clashes() -> None:
    assert clashes(replace(view("好的。"), card=None), "建议大家坐飞机去。") == ()


@given(odd_tables(), st.text(max_size=40), JUNK)
@settings(max_examples=examples(120), deadline=None)
def test_odd_tables_texts_and_plans_are_survived(own: Any, text: str, junk: Any) -> None:
    broken = json.dumps({"days": [{"city_segments": [junk, block(sight("西湖", who=junk))]}]})
    for content in (text, f"建议大家坐飞机去。{text}", broken):
        assert isinstance(clashes(view(content, wishes=own), content), tuple)
