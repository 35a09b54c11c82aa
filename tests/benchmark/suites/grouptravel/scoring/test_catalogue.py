"""What a name in a plan means in the catalogue."""

from __future__ import annotations

import time

import pytest

from benchmark.suites.grouptravel.scoring import Catalogue
from tests.benchmark.suites.grouptravel.scoring.build import CITY, place


def matched_name(name, *places, city=CITY):
    match = Catalogue({CITY: list(places)}).place(city, name)
    return match and match.name


def test_the_exact_name_comes_first():
    assert matched_name("西湖", place("西湖边"), place("西湖")) == "西湖"


def test_else_the_shortest_name_that_contains_it():
    assert matched_name("西湖", place("杭州西湖风景区"), place("杭州西湖")) == "杭州西湖"


def test_the_first_of_two_equally_long():
    assert matched_name("西湖", place("西湖东"), place("西湖西")) == "西湖东"


def test_of_two_records_with_one_name_the_last():
    assert (
        Catalogue({CITY: [place("西湖", "园林"), place("西湖", "公园")]}).place(CITY, "西湖").category
        == "公园"
    )


def test_not_the_other_way_round():
    assert matched_name("杭州西湖风景区", place("西湖")) is None


def test_only_in_that_city():
    assert matched_name("西湖", place("西湖"), city="杭州") is None


@pytest.mark.parametrize("name", ["", "\n", "湖\n东"])
def test_no_name_at_all(name):
    assert matched_name(name, place("西湖"), place("东湖")) is None


@pytest.mark.parametrize(
    ("kind", "given", "counted"),
    [
        ("hotels", "精品", "商务酒店"),
        ("hotels", "", "商务酒店"),
        ("hotels", "民宿", "民宿"),
        ("attractions", "旅游景点", "公园"),
        ("attractions", "滑雪", "公园"),
        ("attractions", "游客中心", "公园"),
        ("attractions", "", "公园"),
        ("attractions", "园林", "园林"),
        ("food", "食堂", "中餐"),
        ("food", "米粉", "中餐"),
        ("food", "", "中餐"),
        ("food", None, "中餐"),
        ("food", "川菜", "川菜"),
    ],
)
def test_categories_outside_the_rules_fall_back(kind, given, counted):
    assert Catalogue({CITY: [place("x", given, kind)]}).place(CITY, "x").category == counted


def test_broken_entries_are_left_out():
    broken = {CITY: [None, {}, {"name": 3}, {"name": ""}, {"name": "好", "poi_type": []}], "x": None}
    assert len(Catalogue(broken)) == 1


def test_a_large_catalogue_does_not_slow_a_lookup():
    large = Catalogue({CITY: [place(f"{i:06d}号美食广场分店{'东' * (i % 40)}") for i in range(50_000)]})
    start = time.perf_counter()
    for name in ("000777号美食", "没有这一家", "店"):
        large.place(CITY, name)
    assert time.perf_counter() - start < 0.1
