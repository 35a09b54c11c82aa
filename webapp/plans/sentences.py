"""What is said of the places of a plan."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from webapp.pages.plans import Sentence
from webapp.plans.days import DayPlan

S = TypeVar("S", bound=Sentence)


def merge_sentences(lines: Iterable[S]) -> list[S]:
    """Sentences that are alike but for whom they befall as one, in the order in which each is first said."""
    alike: dict[S, list[S]] = {}
    for line in lines:
        alike.setdefault(replace(line, users=(), times=1), []).append(line)
    return [
        replace(
            line,
            users=tuple(dict.fromkeys(user for one in lines_alike for user in one.users)),
            times=sum(one.times for one in lines_alike),
        )
        for line, lines_alike in alike.items()
    ]


def sentences_elsewhere(days: Iterable[DayPlan], lines: Sequence[S]) -> list[S]:
    """Those that belong to no day."""
    placed = {id(line) for day in days for _cell, line in day.sentences}
    placed |= {id(line) for day in days for stop in day.stops for line in stop.sentences}
    return [line for line in lines if id(line) not in placed]
