"""The tools of a session as forms for a person in the agent's seat."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _
from pydantic import ValidationError

from benchmark.core.actions import ToolCall
from benchmark.core.state import SessionState
from benchmark.core.toolloop import MODEL_STEPS
from sandbox.tools.errors import ToolFailure
from sandbox.tools.language import Language
from sandbox.toolsets.base import Toolset

PREFIX = "arg-"
_NUMBER = re.compile(r"-?\d{1,15}(\.\d{1,10})?")
_CITY = "city"
_CITIES = frozenset((_CITY, "origin", "destination"))


@dataclass(frozen=True)
class Entry:
    """One argument. kind: `text`, `number`, `choice`, `date` or `time`. default: what counts where it stays empty.

    names: the id of the list of names that complete it, "" for none. wrong: whether the toolset refused it.
    """

    name: str
    label: str
    kind: str
    required: bool
    value: str
    default: str
    choices: Sequence[str]
    low: Any
    high: Any
    step: str
    names: str
    wrong: bool

    @property
    def field(self) -> str:
        """Its name in the form."""
        return PREFIX + self.name

    @property
    def takes(self) -> str:
        """The kinds of `Found.uses` that it can be filled with."""
        if self.kind != "text" or self.names == "city-names":
            return ""
        if self.name == "id":
            return "id"
        return "name location" if self.names == "place-names" else "name"


@dataclass(frozen=True)
class ToolForm:
    """A tool with what was written into its form. problem: why it was not called, "" where nothing is wrong.

    client_id: under which the call is sent. is_repeatable: whether it can be sent all the same.
    """

    name: str
    description: str
    entries: Sequence[Entry]
    problem: str = ""
    is_repeatable: bool = False
    sent: bool = False
    client_id: str = field(default_factory=lambda: secrets.token_hex(12))

    @property
    def needed_entries(self) -> list[Entry]:
        """The arguments that it can't do without."""
        return [entry for entry in self.entries if entry.required]

    @property
    def others(self) -> list[Entry]:
        return [entry for entry in self.entries if not entry.required]

    @property
    def others_given(self) -> bool:
        """Whether one of the others was filled in."""
        return any(entry.value for entry in self.others)


def tool_forms(toolset: Toolset, language: Language, filled: Mapping[str, str]) -> list[ToolForm]:
    """A form a tool, in the toolset's order. filled: values of arguments that a tool can't do without."""
    return [
        tool_form(toolset, name, language, _initial_values(toolset, name, language, filled))
        for name in toolset.tools
    ]


def _initial_values(
    toolset: Toolset, name: str, language: Language, filled: Mapping[str, str]
) -> dict[str, str]:
    required = _definition(toolset, name, language)["parameters"]["required"]
    return {PREFIX + argument: value for argument, value in filled.items() if argument in required}


def tool_form(
    toolset: Toolset,
    name: str,
    language: Language,
    given: Mapping[str, str],
    *,
    wrong: frozenset[str] = frozenset(),
    **more: Any,
) -> ToolForm:
    """The form of one tool with the given values.

    Raises:
        KeyError: the toolset has no such tool.
    """
    told = _definition(toolset, name, language)
    required = set(told["parameters"]["required"])
    towns = _timetable(told)
    entries = [
        _entry(
            argument, schema, argument in required, given, argument in wrong, _names(toolset, argument, towns)
        )
        for argument, schema in told["parameters"]["properties"].items()
    ]
    return ToolForm(name, told["description"], entries, **more)


def _definition(toolset: Toolset, name: str, language: Language) -> Mapping[str, Any]:
    told = (each["function"] for each in toolset.definitions(language))
    definitions: dict[str, Mapping[str, Any]] = {each["name"]: each for each in told}
    return definitions[name]


def _timetable(told: Mapping[str, Any]) -> bool:
    """Whether a tool's ends are cities, not places in one."""
    return _CITY not in told["parameters"]["properties"]


def _names(toolset: Toolset, argument: str, towns: bool) -> str:
    if argument == _CITY or (towns and argument in _CITIES):
        return "city-names"
    return "place-names" if argument in toolset.places else ""


def _entry(
    name: str, schema: Mapping[str, Any], required: bool, given: Mapping[str, str], wrong: bool, names: str
) -> Entry:
    types = schema.get("type")
    main = next((each for each in types if each != "null"), "") if isinstance(types, list) else types
    choices = [str(each) for each in schema.get("enum", ()) if each is not None]
    kind = "text"
    if choices:
        kind = "choice"
    elif main in ("integer", "number"):
        kind = "number"
    elif schema.get("format") == "date":
        kind = "date"
    elif "[0-5][0-9]" in schema.get("pattern", ""):
        kind = "time"
    default = schema.get("default")
    return Entry(
        name,
        str(schema.get("description", name)),
        kind,
        required,
        given.get(PREFIX + name, ""),
        "" if default is None else f"{default:g}" if isinstance(default, float) else str(default),
        choices,
        schema.get("minimum", schema.get("exclusiveMinimum")),
        schema.get("maximum", schema.get("exclusiveMaximum")),
        "1" if main == "integer" else "any",
        names,
        wrong,
    )


def call_in(toolset: Toolset, name: str, language: Language, given: Mapping[str, str]) -> ToolCall:
    """The call that a form means; what is left empty is no argument. The toolset says what is wrong with it.

    Raises:
        KeyError: the toolset has no such tool.
        ToolFailure: the arguments are wrong.
    """
    properties = _definition(toolset, name, language)["parameters"]["properties"]
    arguments = {
        argument: _value(schema, text)
        for argument, schema in properties.items()
        if (text := given.get(PREFIX + argument, "").strip())
    }
    toolset.validate(name, arguments, language)
    return ToolCall(name, arguments)


def _value(schema: Mapping[str, Any], text: str) -> Any:
    """A number where one is wanted and written, else the text, which the toolset then refuses."""
    types = schema.get("type")
    wants = set(types if isinstance(types, list) else [types])
    if not wants & {"integer", "number"} or not _NUMBER.fullmatch(text):
        return text
    return int(text) if "." not in text else float(text)


def wrong_in(failure: ToolFailure) -> frozenset[str]:
    """The arguments that a failure is about."""
    cause = failure.__cause__
    if not isinstance(cause, ValidationError):
        return frozenset()
    return frozenset(str(error["loc"][0]) for error in cause.errors(include_url=False) if error["loc"])


def why_no_tools(state: SessionState) -> str:
    """Why no tool can be called in the turn in progress, "" where one can."""
    loop, turn = state.loop, state.turn
    if turn is None:
        return ""
    if turn.hidden:
        return _("No tools in this turn: only note what you believe. Nobody else sees it.")
    if loop.multiple:
        return _("The same call was made three times. Say something now; the session ends after this turn.")
    if loop.consecutive:
        return _(
            "The same call was made twice in a row, so tools rest until your next turn. Say something now."
        )
    if not state.may_call:
        words = _("You have used tools %(most)s times in this turn, which is the limit. Say something now.")
        return words % {"most": MODEL_STEPS}
    return ""
