"""Tables of reports in LaTeX, with booktabs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from benchmark.reports import Cell, Column, Estimate, Measures, Report, Spread, Table
from benchmark.text.latex import escape_latex, letters_beyond_pdflatex
from webapp.reports.page import ShownPart, shown_parts
from webapp.reports.wording import Words
from webapp.wording.numbers import number_words

LONG = 45
"""Rows of a table that a page still has room for; more go over several pages."""
WIDE = 8
"""Columns that a page has room for; tables with more are made smaller."""
LONG_NAME = 28
"""Letters of a cell from which on its column breaks lines."""
_TOKEN = re.compile(r"\S{13,}")
_BREAK = "\ue001"
PREAMBLE = (
    "\\documentclass[10pt]{article}\n"
    "\\usepackage{iftex}\n"
    "\\ifPDFTeX\n"
    "  \\usepackage[T1]{fontenc}\n"
    "  \\usepackage[utf8]{inputenc}\n"
    "%(chinese)s"
    "\\fi\n"
    "\\usepackage[a4paper,margin=2cm]{geometry}\n"
    "\\usepackage{booktabs,longtable,graphicx}\n"
    "\\setlength{\\LTcapwidth}{\\textwidth}\n"
)
_CHINESE = (
    "  \\errmessage{This document has letters that pdfLaTeX lacks: compile it by XeLaTeX or LuaLaTeX}\n"
    "\\else\n"
    "  \\usepackage[UTF8,scheme=plain]{ctex}\n"
)


def report_latex(report: Report) -> str:
    """All tables as one document that compiles."""
    parts = [part for part in shown_parts(report) if part.table.rows]
    body = "".join(f"\n{part_latex(part)}" for part in parts)
    about = escape_latex(Words(report.measures).counterparts)
    return f"{preamble(about + body)}\\begin{{document}}\n{about}\n{body}\n\\end{{document}}\n"


def preamble(body: str) -> str:
    """What stands before a document with these tables; letters that pdfLaTeX lacks are set by ctex."""
    return PREAMBLE % {"chinese": _CHINESE if letters_beyond_pdflatex([body]) else ""}


def part_latex(part: ShownPart) -> str:
    """A part's table with its caption, its notes and a label, to be read by \\input; "" of a part without rows.

    The best values of a column stand in bold: of the rows that differ by their run alone, those that look the same
    as the best one.
    """
    if not part.table.rows:
        return ""
    breaking = _breaking_columns(part)
    lines = list(_lines(part, breaking))
    kind = _LongTable if len(lines) > LONG else _FloatingTable
    made = kind(part, breaking).text(lines)
    return f"{_head(part, made)}{made}"


def _head(part: ShownPart, made: str) -> str:
    """What the file needs, as comments."""
    needed = ["booktabs", *(name for name, mark in _PACKAGES.items() if mark in made)]
    lines = [f"% \\usepackage{{{','.join(needed)}}}"]
    if letters := letters_beyond_pdflatex([made]):
        lines.append(f"% XeLaTeX or LuaLaTeX with \\usepackage{{ctex}}, for letters such as {letters[:10]}")
    return "".join(f"{line}\n" for line in lines)


_PACKAGES: Mapping[str, str] = {"longtable": "\\begin{longtable}", "graphicx": "\\resizebox"}
"""Packages by what needs them."""


class _FloatingTable:
    """A table on one page, over both columns of a paper where it is wide."""

    def __init__(self, part: ShownPart, breaking: Mapping[int, float]) -> None:
        self.part, self.breaking = part, breaking

    @property
    def heads(self) -> str:
        return _row([_head_cell(head.label) for head in self.part.heads])

    @property
    def columns(self) -> str:
        heads = enumerate(self.part.heads)
        return "".join(
            f"p{{{self.breaking[at]:.2f}\\textwidth}}" if at in self.breaking else "r" if head.number else "l"
            for at, head in heads
        )

    @property
    def caption(self) -> str:
        texts = [f"{self.part.title}.", self.part.about, *self.part.limits]
        return f"\\caption{{{escape_latex(' '.join(texts))}}}\\label{{tab:{self.part.part.name.replace('_', '-')}}}"

    @property
    def notes(self) -> str:
        legend = [f"{head.label}: {head.meaning}" for head in self.part.legend]
        return "".join(
            f"\\par\\smallskip{{\\footnotesize\\raggedright {escape_latex(note)}\\par}}\n"
            for note in [*legend, *self.part.notes]
        )

    def text(self, lines: Sequence[str]) -> str:
        wide = len(self.part.heads) > WIDE
        name = "table*" if wide or self.breaking else "table"
        grid = (
            f"\\begin{{tabular}}{{{self.columns}}}\n\\toprule\n{self.heads}\\midrule\n{''.join(lines)}"
            "\\bottomrule\n\\end{tabular}"
        )
        shrunk = f"\\resizebox{{\\textwidth}}{{!}}{{%\n{grid}}}" if wide else grid
        return f"\\begin{{{name}}}\n\\centering\n\\small\n{self.caption}\n{shrunk}\n{self.notes}\\end{{{name}}}\n"


class _LongTable(_FloatingTable):
    """A table over several pages, in letters as small as its columns need."""

    def text(self, lines: Sequence[str]) -> str:
        size = "\\scriptsize" if len(self.part.heads) > WIDE else "\\footnotesize"
        head = f"\\toprule\n{self.heads}\\midrule\n"
        return (
            f"{{{size}\n\\setlength{{\\tabcolsep}}{{3pt}}\n\\begin{{longtable}}{{{self.columns}}}\n"
            f"{self.caption}\\\\\n{head}\\endfirsthead\n{head}\\endhead\n\\bottomrule\n\\endfoot\n{''.join(lines)}"
            f"\\end{{longtable}}}}\n{self.notes}"
        )


def _breaking_columns(part: ShownPart) -> dict[int, float]:
    """The columns with long names, by place, and the share of the width that each has."""
    places = [at for at, head in enumerate(part.heads) if not head.number]
    lines = list(part.lines)
    longest = {at: max(len(line[at].words) for line in lines) for at in places}
    long_ones = [at for at, letters in longest.items() if letters > LONG_NAME]
    share = max(0.08, 0.72 / len(long_ones)) if long_ones else 0.0
    return dict.fromkeys(long_ones, min(0.35, share))


def _lines(part: ShownPart, breaking: Mapping[int, float]) -> Iterator[str]:
    best = _best(part.table, part.words.measures)
    for number, (line, row) in enumerate(zip(part.lines, part.table.rows, strict=True)):
        cells = [
            _cell(
                column,
                value,
                _breakable(shown.words) if at in breaking else shown.words,
                shown.note,
                (number, at) in best,
            )
            for at, (column, value, shown) in enumerate(zip(part.table.columns, row, line, strict=True))
        ]
        yield _row(cells)


def _row(cells: Sequence[str]) -> str:
    return " & ".join(cells) + " \\\\\n"


def _head_cell(label: str) -> str:
    return f"{{{escape_latex(label)}}}"


def _breakable(text: str) -> str:
    """Long words, such as hashes and addresses, may break every few letters."""
    return _TOKEN.sub(lambda word: _BREAK.join(re.findall(r".{1,6}", word[0])), text)


def _cell(column: Column, value: Cell, words: str, note: str, is_best: bool) -> str:
    text = escape_latex(words).replace(_BREAK, "\\allowbreak{}")
    bold = f"\\textbf{{{text}}}" if is_best else text
    beside = _interval(column, value) or note
    return f"{bold} {{\\scriptsize {escape_latex(beside)}}}" if beside else f"{{{bold}}}"


def _interval(column: Column, value: Cell) -> str:
    """As papers write it, whatever the language: `[1.2, 3.4]`."""
    if not isinstance(value, Estimate) or value.low is None or value.high is None:
        return ""
    ends = (number_words(end, column.places, signed=column.signed) for end in (value.low, value.high))
    return f"[{', '.join(ends)}]"


def _best(table: Table, measures: Measures) -> set[tuple[int, int]]:
    """Rows and columns of the cells in bold."""
    return {
        (number, at)
        for group in _comparable_rows(table)
        for at, column in enumerate(table.columns)
        if measures.better(column.key) != "neither" and column.key in _figures(measures)
        for number in _best_rows(table, group, at, column, measures.better(column.key) == "high")
    }


def _figures(measures: Measures) -> set[str]:
    """The keys of metrics and of means of several."""
    return {metric.key for metric in measures.metrics} | {mean.key for mean in measures.means}


def _comparable_rows(table: Table) -> list[list[int]]:
    """The rows that differ in nothing that is named but their run, of at least two runs."""
    keys = [column.key for column in table.columns]
    if "run" not in keys:
        return []
    named = [at for at, column in enumerate(table.columns) if column.kind == "name" and column.key != "run"]
    groups: dict[tuple[Cell, ...], list[int]] = {}
    for number, row in enumerate(table.rows):
        groups.setdefault(tuple(row[at] for at in named), []).append(number)
    run = keys.index("run")
    return [group for group in groups.values() if len({table.rows[number][run] for number in group}) > 1]


def _best_rows(table: Table, group: Sequence[int], at: int, column: Column, high: bool) -> list[int]:
    """None where all look the same, which says nothing of any."""
    known = {number: value for number in group if (value := _plain(table.rows[number][at])) is not None}
    if len(known) < 2:
        return []
    shown = {number: number_words(value, column.places) for number, value in known.items()}
    best = (max if high else min)(known, key=known.__getitem__)
    rows = [number for number in known if shown[number] == shown[best]]
    return rows if len(rows) < len(known) else []


def _plain(cell: Cell) -> float | None:
    match cell:
        case Estimate():
            return cell.value
        case Spread():
            return cell.mean
        case bool() | int() | float():
            return float(cell)
    return getattr(cell, "value", None)
