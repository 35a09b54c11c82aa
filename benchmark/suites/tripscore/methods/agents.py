"""Agents that search for a plan: by the fields of a query, or by what a model translates its words into."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from benchmark.agents.base import ModelAgent
from benchmark.agents.briefing import Briefing, fence_plan
from benchmark.core.actions import Action, Redo, Say
from benchmark.core.participant import BuiltIn, OverModel, SeatContext
from benchmark.core.plan_answer import PLAN_TURN
from benchmark.core.view import Draft, View
from benchmark.models import ChatRequest, Model, Reply
from benchmark.suites.base import fill_options
from benchmark.suites.tripscore.itineraries import find_plan
from benchmark.suites.tripscore.methods.nesy.search import Limits as SearchLimits
from benchmark.suites.tripscore.methods.nesy.search import Search
from benchmark.suites.tripscore.methods.nesy.statements import Program, program_of, read_program
from benchmark.suites.tripscore.methods.options import (
    GAP,
    NESY_SECONDS,
    NO_SOLUTION,
    OPTIONS,
    RELAX,
    TTG_SECONDS,
)
from benchmark.suites.tripscore.methods.requests import Request, Unreadable, read_request
from benchmark.suites.tripscore.methods.results import PROMPTS, Line, Result
from benchmark.suites.tripscore.methods.ttg.solving import Limits as SolverLimits
from benchmark.suites.tripscore.methods.ttg.solving import plan_by_program
from benchmark.suites.tripscore.scoring.options import parameters_of
from benchmark.suites.tripscore.tasks import Task

UNREADABLE, TRANSLATION = "unreadable", "translation"
_MOST_UNREADABLE = 2
"""Answers that are asked for again."""


def _options(context: SeatContext) -> Mapping[str, Any]:
    return fill_options(OPTIONS, context.options)


def _task(context: SeatContext) -> Task:
    assert isinstance(context.task, Task)
    return context.task


def solve(request: Request, context: SeatContext) -> Result:
    """By ttg, as the session's options say."""
    own = _options(context)
    limits = SolverLimits(own[TTG_SECONDS.key], own[GAP.key], own[NO_SOLUTION.key] == RELAX)
    return plan_by_program(replace(request, parameters=parameters_of(context.options)), limits)


def search(program: Program, context: SeatContext, ranks: Mapping[str, int] | None = None) -> Result:
    """By nesy, as the session's options say."""
    own = _options(context)
    limits = SearchLimits(seconds=own[NESY_SECONDS.key], relax=own[NO_SOLUTION.key] == RELAX)
    return Search(program, limits, ranks or {}).run()


def _say(result: Result, view: View, *before: str) -> Say:
    """The plan, or why there is none; the log keeps what a model wrote, and what the search did."""
    log = result.log_text(view.language)
    content = fence_plan(result.plan) if result.plan is not None else log
    return Say(content, thought="\n\n".join(filter(None, (*before, log))))


@dataclass(frozen=True)
class FieldsAgent:
    """Plans by the fields of the query, without a model."""

    context: SeatContext
    plan: Callable[[SeatContext], Result]

    @cached_property
    def _result(self) -> Result:
        return self.plan(self.context)

    def act(self, view: View) -> Say:
        """The one answer."""
        return _say(self._result, view)


class TranslatingAgent(ModelAgent):
    """A model translates the request into JSON; what can't be read is asked for again, with its faults."""

    offered_tools = False

    def __init__(self, briefing: Briefing, model: Model, context: SeatContext) -> None:
        super().__init__(briefing, model)
        self._context, self._parameters = context, parameters_of(context.options)

    def request(self, view: View) -> ChatRequest:
        """The chat so far; the answer is a JSON object."""
        return replace(super().request(view), json_object=True)

    def _unreadable(self, view: View, reply: Reply, faults: str) -> Redo | None:
        """The answer withdrawn; None where it was asked for again often enough."""
        if sum(draft.why == UNREADABLE for draft in view.turn.drafts) >= _MOST_UNREADABLE:
            return None
        return Redo(reply.text.strip(), why=UNREADABLE, note=faults, thought=reply.reasoning)

    def _give_up(self, view: View, reply: Reply, faults: str) -> Say:
        result = Result(None, [Line.of(UNREADABLE, faults=faults)])
        return _say(result, view, reply.reasoning, reply.text)


