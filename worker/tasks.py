"""What the worker does on a message: load, call, nothing else."""

from __future__ import annotations

from webapp.logs import log_ids
from webapp.queue import WORK
from worker.app import app
from worker.outages import usable_connections
from worker.steppers import STEPPERS


@app.task(name=WORK)
def work_on(kind: str, subject: str) -> None:
    """Do a job, or a step of it; begun again, or too late, it does no harm."""
    with log_ids(job=f"{kind}/{subject}"), usable_connections():
        STEPPERS[kind](subject)
