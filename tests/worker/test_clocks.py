"""Workers whose clocks are an hour ahead and an hour behind, over the same sessions."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from tests.served_workers import ServedWorkers, served_workers

pytestmark = pytest.mark.slow
PATIENCE_S = 150.0
STEPS = 25
HOUR_S = 3600.0
START = """
from webapp.catalogue.models import Task, World
from webapp.sessions.services import Setup, create_session
for task in Task.objects.filter(suite="grouptravel", difficulty="easy").order_by("pk")[:3]:
    create_session(task=task, world=World.objects.get(), setup=Setup(pace=0.2))
"""
READ_TIMES = """
import json
from datetime import UTC, datetime
from webapp.jobs.models import Job
from webapp.sessions.models import Event, Session
now = datetime.now(UTC)
jobs = Job.objects.filter(kind="session")
until = [(at - now).total_seconds() for job in jobs for at in (job.due_at, job.expires_at) if at]
ages = [(now - at).total_seconds() for at in Event.objects.values_list("at", flat=True)]
owners = sorted(set(jobs.values_list("owner", flat=True)) - {""})
print(json.dumps({"seqs": list(Session.objects.values_list("last_seq", flat=True)), "until": until,
    "ages": ages, "owners": owners}))
"""


def test_nothing_is_parked_and_nothing_is_dated_wrongly(tmp_path: Path) -> None:
    with served_workers(tmp_path / "data") as installation:
        installation.python(START)
        begun = time.monotonic()
        for ahead_s in (HOUR_S, -HOUR_S):
            installation.start_workers(1, ahead_s=ahead_s)
        owners: set[str] = set()
        while True:
            found = _times_in(installation)
            owners |= set(found["owners"])
            assert all(left < 60 for left in found["until"]), found["until"]
            assert all(-5 < age < time.monotonic() - begun + 30 for age in found["ages"])
            if min(found["seqs"]) > STEPS and len(owners) == 2:
                break
            assert time.monotonic() < begun + PATIENCE_S, (found, installation.logs())
            time.sleep(0.3)


def _times_in(installation: ServedWorkers) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(installation.python(READ_TIMES))
    return found
