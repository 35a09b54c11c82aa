"""Parts of a benchmark that take long to import."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

V = TypeVar("V")
Lazy = Callable[[], V]
"""A function that imports what it gives: numpy, pyarrow or many participants, which few commands need."""
