"""One stepper a kind of job."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from worker.steppers.indexing import cache_index
from worker.steppers.probing import endpoint_test

STEPPERS: Mapping[str, Callable[[str], object]] = {
    stepper.kind.name: stepper for stepper in (endpoint_test, cache_index)
}
"""What does a step of the job of a subject, by the name of its kind; nothing where the job is not to be had."""
