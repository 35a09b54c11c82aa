"""Labels from a table: the columns item, rater and label, and those of our own that are there."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import replace
from io import StringIO
from typing import Any

from benchmark.labelling.files.checks import (
    LONGEST_TEXT,
    ItemAnswers,
    ItemClues,
    Reading,
    Wrong,
    is_normal,
    is_slight,
    label_text,
    moment_of,
    rater_name,
    refusal,
    seconds_of,
    text_of,
    whole_number,
)
from benchmark.labelling.files.exports import PERSON, LabelExport, choice_of
from benchmark.labelling.files.rows import SEPARATOR
from benchmark.text.spelling import FieldSpellings, plain

FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""How cells begin that tables have a quotation mark before."""
_TRUE, _FALSE = ("1", "true", "yes"), ("", "0", "false", "no")
RatingsByKey = dict[tuple[Any, ...], tuple[int, ItemAnswers, LabelExport]]
"""Ratings of a rubric as far as they are read, by item, rater and repeat."""


def read_table(reading: Reading, text: str) -> None:
    if (at := text.find("\0")) >= 0:
        line = text.count("\n", 0, at) + 1
        raise refusal(line, "", "holds a NUL character, which can't be stored; remove it")
    lines = _csv_lines(text)
    line, head = next(lines, (1, []))
    names = [plain(cell).casefold() for cell in head]
    for name in ("item", "rater", "label"):
        if names.count(name) != 1:
            raise refusal(line, name, "not once in the first line, which names the columns; add it there")
    rated: RatingsByKey = {}
    begun = line
    for line, cells in lines:
        try:
            if len(cells) != len(names):
                raise Wrong(
                    "", f"has {len(cells)} cells, the first line {len(names)}; quote cells with commas"
                )
            _csv_row(reading, line, dict(zip(names, map(_drop_formula_guard, cells), strict=True)), rated)
        except Wrong as problem:
            reading.wrong(line, problem)
    if line == begun:
        raise refusal(line, "", "no label below the first line; expected one line a label")
    for first, item, label in rated.values():
        _take_label(reading, first, item, label)


def _csv_lines(text: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(StringIO(text, newline=""), strict=True)
    line = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        raise refusal(line, "", f"not CSV ({error}); double the quotes inside quotes") from error


def _drop_formula_guard(cell: str) -> str:
    """A cell without the mark that keeps spreadsheets from taking it for a formula."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(FORMULAS) else cell


def _csv_row(
    reading: Reading,
    line: int,
    row: Mapping[str, str],
    rated: RatingsByKey,
) -> None:
    number, _, dimension = row["item"].partition(SEPARATOR)
    dimension = dimension or row.get("dimension", "")
    if not row["label"].strip():
        return
    item = reading.item(number, ItemClues(*(row.get(name, "") for name in ("task", "agent_a", "agent_b"))))
    label = _csv_label(row, reading.names)
    if not dimension:
        reading.add(
            line, item, replace(label, choice=choice_of(label_text(row["label"], "label", reading.names)))
        )
        return
    key = (number, label.rater, label.rater_id, label.repeat)
    first, _item, begun = rated.get(key, (line, item, label))
    if dimension in begun.scores:
        raise Wrong("rater", f"{label.rater} has two ratings of {dimension} for item {number}; keep one")
    score: Any = row["label"].strip()
    scores = {**begun.scores, dimension: int(score) if score.isascii() and score.isdigit() else score}
    rated[key] = (first, item, replace(begun, scores=scores))


def _csv_label(row: Mapping[str, str], names: FieldSpellings) -> LabelExport:
    return LabelExport(
        rater=rater_name(row["rater"], names),
        rater_id=text_of(row.get("rater_id", ""), "rater_id"),
        rater_kind=row.get("rater_kind", "") or PERSON,
        rationale=text_of(row.get("rationale", ""), "rationale", LONGEST_TEXT),
        seconds=seconds_of(row.get("seconds", "")),
        swapped=_flag(row, "swapped"),
        hurried=_flag(row, "hurried"),
        ticks=_flag(row, "ticks"),
        repeat=whole_number(row.get("repeat") or "0", "repeat"),
        at=moment_of(row.get("at", "")),
        counts=is_normal(row.get("purpose", "")),
        slight=is_slight(row.get("strength", "")),
    )


def _flag(row: Mapping[str, str], name: str) -> bool:
    text = row.get(name, "").strip().casefold()
    if text not in (*_TRUE, *_FALSE):
        raise Wrong(name, f"{text[:40]!r} is neither 1 nor 0; correct it or leave it empty")
    return text in _TRUE


def _take_label(reading: Reading, line: int, item: ItemAnswers, label: LabelExport) -> None:
    try:
        reading.add(line, item, label)
    except Wrong as problem:
        reading.wrong(line, problem)
