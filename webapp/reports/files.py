"""A report as a file: CSV and JSON with English keys and plain numbers, Markdown, HTML, LaTeX."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string

from benchmark.judging import Pair
from benchmark.reports import (
    LEVEL,
    Cell,
    Column,
    Estimate,
    Figure,
    Note,
    Part,
    Report,
    RunFigures,
    Spread,
    Table,
)
from benchmark.reports.dataset import DatasetPart
from webapp.reports.latex import part_latex, report_latex
from webapp.reports.page import ShownPart, parts_of, shown_parts
from webapp.reports.paper_results import ShownTable, plain_of, tables_like
from webapp.reports.wording import Words, sessions_words
from webapp.spreadsheets import csv_text
from webapp.standalone import policy

_LONG = ("part", "counterpart", "row", "column", "value", "low", "high", "std")


def table_csv(table: Table) -> str:
    """One table: an estimate takes three columns (KEY, KEY_low, KEY_high), a spread two (KEY, KEY_std), a figure that
    is a mean three (KEY, KEY_n, KEY_of).

    shared_tasks, last: how many tasks it is over, where the runs were cut to those that they share.
    """
    keys = [key for column in table.columns for key in _keys(column, table)]
    rows = [dict(_values(table.columns, row)) for row in table.rows]
    if table.shared_tasks is None:
        return csv_text(keys, rows)
    return csv_text([*keys, "shared_tasks"], [{**row, "shared_tasks": table.shared_tasks} for row in rows])


def _keys(column: Column, table: Table) -> list[str]:
    for cell in table.cells(column.key):
        if isinstance(cell, Estimate | Spread | Figure):
            return [key for key, _ in _parts(column.key, cell)]
    return [column.key]


def _values(columns: Iterable[Column], row: Iterable[Cell]) -> Iterator[tuple[str, Any]]:
    for column, cell in zip(columns, row, strict=True):
        yield from _parts(column.key, cell)


def _parts(key: str, cell: Cell) -> list[tuple[str, Any]]:
    match cell:
        case Estimate():
            return [(key, cell.value), (f"{key}_low", cell.low), (f"{key}_high", cell.high)]
        case Spread():
            return [(key, cell.mean), (f"{key}_std", cell.std)]
        case Figure(n=None):
            return [(key, cell.value)]
        case Figure():
            return [(key, cell.value), (f"{key}_n", cell.n), (f"{key}_of", cell.of)]
    return [(key, cell)]


def report_csv(report: Report) -> str:
    """All tables in one of eight columns, a line a cell: part, counterpart, row (from 1), column, value and so on.

    First what the report is: parts `report` and `figures`, which are no tables.
    """
    return csv_text(_LONG, [*_report_lines(report), *_cells(report)])


def _report_lines(report: Report) -> Iterator[dict[str, Any]]:
    head = _head(report)
    for name in ("profile", "code_version", "level", "counterparts", "shared_tasks"):
        yield {"part": "report", "column": name, "value": head[name]}
    for run in head["runs"]:
        yield {
            "part": "report",
            "row": run["label"],
            "column": "left_out_tasks",
            "value": run["left_out_tasks"],
        }
    for figure, meaning in head["figures"].items():
        yield {"part": "figures", "column": figure, "value": meaning}


def _cells(report: Report) -> Iterator[dict[str, Any]]:
    for part in parts_of(report):
        yield from _cells_of(part, part.table(report))
        for like in tables_like(report, part.counterpart):
            yield from _published_cells(part, like)


def _published_cells(part: Part, like: ShownTable) -> Iterator[dict[str, Any]]:
    """The figures of the paper's table, whose counterpart begins with `published`; the model is the first column."""
    for number, row in enumerate(like.table.rows, 1):
        place = {"part": part.name, "counterpart": f"published {like.table.id}", "row": number}
        yield place | {"column": "model", "value": row.model}
        for column in like.table.columns:
            value, std = row.values.get(column.key), row.std.get(column.key)
            yield place | {"column": column.key, "value": value, "std": std}


