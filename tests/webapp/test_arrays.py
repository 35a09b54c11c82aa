"""Arrays come out of PostgreSQL as they went in."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from webapp.catalogue.models import Task, TaskCollection

pytestmark = [pytest.mark.storage, pytest.mark.both_engines, pytest.mark.django_db]

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")) | st.sampled_from(
    ["", "NULL", "{}", '"', "\\", '\\"', "a,b", "{", "'", '{"a": "b\\n\\"c\\""}', "酒店"]
)
JSON = st.recursive(
    TEXTS | st.none() | st.booleans() | st.integers(-(10**9), 10**9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)


def echo_array(of: str, value: Any) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT %s::{of}[]", [value])
        return cursor.fetchone()[0]


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no arrays")
class TestArrays(TestCase):
    @given(st.lists(TEXTS | st.none(), max_size=6))
    def test_of_texts(self, texts: list[str | None]) -> None:
        assert echo_array("text", texts) == texts

    @given(st.lists(st.integers(-(2**60), 2**60) | st.none(), max_size=6))
    def test_of_numbers(self, numbers: list[int | None]) -> None:
        assert echo_array("bigint", numbers) == numbers

    @given(st.lists(st.lists(TEXTS, min_size=2, max_size=2), min_size=1, max_size=3))
    def test_of_arrays(self, rows: list[list[str]]) -> None:
        assert echo_array("text", rows) == rows


class TestRows(TestCase):
    @given(st.lists(JSON, max_size=5))
    def test_rows_that_are_stored_together_are_read_as_they_were(self, values: list[Any]) -> None:
        collection = TaskCollection.objects.create(name="c")
        Task.objects.bulk_create(
            Task(task_id=f"t{n}", collection=collection, position=n, definition={"as": value})
            for n, value in enumerate(values)
        )
        rows = Task.objects.order_by("position").values_list("definition", flat=True)
        assert [definition["as"] for definition in rows] == values
