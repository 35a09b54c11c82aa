"""Tables of labels: what each rater said of each item, with what is missing."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from io import StringIO
from typing import BinaryIO, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from benchmark.inputs import BOM, MB, MOST_LINES, InputTooLarge, LineProblem, Problems, read_whole
from benchmark.remarks import Remark
from benchmark.text.spelling import FieldSpellings, plain

Scale = Literal["nominal", "ordinal", "interval"]
SCALES: tuple[Scale, ...] = get_args(Scale)
Label: TypeAlias = str | float
"""Text on a nominal scale, a number on the others."""
Codes: TypeAlias = NDArray[np.int64]

FIELDS = ("item", "rater", "label")
LARGEST = 64 * MB
"""Bytes of a file of labels; each line has about 30."""


class BadTable(ValueError):
    """A file that is no table of labels; says line, field and remedy of each problem."""

    def __init__(self, problems: Problems) -> None:
        super().__init__(str(problems))
        self.problems = problems


class Row(NamedTuple):
    """The label that one rater gave one item; None if the rater gave none."""

    item: str
    rater: str
    label: Label | None


class RatingPairs(NamedTuple):
    """All pairs of labels of one item: four arrays with one element per pair.

    first, second: positions of the two raters, the smaller one first. first_code, second_code: their labels.
    """

    first: Codes
    second: Codes
    first_code: Codes
    second_code: Codes


@dataclass(frozen=True, eq=False)
class LabelTable:
    """Labels of items by raters, as arrays with one element per label, ordered by item and then by rater."""

    scale: Scale
    # All items and all raters, also those without a label, ordered by name.
    items: tuple[str, ...]
    raters: tuple[str, ...]
    # The different labels, in the order of the scale.
    labels: tuple[Label, ...]
    # For each label, its position in `items`, in `raters` and in `labels`.
    item_of: Codes
    rater_of: Codes
    code_of: Codes
    # Names that were written in several ways and are counted as one.
    spelling_remarks: tuple[Remark, ...] = ()

    @cached_property
    def ratings_of(self) -> Codes:
        """How many labels each item has."""
        return np.bincount(self.item_of, minlength=len(self.items))

    @property
    def values(self) -> NDArray[np.float64]:
        """The labels as numbers.

        Raises:
            ValueError: the scale is nominal.
        """
        if self.scale == "nominal":
            raise ValueError("nominal labels are no numbers")
        return np.array(self.labels, dtype=float)

    @cached_property
    def cells(self) -> tuple[Codes, Codes, Codes]:
        """How often each item has each label: three arrays (item, code, count), without the counts of zero."""
        keys, counts = np.unique(self.item_of * len(self.labels) + self.code_of, return_counts=True)
        return (*np.divmod(keys, max(len(self.labels), 1)), counts)

    def counts(self, chosen: NDArray[np.bool_]) -> Codes:
        """How often each chosen item has each label: items × labels."""
        items, codes, counts = self.cells
        table = np.zeros((len(self.items), len(self.labels)), dtype=np.int64)
        table[items, codes] = counts
        return table[chosen]

    @cached_property
    def rating_pairs(self) -> int:
        """How many pairs of labels of one item there are."""
        return int((self.ratings_of * (self.ratings_of - 1) // 2).sum())

    def pairs(self) -> RatingPairs:
        """Every pair of labels of one item; memory grows with `rating_pairs`."""
        starts = np.cumsum(self.ratings_of) - self.ratings_of
        pairs_of_size = [
            _pairs_at(starts[self.ratings_of == size], size) for size in np.unique(self.ratings_of)
        ]
        first, second = np.concatenate([np.empty((2, 0), np.int64), *pairs_of_size], axis=1)
        return RatingPairs(
            self.rater_of[first], self.rater_of[second], self.code_of[first], self.code_of[second]
        )

    def by_item(self) -> dict[str, dict[str, Label]]:
        """The labels by item and by rater."""
        labels_by_item: dict[str, dict[str, Label]] = {item: {} for item in self.items}
        for item, rater, code in self._positions():
            labels_by_item[self.items[item]][self.raters[rater]] = self.labels[code]
        return labels_by_item

    def _positions(self) -> Iterator[tuple[int, int, int]]:
        return zip(self.item_of.tolist(), self.rater_of.tolist(), self.code_of.tolist(), strict=True)


def _pairs_at(starts: Codes, size: int) -> Codes:
    """Positions of the two labels of each pair: 2 × pairs. starts: where items of `size` labels begin."""
    first, second = np.triu_indices(size, 1)
    return np.stack([(starts[:, None] + first).ravel(), (starts[:, None] + second).ravel()])


def table_of(rows: Iterable[Row], scale: Scale) -> LabelTable:
    """A table of rows, of which no two are of the same item and rater.

    Raises:
        ValueError: two rows are of the same item and rater, or a label on an ordinal or interval scale is not
            a number.
    """
    given = list(rows)
    items = tuple(sorted({row.item for row in given}))
    raters = tuple(sorted({row.rater for row in given}))
    said = [row for row in given if row.label is not None]
    labels = _labels(said, scale)
    item_at, rater_at, label_at = (
        {name: at for at, name in enumerate(names)} for names in (items, raters, labels)
    )
    keys = sorted((item_at[row.item], rater_at[row.rater], label_at[row.label]) for row in said)  # type: ignore[index]
    if len({(row.item, row.rater) for row in given}) < len(given):
        raise ValueError("a rater has two labels for one item")
    item_of, rater_of, code_of = np.array(keys, dtype=np.int64).reshape(-1, 3).T
    return LabelTable(scale, items, raters, labels, item_of, rater_of, code_of)


def _labels(rows: Iterable[Row], scale: Scale) -> tuple[Label, ...]:
    """The different labels in the order of the scale; nominal ones by their names."""
    labels = {row.label for row in rows if row.label is not None}
    kind = str if scale == "nominal" else (int, float)
    if wrong := [label for label in labels if not isinstance(label, kind) or label != label]:
        raise ValueError(f"{wrong[0]!r} is no label on the {scale} scale")
    return tuple(sorted(labels))


def read_table(file: BinaryIO, scale: Scale) -> LabelTable:
    """A table from CSV (UTF-8) with the columns item, rater and label; others are left out.

    An empty label is a missing one. White space around values does not count, nor do characters of no width, nor how
    accents are composed.

    Raises:
        BadTable: it can't be read as such; no line is taken then.
        InputTooLarge: more than LARGEST bytes or MOST_LINES rows.
    """
    text = _text(read_whole(file, LARGEST))
    problems = Problems()
    read = _Rows(text, scale, problems)
    rows = list(read)
    if problems:
        raise BadTable(problems)
    return replace(table_of(rows, scale), spelling_remarks=read.spelling_remarks)


def _text(data: bytes) -> str:
    try:
        text = data.removeprefix(BOM).decode()
    except UnicodeDecodeError as error:
        raise _bad_table(
            data.count(b"\n", 0, error.start) + 1, "", "not UTF-8; save the table as “CSV UTF-8”"
        ) from error
    if (at := text.find("\0")) >= 0:
        raise _bad_table(
            text.count("\n", 0, at) + 1, "", "holds a NUL character; remove it, or save the table as text"
        )
    return text


def _bad_table(line: int, field: str, message: str) -> BadTable:
    problems = Problems()
    problems.add(LineProblem(line, field, message))
    return BadTable(problems)


class _Rows:
    """The rows of a CSV text. What is wrong with one goes to the problems."""

    def __init__(self, text: str, scale: Scale, problems: Problems) -> None:
        self._scale, self._problems = scale, problems
        self._lines = _csv_lines(text)
        self._first_lines: dict[tuple[str, str], int] = {}
        self._spellings = FieldSpellings()

    @property
    def spelling_remarks(self) -> tuple[Remark, ...]:
        """What was taken as one of the rows so far, by field."""
        return tuple(self._spellings.remarks)

    def __iter__(self) -> Iterator[Row]:
        head = next(self._lines, None)
        if head is None:
            raise _bad_table(1, "", f"nothing in it; expected a line {','.join(FIELDS)} and one line a label")
        columns = _columns(*head)
        number = 0
        for number, (line, cells) in enumerate(self._lines, 1):
            if number > MOST_LINES:
                raise InputTooLarge(f"more than {MOST_LINES:,} labels; split the file")
            if len(cells) != len(head[1]):
                self._add(
                    line, "", f"has {len(cells)} cells, the head {len(head[1])}; quote cells that hold commas"
                )
            elif (row := self._row(line, *self._plain(cells[at] for at in columns))) is not None:
                yield row
        if not number:
            raise _bad_table(head[0], "", "no label below the head; expected one line a label")

    def _plain(self, cells: Iterable[str]) -> list[str]:
        return [self._spellings.plain(field, cell) for field, cell in zip(FIELDS, cells, strict=True)]

    def _row(self, line: int, item: str, rater: str, label: str) -> Row | None:
        for field, value in zip(FIELDS, (item, rater), strict=False):
            if not value:
                self._add(line, field, "empty; say which it is, or remove the line")
                return None
        if (first := self._first_lines.setdefault((item, rater), line)) != line:
            self._add(line, "label", f"{rater} has a label for {item} on line {first}; keep one of the two")
            return None
        try:
            return Row(item, rater, _label(label, self._scale))
        except ValueError:
            self._add(
                line, "label", f"{label[:40]!r} is not a number; give one, or leave a missing label empty"
            )
            return None

    def _add(self, line: int, field: str, message: str) -> None:
        self._problems.add(LineProblem(line, field, message))


def _csv_lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """The cells of each line that is not blank, and the number of the line on which they begin."""
    reader = csv.reader(StringIO(text, newline=""), strict=True)
    line = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        raise _bad_table(
            line, "", f"not CSV ({error}); close each quote, and double quotes inside quotes"
        ) from error


def _columns(line: int, cells: Sequence[str]) -> list[int]:
    """Where the head has each of FIELDS."""
    names = [plain(cell).casefold() for cell in cells]
    for field in FIELDS:
        if names.count(field) != 1:
            what = (
                "twice in the head" if field in names else f"missing from the head {','.join(names)[:80]!r}"
            )
            raise _bad_table(
                line, field, f"{what}; the first line names each of {', '.join(FIELDS)} once, with commas"
            )
    return [names.index(field) for field in FIELDS]


def _label(text: str, scale: Scale) -> Label | None:
    if not text:
        return None
    if scale == "nominal":
        return text
    number = float(text)
    if "_" in text or not math.isfinite(number):
        raise ValueError(text)
    return number
