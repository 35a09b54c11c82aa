"""What a toolset is: the tools that a benchmark's sessions call, and what is theirs alone."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple, Protocol

from pydantic import ValidationError

from sandbox.calls import NOTHING_GIVEN, Call, Example
from sandbox.tools.errors import ToolFailure, argument_schemas, describe_invalid, printable
from sandbox.tools.language import Language, Says
from sandbox.tools.tool import Arguments, Tool, definition
from sandbox.worlds.extras import AnyKind

DEFAULT_TOOLSET = "grouptravel"
"""The toolset of logs and caches that name none. Caches hold its tools under their bare names."""

CoordinateOrder = Literal["lon,lat", "lat,lon"]
Strictness = Literal["strict", "lenient"]


@dataclass(frozen=True, slots=True)
class ValidCall:
    """A call, the toolset that it means, its tool, and its arguments as the tool's function takes them."""

    call: Call
    toolset: Toolset
    tool: Tool[Any, Any]
    arguments: Arguments


Similar = Callable[[Call], Sequence[Example]]
"""The cached calls that are most similar to a call of any tool, best first; none where the tool has none."""


Record = Mapping[str, Any]
"""A place as a cached search lists it: the fields of that answer, and no others."""


class Places(Protocol):
    """The places that cached searches list (docs/decisions/0031)."""

    def by_id(self, id: str) -> Record | None:
        """The place of exactly that id."""
        ...

    def places_called(self, term: str, city: str) -> Sequence[Record]:
        """The places in a city whose name, category or kind is a text, by id."""
        ...


class _NoPlaces:
    """A cache whose searches list nothing."""

    def by_id(self, id: str) -> Record | None:
        return None

    def places_called(self, term: str, city: str) -> Sequence[Record]:
        return ()


_NO_PLACES = _NoPlaces()


@dataclass(frozen=True, slots=True)
class Question:
    """A call that is not cached.

    examples: the most similar cached calls of its tool, best first; none where only `places` knows of the thing.
    """

    valid: ValidCall
    examples: Sequence[Example]
    language: Language
    similar: Similar
    places: Places = _NO_PLACES


class UnnamedAnswer(Exception):
    """An answer that does not name what was asked for. lacking: what that is."""

    def __init__(self, lacking: str) -> None:
        super().__init__(f"it does not name {lacking}")
        self.lacking = lacking


def _arguments(call: Call) -> Mapping[str, Any]:
    return call.arguments


def _call(tool: str, pairs: Mapping[str, Any]) -> Call:
    return Call(tool, pairs)


@dataclass(frozen=True, slots=True)
class KeyForm:
    """What the cache key of a call is made of.

    pairs: the names and values that the key holds. call: the call that a key's pairs were made from, for a tool under
    its name in caches; it raises ValueError for pairs that no call has. embedding_text: the text of a call that a
    model of embeddings gets, by which similar calls are found; None for the key of its arguments.
    """

    pairs: Callable[[Call], Mapping[str, Any]] = _arguments
    call: Callable[[str, Mapping[str, Any]], Call] = _call
    embedding_text: Callable[[Call], str] | None = None


