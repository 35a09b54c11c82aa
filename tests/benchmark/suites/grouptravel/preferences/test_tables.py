"""The schema of preference tables, and reading them leniently."""

from __future__ import annotations

import json

import pytest

from benchmark.suites.grouptravel.preferences import (
    CITY_FIELDS,
    FIELDS,
    GLOBAL_FIELDS,
    cities,
    filled_fields,
    is_schema_path,
    number,
    read,
    table_of,
)

TABLE = {
    "global_constraints": {"avg_budget": 3000, "transport": {"must": ["高铁"]}, "intensity": None},
    "city_specific_preferences": {"杭州市": {"food": {"must_eat": "面", "avoid_eat": []}}, "苏州市": 3},
}


def field(tail):
    return next(f for f in FIELDS if ".".join(f.keys) == tail)


def test_nine_global_fields_and_eight_of_a_city():
    assert (len(GLOBAL_FIELDS), len(CITY_FIELDS)) == (9, 8)
    assert field("avg_budget").path == "global_constraints.avg_budget"
    assert field("food.must_eat").path_in("杭州市") == "city_specific_preferences.杭州市.food.must_eat"


@pytest.mark.parametrize("f", FIELDS, ids=lambda f: f.path)
def test_tiers_weigh_what_the_paper_says(f):
    assert f.points == {"must": 2, "prefer": 1, "avoid": -1, "reject": -2, "cap": -2}[f.tier]
    assert f.strength == ("strong" if f.tier in ("must", "reject", "cap") else "weak")
    assert (f.kind == "scalar") == (f.tier == "cap")


def test_values_are_read_raw_and_never_coerced():
    assert read(TABLE, field("avg_budget")) == 3000
    assert read(TABLE, field("food.must_eat"), "杭州市") == "面"


@pytest.mark.parametrize("tail", ["transport.reject", "intensity.max_poi_per_day", "hotel_preference.prefer"])
def test_a_missing_part_reads_as_none(tail):
    assert read(TABLE, field(tail)) is None
    assert read(None, field(tail)) is None


def test_a_city_without_preferences_reads_as_none():
    assert read(TABLE, field("food.must_eat"), "苏州市") is None
    assert read(TABLE, field("food.must_eat"), "上海市") is None


def test_cities_in_their_order():
    assert cities(TABLE) == ("杭州市", "苏州市")
    assert cities([]) == ()


def test_filled_fields():
    found = [(f.path_in(city), value) for f, city, value in filled_fields(TABLE)]
    assert found == [
        ("global_constraints.avg_budget", 3000),
        ("global_constraints.transport.must", ["高铁"]),
        ("city_specific_preferences.杭州市.food.must_eat", "面"),
    ]


def test_a_table_stays_as_it_was():
    before = json.dumps(TABLE)
    filled_fields(TABLE)
    assert json.dumps(TABLE) == before


@pytest.mark.parametrize(
    ("value", "cap"), [(3, 3), (2.5, 2.5), (0, None), (-1, None), ("3", None), (None, None)]
)
def test_number(value, cap):
    assert number(value) == cap
    assert number(float("nan")) is number(float("inf")) is None


def test_a_written_table_has_a_value_of_every_field_in_its_place():
    table = table_of(["杭州市"], lambda field, city: f"{city} {field.path_in(city)}")
    assert all(read(table, f) == f" {f.path}" for f in GLOBAL_FIELDS)
    assert all(read(table, f, "杭州市") == f"杭州市 {f.path_in('杭州市')}" for f in CITY_FIELDS)


def test_a_field_without_a_value_is_left_out_and_the_object_above_it_is_not():
    table = table_of([], lambda field, city: None)
    assert table["global_constraints"] == {"transport": {}, "intensity": {}, "hotel_preference": {}}


class TestPaths:
    CITIES = ("杭州市", "苏州市")

    @pytest.mark.parametrize("f", FIELDS, ids=lambda f: f.path)
    def test_every_field_has_one(self, f):
        assert is_schema_path(f.path_in("杭州市"), self.CITIES)

    @pytest.mark.parametrize(
        "path",
        [
            "", "avg_budget", "global_constraints", "global_constraints.transport",
            "global_constraints.transport.may",
            "global_constraints.food.must_eat", "city_specific_preferences.上海市.food.must_eat",
            "city_specific_preferences.杭州市.food", "city_specific_preferences.food.must_eat",
            "city_specific_preferences.杭州市.avg_budget", "city_specific_preferences.杭州市.food.must_eat.0",
        ],
    )  # fmt: skip
    def test_nothing_else_has(self, path):
        assert not is_schema_path(path, self.CITIES)
