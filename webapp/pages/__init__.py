"""What benchmarks bring to the pages: each has a room that bears its name below `webapp.suites`, or does without.

A room is a package with a module `pages` that holds `PAGES`. Its filters for templates are in a module `tags`, which
its templates load by the benchmark's name. Its templates are below `templates/suites/NAME`: one at `events/TYPE.html`
or `panels/NAME.html` is taken before the shared one, which is below `templates/sessions`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar

from webapp.pages.figures import FigureWords
from webapp.pages.label import LabelPage
from webapp.pages.plans import PlanPages
from webapp.pages.seat import AgentPage, Desk, DeskPart, DeskResult, FoundThing, SeatPage, WordCheck
from webapp.pages.session import (
    MOST_COMPARED,
    Card,
    ComparedPart,
    ComparedRow,
    Mark,
    Panel,
    SessionPage,
    round_of,
)
from webapp.pages.task import TRAVELLERS, SynthesisPage, TaskEditor, TaskPage, UserWords

ROOMS = "webapp.suites"


@dataclass(frozen=True)
class Pages:
    """What one benchmark brings, a record for each kind of page."""

    session: SessionPage = field(default_factory=SessionPage)
    task: TaskPage = field(default_factory=TaskPage)
    seat: SeatPage = field(default_factory=SeatPage)
    """Of a traveller, and of the agent."""
    label: LabelPage = field(default_factory=LabelPage)
    """What annotators see."""
    figures: FigureWords = field(default_factory=FigureWords)
    plans: PlanPages | None = None
    """Of a benchmark whose `plans` tell how its plans are read; with it come panels of the plan, its map and its
    versions, plans side by side, those that annotators see, and a tab of the agent's desk. Own ones with the same
    name stand in their place."""


@cache
def pages_of(suite: str) -> Pages:
    """What the benchmark of this name brings; the defaults for one without a room."""
    if find_spec(f"{ROOMS}.{suite}") is None:
        return Pages()
    pages: Pages = import_module(f"{ROOMS}.{suite}.pages").PAGES
    return pages


def tag_libraries() -> dict[str, str]:
    """The modules of the rooms' filters, by the names by which templates load them."""
    names = (file.parent.name for file in Path(__file__).parents[1].glob("suites/*/tags.py"))
    return {name: f"{ROOMS}.{name}.tags" for name in names}


Part = TypeVar("Part", Panel, Mark)


def place_parts(shared: Sequence[Part], own: Sequence[Part]) -> list[Part]:
    """The shared parts with a benchmark's own ones among them; own ones that stand before none come last."""
    by_name = {part.name: part for part in own}
    parts: list[Part] = []
    for part in shared:
        parts += [other for other in own if other.before == part.name]
        parts.append(by_name.get(part.name, part))
    parts += [part for part in own if part not in parts]
    return parts
