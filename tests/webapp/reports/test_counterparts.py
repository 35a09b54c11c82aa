"""What a paper calls the like of a part, in the reader's language."""

from __future__ import annotations

import re

import pytest
from django.utils.translation import override

from benchmark.reports.dataset import DatasetPart
from benchmark.suites import SUITES, reporting_of, suite_named
from webapp.reports.wording import Words


@pytest.mark.parametrize("suite", SUITES)
def test_a_counterpart_is_said_in_the_reader_s_language(suite: str) -> None:
    parts = [*reporting_of(suite).parts, *dataset_parts(suite)]
    named = {part.counterpart for part in parts} - {""}
    for name in named:
        assert Words.counterpart(name) == name
        with override("zh-hans"):
            said = Words.counterpart(name)
            assert said[0] in "表图" or re.fullmatch(r"[A-Z](\.\d+)+", said), name
    with override("zh-hans"):
        assert Words.counterpart("Tables 8 and 9") == "表 8 和表 9"


def dataset_parts(suite: str) -> list[DatasetPart]:
    make = suite_named(suite).tasks.statistics
    if make is None:
        return []
    found = make()
    return [*found.parts, *(part for part in (found.cache_part, found.world_part) if part)]
