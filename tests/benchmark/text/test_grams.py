"""What a text is found by."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.text.grams import _UNCASED_CHARACTERS, SearchTerms, fold, grams, plain, search_terms

MIXED_TEXT = st.text(st.sampled_from("我想坐高铁去北京G123 -#_。，ＡｂéÉßﬁ\u3000\n한국"), max_size=30)


def may(what: SearchTerms, text: str) -> bool:
    """What a database tells of a text."""
    held = grams(text)
    return what.pairs <= held and all(any(one.startswith(b) for one in held) for b in what.beginnings)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("坐高铁去", {"坐高", "高铁", "铁去", "去"}),
        ("坐G123次。去", {"坐", "g123", "次", "去"}),
        ("Hotel-bar, 80_90", {"hotel", "bar", "80", "90"}),
        ("Ｈｏｔｅｌ８０", {"hotel80"}),
        ("x" * 100, {"x" * 60}),
        ("。 !?\x00", set()),
    ],
)
def test_runs_are_cut_into_pairs_and_the_rest_into_words(text: str, expected: set[str]) -> None:
    assert grams(text) == expected


@pytest.mark.parametrize(
    ("words", "exact"),
    [
        ("高铁", True),
        ("高", True),
        ("hot", True),
        ("高铁 hotel", True),
        ("高铁票", False),
        ("#80", False),
        ("80元", False),
    ],
)
def test_what_must_be_looked_at(words: str, exact: bool) -> None:
    assert search_terms(words).exact is exact


@given(MIXED_TEXT, st.data())
def test_no_part_that_begins_a_word_is_missed(text: str, data: st.DataObject) -> None:
    held = fold(text).split()
    if held:
        word = data.draw(st.sampled_from(held))
        part = word[: data.draw(st.integers(1, len(word)))]
        assert may(search_terms(part), text), (part, grams(text))


@given(MIXED_TEXT, st.data())
def test_no_part_of_a_text_without_spaces_is_missed(text: str, data: st.DataObject) -> None:
    run = "".join(char for char in text if "\u4e00" <= char <= "\u9fff")
    if run:
        begin = data.draw(st.integers(0, len(run) - 1))
        assert may(search_terms(run[begin : data.draw(st.integers(begin + 1, len(run)))]), run)


@given(MIXED_TEXT, MIXED_TEXT)
def test_what_is_exact_needs_no_look(words: str, text: str) -> None:
    what = search_terms(words)
    if what.exact and may(what, text):
        assert what.is_within(plain(text))


@given(MIXED_TEXT, MIXED_TEXT)
def test_what_has_no_capitals_stands_in_a_text_as_it_is_compared(words: str, text: str) -> None:
    what = search_terms(words)
    if what.without_capitals and may(what, text):
        assert what.is_within(plain(text)) is all(part in plain(text) for part in what.unsure)


def test_no_capital_becomes_a_character_without_capitals() -> None:
    for number in range(sys.maxunicode + 1):
        small = chr(number).casefold()
        assert small == chr(number) or not any(_UNCASED_CHARACTERS.fullmatch(one) for one in small), hex(
            number
        )


@given(st.text())
def test_any_text_is_cut_into_grams_without_white_space_or_quotes(text: str) -> None:
    for gram in grams(text):
        assert gram and not gram.isspace() and not set(gram) & set(" \n'\"\\&|:*")