def _object(reply: Reply) -> dict[str, Any]:
    told = find_plan(reply.text)
    if told is None:
        raise Unreadable("there is no JSON object in the answer")
    return told


class TtgAgent(TranslatingAgent):
    """Constraints by the model, the plan by the solver."""

    def _action_of(self, view: View, reply: Reply) -> Action:
        try:
            request = read_request(_task(self._context), _object(reply))
        except Unreadable as fault:
            return self._unreadable(view, reply, str(fault)) or self._give_up(view, reply, str(fault))
        return _say(solve(request, self._context), view, reply.reasoning, reply.text)


class NesyAgent(TranslatingAgent):
    """Statements by the model, then the order in which it would look at sights; the plan by the search."""

    def _action_of(self, view: View, reply: Reply) -> Action:
        translated = [draft for draft in view.turn.drafts if draft.why == TRANSLATION]
        return self._search(view, reply, translated[-1]) if translated else self._translate(view, reply)

    def _translate(self, view: View, reply: Reply) -> Action:
        try:
            read_program(_task(self._context), _object(reply), self._parameters)
        except Unreadable as fault:
            return self._unreadable(view, reply, str(fault)) or self._give_up(view, reply, str(fault))
        return Redo(reply.text.strip(), why=TRANSLATION, thought=reply.reasoning)

    def _search(self, view: View, reply: Reply, translated: Draft) -> Action:
        """Where no recommendation can be read, kinds and distance decide, as without a model."""
        program = read_program(_task(self._context), find_plan(translated.content) or {}, self._parameters)
        notes = [reply.reasoning, reply.text]
        try:
            ranks = _read_ranks(_task(self._context), _object(reply))
        except Unreadable as fault:
            if again := self._unreadable(view, reply, str(fault)):
                return again
            ranks = {}
            notes.append(Line.of("no_ranks", faults=str(fault)).text(view.language))
        return _say(search(program, self._context, ranks), view, *notes)


def _read_ranks(task: Task, told: Mapping[str, Any]) -> Mapping[str, int]:
    """The position of each sight that a model recommends. Raises Unreadable."""
    given = told.get("sights")
    if not isinstance(given, list) or not all(isinstance(id_, str) for id_ in given):
        raise Unreadable("sights: not a list of ids")
    known = {sight.id for sight in task.reference.attractions}
    if strays := [id_ for id_ in given if id_ not in known]:
        raise Unreadable("\n".join(f"sights: no sight has the id “{id_[:40]}”" for id_ in strays[:10]))
    return {id_: at for at, id_ in enumerate(dict.fromkeys(given))}


def _briefing(context: SeatContext, instruction: str, *sections: str) -> Briefing:
    def facts() -> dict[str, str]:
        task = _task(context)
        query = task.query.model_dump(mode="json", exclude_unset=True, exclude={"user_request"})
        sights = [
            f"{one.id} | {one.name} | {one.city} | {', '.join(one.tags)}"
            for one in task.reference.attractions
        ]
        tags = Counter(tag for one in task.reference.attractions for tag in one.tags)
        return {
            "query": json.dumps(query, ensure_ascii=False),
            "sights": "\n".join(sights) or "–",
            "tags": ", ".join(tags) or "–",
        }

    return Briefing(
        prompts=PROMPTS,
        facts=lambda view: facts(),
        instructions={PLAN_TURN: instruction},
        talking=("translator", "known", *sections),
    )


AGENTS: Mapping[str, BuiltIn | OverModel] = {
    "ttg": OverModel(
        lambda context, model: TtgAgent(_briefing(context, "constraints"), model, context),
        PROMPTS.version,
        tools=False,
    ),
    "nesy": OverModel(
        lambda context, model: NesyAgent(_briefing(context, "statements", "concepts"), model, context),
        PROMPTS.version,
        tools=False,
    ),
    "ttg_fields": BuiltIn(lambda context: FieldsAgent(context, lambda own: solve(Request(_task(own)), own))),
    "nesy_fields": BuiltIn(
        lambda context: FieldsAgent(
            context, lambda own: search(program_of(_task(own), parameters_of(own.options)), own)
        )
    ),
}
"""Over a model, and by the fields of a query without one."""
