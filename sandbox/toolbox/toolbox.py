"""Calls of tools, in every mode of the sandbox."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal, Protocol

from sandbox.calls import NOTHING_GIVEN
from sandbox.toolbox.outcome import Answer, Mode, ToolOutcome
from sandbox.tools.errors import BadArgument, FailureKind, ToolFailure
from sandbox.tools.language import Language
from sandbox.toolsets import toolset_named
from sandbox.toolsets.base import DEFAULT_TOOLSET, Strictness, Toolset, ValidCall

_ERROR_FIRST = re.compile(r'\s*\{\s*"error"')


class Answers(Protocol):
    """The source of answers of one mode."""

    @property
    def mode(self) -> Mode: ...

    @property
    def asks_model(self) -> bool:
        """Whether an answer may take requests to a model."""
        ...

    def answer(self, valid: ValidCall, language: Language) -> Answer:
        """The answer to a call.

        Raises:
            BadArgument: a value that is well formed but does not exist here, such as an unknown city.
            ToolFailure: nobody could answer.
        """
        ...


class Toolbox:
    """The tools of one session. Only one thread may use it, since the SQLite handles below belong to one thread.

    given: what the session's task adds to the arguments of every call.
    """

    def __init__(
        self,
        answers: Answers,
        language: Language | None = None,
        *,
        toolset: Toolset | None = None,
        strictness: Strictness = "strict",
        given: Mapping[str, str] = NOTHING_GIVEN,
    ) -> None:
        self._answers, self._toolset = answers, toolset or toolset_named(DEFAULT_TOOLSET)
        self._language = language or self._toolset.language
        self._strictness, self._defaults = strictness, given

    def call(self, name: str, arguments: dict[str, Any] | str) -> ToolOutcome:
        """Run one call. arguments: the object, or the raw text that a model wrote.

        A call that is wrong, or that nobody can answer, gives an error that the agent can read. If the model of a
        simulator can't be asked, its exception is raised, so that the worker tries the call again later.
        """
        started = time.perf_counter()
        outcome = self._outcome(name, arguments)
        asked = self._answers.asks_model and outcome.source in ("simulated", "none")
        return replace(outcome, asked_model=asked, latency_ms=(time.perf_counter() - started) * 1000)

    def _outcome(self, name: object, arguments: object) -> ToolOutcome:
        mode = self._answers.mode
        try:
            valid = self._toolset.validate(name, arguments, self._language, self._strictness, self._defaults)
            given = self._answers.answer(valid, self._language)
        except BadArgument as problem:
            return _failed_outcome("arguments", problem.agent_message(self._language), mode)
        except ToolFailure as problem:
            return _failed_outcome(problem.kind, problem.agent_message(self._language), mode)
        kind: FailureKind | Literal[""] = "answer" if _is_error(given.result) else ""
        return ToolOutcome(given.result, given.source, mode, kind, given.examples)


def _failed_outcome(kind: FailureKind, told: str, mode: Mode) -> ToolOutcome:
    return ToolOutcome(told, "none", mode, kind)


def _is_error(result: str) -> bool:
    """Whether a stored answer is an object with the one field `error`, as the tools report one."""
    if not _ERROR_FIRST.match(result):
        return False
    try:
        return list(json.loads(result)) == ["error"]
    except (ValueError, RecursionError):
        return False
