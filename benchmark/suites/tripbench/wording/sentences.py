"""What a user says to issue an instruction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from benchmark.suites.tripbench.rubrics import read_rubric
from benchmark.suites.tripbench.tasks.task import Instruction, Task
from benchmark.suites.tripbench.wording.table import expression_of, fields_of, line
from benchmark.suites.tripbench.wording.trips import trip_words
from sandbox.prompts import prompt_language
from sandbox.tools.language import Language


def request_words(instruction: Instruction, task: Task, own_language: str = "") -> str:
    """An instruction, by default in the language of its task: another trip, what holds again, what ends, what is
    asked for.
    """
    language = prompt_language(own_language or task.language)
    parts = [part for part in _sentences(instruction, task, language) if part]
    return (" " if language == "en" else "").join(parts) or instruction.behaviour


def vague_words(instruction: Instruction, task: Task) -> str:
    """What a user hints at who does not say it exactly."""
    return _capitalise(line(prompt_language(task.language), f"vague.{instruction.rubric}"))


def constraint_words(key: str, arguments: Mapping[str, Any], language: str, names: Mapping[str, str]) -> str:
    """A constraint as a sentence; the bare arguments where they are not its own. names: of places by their ids."""
    return _rubric_sentence("ask", key, arguments, prompt_language(language), names)


def _sentences(instruction: Instruction, task: Task, language: Language) -> Iterator[str]:
    known = task.instructions
    if instruction.frame is not None:
        key = {"merge": "merge", "rollback": "same_trip"}.get(instruction.behaviour, "redirect")
        yield line(language, key, trip=trip_words(instruction.frame, language))
    replaced = [instruction.rubric] if instruction.rubric else []
    for restored in (known[id_] for id_ in instruction.restores):
        yield _rubric_sentence("rollback", restored.rubric, restored.args, language, task.names)
        replaced.append(restored.rubric)
    for rubric in dict.fromkeys(known[id_].rubric for id_ in instruction.drops):
        if rubric and rubric not in replaced:
            yield _capitalise(line(language, "delete", topic=_topic(language, rubric)))
    if instruction.rubric:
        drops = (known[id_].rubric for id_ in instruction.drops)
        act = "modify" if instruction.rubric in drops else "ask"
        yield _rubric_sentence(act, instruction.rubric, instruction.args, language, task.names)


def _rubric_sentence(
    act: str, key: str, arguments: Mapping[str, Any], language: Language, names: Mapping[str, str]
) -> str:
    rubric = read_rubric(key, arguments)
    if rubric is None:
        return f"{key}: {', '.join(f'{name} {value}' for name, value in arguments.items())}"
    clause = line(language, expression_of(rubric).key, **fields_of(rubric, language, names))
    return _capitalise(line(language, act, clause=clause, topic=_topic(language, key)))


def _topic(language: Language, rubric: str) -> str:
    return line(language, f"topic.{rubric}")


def _capitalise(text: str) -> str:
    return text[:1].upper() + text[1:]
