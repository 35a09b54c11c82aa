"""Scenario D: giving something up on request, with a marker, or refusing without one."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from benchmark.core.actions import Say
from benchmark.suites.grouptravel.travellers.scripted import ScriptedUser
from benchmark.suites.grouptravel.travellers.scripted.language import language
from tests.benchmark.suites.grouptravel.travellers.scripted.cast import CALM, ME, table, view

SPEECH = language("zh").speech
HANGZHOU = "city_specific_preferences.杭州市"
REQUESTS = [
    ("您能接受把高铁换成火车吗？", "global_constraints.transport.must", ["火车"]),
    ("您能不能不坚持必须坐高铁？", "global_constraints.transport.must", []),
    ("能不能接受坐飞机？", "global_constraints.transport.reject", []),
    ("您坚持高铁，但User2想坐飞机，您愿意接受飞机吗？", "global_constraints.transport.reject", []),
    ("预算能不能提高到3000元？", "global_constraints.avg_budget", 3000),
    ("是否可以将预算上限从2500元调整到2800元？", "global_constraints.avg_budget", 2800),
    ("您能多加300元预算吗？", "global_constraints.avg_budget", 2800),
    ("预算能否上浮10%？", "global_constraints.avg_budget", 2750),
    ("预算能放宽到三千元吗？", "global_constraints.avg_budget", 3000),
    ("预算有没有调整空间？", "global_constraints.avg_budget", 2800),
    ("如果每天去四个景点，您能接受吗？", "global_constraints.intensity.max_poi_per_day", 4),
    ("能不能每天多逛一个景点？", "global_constraints.intensity.max_poi_per_day", 4),
    ("每天的活动时间能不能延长到9小时？", "global_constraints.intensity.max_active_hours", 9),
    ("您能接受豪华型酒店吗？", "global_constraints.hotel_preference.avoid", []),
    ("民宿换成经济型可以吗？", "global_constraints.hotel_preference.prefer", ["舒适型", "经济型"]),
    ("您能否放弃灵隐寺？", f"{HANGZHOU}.attractions.must_visit", ["西湖风景名胜区"]),
    ("关于灵隐寺，能接受放弃吗？", f"{HANGZHOU}.attractions.must_visit", ["西湖风景名胜区"]),
    ("可不可以不去西湖了？", f"{HANGZHOU}.attractions.must_visit", ["灵隐寺"]),
    ("希望您能放弃西湖和灵隐寺", f"{HANGZHOU}.attractions.must_visit", []),
    ("宋城是User2的必去景点，您能否接受去一次？", f"{HANGZHOU}.attractions.reject_visit", []),
    ("游乐园这类您能接受吗？", f"{HANGZHOU}.attractions.category_pref.negative", []),
    ("其他人都倾向于坐火车，你看行不行？", "global_constraints.transport.must", ["火车"]),
    ("关于川菜，User2非常想吃，您能让步吗？", f"{HANGZHOU}.food.reject_eat", []),
    ("大家都想吃川菜，可以安排一顿吗？", f"{HANGZHOU}.food.reject_eat", []),
    ("灵隐寺这次能不能先放一放？", f"{HANGZHOU}.attractions.must_visit", ["西湖风景名胜区"]),
    ("灵隐寺让给别人的心愿，好吗？", f"{HANGZHOU}.attractions.must_visit", ["西湖风景名胜区"]),
    ("你愿意多花500块吗？", "global_constraints.avg_budget", 3000),
    ("预算能往上提一提吗？", "global_constraints.avg_budget", 2800),
    ("川菜你能忍一顿吗？", f"{HANGZHOU}.food.reject_eat", []),
    ("我打算安排飞机，你不反对吧？", "global_constraints.transport.reject", []),
    ("在苏州能否放弃拙政园？", "city_specific_preferences.苏州市.attractions.must_visit", []),
]


def reply(text: str, **options: Any) -> tuple[str, str | None, Any]:
    """What is said, and the path and value of the marker, None without one."""
    action = ScriptedUser().act(view(f"@{ME} {text}", **options))
    assert isinstance(action, Say)
    words, _, marker = action.content.partition("\n")
    match = re.fullmatch(r"\[([^\s:]+) : (.+)\]", marker)
    assert bool(match) is bool(marker)
    return words, match and match[1], match and json.loads(match[2])


@pytest.mark.parametrize(("request_", "path", "value"), REQUESTS)
def test_a_traveller_who_may_yield_agrees_with_a_marker(request_, path, value):
    words, *marker = reply(request_)
    assert marker == [path, value]
    assert any(word in words for word in ("好吧", "行", "可以", "接受", "不坚持", "没意见", "没问题", "同意"))


@pytest.mark.parametrize(("request_", "path", "value"), REQUESTS)
@pytest.mark.parametrize("options", [{"compromisable": False}, {"left": 0}])
def test_one_who_may_not_yield_declines_without_a_marker(request_, path, value, options):
    words, marker, _ = reply(request_, **options)
    assert marker is None
    assert any(word in words for word in ("不", "没法", "没得", "抱歉"))


@pytest.mark.parametrize("seed", range(20))
def test_strong_tiers_are_refused_firmly_and_weak_ones_mildly(seed):
    strong = reply("您能否放弃灵隐寺？", compromisable=False, seed=seed)[0]
    weak = reply("民宿换成经济型可以吗？", compromisable=False, seed=seed)[0]
    assert any(word in strong for word in ("一定", "底线", "必须", "非", "肯定", "说什么", "必去"))
    assert any(word in weak for word in ("想", "最好", "倾向", "更好"))


@pytest.mark.parametrize(
    "text",
    [
        "您愿意放弃雷峰塔吗？",
        "您是否可以不去宋城？",
        "那我们就把宋城排除，改去雷峰塔，可以吗？",
        "能接受住经济型酒店吗？",
        "预算降到2000元可以吗？",
        "能接受坐高铁吗？",
    ],
)
def test_a_request_that_costs_nothing_is_agreed_to_without_a_marker(text):
    words, marker, _ = reply(text)
    assert marker is None
    assert words in SPEECH["replies"]["fine"]


@pytest.mark.parametrize(
    ("asked", "agreed"),
    [
        ("每天的活动时间能不能延长到12小时？", True),
        ("每天的活动时间能不能延长到13小时？", False),
        ("预算能不能提高到3700元？", True),
        ("预算能不能提高到6000元？", False),
    ],
)
def test_a_limit_is_raised_by_half_at_most(asked: str, agreed: bool) -> None:
    words, path, _ = reply(asked)
    assert (path is not None) is agreed
    assert agreed or ("2500" in words or "8" in words)


def test_a_request_that_names_no_item_is_asked_back():
    for text in ("景点上您能让步吗？", "我注意到你和User2在交通方式上有冲突。能不能请你退一步？"):
        words, marker, _ = reply(text)
        assert marker is None
        assert words in SPEECH["replies"]["which"]


def test_a_topic_with_one_strong_item_needs_no_name():
    assert reply("苏州的景点上您能让步吗？")[1:] == (
        "city_specific_preferences.苏州市.attractions.must_visit",
        [],
    )


def test_an_attached_traveller_keeps_the_only_must_but_yields_elsewhere():
    attached = [s for s in range(200) if reply("您能不能不坚持必须坐高铁？", seed=s)[1] is None]
    assert 20 <= len(attached) <= 60
    assert CALM not in attached
    assert reply("您能否放弃灵隐寺？", seed=attached[0])[1] is not None


@pytest.mark.parametrize(
    "problem", ["unresolvable", "unknown_field", "unsolicited", "over_quota", "not_allowed"]
)
def test_a_refused_marker_is_dropped(problem):
    assert reply("您能否放弃灵隐寺？", attempt=2, problem=problem)[1] is None


def test_a_malformed_marker_is_written_in_plain_ascii_once():
    assert reply("您能否放弃灵隐寺？", attempt=2, problem="malformed")[2] == ["西湖风景名胜区"]
    assert reply("您能否放弃灵隐寺？", attempt=3, problem="malformed")[1] is None


def test_without_being_solicited_nothing_is_given_up():
    assert reply("您能否放弃灵隐寺？", solicited=False)[1] is None


@pytest.mark.parametrize(
    "text", ["感谢您同意放弃灵隐寺。", "考虑到您不能放弃灵隐寺，我们会保留它。", "您的预算是多少？"]
)
def test_other_messages_get_no_marker(text):
    assert reply(text)[1] is None


def test_what_is_already_given_up_is_not_given_up_again():
    transport = {"must": [], "prefer": [], "avoid": [], "reject": []}
    assert reply("您能接受把高铁换成火车吗？", wishes=table(transport=transport))[1] is None


def test_a_marker_survives_brackets_in_names():
    wishes = table()
    wishes["city_specific_preferences"]["杭州市"]["food"]["reject_eat"] = ["川菜", "西餐厅[综合]"]
    assert reply("能接受川菜吗？", wishes=wishes)[2] == ["西餐厅[综合]"]


def test_a_question_beside_the_request_is_answered_too():
    action = ScriptedUser().act(view(f"@{ME} 您能否放弃灵隐寺？另外您的预算是多少？"))
    assert isinstance(action, Say)
    assert "2500元" in action.content and action.content.endswith("]]")


def test_consent_never_covers_a_must_that_is_left_open():
    words, marker, _ = reply("灵隐寺这件事，你就成全一下别人，好吗？")
    assert marker is None and "没意见" not in words and "灵隐寺" in words


def test_a_request_for_two_fields_gives_up_one_and_defends_the_other():
    words, path, value = reply("每天玩10个小时，安排5个景点，这样行吗？")
    assert (path, value) == ("global_constraints.intensity.max_active_hours", 10)
    assert "3个" in words


def test_what_is_given_up_is_not_insisted_on_in_the_same_breath():
    words, path, _ = reply("你必须坐高铁吗？改成飞机行不行？")
    assert path == "global_constraints.transport.reject" and "一定" not in words


@pytest.mark.parametrize("request_", [text for text, _, _ in REQUESTS])
def test_a_traveller_who_may_not_yield_never_writes_a_marker(request_):
    for options in ({"compromisable": False}, {"left": 0}, {"solicited": False}):
        words, marker, _ = reply(request_, **options)
        assert words and marker is None
