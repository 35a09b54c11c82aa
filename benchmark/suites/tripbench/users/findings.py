"""What an evaluator finds, as the user is told of it."""

from __future__ import annotations

from collections.abc import Sequence

from benchmark.plans.view import Mark
from benchmark.suites.tripbench.events import Finding
from benchmark.suites.tripbench.tasks.task import Task
from benchmark.suites.tripbench.turns import CONSTRAINT
from benchmark.suites.tripbench.users.words import knows, say
from benchmark.suites.tripbench.wording import constraint_words


def list_findings(marks: Sequence[Mark], task: Task) -> list[Finding]:
    """One for each constraint that is broken, by its first mark."""
    first: dict[str, Mark] = {}
    for mark in marks:
        first.setdefault(str(mark.params[CONSTRAINT]), mark)
    return [
        Finding(constraint=key, words=finding_words(key, mark, task), at=mark.at)
        for key, mark in first.items()
    ]


def finding_words(constraint: str, mark: Mark, task: Task) -> str:
    """A mark against a constraint, as the user would say it."""
    language, told = task.language, mark.params
    if not knows(language, constraint):
        own = task.instructions[constraint]
        words = constraint_words(own.rubric, own.args, language, task.names)
        return say(language, "unmet", words=words)
    where = "where_item" if "item" in told else "where_day" if "day" in told else ""
    seen = "" if "expected" not in told else "seen" if told.get("seen") is not None else "expected"
    parts = [say(language, constraint), *(say(language, key, **told) for key in (where, seen) if key)]
    return ("; " if language == "en" else "；").join(parts)
