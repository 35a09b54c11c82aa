"""A language model as the simulator, with similar calls as its examples (TravelBench section 3.5)."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from sandbox.calls import Example
from sandbox.simulation.prompt import Prompt, PromptTooLong, prompt_version
from sandbox.simulation.wording import problem_words
from sandbox.tools.errors import ToolFailure, printable
from sandbox.tools.language import Says
from sandbox.tools.results import compact, is_error, read_json
from sandbox.tools.tool import Result
from sandbox.toolsets.base import Question, UnnamedAnswer

log = logging.getLogger(__name__)

MOST_ASKED = 3
"""Requests for one answer: the first, and those after an answer of a wrong form or about something else."""
PROMPT_CHARACTERS = 60_000
_LEAST_PROMPT = 4000

TIMEOUT, OVERFLOW = problem_words("timeout"), problem_words("overflow")
"""What the agent is told where the simulator's model takes too long, or can't take the prompt."""


@dataclass(frozen=True, slots=True)
class WrittenAnswer:
    """What a model wrote, without its reasoning. cut_off: the server ended it before the model did."""

    text: str
    cut_off: bool = False


Ask = Callable[[Sequence[Mapping[str, str]]], WrittenAnswer]
"""One request at temperature 0: messages with `role` and `content`. Whoever asks waits, counts and stops; what it
raises is not caught here, so that the caller may try the whole call again. `ToolFailure` ends the call."""


class ModelSimulator:
    """Asks a model, and again where its answer has a wrong form or does not name what was asked for."""

    asks_model = True

    def __init__(self, model: str, ask: Ask, *, prompt_characters: int = PROMPT_CHARACTERS) -> None:
        """model: as its server names it. prompt_characters: the whole prompt at most."""
        self._model, self._ask = model, ask
        self._prompt_characters = max(_LEAST_PROMPT, min(prompt_characters, PROMPT_CHARACTERS))

    @property
    def id(self) -> str:
        """The model and the version of the prompt."""
        return model_simulator_id(self._model)

    def simulate(self, question: Question) -> str:
        """The model's answer, in the form that the examples share.

        Raises:
            ToolFailure: `schema`: the last answer had the wrong form too; `simulator`: it was about something else,
                or was none; whatever `ask` raises.
        """
        examples = _examples_for(question)
        form = form_of(question.valid.tool.result, [example.result for example in examples])
        prompt = Prompt(question.valid, examples, question.language, self._prompt_characters)
        try:
            return self._answer(prompt, form)
        except PromptTooLong as error:
            raise ToolFailure("simulator", problem_words("too_long")) from error

    def _answer(self, prompt: Prompt, form: Form) -> str:
        messages = prompt.first()
        for left in reversed(range(MOST_ASKED)):
            answer = self._ask_model(messages)
            try:
                return _check_answer(prompt, form, answer)
            except (WrongForm, UnnamedAnswer) as wrong:
                log.warning("simulator %s, %s: %s", self.id, prompt.valid.tool.name, wrong)
                if not left:
                    raise _failure(wrong) from wrong
                messages = prompt.correction_messages(answer, problem_of(wrong).to(prompt.language))
        raise AssertionError("a loop of at least one turn ended without an answer")

    def _ask_model(self, messages: Sequence[Mapping[str, str]]) -> str:
        written = self._ask(messages)
        if written.cut_off:
            raise ToolFailure("simulator", problem_words("cut_off"))
        answer = answer_in(written.text)
        if not answer:
            raise ToolFailure("simulator", problem_words("empty"))
        return answer


def _examples_for(question: Question) -> Sequence[Example]:
    """The most similar calls; before them what searches tell of the place of the id that is asked for."""
    id_ = question.valid.arguments.model_dump().get("id")
    detail = question.valid.toolset.detail
    listed = detail(question, id_) if detail and isinstance(id_, str) else None
    return (listed, *question.examples) if listed else question.examples


def model_simulator_id(model: str) -> str:
    """The id of a simulator over a model."""
    return f"model:{model}:{prompt_version()}"


def _check_answer(prompt: Prompt, form: Form, answer: str) -> str:
    """
    Raises:
        WrongForm: neither the answer nor a fenced block in it has the form.
        Unnamed: it does not name what was asked for.
    """
    read = form.read(answer if form.json_type is None else fenced_in(answer))
    if check := prompt.valid.toolset.check_answer:
        check(prompt.valid, prompt.examples, read)
    return read


def _failure(wrong: WrongForm | UnnamedAnswer) -> ToolFailure:
    problem = problem_of(wrong)
    if isinstance(wrong, WrongForm):
        return ToolFailure("schema", problem_words("malformed", problem=problem))
    return ToolFailure("simulator", problem_words("unanswered", problem=problem))


def problem_of(wrong: WrongForm | UnnamedAnswer) -> Says:
    """What is wrong with an answer, as the model is told that is asked for a better one."""
    return wrong.problem if isinstance(wrong, WrongForm) else problem_words("unnamed", lacking=wrong.lacking)


_FENCE = re.compile(r"\A```[^\n`]*\n(.*?)\n?```\Z", re.DOTALL)
_FENCE_WITHIN = re.compile(r"^```(?:json)?[ \t]*\n(.*?)\n```[ \t]*$", re.DOTALL | re.MULTILINE)


def answer_in(text: str) -> str:
    """A model's text without the code fence that it is wrapped in."""
    answer = text.strip()
    fenced = _FENCE.match(answer)
    return fenced[1].strip() if fenced else answer


