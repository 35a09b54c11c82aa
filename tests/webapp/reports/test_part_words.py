"""Every part of reports and statistics has its words, whatever benchmark it is of."""

from __future__ import annotations

import re
from functools import partial
from inspect import getmodule, getsource
from typing import Any

import pytest

from benchmark.reports import Part
from benchmark.reports.dataset import DatasetPart
from benchmark.suites import SUITES, first_profile, measures_of, reporting_of, suite_named
from webapp.reports.wording import Words, dataset_words

DRAWN_COLUMNS = {"panel"}
"""Columns of tables that are only drawn."""


def file_of(part: Part | DatasetPart) -> Any:
    """The module that builds it."""
    return getmodule(part.build.func if isinstance(part.build, partial) else part.build)


def words_near(words: Words, parts: tuple[Part | DatasetPart, ...]) -> list[Any]:
    """Each part with the words of the parts of the same file."""
    return [
        pytest.param(
            part, [words.of(other) for other in parts if file_of(other) is file_of(part)], id=part.name
        )
        for part in parts
    ]


def every_part() -> list[Any]:
    """Those of the reports and of the statistics of all benchmarks."""
    parts: list[Any] = []
    for suite in SUITES:
        words = Words(measures_of(suite, first_profile(suite)))
        parts += words_near(words, reporting_of(suite).parts)
        if make_statistics := suite_named(suite).tasks.statistics:
            told = make_statistics()
            more = tuple(part for part in (told.cache_part, told.comparison_part, told.world_part) if part)
            parts += words_near(dataset_words(suite), (*told.parts, *more))
    return parts


@pytest.mark.parametrize(("part", "near"), every_part())
def test_a_part_has_its_heading_heads_of_columns_and_sentences(
    part: Part | DatasetPart, near: list[Words]
) -> None:
    sources = [source for words in near for source in words.sources]
    code = getsource(file_of(part))
    assert part.words.title and part.words.about
    assert set(re.findall(r'Note\(\s*"(\w+)"', code)) <= {key for own in sources for key in own.notes}
    columns = {*re.findall(r'Column\(\s*"(\w+)"', code)}
    columns |= {column.key for column in getattr(file_of(part), "COLUMNS", ())}
    declared = {*near[0].metrics, *near[0].means, *near[0].options, *DRAWN_COLUMNS}
    assert columns <= {key for own in sources for key in own.columns} | declared
