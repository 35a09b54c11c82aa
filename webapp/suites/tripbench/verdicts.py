"""Which constraints held at each turn, and which the plan of that turn met."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from benchmark.plans.view import Mark
from benchmark.suites.tripbench.events import TaskDealt
from benchmark.suites.tripbench.metrics import CONSTRAINTS, GROUPS
from benchmark.suites.tripbench.scoring.sessions import evidence_of_turns
from benchmark.suites.tripbench.tasks.listing import BEHAVIOUR_WORDS
from benchmark.suites.tripbench.tasks.task import Task
from benchmark.suites.tripbench.turns import CONSTRAINT
from benchmark.suites.tripbench.wording import request_words
from webapp.plans.mapping import pack_of
from webapp.sessions.reading import Reading
from webapp.sessions.setting import setting_of
from webapp.suites.tripbench.plans import page_language
from webapp.suites.tripbench.plans import words_of as finding_words


class Cell(NamedTuple):
    """A constraint at a turn. tone: good, bad or "" where it was not judged. title: what was found."""

    sign: str
    tone: str
    title: str


NOTHING = Cell("", "", "")


class Row(NamedTuple):
    """A constraint turn by turn."""

    label: str
    name: str
    cells: Sequence[Cell]


class ShownTurn(NamedTuple):
    """at: the number of the agent's message. requests: what the user's message before it says, by behaviour.

    findings: what is against the plan, with its place.
    """

    number: int
    at: int
    requests: Sequence[tuple[str, str]]
    is_carried: bool
    loose: bool
    strict: bool
    findings: Sequence[tuple[str, str]]


def context(reading: Reading, _traveller: str) -> dict[str, Any]:
    """A map of constraints and turns up to this moment, and what changed with each turn."""
    dealt = (event.body for event in reading.events if isinstance(event.body, TaskDealt))
    task = next((Task.model_validate(body.task) for body in dealt), None)
    turns = [*_turns(reading)]
    if task is None or not turns:
        return {"turns": [], "has_task": task is not None}
    return {
        "turns": [_shown_turn(turn, task) for turn in turns],
        "groups": [
            *(
                (_(group.label), [*_rules_rows(group.key, turns)])
                for group in GROUPS
                if group.key in CONSTRAINTS
            ),
            (_("The user's constraints"), [*_user_rows(turns, task)]),
        ],
    }


def _turns(reading: Reading) -> Iterator[Mapping[str, Any]]:
    """Of the stored score as far as this moment; where there is none yet, judged now."""
    last = reading.events[-1].seq
    if reading.score is not None:
        for turn in reading.score.figures["evidence"].get("turns", ()):
            if turn["message"] <= last:
                yield turn
    else:
        setting = replace(
            setting_of(reading.session, reading.events[0].body), open_pack=lambda: pack_of(reading.session)
        )
        yield from evidence_of_turns(reading.events, setting)


def _rules_rows(group: str, turns: Sequence[Mapping[str, Any]]) -> Iterator[Row]:
    for key, (label, name) in CONSTRAINTS[group].items():
        yield Row(_(label), _(name), [_cell(turn, turn[group].get(key), key) for turn in turns])


def _user_rows(turns: Sequence[Mapping[str, Any]], task: Task) -> Iterator[Row]:
    ids = dict.fromkeys(id_ for turn in turns for id_ in turn["user"])
    for id_ in ids:
        cells = [_cell(turn, turn["user"][id_], id_) if id_ in turn["user"] else NOTHING for turn in turns]
        yield Row(id_, _words(id_, task), cells)


def _words(id_: str, task: Task) -> str:
    instruction = task.instructions.get(id_)
    return "" if instruction is None else request_words(instruction, task, page_language())


def _cell(turn: Mapping[str, Any], is_met: bool | None, key: str) -> Cell:
    if is_met is None:
        return Cell("–", "", _("not judged"))
    if is_met:
        return Cell("✓", "good", _("met"))
    found = "; ".join(" ".join(filter(None, finding)) for finding in _findings(turn, key))
    return Cell("✗", "bad", found or _("not met"))


def _findings(turn: Mapping[str, Any], key: str = "") -> Iterator[tuple[str, str]]:
    """Of one constraint, or all."""
    for raw in turn["marks"]:
        if key in ("", raw["params"].get(CONSTRAINT)):
            sentence = finding_words(Mark(tuple(raw["at"]), raw["key"], raw["params"]))
            yield sentence.place, sentence.text


def _shown_turn(turn: Mapping[str, Any], task: Task) -> ShownTurn:
    known = task.instructions
    requests = [
        (_(BEHAVIOUR_WORDS[known[id_].behaviour]), _words(id_, task)) if id_ in known else ("", id_)
        for id_ in turn["told"]
    ]
    return ShownTurn(
        turn["turn"],
        turn["message"],
        requests,
        turn["carried"],
        turn["loose"],
        turn["strict"],
        [*_findings(turn)],
    )
