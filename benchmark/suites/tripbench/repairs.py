"""What is wrong with a reply, for a model that writes it again (section 4.1): the evaluator's findings, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmark.advantages.gtpo import raw_reward
from benchmark.core.actions import Say
from benchmark.core.events import Event, MessagePosted, ToolReturned
from benchmark.core.setting import Setting
from benchmark.plans.view import Mark
from benchmark.repairing.rewriting import is_reply
from benchmark.repairing.verdict import JudgedReply, NoVerdict
from benchmark.suites.tripbench.conversation.rules import RULES
from benchmark.suites.tripbench.conversation.state import SessionState
from benchmark.suites.tripbench.events import InstructionsIssued, UserBriefed
from benchmark.suites.tripbench.itineraries import carry_days, find_plan
from benchmark.suites.tripbench.rollouts import turn_of
from benchmark.suites.tripbench.scoring.options import parameters_of
from benchmark.suites.tripbench.scoring.turns import check_of, judge_turn
from benchmark.suites.tripbench.scoring.verdict import Verdict
from benchmark.suites.tripbench.tasks.task import ISSUE, Task
from benchmark.suites.tripbench.turns import AgentTurn
from benchmark.suites.tripbench.users.findings import finding_words
from benchmark.suites.tripbench.users.requests import find_problem
from benchmark.suites.tripbench.world import world_of
from benchmark.text import guarded
from sandbox.toolsets.tripbench.records import TripWorld

_ID = "id"
_WORD = guarded.compile(r"[\w-]+")
AnySetting = Setting[Task, TripWorld]


def judge_reply(log: Sequence[Event], setting: AnySetting, number: int) -> JudgedReply:
    """A reply by all constraints that hold at its turn.

    Raises:
        NoVerdict: the world of the session is not there.
    """
    world = world_of(setting)
    if world is None:
        raise NoVerdict("the world of the session is not there")
    at = [place for place, event in enumerate(log) if is_reply(event)][number - 1]
    state, words, told = _state_of(log[:at]), _words_of(log[at]), _ids_said_after(log[at:])
    turn = _turn_of(state, words)
    verdict = judge_turn(turn, setting.task, world, parameters_of(setting.options))
    return JudgedReply(
        faults=[] if verdict.strict else [*dict.fromkeys(_faults(verdict, setting.task))],
        inventions=[*_inventions(turn, log[:at])],
        is_reported=any(id_.startswith(ISSUE) for id_ in told),
        fits_next=not told or not verdict.strict or _fits(state, words, told, setting),
        reward=raw_reward(turn_of(verdict)),
    )


def _state_of(log: Sequence[Event]) -> SessionState:
    state = SessionState()
    for event in log:
        state.apply(event)
    return state


def _words_of(reply: Event) -> str:
    assert isinstance(reply.body, MessagePosted)
    return reply.body.content


def _ids_said_after(log: Sequence[Event]) -> tuple[str, ...]:
    """What the user's next message says, by ids; nothing where there is none."""
    return next((event.body.ids for event in log if isinstance(event.body, InstructionsIssued)), ())


def _turn_of(state: SessionState, words: str) -> AgentTurn:
    """The turn of a reply with these words, from the state before it."""
    found = find_plan(words)
    plan, is_carried = (None, False) if found is None else carry_days(found, state.plan)
    ids = tuple(state.issued_ids)
    return AgentTurn(0, ids, state.told_ids, state.needs_plan, plan, state.plan, is_carried)


def _fits(state: SessionState, words: str, told: tuple[str, ...], setting: AnySetting) -> bool:
    """Whether the user may say these ids after such a reply."""
    made = RULES.utterance_events(state, Say(words), check_of(setting))
    brief = next((body for body in made if isinstance(body, UserBriefed)), None)
    return brief is not None and not find_problem(told, brief, setting.task, state.issued_ids)[0]


# What is wrong.


def _faults(verdict: Verdict, task: Task) -> Iterator[str]:
    """Of each constraint that is broken what is against it, with the place in the plan."""
    flags = {**verdict.feasibility, **verdict.soundness, **verdict.user}
    found = {**verdict.marks, **verdict.user_marks}
    for key in (key for key, is_met in flags.items() if is_met is False):
        for mark in found.get(key) or [Mark((), "")]:
            place = ".".join(map(str, mark.at))
            yield finding_words(key, mark, task) + (f" [{place}]" if place else "")


def _inventions(turn: AgentTurn, before: Sequence[Event]) -> Iterator[str]:
    """The ids of a plan that neither a result nor a message shows."""
    bodies = [event.body for event in before]
    texts = [body.result for body in bodies if isinstance(body, ToolReturned)]
    texts += [body.content for body in bodies if isinstance(body, MessagePosted)]
    words = {word for text in texts for word in _WORD.findall(text)}
    for id_ in dict.fromkeys(_ids(turn.plan)):
        if id_ not in words and not any(id_ in text for text in texts if _WORD.fullmatch(id_) is None):
            yield id_


def _ids(part: object) -> Iterator[str]:
    """Every id in a plan of any shape."""
    if isinstance(part, dict):
        own = part.get(_ID)
        yield from [own] if isinstance(own, str) and own else []
        for each in part.values():
            yield from _ids(each)
    elif isinstance(part, list):
        for each in part:
            yield from _ids(each)
