"""Tables of labels from rows and from CSV."""

from __future__ import annotations

import random
from io import BytesIO

import numpy as np
import pytest

from benchmark.inputs import InputTooLarge
from benchmark.labelling import tables
from benchmark.labelling.tables import BadTable, LabelTable, Row, Scale, read_table, table_of

HEAD = "item,rater,label\n"


def read(text: str | bytes, scale: Scale = "nominal") -> LabelTable:
    return read_table(BytesIO(text.encode() if isinstance(text, str) else text), scale)


def test_a_table_knows_who_said_what_of_which_item() -> None:
    table = read(HEAD + "b,r2,yes\na,r1,no\na,r2,yes\nc,r1,\n")
    assert (table.items, table.raters, table.labels) == (("a", "b", "c"), ("r1", "r2"), ("no", "yes"))
    assert table.by_item() == {"a": {"r1": "no", "r2": "yes"}, "b": {"r2": "yes"}, "c": {}}
    assert table.ratings_of.tolist() == [2, 1, 0]
    assert table.rating_pairs == 1


def test_the_order_of_rows_does_not_matter() -> None:
    rows = [Row(f"i{n}", f"r{m}", float(n % 3 + m % 2)) for n in range(9) for m in range(4)]
    table = table_of(rows, "ordinal")
    random.Random(1).shuffle(rows)
    again = table_of(rows, "ordinal")
    assert table.by_item() == again.by_item()
    for one, other in zip(table.pairs(), again.pairs(), strict=True):
        assert np.array_equal(one, other)


def test_pairs_of_ratings_are_those_of_one_item() -> None:
    table = read(HEAD + "a,r1,x\na,r2,y\na,r3,x\nb,r1,z\nc,r3,y\nc,r1,y\n")
    found = [
        (table.raters[first], table.raters[second], table.labels[one], table.labels[other])
        for first, second, one, other in zip(*table.pairs(), strict=True)
    ]
    assert sorted(found) == [
        ("r1", "r2", "x", "y"),
        ("r1", "r3", "x", "x"),
        ("r1", "r3", "y", "y"),
        ("r2", "r3", "y", "x"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        b"\xef\xbb\xbfitem,rater,label\na,r,x\n",
        "item,rater,label\r\na,r,x\r\n",
        "Label , RATER,note,item\n x ,r,“quoted, with a comma”,a\n".replace("“", '"').replace("”", '"'),
        '"item","rater","label"\n\n"a","r","x"\n\n',
        "item,rater,label\na,r,x",
    ],
)
def test_forms_of_csv_that_programs_write_are_read_alike(text: str | bytes) -> None:
    assert read(text).by_item() == {"a": {"r": "x"}}


def test_numbers_are_read_as_numbers_on_scales_that_have_an_order() -> None:
    text = HEAD + "a,r,10\nb,r,9\nc,r,9.0\nd,r,３\n"
    assert read(text, "ordinal").labels == (3.0, 9.0, 10.0)
    assert read(text).labels == ("10", "9", "9.0", "３")


def test_only_tables_of_numbers_give_values() -> None:
    with pytest.raises(ValueError, match="no numbers"):
        _ = read(HEAD + "a,r,1\n").values


