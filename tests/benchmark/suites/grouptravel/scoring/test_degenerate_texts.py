"""No text, however odd, holds a reader for ever."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from multiprocessing.pool import Pool

import pytest

from tests.benchmark.suites.grouptravel.scoring.degenerate import TEXTS, read

PATIENCE_S = 60


@pytest.fixture(scope="module")
def other_process() -> Iterator[Pool]:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        yield pool


@pytest.mark.parametrize("name", TEXTS)
def test_every_reader_comes_to_an_end(name: str, other_process: Pool) -> None:
    """All readers together take about a second, where some took hours: no speed is asserted, only an end.

    A pattern that tries every way of cutting a text keeps the interpreter to itself, and nothing in its own process
    could break it off; hence another process. Once it hangs it is ended, and the texts after it fail at once.
    """
    try:
        other_process.apply_async(read, (name,)).get(PATIENCE_S)
    except multiprocessing.TimeoutError:
        other_process.terminate()
        raise
