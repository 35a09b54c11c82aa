"""Head counts in queries, and roles of minors."""

from __future__ import annotations

import pytest

from benchmark.suites.grouptravel.scoring.paper.background import heads_in, is_minor


@pytest.mark.parametrize(
    ("query", "heads"),
    [
        ("北京市，五天四夜，2人的旅行计划", 2),
        ("预算5000人民币，2人出行", 2),
        ("3000人均，2人的旅行", 2),
        ("2026人民广场，2人的旅行计划", 2),
        ("第一人民医院附近，两人", 2),
        ("住3人间，2人出行", 2),
        ("4人一间，共8人", 8),
        ("一行十二人", 12),
        ("二十人的团", 20),
        ("一家三口去北京", 3),
        ("三口之家", 3),
        ("一家五口，3人爱吃辣", 5),
        ("3位朋友", 3),
        ("2名游客", 2),
        ("5 days for 3 people", 3),
        ("a trip of 4 travelers", 4),
        ("two cities for 2 persons", 2),
        ("100人", 0),
        ("一百二十人", 0),
        ("1,200 people", 0),
        ("3口味", 0),
        ("0人", 0),
        ("北京，五天四夜", 0),
    ],
)
def test_heads(query, heads):
    assert heads_in(query) == heads


@pytest.mark.parametrize(
    "role",
    [
        "幼儿（0-8岁）",
        "孩子（8-18岁）",
        "孩子C",
        "女儿（12岁）",
        "12岁的女儿",
        "十二岁女儿",
        "17岁学生",
        "儿子（约6岁，爱动物）",
        "高中生",
        "未成年人",
        "daughter (12)",
        "daughter, 12",
        "12-year-old daughter",
        "daughter (12 years old)",
        "child (8–18)",
        "kid 1",
        "teenage brother",
    ],
)
def test_minors(role):
    assert is_minor(role)


@pytest.mark.parametrize(
    "role",
    [
        "母亲",
        "女性单身朋友",
        "祖母（带孩子）",
        "祖母（65岁）",
        "外婆（3岁孩子的）",
        "带孩子的母亲",
        "5岁孩子的妈妈",
        "孩子母亲",
        "母亲带孩子",
        "少年宫老师",
        "儿童医院医生",
        "老师（小学）",
        "女儿（25岁）",
        "25岁的女儿",
        "儿子，19岁",
        "18岁学生",
        "成年儿子",
        "大学生",
        "室友3",
        "User12",
        "friend (2)",
        "son aged 20",
        "daughter (25)",
        "adult son",
        "son-in-law",
        "child's mother",
        "mother of two children",
        "mother of a 12-year-old",
        "father and child",
        "boyfriend",
        "",
    ],
)
def test_adults(role):
    assert not is_minor(role)
