"""Options in words."""

from __future__ import annotations

from django.utils import translation

from benchmark.suites.base import Option
from webapp.wording.options import option_line

MODE = Option(key="mode", label="Sandbox", default="a", values={"a": "yes"}, line="%(value)s")
COUNT = Option(key="count", label="Count", default=3, line="%(value)s of them")


def test_a_line_calls_a_value_as_forms_do() -> None:
    assert option_line(MODE, "a") == "yes" and option_line(COUNT, 4) == "4 of them"
    with translation.override("zh-hans"):
        assert option_line(MODE, "a") == "是"
