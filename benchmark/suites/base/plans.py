"""How the plans of a benchmark are found, shown and checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmark.plans.view import Findings, PlanView
from sandbox.worlds import World


@dataclass(frozen=True)
class Setting:
    """What surrounds a plan: the task, and the world in which it is to be carried out."""

    task: Any
    """As the benchmark's files read it."""
    users: Sequence[str]
    """The names of those who travel, in the order in which they are asked."""
    language: str
    """Of the task: `zh` or `en`."""
    pack: World | None = None
    """Of places; None where it is not here."""


@dataclass(frozen=True)
class Plans:
    """How the plans of a benchmark are found, shown and checked. A plan is JSON of the benchmark's own shape."""

    find: Callable[[str, Any | None], dict[str, Any] | None]
    """The plan in a text; with the plan before it, for benchmarks whose agents write what they change alone."""
    view: Callable[[Any, Setting], PlanView]
    """A plan of any shape as pages show it."""
    schema: Mapping[str, Any]
    """The JSON schema of a plan that is as it should be, for those who write one."""
    check: Callable[[Any, Setting], Findings] | None = None
    """What is wrong with a plan of any shape, as far as whoever writes it may know; None where they may not."""
