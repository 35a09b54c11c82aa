"""Files of reports that there are not."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from html import unescape

import pytest
from django.test import Client

from webapp.sessions.models import Run

pytestmark = [pytest.mark.django_db]


def test_a_page_alone_runs_its_own_scripts_and_fetches_nothing(
    as_researcher: Client, played_run: Run
) -> None:
    page = as_researcher.get(f"/reports/report.html?runs={played_run.pk}").content.decode()
    found = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)
    assert found
    policy = unescape(found[1])
    assert policy.startswith("default-src 'none'; ") and "unsafe" not in policy and "http" not in policy
    inside = re.findall(r"<(script|style)\b[^>]*>(.*?)</\1>", page, re.DOTALL)
    assert len(inside) == 3
    for kind, text in inside:
        assert f"'{digest(text)}'" in policy.partition(f"{kind}-src ")[2].partition(";")[0]


def digest(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


@pytest.mark.parametrize("name", ["report.json", "report.html", "main_results.csv"])
@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("?runs={run}&profile=strict", "There is no profile strict."),
        ("?runs={run},nobody", "There is no run nobody."),
        ("?runs=nobody", "There is no run nobody."),
        ("?runs={run}&judge=nobody", "No session of these runs has a judgement of nobody."),
        ("", "The address names no run. A report needs ?runs=ID"),
        ("?runs=", "The address names no run. A report needs ?runs=ID"),
    ],
)
def test_a_file_that_there_is_not_says_why(
    as_researcher: Client, played_run: Run, name: str, query: str, reason: str
) -> None:
    response = as_researcher.get(f"/reports/{name}{query.format(run=played_run.pk)}")
    assert response.status_code == 404
    assert reason in response.content.decode()
