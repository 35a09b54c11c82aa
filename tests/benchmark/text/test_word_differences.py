"""Words of two texts beside each other."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark.text import word_differences
from benchmark.text.word_differences import Piece, are_alike, compare_words, pieces_of_each
from tests.properties import examples

texts = st.text(alphabet="ab c\n\t\u3000。去北京,<_$", max_size=60)


def text_of(pieces: list[Piece]) -> str:
    return "".join(piece.text for piece in pieces)


@given(texts, texts)
@settings(max_examples=examples(150), deadline=None)
def test_the_pieces_of_a_comparison_make_up_both_texts(former: str, later: str) -> None:
    pieces = compare_words(former, later)
    before, after = pieces_of_each(pieces)
    assert text_of(after) == (later if later.strip() else "")
    assert "".join(text_of(before).split()) == "".join(former.split())
    assert not are_alike(pieces) or "".join(former.split()) == "".join(later.split())
    assert are_alike(compare_words(former, former))


@given(texts, texts)
@settings(max_examples=examples(150), deadline=None)
def test_where_blanks_count_the_pieces_are_both_texts_to_the_letter(former: str, later: str) -> None:
    pieces = compare_words(former, later, blanks_count=True)
    before, after = pieces_of_each(pieces)
    assert (text_of(before), text_of(after)) == (former, later)
    assert are_alike(pieces) == (former == later)


def test_blanks_are_a_difference_only_where_they_count() -> None:
    assert are_alike(compare_words("to  sea\n", "to sea"))
    assert [piece.kind for piece in compare_words("to  sea", "to sea", blanks_count=True)] == [
        *("same", "gone", "new", "same")
    ]


def test_a_chinese_character_is_a_word() -> None:
    found = [(piece.kind, piece.text) for piece in compare_words("明天去北京", "明天去南京")]
    assert found == [("same", "明天去"), ("gone", "北"), ("new", "南"), ("same", "京")]


def test_one_word_that_is_the_same_amid_changes_is_shown_as_changed() -> None:
    pieces = compare_words("a b c d the e f g h", "i j k l the m n o p")
    assert [piece.kind for piece in pieces] == ["gone", "new"]


def test_what_comes_after_the_most_words_is_told_apart_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_differences, "MOST_WORDS", 2)
    pieces = [(piece.kind, piece.text) for piece in compare_words("a b c d", "a b c e")]
    assert pieces == [("same", "a b "), ("gone", "c d"), ("new", "c e")]