def _cells_of(part: Part | DatasetPart, table: Table) -> Iterator[dict[str, Any]]:
    for number, row in enumerate(table.rows, 1):
        for column, cell in zip(table.columns, row, strict=True):
            place = {"part": part.name, "counterpart": part.counterpart, "row": number}
            if isinstance(cell, Figure):
                for key, value in _parts(column.key, cell):
                    yield place | {"column": key, "value": value}
            else:
                yield place | {"column": column.key} | _plain(cell)


def parts_csv(parts: Iterable[ShownPart]) -> str:
    """The tables of some parts as `report_csv` writes them."""
    return csv_text(_LONG, [cell for part in parts for cell in _cells_of(part.part, part.table)])


def _plain(cell: Cell) -> dict[str, Any]:
    match cell:
        case Estimate():
            return {"value": cell.value, "low": cell.low, "high": cell.high}
        case Spread():
            return {"value": cell.mean, "std": cell.std}
        case Figure(n=None):
            return {"value": cell.value}
        case Figure():
            return {"value": cell.value, "n": cell.n, "of": cell.of}
    return {"value": cell}


def report_json(report: Report) -> str:
    """What it is of, and tables as lists of objects; an estimate is {value, low, high}, a spread {value, std},
    a figure that is a mean {value, n, of}."""
    document = {**_head(report), "parts": {part.name: _json(part.table(report)) for part in parts_of(report)}}
    for part in parts_of(report):
        document["parts"][part.name]["counterpart"] = part.counterpart
        if like := tables_like(report, part.counterpart):
            document["parts"][part.name]["published"] = [
                plain_of(table.results, table.table) for table in like
            ]
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _head(report: Report) -> dict[str, Any]:
    words = Words(report.measures)
    return {
        "profile": report.measures.profile,
        "code_version": report.measures.code_version,
        "level": LEVEL,
        "counterparts": words.counterparts,
        "figures": words.meanings,
        "judged_by": _pair(report.pair) if report.pair else None,
        **(
            {"judged_beside_by": [_pair(pair) for pair in report.further_pairs]}
            if report.further_pairs
            else {}
        ),
        "other_judges": [_pair(pair) for pair in report.others],
        "shared_tasks": len(report.common),
        "runs": [
            {
                "id": run.id,
                "name": run.name,
                "label": run.label,
                **run.cast,
                "conditions": dict(run.conditions),
                "counted": len(run.sessions),
                "ended": run.ended,
                "planned": run.planned,
                "tasks": len(run.tasks.ids),
                "left_out_tasks": len(run.tasks.ids) - len(report.common),
            }
            for run in report.runs
        ],
    }


def _pair(pair: Pair) -> dict[str, Any]:
    """A rubric is told where it has a name."""
    return {key: value for key, value in asdict(pair).items() if key != "rubric" or value}


def _json(table: Table) -> dict[str, Any]:
    return {"rows": table_rows(table), "notes": [_note(note) for note in table.notes]}


def table_rows(table: Table) -> list[dict[str, Any]]:
    """The rows as objects by column, with figures as `report_json` writes them."""
    keys = [column.key for column in table.columns]
    return [{key: _object(cell) for key, cell in zip(keys, row, strict=True)} for row in table.rows]


def _note(note: Note) -> dict[str, Any]:
    conditions = {"conditions": list(note.conditions)} if note.conditions else {}
    return {"key": note.key, **note.values, **conditions}


def _object(cell: Cell) -> Any:
    return _plain(cell) if isinstance(cell, Estimate | Spread | Figure) else cell


def report_markdown(report: Report) -> str:
    """Headings and tables; charts are their data."""
    runs = "".join(f"- {_run_name(run)}: {_escape_markdown(sessions_words(run))}\n" for run in report.runs)
    measures = report.measures
    head = f"# Report\n\nProfile {measures.profile}, scoring code {measures.code_version}.\n\n"
    counterparts = Words(measures).counterparts
    about = f"{counterparts}\n\n" if counterparts else ""
    return f"{head}{about}{runs}" + "".join(map(part_markdown, shown_parts(report)))


