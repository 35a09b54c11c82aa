"""Labels from our JSON lines: an item a line, with all its labels and decisions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from benchmark.inputs import LineProblem, filled_lines
from benchmark.jsonlines import unstorable_in
from benchmark.labelling.files.checks import (
    LONGEST_TEXT,
    ItemAnswers,
    ItemClues,
    Reading,
    Wrong,
    is_normal,
    is_slight,
    label_text,
    list_of,
    load_object,
    moment_of,
    object_of,
    rater_name,
    read_part,
    seconds_of,
    text_of,
    whole_number,
)
from benchmark.labelling.files.exports import (
    PERSON,
    PURPOSES,
    DecisionExport,
    KnownExport,
    LabelExport,
    choice_of,
)


def read_lines(reading: Reading, text: str) -> None:
    for item in filled_lines(enumerate(text.encode().split(b"\n"), 1), len(text), "item"):
        if isinstance(item, LineProblem):
            reading.problems.add(item)
            continue
        line, row = item
        try:
            _json_item(reading, line, object_of(load_object(row.decode()), ""))
        except Wrong as problem:
            reading.wrong(line, problem)


def _json_item(reading: Reading, line: int, row: Mapping[str, Any]) -> None:
    if "item" not in row:
        raise Wrong("item", "missing; give the number of the item")
    if not {"labels", "decisions", "known"} & set(row):
        raise Wrong("labels", _why_no_labels(row))
    told = (row.get(name, "") for name in ("task", "agent_a", "agent_b"))
    item = reading.item(row["item"], ItemClues(*map(str, told)))
    counts = is_normal(row.get("purpose", ""))
    for name, read in (("labels", partial(_json_label, counts)), ("decisions", _json_decision)):
        for at, given in enumerate(list_of(row.get(name, []), name)):
            read_part(reading, line, f"{name}[{at}]", partial(read, reading, line, item, given))
    if row.get("known") is not None:
        purpose = partial(_json_purpose, row)
        read_part(reading, line, "known", partial(_json_known, reading, line, item, row["known"], purpose))


def _why_no_labels(row: Mapping[str, Any]) -> str:
    if "chosen" in row:
        return "missing: a preference pair does not tell who labelled; send the file of items with all labels"
    return 'missing; give a list of what raters said of the item, such as [{"rater": "Ann", "label": "A"}]'


def _json_label(counts: bool, reading: Reading, line: int, item: ItemAnswers, value: Any) -> None:
    given = object_of(value, "")
    more = dict(_clean(object_of(given.get("more", {}), "more")))
    earlier = more.pop("strength", "")  # where files of before had it
    label = LabelExport(
        rater=rater_name(given.get("rater", ""), reading.names),
        choice=choice_of(label_text(given.get("label", ""), "label", reading.names)),
        slight=is_slight(given.get("strength", earlier)),
        scores=dict(object_of(given.get("scores", {}), "scores")),
        more=more,
        rationale=text_of(given.get("rationale", ""), "rationale", LONGEST_TEXT),
        seconds=seconds_of(given.get("seconds")),
        repeat=whole_number(given.get("repeat", 0), "repeat"),
        at=moment_of(given.get("at", "")),
        rater_id=text_of(given.get("rater_id", ""), "rater_id"),
        rater_kind=text_of(given.get("rater_kind", PERSON), "rater_kind"),
        rater_key=text_of(given.get("rater_key", ""), "rater_key"),
        swapped=bool(given.get("swapped")),
        hurried=bool(given.get("hurried")),
        ticks=bool(given.get("ticks")),
        current=bool(given.get("current", True)),
        counts=counts,
    )
    reading.add(line, item, label)


def _json_purpose(row: Mapping[str, Any]) -> str:
    purpose = text_of(row.get("purpose", ""), "purpose")
    allowed = PURPOSES[1:]
    if purpose not in allowed:
        told = f"{purpose[:40]!r} has no known answer; set the purpose to one of {', '.join(allowed)}"
        raise Wrong("purpose", f"{told}, or remove known")
    return purpose


def _json_known(
    reading: Reading, line: int, item: ItemAnswers, value: Any, purpose_of: Callable[[], str]
) -> None:
    given = object_of(value, "")
    known = KnownExport(
        choice=choice_of(label_text(given.get("label", ""), "label", reading.names)),
        slight=is_slight(given.get("strength")),
        scores=dict(object_of(given.get("scores", {}), "scores")),
        explanation=text_of(given.get("explanation", ""), "explanation", LONGEST_TEXT),
    )
    reading.check(known)
    if item.known_answers:
        first = item.known_answers[0][0]
        raise Wrong("", f"item {item.number} has a known answer on line {first}; keep one of the two")
    item.known_answers.append((line, purpose_of(), known))


def _clean(more: Mapping[str, Any]) -> Mapping[str, Any]:
    if wrong := unstorable_in(more):
        path, why = wrong
        raise Wrong(f"more.{path}", why)
    return more


def _json_decision(reading: Reading, line: int, item: ItemAnswers, value: Any) -> None:
    given = object_of(value, "")
    decision = DecisionExport(
        choice=choice_of(label_text(given.get("label", ""), "label", reading.names)),
        slight=is_slight(given.get("strength")),
        scores=dict(object_of(given.get("scores", {}), "scores")),
        note=text_of(given.get("note", ""), "note", LONGEST_TEXT),
        seen=[whole_number(number, "seen") for number in list_of(given.get("seen", []), "seen")],
        current=bool(given.get("current", True)),
        at=moment_of(given.get("at", "")),
    )
    reading.check(decision)
    if decision.current and any(other.current for _line, other in item.decisions):
        raise Wrong("current", f"item {item.number} has two decisions in force; keep one")
    item.decisions.append((line, decision))
