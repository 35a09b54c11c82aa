"""Stored JSON comes back as it was."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from webapp.fields import OrderedJSONField

texts = st.text(st.characters(exclude_categories=()))  # halves of surrogate pairs too
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
)
FIELD: Any = OrderedJSONField()


@given(values)
def test_any_value_comes_back_with_its_order_of_keys(value: Any) -> None:
    stored = FIELD.get_prep_value(value)
    back = FIELD.from_db_value(stored, None, None)
    assert json.dumps(back) == json.dumps(value)  # NaN is not equal to itself
    if stored is not None:
        stored.encode()  # no half of a surrogate pair reaches the database
        assert json.dumps(json.loads(stored)) == json.dumps(value)


def test_integers_beyond_64_bits_stay_exact() -> None:
    assert FIELD.from_db_value(FIELD.get_prep_value([10**40, -(2**64)]), None, None) == [10**40, -(2**64)]
