"""What a model is told: the tool, similar calls with their answers, the call. The words are files under prompts/."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

from sandbox.calls import Example
from sandbox.simulation.wording import FOLDER, PROMPTS
from sandbox.tools.language import Language
from sandbox.tools.results import compact
from sandbox.tools.tool import AnyTool, definition
from sandbox.toolsets.base import ValidCall

PROMPT_VERSION = (FOLDER / "version.txt").read_text("utf-8").strip()
"""Names the words under prompts/ and how they are put together; it changes with either."""


def prompt_version() -> str:
    """The same, with a digest of the words where others are in place of the shipped ones: `2-0f3a9c21/2-77aa01b2`."""
    return PROMPT_VERSION if PROMPTS.as_shipped else PROMPTS.edition


_CUT_MARK = 48
"""Characters that a cut output's tag needs more, at most."""
_WORTH_SHOWING = 400
"""Rather fewer examples than outputs cut to less than this many characters."""


class PromptTooLong(Exception):
    """The call alone is longer than a prompt may be."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A call with its examples, best first, to be put in words of at most `limit` characters."""

    valid: ValidCall
    examples: Sequence[Example]
    language: Language
    limit: int

    def first(self) -> list[Mapping[str, str]]:
        """The messages that ask for an answer.

        Raises:
            PromptTooLong: they can't be cut to the limit.
        """
        return self._messages(self.limit)

    def correction_messages(self, answer: str, problem: str) -> list[Mapping[str, str]]:
        """The messages that ask for a better one. What is quoted of the bad answer, a quarter of the limit at most,
        is taken off the examples.

        Raises:
            PromptTooLong: they can't be cut to the limit.
        """
        correction = _fill(self.language, "correction", problem=problem)
        quoted = _text(answer[: self.limit // 4])
        return [
            *self._messages(self.limit - len(correction) - len(quoted)),
            {"role": "assistant", "content": quoted},
            {"role": "user", "content": correction},
        ]

    def _messages(self, limit: int) -> list[Mapping[str, str]]:
        system, mark = _system(self.valid.tool, self.language), self._mark()
        for count in range(len(self.examples), 0, -1):
            shown = self.examples[:count]
            frame = self._request(mark, shown, [0] * count)
            room = limit - len(system) - len(frame) - _CUT_MARK * count
            lengths = [len(example.result) for example in shown]
            most = longest_shown(lengths, room)
            if most >= _WORTH_SHOWING or max(lengths) <= most or (count == 1 and room > 0):
                return [
                    {"role": "system", "content": system},
                    {"role": "user", "content": self._request(mark, shown, [most] * count)},
                ]
        raise PromptTooLong

    def _request(self, mark: str, shown: Sequence[Example], most: Sequence[int]) -> str:
        """The nearest call comes last, next to the one to answer: models heed most what they read last."""
        blocks = [
            _example(self.language, mark, example, length)
            for example, length in zip(shown, most, strict=True)
        ]
        return _fill(
            self.language,
            "request",
            mark=mark,
            examples="".join(reversed(blocks)),
            arguments=_json(self.valid.call.arguments),
        )

    def _mark(self) -> str:
        """The ending of the tags, which no text between them can know: it would have to hold its own digest."""
        texts = [text for each in self.examples for text in (_json(each.call.arguments), each.result)]
        content = "\n".join((*texts, _json(self.valid.call.arguments)))
        return hashlib.sha256(content.encode("utf-8", "replace")).hexdigest()[:8]


def longest_shown(lengths: Sequence[int], room: int) -> int:
    """How long a text may be at most so that all fit into `room` characters: short ones stay whole, and the long
    ones share evenly what those leave.
    """
    for number, length in enumerate(sorted(lengths)):
        share = room // (len(lengths) - number)
        if length > share:
            return max(0, share)
        room -= length
    return max(lengths, default=0)


def _example(language: Language, mark: str, example: Example, most: int) -> str:
    whole = len(example.result)
    cut = f' shown="{most}" of="{whole}"' if whole > most else ""
    arguments, output = _json(example.call.arguments), example.result[:most]
    return _fill(language, "example", mark=mark, arguments=arguments, cut=cut, output=output)


def _system(tool: AnyTool, language: Language) -> str:
    description, parameters = _tool_description(tool, language)
    return _fill(language, "system", name=tool.name, description=description, parameters=parameters)


@lru_cache(maxsize=64)
def _tool_description(tool: AnyTool, language: Language) -> tuple[str, str]:
    function = definition(tool, language)["function"]
    return function["description"], json.dumps(function["parameters"], ensure_ascii=False, indent=1)


def _fill(language: Language, name: str, /, **fields: str) -> str:
    """A template with the newline at its end: examples follow one another."""
    return _text(f"{PROMPTS.fill(language, name, **fields)}\n")


def _text(text: str) -> str:
    """Half a surrogate pair, which a published cache may hold, can't be sent."""
    return text.encode("utf-8", "replace").decode()


def _json(arguments: Mapping[str, Any]) -> str:
    return compact(cast("dict[str, Any]", dict(arguments)))
