"""A comparison of sessions as JSON and as plain text, for the command line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from benchmark.alignment.calls import AnsweredCall, are_the_same
from benchmark.alignment.messages import say_the_same
from benchmark.alignment.rows import Row, first_item
from benchmark.plans.changes import PlacedEntry
from webapp.comparisons.comparing import LETTERS, Comparison
from webapp.comparisons.plans import kind_of
from webapp.pages import ComparedRow


def comparison_json(comparison: Comparison) -> dict[str, Any]:
    """All of it. Lists have a value for each session in the order of `sessions`, null where one has nothing there."""
    return {
        "sessions": [session.pk for session in comparison.sessions],
        "notes": comparison.notes,
        "conditions": {
            "unlike": _rows_json(comparison.unlike_conditions),
            "alike": _rows_json(comparison.like_conditions),
        },
        "scores": _rows_json([*comparison.figures, *comparison.like_figures]),
        "parts": {part.name: _rows_json(part.rows) for part in comparison.parts},
        "messages": {
            "counts": comparison.conversations.counts,
            "not_compared": list(comparison.conversations.uncompared_counts),
            "sections": [
                {
                    "title": title,
                    "rows": [
                        {
                            "alike": say_the_same(row),
                            "who": first_item(row).who,
                            "seq": [said and said.seq for said in row],
                            "text": [said and said.whole for said in row],
                        }
                        for row in rows
                    ],
                }
                for title, rows in zip(
                    comparison.conversations.titles, comparison.conversations.rows, strict=True
                )
            ],
        },
        **({"calls": _calls_json(comparison)} if comparison.has_tools else {}),
        **({"plans": _plans_json(comparison)} if comparison.has_plans else {}),
    }


def _rows_json(rows: Iterable[ComparedRow]) -> list[dict[str, Any]]:
    return [
        {
            "label": row.label,
            "values": [list(own) for own in row.items],
            **({"changes": list(row.notes)} if any(row.notes) else {}),
        }
        for row in rows
    ]


def _calls_json(comparison: Comparison) -> dict[str, Any]:
    found = comparison.calls
    return {
        "counts": found.counts,
        "not_compared": list(found.uncompared_counts),
        "by_tool": found.counts_by_tool,
        "rows": [
            {
                "alike": are_the_same(row),
                "tool": first_item(row).name,
                "seq": [call and call.seq for call in row],
                "arguments": [call and call.arguments for call in row],
                "error": [call and call.error_kind for call in row],
                "other_result": [call and call.outcome != first_item(row).outcome for call in row],
            }
            for row in found.rows
        ],
    }


def _plans_json(comparison: Comparison) -> dict[str, Any]:
    found = comparison.plans
    return {
        "counts": found.counts,
        "planned": list(found.has_plan),
        "rows": [
            {
                "kind": kind_of(row),
                "name": first_item(row).entry.label,
                "day": [placed and placed.label for placed in row],
                "time": [placed and placed.entry.when.text for placed in row],
            }
            for row in found.rows
        ],
    }


def comparison_text(comparison: Comparison) -> str:
    """The same in short, for a terminal: what differs, line by line, in English."""
    sides = comparison.sides
    lines = [f"{side.letter} = {side.session.pk}" for side in sides] + comparison.notes
    lines += ["", "Conditions that differ:", *_row_lines(comparison.unlike_conditions)]
    lines.append(f"  {len(comparison.like_conditions)} conditions are the same")
    lines += ["", "Scores:", *_row_lines(comparison.figures)]
    lines.append(f"  {len(comparison.like_figures)} more scores are the same")
    lines += ["", f"Messages: {_count_words(comparison.conversations.counts)}"]
    lines += _uncompared_lines(comparison.conversations.uncompared_counts)
    if comparison.has_tools:
        lines += ["", f"Tool calls: {_count_words(comparison.calls.counts)}"]
        lines += _uncompared_lines(comparison.calls.uncompared_counts)
        lines += _call_lines(comparison.calls.rows)
    if comparison.has_plans:
        lines += ["", f"Places of the plans: {_count_words(comparison.plans.counts)}"]
        lines += _place_lines(comparison.plans.rows)
    return "\n".join(lines) + "\n"


def _row_lines(rows: Iterable[ComparedRow]) -> Iterator[str]:
    for row in rows:
        cells = []
        for letter, side in zip(LETTERS, row.sides, strict=False):
            value = "; ".join(item.text for item in side.items) or "–"
            cells.append(f"{letter} {value}{f' ({side.note})' if side.note else ''}")
        yield f"  {row.label}: {' | '.join(cells)}"


def _count_words(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{n} {kind}" for kind, n in counts.items() if n) or "none"


def _uncompared_lines(uncompared_counts: Sequence[int]) -> Iterator[str]:
    for letter, n in zip(LETTERS, uncompared_counts, strict=False):
        if n:
            yield f"  {n} more of {letter} are not compared"


def _letters_in(row: Row[Any]) -> str:
    return "".join(letter for letter, cell in zip(LETTERS, row, strict=False) if cell is not None)


def _call_lines(rows: Iterable[Row[AnsweredCall]]) -> Iterator[str]:
    for row in rows:
        if not are_the_same(row):
            base = first_item(row)
            several = dict.fromkeys(
                call.argument_lines.replace("\n", ", ") for call in row if call is not None
            )
            yield f"  {_letters_in(row)} {base.name}({' → '.join(several)})"


def _place_lines(rows: Iterable[Row[PlacedEntry]]) -> Iterator[str]:
    for row in rows:
        if (kind := kind_of(row)) != "same":
            when = " → ".join(f"day {at.label} {at.entry.when.text}".strip() for at in row if at is not None)
            yield f"  {_letters_in(row)} {kind}: {first_item(row).entry.label}, {when}"