def fenced_in(answer: str) -> str:
    """The first fenced block within an answer that says more, else the answer."""
    match = _FENCE_WITHIN.search(answer)
    return match[1].strip() if match else answer


JsonType = Literal["object", "array", "string", "number", "boolean", "null"]

_TYPES: dict[type, JsonType] = {
    dict: "object",
    list: "array",
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    type(None): "null",
}
_WRONG_FIELDS = frozenset({"missing", "extra_forbidden"})
"""Kinds of Pydantic's errors that have words of their own."""
_PATH_SHOWN = 80


class WrongForm(Exception):
    """An answer unlike what the tool returns. problem: names the first field that is wrong, where it is one."""

    def __init__(self, problem: Says) -> None:
        super().__init__(problem.en)
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Form:
    """result: the model that an answer must follow, None for any. json_type: what it must be, None for any text.

    An error object is always right where JSON is.
    """

    result: type[Result] | None
    json_type: JsonType | None

    def read(self, answer: str) -> str:
        """The answer as it is handed on: compact where it follows a model, else as it is.

        Raises:
            WrongForm: it has another form.
        """
        if self.json_type is None:
            return answer
        value = _json(answer)
        if is_error(value):
            return compact(value)
        if self.result is not None:
            return _following(self.result, value)
        if _TYPES[type(value)] != self.json_type:
            raise WrongForm(_not_of_type(self.json_type))
        return answer


def form_of(result: type[Result], texts: Sequence[str]) -> Form:
    """The form that all these results share; errors among them count only where there is nothing else.

    `result` is asked for where all follow it: published caches hold opaque texts of other shapes.
    """
    try:
        values = [read_json(text) for text in texts]
    except ValueError:
        return Form(None, None)
    answers = [value for value in values if not is_error(value)]
    types = {_TYPES[type(value)] for value in answers or values}
    follows = bool(answers) and all(_follows(result, value) for value in answers)
    return Form(result if follows else None, types.pop() if len(types) == 1 else None)


def _json(answer: str) -> Any:
    try:
        return read_json(answer)
    except ValueError as error:
        raise WrongForm(problem_words("not_json")) from error


def _follows(result: type[Result], value: object) -> bool:
    try:
        result.model_validate(value)
    except ValidationError:
        return False
    return True


def _following(result: type[Result], value: object) -> str:
    try:
        return compact(result.model_validate(value).model_dump(mode="json"))
    except ValidationError as error:
        raise WrongForm(_first(error.errors(include_url=False)[0])) from error


def _first(error: ErrorDetails) -> Says:
    field = ".".join(map(str, error["loc"]))[:_PATH_SHOWN]
    if not field:
        return _not_of_type("object")
    if error["type"] in _WRONG_FIELDS:
        return problem_words(f"field_{error['type']}", field=field)
    return problem_words("field_wrong", field=field, given=printable(error["input"]))


def _not_of_type(wanted: JsonType) -> Says:
    return problem_words("not_type", type=problem_words(f"type_{wanted}"))
