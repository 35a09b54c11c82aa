"""A language model as the simulator, with similar calls as its examples (TravelBench section 3.5)."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import httpx2
import openai
from openai.types.chat import ChatCompletionMessageParam
from pydantic import ValidationError

from sandbox.endpoints import check_address, key_in, without
from sandbox.simulation.checks import Form, WrongForm, form_of
from sandbox.simulation.prompt import PROMPT_VERSION, Prompt, PromptTooLong
from sandbox.simulation.replies import Completion, answer_in, fenced_in
from sandbox.simulation.simulator import Question
from sandbox.toolbox.validation import ValidCall
from sandbox.tools.errors import FailureKind, ToolFailure
from sandbox.tools.language import Says

log = logging.getLogger(__name__)

_LEAST_PROMPT = 4000
_DETAIL_SHOWN = 300

_TIMEOUT = Says("工具模拟器响应超时，请稍后再试", "The tool simulator took too long; try again")
_FAILED = Says("工具模拟器暂时不可用，请稍后再试", "The tool simulator is not available; try again later")
_EMPTY = Says("工具模拟器没有给出结果，请稍后再试", "The tool simulator gave no answer; try again later")
_CUT_OFF = Says(
    "工具模拟器的结果过长而被截断，请缩小查询范围",
    "The simulated answer was too long and was cut off; ask for less",
)
_TOO_LONG = Says("参数过长，无法模拟；请缩短参数", "The arguments are too long to simulate; shorten them")


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """An OpenAI-compatible chat endpoint.

    key_variable: the environment variable that holds the key; where it is empty or not set, no key is needed.
    timeout_s: seconds to connect, to begin to answer, and from then to the answer's end. retries: further requests
    after a connection problem, a timeout, or the status 408, 409, 429 or 5xx. prompt_characters: the whole prompt
    at most.
    """

    base_url: str
    model: str
    key_variable: str = ""
    timeout_s: float = 60.0
    retries: int = 2
    prompt_characters: int = 60_000

    def __post_init__(self) -> None:
        """
        Raises:
            ValueError: a value can't be used; it names the setting and what is allowed.
        """
        check_address(self.base_url)
        if not self.model:
            raise ValueError("the simulator's model must be named")
        if not self.timeout_s > 0 or self.retries < 0:
            raise ValueError("the simulator's timeout_s must be above 0 and its retries 0 or more")
        if self.prompt_characters < _LEAST_PROMPT:
            raise ValueError(f"the simulator's prompt_characters must be {_LEAST_PROMPT} or more")


class ModelSimulator:
    """Asks at temperature 0, and once more where the answer has the wrong form.

    It has one client, which any number of threads may share; make it after a fork.
    """

    def __init__(self, settings: ModelSettings) -> None:
        """
        Raises:
            ValueError: the key can't be used.
        """
        self._settings, self._key = settings, key_in(settings.key_variable)
        self._client = openai.OpenAI(
            base_url=settings.base_url,
            api_key=self._key,
            timeout=settings.timeout_s,
            max_retries=settings.retries,
            http_client=openai.DefaultHttpxClient(timeout=settings.timeout_s, follow_redirects=False),
        )

    @property
    def id(self) -> str:
        """The model and the version of the prompt."""
        return f"model:{self._settings.model}:{PROMPT_VERSION}"

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def simulate(self, question: Question) -> str:
        """The model's answer, in the form that the examples share.

        Raises:
            ToolFailure: `timeout`; `schema`: a second answer had the wrong form too; else `simulator`.
        """
        valid, examples = question.valid, question.examples
        form = form_of(valid.tool.result, [example.result for example in examples])
        prompt = Prompt(valid, examples, question.language, self._settings.prompt_characters)
        with self._failures(valid):
            return self._answer(prompt, form)

    def _answer(self, prompt: Prompt, form: Form) -> str:
        answer = self._ask(prompt.first())
        try:
            return _in_form(form, answer)
        except WrongForm as wrong:
            log.warning("simulator %s, %s: %s; asking again", self.id, prompt.valid.tool.name, wrong)
            problem = wrong.problem.to(prompt.language)
        return _in_form(form, self._ask(prompt.again(answer, problem)))

    def _ask(self, messages: list[ChatCompletionMessageParam]) -> str:
        completion = Completion.model_validate_json(self._body(messages))
        if completion.cut_off:
            raise ToolFailure("simulator", _CUT_OFF)
        answer = answer_in(completion.text)
        if not answer:
            raise ToolFailure("simulator", _EMPTY)
        return answer

    def _body(self, messages: list[ChatCompletionMessageParam]) -> bytes:
        """Read in pieces against a deadline: some servers send blanks for minutes, which no read timeout sees."""
        with self._client.chat.completions.with_streaming_response.create(
            model=self._settings.model, messages=messages, temperature=0
        ) as response:
            deadline = time.monotonic() + self._settings.timeout_s
            body = bytearray()
            for piece in response.iter_bytes():
                body += piece
                if time.monotonic() > deadline:
                    raise httpx2.ReadTimeout("the answer did not end in time")
            return bytes(body)

    @contextmanager
    def _failures(self, valid: ValidCall) -> Iterator[None]:
        """Whatever goes wrong as the agent is to see it; the log has the details."""
        try:
            yield
        except (openai.APITimeoutError, httpx2.TimeoutException) as error:
            raise self._failed("timeout", _TIMEOUT, valid, error) from error
        except (openai.OpenAIError, httpx2.HTTPError, ValidationError) as error:
            raise self._failed("simulator", _FAILED, valid, error) from error
        except PromptTooLong as error:
            raise self._failed("simulator", _TOO_LONG, valid, error) from error
        except WrongForm as wrong:
            raise self._failed("schema", _unlike(wrong.problem), valid, wrong) from wrong
        except ToolFailure as failure:
            log.warning("simulator %s, %s: %s", self.id, valid.tool.name, failure.problem.en)
            raise

    def _failed(self, kind: FailureKind, says: Says, valid: ValidCall, error: Exception) -> ToolFailure:
        detail = " ".join(f"{type(error).__name__}: {error}".split())[:_DETAIL_SHOWN]
        log.warning("simulator %s, %s: %s", self.id, valid.tool.name, without(self._key, detail))
        return ToolFailure(kind, says)


def _in_form(form: Form, answer: str) -> str:
    """
    Raises:
        WrongForm: neither the answer nor a fenced block in it has the form.
    """
    return form.read(answer if form.json_type is None else fenced_in(answer))


def _unlike(problem: Says) -> Says:
    return Says(f"模拟结果不符合工具的格式：{problem.zh}", f"The simulated answer is malformed: {problem.en}")
