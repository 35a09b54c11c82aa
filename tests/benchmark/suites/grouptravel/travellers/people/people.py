"""Views and tables for the tests of what a person in a traveller's seat is told."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from benchmark.suites.grouptravel.preferences import FIELDS, table_of
from benchmark.suites.grouptravel.view import GroupView
from tests.benchmark.suites.grouptravel.travellers.scripted import cast

HANGZHOU = "city_specific_preferences.杭州市"
SUZHOU = "city_specific_preferences.苏州市"
QUERY_EN = "Hangzhou (杭州市) and Suzhou (苏州市), 3 days and 2 nights, a trip for 3 people"

JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda node: st.lists(node, max_size=3) | st.dictionaries(st.text(max_size=3), node, max_size=3),
    max_leaves=6,
)
NAMES = st.text(min_size=1, max_size=5) | st.sampled_from(["高铁", "西湖[新]", "民宿", "川菜", "a: b]", "3"])
CITIES = st.sampled_from(["杭州市", "A.B", "food", "[x]", " 苏州市", "", "a:b", "北京市\n"]) | st.text(
    max_size=3
)


@st.composite
def odd_tables(draw: st.DrawFn) -> Any:
    """Tables whose fields, cities and roots may hold anything."""
    if draw(st.integers(0, 9)) == 0:
        return draw(JUNK)
    value = st.lists(NAMES, max_size=3) | st.floats() | st.integers(0, 10_000) | JUNK
    cities = draw(st.lists(CITIES, max_size=2, unique=True))
    return table_of(cities, lambda field, city: draw(value))


@st.composite
def whole_tables(draw: st.DrawFn) -> dict[str, Any]:
    """Tables as they should be, with any names."""
    lists, caps = st.lists(NAMES, max_size=3, unique=True), st.integers(0, 9000)
    values = {field: lists if field.kind == "list" else caps for field in FIELDS}
    return table_of(("杭州市", draw(CITIES)), lambda field, city: draw(values[field]))


def english(*said: Any, **options: Any) -> GroupView:
    return replace(cast.view(*said, query=QUERY_EN, **options), language="en")
