"""How the plans of a benchmark are found, shown and checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic

from benchmark.core.setting import Setting, T, W
from benchmark.plans.view import Findings, Plan, PlanView


@dataclass(frozen=True)
class Plans(Generic[T, W]):
    """How the plans of a benchmark are found, shown and checked. A plan is JSON of the benchmark's own shape.

    T: the class of its tasks. W: what its scores need of a world.
    """

    find: Callable[[str, Plan | None], Plan | None]
    """The plan in a text; with the plan before it, for benchmarks whose agents write what they change alone."""
    view: Callable[[Plan, Setting[T, W]], PlanView]
    """A plan of any shape as pages show it."""
    schema: Mapping[str, object]
    """The JSON schema of a plan that is as it should be, for those who write one."""
    check: Callable[[Plan, Setting[T, W]], Findings] | None = None
    """What is wrong with a plan of any shape, as far as whoever writes it may know; None where they may not."""
    checks_shape: bool = False
    """Whether the check finds what is not of the schema as well, in words of its own."""
