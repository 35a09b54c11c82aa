"""The language of searches."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark.text.search_query import (
    CALL_PARTS,
    PARTS,
    USUAL_PARTS,
    Piece,
    QueryProblem,
    field_piece,
    parse,
)
from tests.properties import examples

TYPED_TEXT = st.text(st.sampled_from('ab高铁 -"/\\:.*i{1}()speakertool in\x00　'), max_size=30)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("高铁 hotel", [("word", "高铁"), ("word", "hotel")]),
        ('"not by train"', [("phrase", "not by train")]),
        (r"/G\d{1,4}/", [("expression", r"G\d{1,4}")]),
        (r"/a\/b/", [("expression", r"a\/b")]),
        ('tool:"a b" speaker:Agent', [("field", "a b"), ("field", "Agent")]),
        (
            "10:30 时间:下午 I'd 80% <b>",
            [("word", one) for one in ("10:30", "时间:下午", "I'd", "80%", "<b>")],
        ),
        ("- --", [("word", "-"), ("word", "-")]),
        ("　\x00 ", []),
    ],
)
def test_pieces(text: str, pieces: list[tuple[str, str]]) -> None:
    assert [(piece.kind, piece.value) for piece in parse(text).pieces] == pieces


def test_a_minus_turns_a_piece_round() -> None:
    pieces = parse('-a -"b c" -/d/i -tool:e').pieces
    assert [piece.negated for piece in pieces] == [True] * 4
    assert pieces[2].ignores_case and parse("-tool:E").values("tool", negated=True) == ("e",)


@pytest.mark.parametrize(
    ("text", "reason", "at"),
    [
        ('hotel "by train', "unclosed phrase", 7),
        ("/abc", "unclosed expression", 1),
        ("/a/b", "no space", 4),
        ('"a"b', "no space", 4),
        ('""', "empty", 1),
        ("//", "empty", 1),
        ("x speeker:Agent", "unknown field", 3),
        ("tool: x", "no value", 1),
        ("in:messages,talk", "unknown part", 4),
        ("/a(b/", "bad expression", 3),
        (r"/(a{1000}){1000}/", "bad expression", 2),
        (r"/(?R)/", "bad expression", 3),
        (f"/{'a' * 201}/", "long expression", 1),
        ("/a/ /b/ /c/ /d/", "many expressions", 13),
        ("a " * 17, "many pieces", 33),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(text: str, reason: str, at: int) -> None:
    with pytest.raises(QueryProblem) as refused:
        parse(text)
    assert (refused.value.reason, refused.value.at) == (reason, at)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("a", USUAL_PARTS),
        ("in:results a", {"results"}),
        ("in:messages|results", {"messages", "results"}),
        ("in:all", set(PARTS)),
        ("-in:messages", USUAL_PARTS - {"messages"}),
        ("tool:x", CALL_PARTS),
        ("error:x in:arguments", {"arguments"}),
    ],
)
def test_where_is_looked(text: str, parts: set[str]) -> None:
    assert parse(text).parts == parts


@settings(max_examples=examples(300))
@given(TYPED_TEXT)
def test_any_text_is_read_or_told_what_is_wrong_with_it(text: str) -> None:
    try:
        query = parse(text)
    except QueryProblem as problem:
        assert 1 <= problem.at <= len(text) + 1
        return
    written = parse(str(query))
    assert [replace(piece, begin=0, end=0) for piece in written.pieces] == [
        replace(piece, begin=0, end=0) for piece in query.pieces
    ]
    for piece in query.pieces:
        assert text[piece.begin : piece.end].strip() == text[piece.begin : piece.end] != ""


@given(st.sampled_from(["speaker", "tool", "error", "suite", "run"]), st.text(min_size=1))
def test_a_piece_for_a_link_is_read_as_it_was_meant(field: str, value: str) -> None:
    wanted = " ".join(value.replace('"', " ").split())
    if wanted:
        [piece] = parse(field_piece(field, value)).pieces  # type: ignore[arg-type]
        assert isinstance(piece, Piece) and (piece.field, piece.value) == (field, wanted)
