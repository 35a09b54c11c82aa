"""CSV that other programs read."""

from __future__ import annotations

import csv
from io import StringIO

import pytest

from webapp.spreadsheets import csv_text


@pytest.mark.parametrize("mark", ["=", "+", "-", "@", "\t", "\r"])
def test_text_that_would_be_a_formula_is_quoted(mark: str) -> None:
    text = csv_text(["name"], [{"name": f"{mark}1+1"}])
    assert list(csv.DictReader(StringIO(text, newline=""))) == [{"name": f"'{mark}1+1"}]


def test_numbers_stay_numbers_and_what_lacks_is_empty() -> None:
    assert csv_text(["a", "b", "c"], [{"a": -1.5, "c": "1-2"}]) == "a,b,c\r\n-1.5,,1-2\r\n"
