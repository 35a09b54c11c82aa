"""Labels as rows of a table, and as JSON lines that hold everything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from benchmark.labelling.files.exports import (
    DecisionExport,
    ItemExport,
    KnownExport,
    LabelExport,
    StudyExport,
    letter_of,
    strength_of,
)

COLUMNS = (
    *("item", "rater", "label", "dimension", "task", "agent_a", "agent_b", "stratum", "purpose"),
    *("rationale", "seconds", "swapped", "hurried", "ticks", "source", "repeat", "counts", "at"),
    *("rater_kind", "rater_id", "decision", "strength", "decision_strength", "message"),
)
"""Of a table of labels. `manage.py agreement` reads the first three."""
SEPARATOR = "#"
"""Between the number of an item and a dimension of its rubric."""


def table_rows(item: ItemExport, *, everything: bool = False) -> Iterator[dict[str, Any]]:
    """A row a label, under a rubric one a dimension, each an item `NUMBER#DIMENSION` of its own.

    everything: repeats, models, and items with known answers or withdrawn too; a pair of item and rater may then
    stand there twice.
    """
    labels = [label for label in item.labels if label.current] if everything else list(item.main_labels())
    for label in labels:
        row = _row(item, label)
        if label.choice:
            yield row
        for dimension, score in label.scores.items():
            decided = item.decision.scores.get(dimension, "") if item.decision else ""
            of_dimension = {"item": f"{item.number}{SEPARATOR}{dimension}", "label": score}
            yield row | of_dimension | {"dimension": dimension, "decision": decided}


def _row(item: ItemExport, label: LabelExport) -> dict[str, Any]:
    return {
        "item": item.number,
        "rater": label.rater,
        "label": letter_of(label.choice),
        "dimension": "",
        "task": item.task,
        "agent_a": item.left_agent,
        "agent_b": item.right_agent,
        "stratum": item.stratum,
        "purpose": item.purpose,
        "rationale": label.rationale,
        "seconds": "" if label.seconds is None else label.seconds,
        **{name: int(getattr(label, name)) for name in ("swapped", "hurried", "ticks", "counts", "repeat")},
        **{name: getattr(label, name) for name in ("source", "at", "rater_kind", "rater_id")},
        "decision": letter_of(item.decision.choice) if item.decision else "",
        "strength": strength_of(label.slight),
        "decision_strength": strength_of(item.decision.slight) if item.decision else "",
        "message": "" if item.message is None else item.message,
    }


def json_row(study: StudyExport, item: ItemExport) -> dict[str, Any]:
    """An item with every label that was ever given, and every decision."""
    return {
        "item": item.number,
        "study": study.id,
        "kind": study.kind,
        "task": item.task,
        "purpose": item.purpose,
        "agent_a": item.left_agent,
        "agent_b": item.right_agent,
        "session_a": item.left,
        "session_b": item.right,
        "message": item.message,
        "facets": dict(item.facets),
        "stratum": item.stratum,
        "cities": list(item.cities),
        "withdrawn": item.withdrawn,
        "labels": [_label(label) for label in item.labels],
        "decisions": [_decision(decision) for decision in item.decisions],
        "known": _known_fields(item.known) if item.known else None,
        "final": letter_of(item.final),
        "final_strength": strength_of(item.slight),
        "finals": dict(item.finals),
        "decided": item.decided,
    }


def _label(label: LabelExport) -> dict[str, Any]:
    plain = (
        *("rater", "rater_id", "rater_kind", "rater_key", "rationale", "seconds", "swapped", "hurried"),
        *("ticks", "source", "repeat", "counts", "current", "at"),
    )
    told: Mapping[str, Any] = {name: getattr(label, name) for name in plain}
    return {**_answer(label), **told, "more": dict(label.more)}


def _answer(said: LabelExport | DecisionExport | KnownExport) -> dict[str, Any]:
    return {
        "label": letter_of(said.choice),
        "strength": strength_of(said.slight),
        "scores": dict(said.scores),
    }


def _known_fields(known: KnownExport) -> dict[str, Any]:
    return {**_answer(known), "explanation": known.explanation}


def _decision(decision: DecisionExport) -> dict[str, Any]:
    return {
        **_answer(decision),
        "note": decision.note,
        "seen": list(decision.seen),
        "current": decision.current,
        "at": decision.at,
    }
