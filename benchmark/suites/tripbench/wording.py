"""Instructions in words, until each rubric has its own."""

from __future__ import annotations

from benchmark.suites.tripbench.tasks.task import Instruction


def request_words(instruction: Instruction, language: str) -> str:
    """What a user says to issue it."""
    told = [f"{key} {value}" for key, value in instruction.args.items()]
    return f"{instruction.rubric or instruction.behaviour}: {', '.join(told)}"
