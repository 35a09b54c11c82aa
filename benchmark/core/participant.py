"""The one interface of every participant, built in or human, and the kinds of them that a benchmark has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol, TypeVar

from benchmark.core.actions import Action, Pass, Waiting
from benchmark.core.options import NO_OPTIONS, Options
from benchmark.core.setting import Check, open_nothing
from benchmark.core.view import AGENT, View
from benchmark.models import Model
from sandbox.tools.language import Language
from sandbox.toolsets.base import Toolset
from sandbox.worlds import World

# A seat whose occupant is outside: a person at a page, a program over the network.


INBOX = "inbox"
"""A program, in every benchmark."""
PERSON = "person"
"""A person, in every benchmark."""
OUTSIDE_KINDS = (PERSON, INBOX)
PASSED = "passed"
"""The problem of a turn that is granted again because its speaker has passed."""


class Inbox(Protocol):
    """What was sent to a seat."""

    def read(self) -> Action | None:
        """The oldest message that is not taken, None where there is none. The caller's store marks it as taken."""
        ...


@dataclass(frozen=True, slots=True)
class Correspondent:
    """Acts by one message of its inbox at a time, and waits while there is none."""

    inbox: Inbox

    def act(self, view: View) -> Action:
        """The next message as an action; it may not suit the view, which the rules then say."""
        return self.inbox.read() or Waiting()


@dataclass(frozen=True, slots=True)
class Person(Correspondent):
    """The same, where a pass counts at once: whoever is asked again for having passed passes again."""

    def act(self, view: View) -> Action:
        """The next message as an action."""
        return Pass() if view.turn.problem == PASSED else Correspondent.act(self, view)


V_contra = TypeVar("V_contra", bound=View, contravariant=True)


class Participant(Protocol[V_contra]):
    """A seat's occupant. It holds no state that matters: all it knows is in the view, so any process can go on.

    `act` may be called again for the same turn (after tools have run, after a refused answer, after a crash) and
    must depend on the view alone; chance comes from `view.seed`.
    """

    def act(self, view: V_contra) -> Action:
        """One step: one utterance, one batch of tool calls, a pass, or `Waiting`."""
        ...


AnyParticipant = Participant[Any]
"""The occupant of a seat of any benchmark, whose view is its own."""


@dataclass(frozen=True, kw_only=True)
class SeatContext:
    """What the occupant of a seat is given before the session; what happens in it comes with each view."""

    seat: str
    task: object = None
    """What its benchmark lets this seat know of the task beside the log (`Play.seat_knowledge`), None for nothing."""
    tools: Toolset | None = None
    """Those that the agent may call."""
    options: Options = field(default_factory=lambda: NO_OPTIONS)
    seed: int = 0
    language: Language = "zh"
    check: Check | None = None
    """What finds faults in plans, where the benchmark lets this seat ask (`Play.critic`)."""
    open_pack: Callable[[], World | None] = open_nothing

    @cached_property
    def pack(self) -> World | None:
        """The session's world, opened when it is first asked for. Raises WorldError."""
        return self.open_pack()


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """A participant that needs no model."""

    make: Callable[[SeatContext], AnyParticipant]


@dataclass(frozen=True, slots=True)
class OverModel:
    """A participant that speaks through a model.

    prompts: the version of its prompts in a language. tools: whether it is offered any.
    """

    make: Callable[[SeatContext, Model], AnyParticipant]
    prompts: Callable[[str], str]
    tools: bool = True


@dataclass(frozen=True, slots=True)
class FromOutside:
    """A participant that acts by what is sent to its seat."""

    make: Callable[[Inbox], AnyParticipant] = Correspondent


Kind = BuiltIn | OverModel | FromOutside
UNIVERSAL_KINDS: Mapping[str, Kind] = {PERSON: FromOutside(Person), INBOX: FromOutside()}
"""The kinds that can take any seat of any benchmark."""


@dataclass(frozen=True, slots=True)
class Cast:
    """Who can take the seats of a benchmark's sessions, by the names of their kinds."""

    agents: Mapping[str, Kind]
    users: Mapping[str, Kind]

    def at(self, seat: str) -> Mapping[str, Kind]:
        """Who can sit at this seat."""
        return {**UNIVERSAL_KINDS, **(self.agents if seat == AGENT else self.users)}

    def offers_tools(self, agent: str) -> bool:
        """Whether an agent of this kind is offered the tools; one that is not known here may be."""
        kind = self.agents.get(agent)
        return not isinstance(kind, OverModel) or kind.tools
