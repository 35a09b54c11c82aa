"""Unsolvable tasks that the agent did not recognise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from benchmark.misses import Miss
from benchmark.suites.travelbench.misses.reading import LostAnswer
from benchmark.suites.travelbench.modes import UNSOLVED_MARK
from benchmark.suites.travelbench.travellers.scripted.user import questions

UNSOLVED: Final = "unsolved"
_LONGEST: Final = 200


def unsolved_misses(session: LostAnswer) -> Iterator[Miss]:
    """The 1 that a task is worth; its kind is why the task can't be solved."""
    if session.figures.get(UNSOLVED):
        return
    answers, calls = session.answers, session.asked_calls
    first_call = [calls[0][0]] if calls else []
    last = answers[-1] if answers else None
    if last is None or last.failed:
        cause = "no_answer"
    elif any(UNSOLVED_MARK in said.words for said in answers):
        cause = "late"
    else:
        cause = "asked_instead" if questions(last.words) else "answered_instead"
    seqs = (*([last.seq] if last else session.end), *first_call)
    for kind in session.task.causes or ("missing_info",):
        yield Miss(UNSOLVED, kind, cause, 1.0, item=last.words[:_LONGEST] if last else "", seqs=seqs)
