"""What a benchmark brings to the pages of annotators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from webapp.pages.kinds import Context, Json, Reading


@dataclass(frozen=True)
class LabelPage:
    """What annotators see of a benchmark: nothing that tells who made it, and no verdict.

    task: what `templates/suites/NAME/labelled/task.html` needs, from the task's definition; None where a task is
    shown by its opening messages. plans: what `labelled/plans.html` there needs of one or two sessions, from
    their readings, with what only one of them has marked: under `sides` something of each, and whatever it puts
    side by side. Without it plans are shown as `Pages.plans` has them, else the agent's words. ticks: what the
    scorer finds met and missed in the plan of a reading, as lines; `plans` shows it where it is asked to. None where
    the benchmark has no such rules. profile: what the simulated user of a task was told of itself, from the task's
    definition, "" for nothing; None where tasks have no profiles.
    """

    task: Callable[[Json], Context] | None = None
    plans: Callable[[Sequence[Reading], bool], Context] | None = None
    ticks: Callable[[Reading], list[str]] | None = None
    profile: Callable[[Json], str] | None = None
