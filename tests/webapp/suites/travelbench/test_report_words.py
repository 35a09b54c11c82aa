"""The statistics of TravelBench's tasks on their page."""

from __future__ import annotations

import pytest
from django.test import Client

from benchmark.suites.travelbench.statistics import STATISTICS
from tests.markup import text
from webapp.caches.models import ToolCache
from webapp.catalogue.models import Task


@pytest.mark.django_db
def test_the_statistics_of_its_tasks_have_words_and_charts_for_every_part(
    as_researcher: Client, shipped_tasks: dict[str, Task]
) -> None:
    ToolCache.objects.create(
        name="one", counts={"travelbench.web_search": 1, "travelbench.map_search_places": 3}
    )
    page = text(as_researcher.get("/tasks/statistics"))
    for part in (*STATISTICS.parts, STATISTICS.cache_part):
        assert part is not None and part.words.title in page
    assert "4 calls are in your caches, about 200000 in the paper's." in page.replace(",000", "000")
    charts = ("expected_calls-0", "expected_calls-1", "cached_calls")
    assert all(f'data-chart="{name}-json"' in page for name in charts)