@pytest.mark.parametrize(
    ("text", "scale", "told"),
    [
        ("", "nominal", "line 1: nothing in it; expected a line item,rater,label"),
        ("\n \n", "nominal", "line 1: nothing in it"),
        (HEAD, "nominal", "line 1: no label below the head"),
        ("item,label\na,x\n", "nominal", "line 1, rater: missing from the head 'item,label'"),
        ("item;rater;label\na;r;x\n", "nominal", "line 1, item: missing from the head"),
        ("item,rater,label,Rater\na,r,x,s\n", "nominal", "line 1, rater: twice in the head"),
        (HEAD + "a,r,x\nb,r,y\na,r,y\n", "nominal", "line 4, label: r has a label for a on line 2; keep one"),
        (HEAD + "a,r,\na,r,y\n", "nominal", "line 3, label: r has a label for a on line 2"),
        (HEAD + "a,r,good\n", "ordinal", "line 2, label: 'good' is not a number; give one, or leave"),
        (HEAD + "a,r,nan\n", "interval", "line 2, label: 'nan' is not a number"),
        (HEAD + "a,r,1e999\n", "interval", "line 2, label: '1e999' is not a number"),
        (HEAD + "a,r,1_000\n", "interval", "line 2, label: '1_000' is not a number"),
        (HEAD + "a,r,x\n ,r,y\n", "nominal", "line 3, item: empty; say which it is"),
        (HEAD + "a,,x\n", "nominal", "line 2, rater: empty"),
        (HEAD + "a,r,x,y\n", "nominal", "line 2: has 4 cells, the head 3; quote cells that hold commas"),
        (HEAD + "a,r\n", "nominal", "line 2: has 2 cells, the head 3"),
        (HEAD + 'a,r,x\nb,r,"y\nc,r,z\n', "nominal", "line 3: not CSV"),
        (HEAD + "a,r,x\nb,r,\0\n", "nominal", "line 3: holds a NUL character; remove it"),
        (HEAD.encode() + b"a,r,x\nb,r,\xff\n", "nominal", "line 3: not UTF-8; save the table as"),
        ((HEAD + "a,r,x\n").encode("utf-16"), "nominal", "line 1: not UTF-8"),
        (HEAD + "a,r," + "x" * 200_000 + "\n", "nominal", "line 2: not CSV (field larger than field limit"),
    ],
)
def test_what_is_wrong_with_a_file_is_told_by_line_field_and_remedy(
    text: str | bytes, scale: Scale, told: str
) -> None:
    with pytest.raises(BadTable) as refused:
        read(text, scale)
    assert str(refused.value).startswith(told)


def test_all_problems_are_told_at_once() -> None:
    with pytest.raises(BadTable) as refused:
        read(HEAD + "a,r,x\nb,r,1\n,r,2\n" + "c,r,y\n" * 2, "ordinal")
    assert [(one.line, one.field) for one in refused.value.problems.problems] == [
        (2, "label"),
        (4, "item"),
        (5, "label"),
        (6, "label"),
    ]


def test_a_line_that_a_quoted_cell_spans_is_counted() -> None:
    with pytest.raises(BadTable, match=r"^line 5, label: "):
        read('note,item,rater,label\n"two\nlines",a,r,1\n,b,r,2\n,c,r,x\n', "interval")


def test_files_beyond_a_bound_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MOST_LINES", 2)
    with pytest.raises(InputTooLarge, match="more than 2 labels"):
        read(HEAD + "a,r,x\nb,r,x\nc,r,x\n")
    monkeypatch.setattr(tables, "LARGEST", 20)
    with pytest.raises(InputTooLarge):
        read(HEAD + "a,r,x\n")


@pytest.mark.parametrize(
    ("rows", "scale", "told"),
    [
        ([Row("a", "r", "x"), Row("a", "r", "y")], "nominal", "two labels for one item"),
        ([Row("a", "r", None), Row("a", "r", "y")], "nominal", "two labels for one item"),
        ([Row("a", "r", 1.0)], "nominal", "1.0 is no label on the nominal scale"),
        ([Row("a", "r", "x")], "ordinal", "'x' is no label on the ordinal scale"),
        ([Row("a", "r", float("nan"))], "interval", "nan is no label"),
    ],
)
def test_rows_that_make_no_table_are_refused(rows: list[Row], scale: Scale, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        table_of(rows, scale)


def test_a_table_may_be_empty() -> None:
    table = table_of([], "nominal")
    assert (table.items, table.rating_pairs, table.by_item()) == ((), 0, {})
    assert all(len(part) == 0 for part in table.pairs())
