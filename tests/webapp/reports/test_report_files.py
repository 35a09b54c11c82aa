"""Files of reports that there are not."""

from __future__ import annotations

import pytest
from django.test import Client

from webapp.sessions.models import Run

pytestmark = [pytest.mark.django_db]


@pytest.mark.parametrize("name", ["report.json", "report.html", "main_results.csv"])
@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("?runs={run}&profile=strict", "There is no profile strict."),
        ("?runs={run},nobody", "There is no run nobody."),
        ("?runs=nobody", "There is no run nobody."),
        ("?runs={run}&judge=nobody", "No session of these runs has a judgement of nobody."),
        ("", "The address names no run: a report is of ?runs=ID"),
        ("?runs=", "The address names no run: a report is of ?runs=ID"),
    ],
)
def test_a_file_that_there_is_not_says_why(
    as_researcher: Client, played: Run, name: str, query: str, reason: str
) -> None:
    response = as_researcher.get(f"/reports/{name}{query.format(run=played.pk)}")
    assert response.status_code == 404
    assert reason in response.content.decode()
