"""What all models are told alike stays as it is, byte for byte: recordings and comparisons rest on it."""

from __future__ import annotations

import hashlib

import pytest

from benchmark.models.wording import PROMPTS, probe_words
from benchmark.text.lengths import LONGEST_TOLD, bound_text


@pytest.mark.parametrize(("language", "digest"), [("en", "d95f792c069a5079"), ("zh", "8c4ea65e11762741")])
def test_tools_are_explained_in_the_same_words(language: str, digest: str) -> None:
    words = PROMPTS.fill(language, "text_tools", tools="T")
    assert hashlib.sha256(words.encode()).hexdigest()[:16] == digest


def test_endpoints_are_tested_with_the_same_questions() -> None:
    keys = ("ready", "count", "tool", "parallel", "json", "weather", "city")
    asked = "\n".join(map(probe_words, keys))
    assert asked.startswith("Reply with the single word: ready\nCount from one to ten in words.\n")
    assert hashlib.sha256(asked.encode()).hexdigest()[:16] == "c8ad2e1ff256c01b"


@pytest.mark.parametrize(
    ("language", "end"),
    [
        ("zh", "x\n（其后还有1,234个字符，从略）"),
        ("en", "x\n(1,234 more characters are left out)"),
        ("other", "x\n(1,234 more characters are left out)"),
    ],
)
def test_a_text_that_was_cut_says_so(language: str, end: str) -> None:
    assert bound_text("x" * LONGEST_TOLD, language) == "x" * LONGEST_TOLD
    assert bound_text("x" * (LONGEST_TOLD + 1234), language).removeprefix("x" * (LONGEST_TOLD - 1)) == end
