"""What a benchmark brings to the page of somebody who has a seat."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.functional import Promise

from benchmark.core.events import Event
from webapp.pages.kinds import Context, Json, Reading, Row, SeatFold
from webapp.pages.session import Card


@dataclass(frozen=True)
class WordCheck:
    """What a benchmark says of words before they are sent.

    refusal: why they can't be sent, "" where they can. revelations: what of the speaker's own they tell unasked.
    agreements: what they give up in words alone, as `turn.html` shows it; whoever speaks is asked whether it is given
    up indeed.
    """

    refusal: str = ""
    revelations: Sequence[str] = ()
    agreements: Sequence[Json] = ()


@dataclass(frozen=True)
class SeatPage:
    """What a traveller's seat shows of a benchmark. Each is given the seat's own `ViewFold`, which holds no more.

    places is what `Scoring.world` made of the session's world, None without one.

    card, turn: what `templates/suites/NAME/seat/card.html` and `turn.html` need; `turn` only at their turn. check: of
    words, and compose: words as they are sent, both with what the form chose beside them (`turn.html` holds the
    fields); ValueError says what is wrong. words: of what was composed, what is said. ending_context: what
    `ended.html` needs, from a reading of the session, the seat's name, the page's language and `places`; without that
    template a shared one shows the plan. wishes: the form in which people bring their own wishes (`benchmark.core`
    gives the event by its `body`). agent: what the agent's seat shows. group: several speak, so words are addressed
    to somebody, and a turn can be passed. What is read first is in `seat/invited.html`, `about.html` and
    `guide.html`, where the shared texts, which are for any conversation, say too little.
    """

    card: Callable[[SeatFold, str, Json], Context] = lambda fold, language, places: {}
    turn: Callable[[SeatFold, str], Context] = lambda fold, language: {}
    check: Callable[[SeatFold, str, Mapping[str, str], str], WordCheck] = (
        lambda fold, text, chosen, language: WordCheck()
    )
    compose: Callable[[SeatFold, str, Mapping[str, str]], str] = lambda fold, text, chosen: text
    ending_context: Callable[[Reading, str, str, Json], Context] = lambda reading, seat, language, places: {}
    words: Callable[[str], str] = lambda text: text
    wishes: Callable[..., Json] | None = None
    agent: AgentPage = field(default_factory=lambda: AgentPage())  # noqa: PLW0108
    group: bool = True


@dataclass(frozen=True)
class FoundThing:
    """One thing that a tool returned, for a person in the agent's seat.

    uses: what fields of forms can be filled with, by kind (`name`, `location`, `id`). plan: the fields of the form
    that takes it into the plan, none where it is nothing that a plan holds.
    """

    card: Card
    uses: Mapping[str, str] = field(default_factory=dict)
    plan: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Desk:
    """What a person in the agent's seat works with beside the chat.

    fold: the seat's own `ViewFold`. log: of the session, by which rules check a plan; nothing of it is shown. draft:
    of the plan, as it is kept. yours: whether it is their turn, and nothing of theirs waits to be read.
    """

    session: Row
    fold: SeatFold
    log: Sequence[Event]
    language: str
    draft: Json
    yours: bool


@dataclass(frozen=True)
class DeskResult:
    """What came of something done at the desk.

    context: more for its template. send: words for the session, "" for none. draft: the plan as it is kept from now
    on, None where it stays.
    """

    context: Mapping[str, object] = field(default_factory=dict)
    send: str = ""
    draft: Json = None


@dataclass(frozen=True)
class DeskPart:
    """A tab of the desk.

    context: what its template needs, from the desk and what the address asks for. act: on what a form of it sent.
    template: a shared one, "" for `templates/suites/NAME/seat/agent/PART.html`.
    """

    name: str
    label: Promise
    context: Callable[[Desk, Mapping[str, str]], Context]
    act: Callable[[Desk, Json], DeskResult]
    template: str = ""


@dataclass(frozen=True)
class AgentPage:
    """What the agent's seat shows of a benchmark to a person who has it.

    turn: what `templates/suites/NAME/seat/agent/turn.html` needs at their turn, from their own `ViewFold`; without
    that template a shared one needs nothing. Its `asks` names the part of the desk that the turn is for, `words`
    where it is for the composer. why_not: why words of the composer can't be sent in this turn, "" where they can.
    cities: names that forms complete, from the task's definition. field_values: values that forms of tools begin
    with, by argument, from the `ViewFold`. things_in: of a tool's result, as it was parsed from JSON. parts: one of
    the name `plan` stands in place of the shared one of `Pages.plans`. answers_once: its one message holds the plan
    and ends the session, so that the plan's tab sends it, and nothing else does.
    """

    turn: Callable[[SeatFold, str], Context] = lambda fold, language: {"asks": "words"}
    why_not: Callable[[SeatFold], str] = lambda fold: ""
    cities: Callable[[Json], Sequence[str]] = lambda definition: ()
    field_values: Callable[[SeatFold], Mapping[str, str]] = lambda fold: {}
    things_in: Callable[[Json], Sequence[FoundThing]] = lambda result: ()
    parts: Sequence[DeskPart] = ()
    answers_once: bool = False
