"""Who answers: one line a personality."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.model_server.personalities import (
    comparers,
    journeys,
    judges,
    long_trip_users,
    long_trips,
    makers,
    namers,
    requests,
    simple_trips,
    travellers,
    trips,
    twists,
    word_judges,
)
from tests.model_server.personalities.agent import good_agent
from tests.model_server.personalities.forms import in_form
from tests.model_server.personalities.plain import plain
from tests.model_server.request import ModelRequest
from tests.model_server.scene import Scene
from tests.model_server.wire import Answer

Say = Callable[[Scene], Answer]


@dataclass(frozen=True, slots=True)
class Personality:
    """about: one line. agent, traveller: how it plays either seat; judge: how it judges, in place of both.

    options: its own, with what they mean.
    """

    about: str
    agent: Say = good_agent
    traveller: Say = travellers.good_user
    options: tuple[tuple[str, str], ...] = ()
    judge: Say | None = None


PERSONALITIES: dict[str, Personality] = {
    "good-agent": Personality(
        "asks, mediates, looks up, plans",
        options=(journeys.PLAN_OPTION, long_trip_users.USER_OPTION, long_trips.MENDING_OPTION),
    ),
    "planner-at-once": Personality("plans in its first message", twists.planner_at_once),
    "loops": Personality("makes the same call for ever", twists.loops),
    "loops-in-two-turns": Personality("repeats a call in two steps of every turn", twists.loops_in_two_turns),
    "talks-forever": Personality(
        "plans only when it is demanded",
        twists.talks_forever,
        options=(("never", "not even then"),),
    ),
    "malformed-json": Personality(
        "broken arguments, and a broken plan that can be mended", twists.malformed_json
    ),
    "mentions-two": Personality("addresses two travellers at once", twists.mentions_two),
    "overflows": Personality(
        "400 context_length_exceeded in a long chat",
        twists.overflows,
        options=(("after", "messages in the chat that still fit (6)"),),
    ),
    "wordless": Personality("answers with empty content", twists.wordless, twists.wordless),
    "thinks": Personality("the good agent with reasoning_content", twists.thinks),
    "text-tools": Personality("400 where tools are sent; calls written as text", twists.text_tools),
    "good-user": Personality(
        "answers from its table, yields when asked and allowed", options=(long_trip_users.USER_OPTION,)
    ),
    "leaks-fields": Personality("names a field of its table", traveller=travellers.leaks_fields),
    "mentions-other-user": Personality(
        "addresses another traveller", traveller=travellers.mentions_other_user
    ),
    "pass-inside-text": Personality("writes [pass] inside a message", traveller=travellers.pass_inside_text),
    "marker-out-of-place": Personality("yields unasked", traveller=travellers.marker_out_of_place),
    "always-breaks": Personality("breaks the contract every time", traveller=travellers.always_breaks),
    "good-judge": Personality("judges, and checks judges, by turns that are there", judge=judges.good_judge),
    "broken-judge": Personality("a judge who writes an essay", judge=judges.broken_judge),
    "seven-judge": Personality("a judge who gives a 7", judge=judges.seven_judge),
    "invents-citations": Personality(
        "a judge who cites a turn that is not there", judge=judges.invents_citations
    ),
    "sloppy-judge": Personality(
        "a judge with prose, a fence and a comma too many", judge=judges.sloppy_judge
    ),
    "stops-halfway": Personality(
        "a judge who fails with 503 on some sessions",
        judge=judges.stops_halfway,
        options=(("without", "a word in the task of those sessions"),),
    ),
    "good-maker": Personality(
        "tells which requests can be carried out, and cleans profiles", judge=makers.good_maker
    ),
    "contrary-maker": Personality("finds that everything can be carried out", judge=makers.contrary_maker),
    "vague-maker": Personality("says neither yes nor no of a request", judge=makers.vague_maker),
}
OWN_OPTIONS: dict[str, dict[str, str]] = {name: dict(who.options) for name, who in PERSONALITIES.items()}


def answer_of(asked: ModelRequest) -> Answer:
    """What the personality that the request names says to it; the request alone decides.

    Raises:
        Refusal: it answers with an HTTP error.
    """
    scene, who = Scene(asked), PERSONALITIES[asked.name.personality]
    if who.judge is not None and _to_judge(scene):
        return who.judge(scene)
    if scene.seat == "traveller":
        return who.traveller(scene)
    if scene.seat == "agent":
        return in_form(scene, who.agent(scene))
    return _answer_outside_session(scene, who)


def _to_judge(scene: Scene) -> bool:
    told_by_json = scene.seat != "other" or '"score"' in scene.request.system
    asked = (comparers, word_judges, makers, namers)
    return told_by_json or any(own.is_asked(scene) for own in asked)


def _answer_outside_session(scene: Scene, who: Personality) -> Answer:
    """Outside a session of a group only what concerns the protocol itself shows."""
    if who.agent is twists.wordless:
        return Answer()
    for own in (trips, simple_trips, journeys, long_trips, long_trip_users):
        if own.is_asked(scene):
            return own.answer(scene)
    if who.agent is twists.text_tools and scene.request.tools:
        return who.agent(scene)
    answer = requests.answer(scene) if requests.is_asked(scene) else plain(scene)
    return Answer(answer.text, answer.calls, "…") if who.agent is twists.thinks else answer
