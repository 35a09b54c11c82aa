"""How the tasks of a benchmark, and its other data, are made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from benchmark.suites.base.lazy import Lazy
from benchmark.suites.base.options import Option, Options

if TYPE_CHECKING:
    from benchmark.making import MakingSteps
    from benchmark.synthesis import Synthesis


@dataclass(frozen=True)
class OrderForm:
    """What is asked of whoever orders a set of tasks beside its name, world, seed, days of departure and model."""

    fields: frozenset[str] = frozenset({"count", "language", "first_id", "prove", "travellers"})
    """Those of `benchmark.synthesis.Order` that this benchmark heeds; travellers are the profiles."""
    options: tuple[Option, ...] = ()
    """What it lets choose more."""
    count: Callable[[Options], int] | None = None
    """How many tasks the options ask for; None where `count` tells it."""
    id_prefix: Callable[[Options], str] | None = None
    """What all ids of a set begin with, and no others; None where ids are numbers from `first_id` on."""


@dataclass(frozen=True)
class Making:
    """How the data of a benchmark is made."""

    synthesis: Lazy[Synthesis] | None = None
    """What makes tasks of its own for any world; None where tasks come from files alone."""
    order_form: OrderForm = field(default_factory=OrderForm)
    """How such tasks are ordered."""
    steps: Lazy[MakingSteps] | None = None
    """The steps by which the published data is made again (`manage.py make_tasks`)."""
