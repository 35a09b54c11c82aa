"""A user's message as it is written: the words, and the ids of what they say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from benchmark.plans.finding import last_fenced_object
from benchmark.suites.tripbench.events import UserBriefed
from benchmark.suites.tripbench.tasks.task import Task
from benchmark.suites.tripbench.users.program import IDS, WORDS

UNREADABLE: Final = "unreadable"
UNKNOWN_IDS, TOO_MANY_IDS = "unknown_ids", "too_many_ids"
ENDED_IDS, LEFT_OUT_IDS = "ended_ids", "left_out_ids"
"""Why a message can't be said so."""


class Request(NamedTuple):
    """A message. problem: why it can't be said so, "" where it can. about: the ids that are wrong."""

    words: str
    ids: tuple[str, ...] = ()
    problem: str = ""
    about: tuple[str, ...] = ()


def read_request(
    text: str, brief: UserBriefed, task: Task, issued: Sequence[str], *, is_plain: bool
) -> Request:
    """What a message says. is_plain: whether words alone are one, which say nothing of the brief.

    A text that names the ids and can't be read is no such words, but JSON that is broken.
    """
    held = last_fenced_object(text, IDS)
    if held is None or WORDS not in held:
        is_said = is_plain and bool(text.strip()) and IDS not in text
        return Request(text) if is_said else Request(text, problem=UNREADABLE)
    ids, words = held.get(IDS), held[WORDS]
    if not isinstance(words, str) or not words.strip() or not isinstance(ids, list):
        return Request(text, problem=UNREADABLE)
    named = tuple(dict.fromkeys(str(id_) for id_ in ids))
    problem, about = find_problem(named, brief, task, issued)
    return Request(words.strip(), named, problem, about)


def find_problem(
    ids: tuple[str, ...], brief: UserBriefed, task: Task, issued: Sequence[str]
) -> tuple[str, tuple[str, ...]]:
    """Why these ids can't be said of a brief, and which of them; "" where they can."""
    items = {item.id: item for item in brief.items}
    if unknown := tuple(id_ for id_ in ids if id_ not in items):
        return UNKNOWN_IDS, unknown
    if len(ids) > brief.most:
        return TOO_MANY_IDS, ids
    if left_out := tuple(id_ for id_ in brief.needed_ids if id_ not in ids):
        return LEFT_OUT_IDS, left_out
    known, said = task.instructions, list(issued)
    for id_ in ids:
        held = task.demand_after(said).constraints
        if items[id_].block == "modify" and any(dropped not in held for dropped in known[id_].drops):
            return ENDED_IDS, (id_,)
        said += [id_] if id_ in known else []
    return "", ()


def read_words(text: str) -> str:
    """What a message says, without ids."""
    held = last_fenced_object(text, IDS)
    return held[WORDS] if held is not None and isinstance(held.get(WORDS), str) else text
