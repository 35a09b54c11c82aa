"""What the API of programs takes and gives, as its OpenAPI file has it."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, get_type_hints

from ninja import Schema
from pydantic import AfterValidator, ConfigDict, Field, TypeAdapter
from pydantic_core import PydanticCustomError

from benchmark.core.engine import MOST_CALLS
from benchmark.core.view import View
from benchmark.suites import SUITES, suite_named
from webapp.apis import Problem as AnyProblem
from webapp.fields import NUL, plain_name
from webapp.sessions.inbox import MOST

MOST_WAIT_S = 25
"""Seconds that a request may wait; below the minute after which proxies give up."""
Status = Literal["waiting", "your_turn", "ended"]


@cache
def view_type(suite: str) -> type[View]:
    """The class of what a participant of this benchmark knows."""
    type_: type[View] = get_type_hints(type(suite_named(suite).play.rules.view("")).view)["return"]
    return type_


@cache
def _adapter(suite: str) -> TypeAdapter[View]:
    return TypeAdapter(view_type(suite))


def view_as_json(suite: str, view: View) -> dict[str, Any]:
    """A view as JSON has it, with the fields of its benchmark."""
    view_json: dict[str, Any] = _adapter(suite).dump_python(view, mode="json")
    return view_json


if TYPE_CHECKING:
    SuiteView = View
else:
    SuiteView = Union[tuple(view_type(suite) for suite in SUITES)]  # noqa: UP007  # as many as there are

# What a program sends.


def _without_nul(text: str) -> str:
    if NUL in text:
        raise PydanticCustomError("nul", "Remove the character U+0000, which no database keeps")
    return text


Text = Annotated[str, AfterValidator(_without_nul)]


def _readable(text: str) -> str:
    """On one line, without characters that nobody sees."""
    name = plain_name(text, len(text))
    if text and not name:
        raise PydanticCustomError("name", "Give a name that can be read")
    return name


Name = Annotated[Text, AfterValidator(_readable)]


class Join(Schema):
    """Who takes the seat. The same program gets its seat back, also after a restart."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)
    program: Name = Field(min_length=1, max_length=60, description="What the program is called.")
    version: Name = Field("", max_length=60, description="Its version, as researchers want to read it later.")
    client_id: Name = Field(
        "",
        max_length=60,
        description="A name of this copy of the program. Copies that join by one link to a lobby need one each, "
        "to get their own seats back.",
    )


class SayAction(Schema):
    """Say something, visible to everybody at the table."""

    model_config = ConfigDict(extra="forbid")
    type: Literal["say"]
    content: Text = Field(
        min_length=1, max_length=MOST, description="The words, with @mentions and markers as written."
    )


class PassAction(Schema):
    """Say nothing in this turn. Only travellers may."""

    model_config = ConfigDict(extra="forbid")
    type: Literal["pass"]


class Call(Schema):
    """One call of a tool."""

    model_config = ConfigDict(extra="forbid")
    name: Text = Field(min_length=1, max_length=200)
    arguments: dict[str, Any] | str = Field(
        {},
        description="The object, or the text that a model wrote: what is wrong with it comes back as a result.",
    )


class CallAction(Schema):
    """Call tools, all at once; the results are in the next view. Only the agent may."""

    model_config = ConfigDict(extra="forbid")
    type: Literal["call_tools"]
    calls: list[Call] = Field(min_length=1, max_length=MOST_CALLS)
    note: Text = Field(
        "", max_length=MOST, description="What was written beside the calls. No traveller sees it."
    )


Action = Annotated[SayAction | PassAction | CallAction, Field(discriminator="type")]


class Act(Schema):
    """One action in one turn."""

    model_config = ConfigDict(extra="forbid")
    client_id: Text = Field(
        min_length=1,
        max_length=100,
        description="Chosen by the program, new for each action. Sent again, it is the same action: a request whose "
        "answer was lost can be repeated as it was.",
    )
    turn: int = Field(description="`turn.seq` of the turn that this answers.")
    action: Action


# What it gets.


class TakenSeat(Schema):
    """The seat that a program has."""

    session: str = Field(description="Of this session.")
    seat: str = Field(description="Its name at the table: `Agent`, or a traveller's.")
    role: Literal["agent", "traveller"]
    language: Literal["zh", "en"] = Field(description="In which the session is held.")
    suite: str = Field(description="The benchmark, which says what a view holds.")
    status: Status
    token: str = Field(
        description="The bearer token of all further requests: that of the link, or, where the link leads to a "
        "lobby, one that stands for this seat."
    )


class TurnNow(Schema):
    """The turn that the program has now."""

    seq: int = Field(description="Names the turn; an action has to give it.")
    kind: str = Field(description="As the benchmark names its turns.")
    attempt: int = Field(
        description="1, or higher where the former answer to this turn was refused, or passed."
    )
    problem: str = Field(
        description="Why this turn is asked again, or why the answer to the turn before could not be read "
        "(`no_table` after a summary), as the benchmark names it, else empty."
    )
    step: int = Field(description="Batches of tool calls in this turn so far.")
    tools_allowed: bool = Field(
        description="Whether tools may be called now; otherwise something has to be said."
    )
    deadline: datetime | None = Field(
        description="After which the turn is missed; null where it has no limit."
    )


class Function(Schema):
    """A function in the format of OpenAI."""

    model_config = ConfigDict(extra="allow")
    name: str
    description: str
    parameters: dict[str, Any] = Field(description="JSON Schema of the arguments.")


class Tool(Schema):
    """A tool in the format of OpenAI."""

    model_config = ConfigDict(extra="allow")
    type: Literal["function"]
    function: Function


class Ending(Schema):
    """How a session ended."""

    reason: str = Field(description="`plan_generated`, `stopped`, `deserted`, … as the benchmark names it.")
    plan_generated: bool


class Table(Schema):
    """What this seat knows, and whether it has to act."""

    session: str
    seat: str
    status: Status = Field(
        description="`waiting`: nothing to do now, or what was sent is on its way. `your_turn`: an action is awaited."
    )
    seq: int = Field(
        description="The last event that reached this seat. Give it as `after` to wait for more."
    )
    turn: TurnNow | None = Field(description="Null unless it is this seat's turn.")
    view: SuiteView | dict[str, Any] | None = Field(
        description="Everything that this seat may know, as its benchmark has it; null until it first has a turn. "
        "`view.turn` is its last turn."
    )
    tools: list[Tool] = Field(description="What the agent may call; empty for travellers.")
    plan_schema: dict[str, Any] | None = Field(
        description="JSON Schema of a plan as the agent has to write it; null for travellers, and where answers are "
        "words alone."
    )
    ended: Ending | None


class Delivery(Schema):
    """An action that has arrived. The same one again gives the same answer."""

    client_id: str
    taken: bool = Field(description="Whether the session has taken it already.")


class Problem(AnyProblem):
    """Why a request was refused, and what helps."""

    code: str = Field(
        description="`token`, `person`, `not_joined`, `taken`, `left`, `ended`, `another_turn`, `on_its_way`, "
        "`unfit`, `too_large`, `too_many`, `busy`, `unknown`, `method`, `storage`."
    )
