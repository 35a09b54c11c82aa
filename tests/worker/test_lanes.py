"""What a person waits for, and what another pool does, is done while a worker is busy: real workers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.served_workers import served_workers
from tests.worker.test_outages import BUSY, sessions_at, silent_server

pytestmark = pytest.mark.slow

ASK = """
from webapp.caches.jobs import INDEX
from webapp.caches.services import create_cache
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.services import request_test
from webapp.jobs.services import enqueue
for number in range(3):
    name = f"nobody{number}"
    request_test(endpoint=ModelEndpoint.objects.create(name=name, base_url="http://127.0.0.1:1/v1", model="m"))
create_cache(name="mine")
enqueue(kind=INDEX, subject="mine")
"""
READ_JOBS = """
from webapp.jobs.models import Job
print(sorted(Job.objects.filter(lane="short").values_list("kind", "state")))
"""
INDEX_SEARCH = """
from webapp.jobs.services import enqueue
from webapp.tables.jobs import SEARCH_INDEX, SUBJECT
enqueue(kind=SEARCH_INDEX, subject=SUBJECT)
"""
READ_INDEXING = """
from webapp.jobs.models import Job
from webapp.processes.models import Process
pool = [process.name for process in Process.objects.all() if process.queues == ["tools", "maintenance"]]
print(Job.objects.filter(kind="search_index", owner__in=pool).values_list("state").first() or "")
"""
EXPECTED_JOBS = [("cache_index", "done"), *[("endpoint_test", "done")] * 3]


def test_short_jobs_do_not_stand_behind_long_ones(tmp_path: Path) -> None:
    with silent_server() as url, served_workers(tmp_path / "data") as installation:
        sessions_at(installation, url)
        installation.start_workers(1)
        installation.wait_for(BUSY, "True", 60)
        installation.python(ASK)
        installation.wait_for(READ_JOBS, str(EXPECTED_JOBS), 60)
        assert installation.python(BUSY).strip() == "True", "all sixteen threads were busy with sessions"
        installation.start_workers(1, queues="maintenance,tools")
        installation.python(INDEX_SEARCH)
        installation.wait_for(READ_INDEXING, "('done',)", 60)
        assert installation.python(BUSY).strip() == "True"
