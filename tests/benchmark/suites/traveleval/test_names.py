from __future__ import annotations

import copy
from random import Random

import pytest

from benchmark.suites.traveleval.names import Names, standardise
from benchmark.suites.traveleval.world import Tables
from tests.scale.traveleval import break_plan, sound_plan

NAMES = Names(["灵隐寺", "西湖风景名胜区", "外婆家(湖滨店)", "外婆家(武林店)", "杭州东站"])


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("灵隐寺", "灵隐寺"),
        ("前往灵隐寺", "灵隐寺"),
        ("参观灵隐寺/飞来峰", "灵隐寺"),
        ("灵隐寺、飞来峰", "灵隐寺"),
        ("外婆家（武林广场店）", "外婆家(武林店)"),
        ("外婆家", "外婆家(湖滨店)"),
        ("西湖风景区", "西湖风景名胜区"),
        ("故宫博物院", "故宫博物院"),
        ("前往", "前往"),
        ("", ""),
    ],
)
def test_a_name_becomes_the_one_that_is_meant(name: str, meant: str) -> None:
    assert NAMES.find(name) == meant


def test_changes_are_told_and_the_plan_stays(starter: Tables) -> None:
    plan = sound_plan(starter, Random(1))
    first = plan["daily_plans"][0]["activities"][0]
    name = first["location_name"]
    first["location_name"] = f"参观{name}"
    plan["intercity_transport"]["transport_type"][1]["location_name"] = "前往北京南站"
    before = copy.deepcopy(plan)
    mended, changes = standardise(plan, starter, "杭州")
    assert plan == before
    assert [(change.before, change.after) for change in changes] == [
        ("前往北京南站", "北京南站"), (f"参观{name}", name),
    ]  # fmt: skip
    assert mended["daily_plans"][0]["activities"][0]["location_name"] == name
    assert standardise(mended, starter, "杭州")[1] == []


def test_broken_plans_are_mended_as_far_as_they_have_names(starter: Tables) -> None:
    random = Random(4)
    for _ in range(100):
        broken = break_plan(sound_plan(starter, random), random)
        if isinstance(broken, dict):
            standardise(broken, starter, "杭州")