def _run_name(run: RunFigures) -> str:
    return _escape_markdown(run.name) if run.name == run.id else f"{_escape_markdown(run.name)} ({run.id})"


def part_markdown(part: ShownPart) -> str:
    """One part: its heading, table and notes."""
    counterpart = f" ({part.counterpart})" if part.counterpart else ""
    limits, notes = (
        "".join(f"\n{_escape_markdown(note)}\n" for note in notes) for notes in (part.limits, part.notes)
    )
    return (
        f"\n## {part.title}{counterpart}\n\n{part.about}\n{limits}{_grid(part)}{_legend(part)}{notes}"
        + "".join(map(_published_section, part.paper_tables))
    )


def _published_section(like: ShownTable) -> str:
    heads = "| | " + " | ".join(_escape_markdown(head) for head in like.heads) + " |"
    marks = "| --- |" + " ---: |" * len(like.heads)
    lines = [
        f"| {_escape_markdown(model)}{f' ({_escape_markdown(beside)})' if beside else ''} | "
        + " | ".join(f"**{cell.words}**" if cell.best else cell.words for cell in cells)
        + " |"
        for model, beside, cells in like.lines
    ]
    notes = "".join(f"\n{_escape_markdown(note)}\n" for note in like.notes)
    table = "\n".join([heads, marks, *lines])
    return f"\n### {_escape_markdown(like.title)}\n\n{table}\n{notes}"


def _legend(part: ShownPart) -> str:
    lines = "".join(f"- {head.label}: {_escape_markdown(head.meaning)}\n" for head in part.legend)
    return f"\n{lines}" if lines else ""


def _grid(part: ShownPart) -> str:
    if not part.table.rows:
        return ""
    heads = "| " + " | ".join(head.label for head in part.heads) + " |"
    marks = "|" + "|".join(" ---: " if head.number else " --- " for head in part.heads) + "|"
    lines = ("| " + " | ".join(_cell(cell.words, cell.note) for cell in line) + " |" for line in part.lines)
    return "\n" + "\n".join([heads, marks, *lines]) + "\n"


def _cell(words: str, beside: str) -> str:
    return f"{_escape_markdown(words)} ({beside})" if beside else _escape_markdown(words)


def _escape_markdown(text: str) -> str:
    """Nothing in a name is a mark of Markdown or a tag."""
    for mark in "\\`*_[]|":
        text = text.replace(mark, "\\" + mark)
    return " ".join(text.replace("<", "&lt;").split())


def report_html(report: Report) -> str:
    """A page that holds everything it needs."""
    static = settings.BASE_DIR / "static"
    styles = [static / "css" / name for name in ("caravan.css", "reports.css")]
    style = "".join(path.read_text(encoding="utf-8") for path in styles)
    plotly = (static / "vendor" / "plotly" / "plotly-basic.min.js").read_text(encoding="utf-8")
    module = (static / "js" / "charts.js").read_text(encoding="utf-8")
    given = {
        "report": report,
        "profile": report.measures.profile,
        "code_version": report.measures.code_version,
        "counterparts": Words(report.measures).counterparts,
        "parts": shown_parts(report),
        "styles": style,
        "plotly": plotly,
        "module": module,
        "policy": policy(styles=[style], scripts=[plotly, module], pictures=True),
    }
    return render_to_string("reports/file.html", given)


FORMATS: Mapping[str, tuple[str, Callable[[Report], str]]] = {
    "md": ("text/markdown", report_markdown),
    "html": ("text/html", report_html),
    "csv": ("text/csv", report_csv),
    "json": ("application/json", report_json),
    "tex": ("application/x-tex", report_latex),
}
"""By the ending of a file: its content type, and what writes it."""
PART_FORMATS: Mapping[str, tuple[str, Callable[[ShownPart], str]]] = {
    "csv": ("text/csv", lambda part: table_csv(part.table)),
    "md": ("text/markdown", part_markdown),
    "tex": ("application/x-tex", part_latex),
}
"""The same of one part."""
