"""The page that says who may call what."""

from __future__ import annotations

from tests.access_table import PAGE, access_table


def test_the_page_is_as_the_code_has_it() -> None:
    assert PAGE.read_text("utf-8") == access_table(), "run python -m tests.access_table"
