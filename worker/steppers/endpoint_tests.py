"""Testing a model endpoint, with this worker's key and network."""

from __future__ import annotations

from webapp.endpoints.jobs import TEST
from webapp.endpoints.services import fail_test, run_test
from worker.steppers.whole_job import WholeJob

endpoint_test = WholeJob(TEST, lambda claimed: run_test(name=claimed.subject), fail_test)