@dataclass(frozen=True)
class Toolset:
    """A set of tools. Sessions name it, and their calls mean its tools and no others.

    tools: by name, in the order in which models see them. coordinates: the order within a text such as "120.1,30.2",
    in arguments and results alike. language: of its texts, where a session says none. places: arguments that name a
    place or its coordinates. readings: how a call is checked; `lenient` lets through what the published program does,
    and is the strict one where a toolset has no other. check: rules that no schema tells, applied by `validate` to
    every call that was read, whatever the reading; None for none. key: what makes two calls one
    cached call. nearest: the built-in simulator's answer to a call of each tool. check_answer: raises `UnnamedAnswer`
    for a model's answer that is about something else than the call. detail: what is known of the thing with an id,
    as its tool would tell it. listing: the tools whose answers list places by id. extras: what worlds may keep for
    its tools beside their records (`World.extra`); their owner is the toolset.

    Raises:
        ValueError: a kind of extras has another owner.
    """

    name: str
    tools: Mapping[str, Tool[Any, Any]]
    coordinates: CoordinateOrder
    language: Language = "zh"
    places: frozenset[str] = frozenset()
    readings: Mapping[Strictness, Reading] = field(default_factory=dict)
    check: Check | None = None
    key: KeyForm = field(default_factory=KeyForm)
    nearest: Mapping[str, Callable[[Question], str]] = field(default_factory=dict)
    check_answer: Callable[[ValidCall, Sequence[Example], str], None] | None = None
    detail: Callable[[Question, str], Example | None] | None = None
    listing: tuple[str, ...] = ()
    extras: tuple[AnyKind, ...] = ()

    def __post_init__(self) -> None:
        for kind in self.extras:
            if kind.owner != self.name:
                raise ValueError(f"the toolset {self.name} declares {kind}: give it the owner {self.name!r}")

    def definitions(self, language: Language | None = None) -> tuple[Mapping[str, Any], ...]:
        """Every tool in the OpenAI function format; nobody changes them."""
        return self._definitions[language or self.language]

    @cached_property
    def _definitions(self) -> Mapping[Language, tuple[Mapping[str, Any], ...]]:
        languages: tuple[Language, ...] = ("zh", "en")
        return {
            language: tuple(definition(tool, language) for tool in self.tools.values())
            for language in languages
        }

    def stored_name(self, tool: str) -> str:
        """A tool's name in caches, where those of all toolsets lie side by side."""
        return tool if self.name == DEFAULT_TOOLSET else f"{self.name}.{tool}"

    def validate(
        self,
        name: object,
        arguments: object,
        language: Language,
        strictness: Strictness = "strict",
        given: Mapping[str, str] = NOTHING_GIVEN,
    ) -> ValidCall:
        """The call of that name with those arguments, an object or the raw text that a model wrote.

        given: what the session's task gives to every call beside its arguments.

        Raises:
            ToolFailure: of kind `arguments`; it says all that is wrong.
        """
        reading = self.readings.get(strictness) or self.readings.get("strict") or read_strictly
        read = reading(self.tools, name, arguments, language)
        if self.check is not None:
            self.check(read, given)
        call = Call(self.stored_name(read.tool.name), read.arguments_given, given)
        return ValidCall(call, self, read.tool, read.arguments)


class Read(NamedTuple):
    """A call as it was read. arguments_given: its arguments as written. arguments: as the tool's
    function takes them.
    """

    tool: Tool[Any, Any]
    arguments_given: dict[str, Any]
    arguments: Arguments


Reading = Callable[[Mapping[str, Tool[Any, Any]], object, object, Language], Read]
"""Reads a name and arguments, an object or the raw text that a model wrote, as a call of one of the tools; raises
`ToolFailure` of kind `arguments`."""


Check = Callable[[Read, Mapping[str, str]], None]
"""Looks at a call as it was read, and at what the session's task gives to every call (such as its `time`, see
`Call.given`). It returns nothing for a call that passes, and may tell the read arguments what the task gives; raises
`ToolFailure` of kind `arguments`, with the text that the agent gets, for one that does not.
"""


def read_strictly(
    tools: Mapping[str, Tool[Any, Any]], name: object, arguments: object, language: Language
) -> Read:
    """A call whose every argument has the name, type and range that the tool tells.

    Raises:
        ToolFailure: of kind `arguments`; it says all that is wrong.
    """
    tool = tools.get(name) if isinstance(name, str) else None
    if tool is None:
        known, given = ", ".join(tools), printable(name)
        raise _wrong(Says(f"未知工具 {given}；可用工具：{known}", f"Unknown tool {given}; allowed: {known}"))
    given_arguments = _parse(arguments)
    try:
        valid = tool.arguments.model_validate(given_arguments)
    except ValidationError as error:
        schemas = argument_schemas(tool.arguments.model_json_schema())
        says = describe_invalid(error, schemas, language)
        raise _wrong(Says(says, says)) from error
    return Read(tool, given_arguments, valid)


def _parse(arguments: object) -> dict[str, Any]:
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except (ValueError, RecursionError) as error:
            problem = str(error)
            raise _wrong(
                Says(f"参数不是合法的 JSON：{problem}", f"The arguments are no valid JSON: {problem}")
            ) from error
    if not isinstance(arguments, dict):
        raise _wrong(Says("参数应为 JSON 对象", "The arguments must be a JSON object"))
    return arguments


def _wrong(says: Says) -> ToolFailure:
    return ToolFailure("arguments", says)
