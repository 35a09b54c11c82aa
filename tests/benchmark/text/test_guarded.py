"""Guarded expressions match what `re` matches, and end with an error where they would not end."""

from __future__ import annotations

import gc
import importlib
import pkgutil
import re
from collections.abc import Callable
from typing import Any

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

import benchmark
from benchmark.text import guarded
from benchmark.text.guarded import EndlessReading, Pattern

ENDLESS = "(?:a|aa)+$"
CATASTROPHIC_TEXT = "a" * 80 + "c"
WORDS = (
    r"\b\w+\b",
    r"\W+",
    r"[\w'-]+",
    r"(?<!\w)no(?!\w)",
    r"@\w+\s*",
    r"[^\w]",
    r"\d+|\s",
    r"[]\w]+|[^]a]",
    r"[^[]\w|\\w",
)
LETTERS = "no é2½①⑩٣_西湖'-@]\n❤️⚠️1️⃣👩‍👩‍👧é"
"""With marks, which `re` holds for no letters, and numbers, which it holds for letters."""


@pytest.mark.parametrize(
    "read",
    [
        lambda pattern: pattern.search(CATASTROPHIC_TEXT),
        lambda pattern: pattern.match(CATASTROPHIC_TEXT),
        lambda pattern: pattern.fullmatch(CATASTROPHIC_TEXT),
        lambda pattern: pattern.finditer(CATASTROPHIC_TEXT),
        lambda pattern: pattern.findall(CATASTROPHIC_TEXT),
        lambda pattern: pattern.split(CATASTROPHIC_TEXT),
        lambda pattern: pattern.sub("", CATASTROPHIC_TEXT),
        lambda pattern: guarded.search(pattern.pattern, CATASTROPHIC_TEXT),
    ],
)
def test_an_expression_that_does_not_end_is_an_error_and_no_miss(
    read: Callable[[Pattern], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guarded, "LIMIT_S", 0.05)
    with pytest.raises(
        EndlessReading, match=re.escape(f"after 0.05 s of processor time over one text: {ENDLESS!r}")
    ):
        read(guarded.compile(ENDLESS))


@pytest.mark.parametrize(
    "flags", [(re.NOFLAG, guarded.NOFLAG), (re.ASCII, guarded.ASCII), (re.I, guarded.IGNORECASE)]
)
@pytest.mark.parametrize("pattern", WORDS)
@given(text=st.text(LETTERS, max_size=12))
def test_what_re_matches_is_matched(pattern: str, flags: tuple[Any, Any], text: str) -> None:
    old, new = re.compile(pattern, flags[0]), guarded.compile(pattern, flags[1])
    assert [found.span() for found in new.finditer(text)] == [found.span() for found in old.finditer(text)]
    assert new.findall(text) == old.findall(text)
    assert new.split(text) == old.split(text)
    assert new.sub("<>", text) == old.sub("<>", text)
    for name in ("search", "match", "fullmatch"):
        one, other = getattr(new, name)(text), getattr(old, name)(text)
        assert (one and one.span()) == (other and other.span())


def test_an_expression_is_compiled_when_it_is_first_used() -> None:
    unused = Pattern("(")
    with pytest.raises(regex.error, match="missing"):
        unused.search("a")


@pytest.mark.parametrize(
    ("pattern", "clock"),
    [("a|b?", False), (r"[*+{]a\+\{2", False), ("a+", True), ("[*]*", True), ("a{2}", True), (r"\\+", True)],
)
def test_only_an_expression_that_repeats_something_is_timed(pattern: str, clock: bool) -> None:
    """Reading a clock takes longer than most matches."""
    assert (Pattern(pattern)._limit(CATASTROPHIC_TEXT) is not None) == clock


def test_every_expression_of_the_benchmark_compiles() -> None:
    for module in pkgutil.walk_packages(benchmark.__path__, "benchmark."):
        importlib.import_module(module.name)
    gc.unfreeze()  # what a test before this one has left out of collections is left out of these objects too
    written = [one for one in gc.get_objects() if type(one) is Pattern and one.pattern != "("]
    assert len(written) > 200
    for pattern in written:
        pattern.search("")
