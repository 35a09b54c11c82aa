"""Testing a model endpoint, with this worker's key and network."""

from __future__ import annotations

from webapp.endpoints.jobs import TEST
from webapp.endpoints.services import fail_test, run_test
from webapp.jobs.services import Claim
from worker.steppers.whole import Whole


def _test(claimed: Claim) -> None:
    run_test(name=claimed.subject)


def _failed(name: str, problem: str) -> None:
    fail_test(name=name, problem=problem)


endpoint_test = Whole(TEST, _test, _failed)
