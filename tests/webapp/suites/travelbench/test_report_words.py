"""Every part of TravelBench's reports has its words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.test import Client

from benchmark.suites.travelbench import report
from benchmark.suites.travelbench.report import REPORTING
from benchmark.suites.travelbench.statistics import STATISTICS
from tests.markup import text
from webapp.caches.models import ToolCache
from webapp.catalogue.models import Task
from webapp.reports import wording
from webapp.suites.travelbench.wording.reports import REPORT_WORDS
from webapp.suites.travelbench.wording.statistics import STATISTICS_WORDS

SOURCE = "".join(path.read_text("utf-8") for path in Path(report.__file__).parent.glob("*.py"))
OF_METRICS = {"judge"}
"""Columns that metrics name."""


@pytest.mark.parametrize("part", REPORTING.parts, ids=lambda part: part.name)
def test_a_part_has_a_heading(part: object) -> None:
    titles = {**wording.TITLES, **REPORT_WORDS.titles}
    heading, about = titles[part.name]  # type: ignore[attr-defined]
    assert str(heading) and str(about)


def test_every_note_has_its_sentence() -> None:
    notes = set(re.findall(r'Note\(\s*"(\w+)"', SOURCE)) | {"mean_of_single", "mean_of_multi", "no_online"}
    assert notes <= {*wording._NOTES, *REPORT_WORDS.notes}


def test_no_words_are_left_over() -> None:
    assert {*REPORT_WORDS.titles} <= {part.name for part in REPORTING.parts}


def test_every_column_of_the_own_parts_has_a_head() -> None:
    modules = (getattr(report, name) for name in dir(report))
    columns = {column.key for module in modules for column in getattr(module, "COLUMNS", ())}
    columns |= {
        column.key for repeat in ("trial", "judgement") for column in report.stability._columns(repeat)
    }
    assert columns - OF_METRICS <= {*wording._COLUMNS, *REPORT_WORDS.columns}


@pytest.mark.django_db
def test_the_statistics_of_its_tasks_have_words_and_charts_for_every_part(
    as_researcher: Client, shipped_tasks: dict[str, Task]
) -> None:
    ToolCache.objects.create(
        name="one", counts={"travelbench.web_search": 1, "travelbench.map_search_places": 3}
    )
    page = text(as_researcher.get("/tasks/statistics"))
    for part in (*STATISTICS.parts, STATISTICS.cache_part):
        assert part is not None and str(STATISTICS_WORDS.titles[part.name][0]) in page
    assert "4 calls are in your caches, about 200000 in the paper's." in page.replace(",000", "000")
    charts = ("expected_calls-0", "expected_calls-1", "cached_calls")
    assert all(f'data-chart="{name}-json"' in page for name in charts)
