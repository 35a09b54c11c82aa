"""The reference agent: asks, understands, answers, mediates, plans; no model.

What it keeps between its turns saves work and changes no action.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from benchmark.core.actions import Action, CallTools, Say, ToolCall
from benchmark.core.view import AGENT
from benchmark.suites.grouptravel.agent.brief import Brief, read_brief
from benchmark.suites.grouptravel.agent.conflicts import Proposal
from benchmark.suites.grouptravel.agent.dialogue.asking import Asking
from benchmark.suites.grouptravel.agent.dialogue.questions import ask, rest_of
from benchmark.suites.grouptravel.agent.dialogue.requests import CAPS, put, put_raise
from benchmark.suites.grouptravel.agent.facts.answers import answer, calls_for
from benchmark.suites.grouptravel.agent.facts.desk import Desk
from benchmark.suites.grouptravel.agent.facts.questions import pending_queries, put_off_askers
from benchmark.suites.grouptravel.agent.glosses import as_people_say, as_the_data_says, called_names
from benchmark.suites.grouptravel.agent.lexicon.phrases import Phrases, phrases
from benchmark.suites.grouptravel.agent.lexicon.variety import least_said
from benchmark.suites.grouptravel.agent.picture import Picture, read_chat
from benchmark.suites.grouptravel.agent.planning import PlanMemory, next_move
from benchmark.suites.grouptravel.agent.policy import (
    calls_to_weigh,
    next_broken,
    next_proposal,
    next_question,
    pledges,
    questions_needed,
    utterances_left,
)
from benchmark.suites.grouptravel.agent.results import round_trip_calls
from benchmark.suites.grouptravel.agent.summary import (
    backlog_text,
    echo_text,
    planning_tables,
    progress_text,
    summary_text,
)
from benchmark.suites.grouptravel.agent.understanding.spellings import spellings
from benchmark.suites.grouptravel.itineraries.extraction import plan_in_message
from benchmark.suites.grouptravel.view import GroupView

_LAST_UTTERANCES = 1
_MOST_STEPS = 15
_FOR_REQUESTS = 1
_FENCE = "```"
_ECHOES = 3
_SILENCES = 4
"""One question in so many repeats what was said, and one has nothing before it."""


@dataclass(frozen=True, slots=True)
class _Desk:
    """One turn: the view and what has been made of it."""

    view: GroupView
    brief: Brief
    picture: Picture
    memory: PlanMemory


class ReferenceAgent:
    """Deterministic in the view; chance, where there is any, comes from `view.seed`."""

    def __init__(self) -> None:
        self._memory = PlanMemory()

    def act(self, view: GroupView) -> Action:
        """A summary when asked for one, the plan when it is time, else one utterance or the tool calls it needs."""
        brief = read_brief(view)
        called = called_names(brief.glosses, brief.language)
        action = self._act(replace(view, messages=as_the_data_says(view.messages, called)), brief)
        if isinstance(action, Say) and view.turn.kind != "summary":
            return replace(action, content=as_people_say(action.content, called))
        return action

    def _act(self, view: GroupView, brief: Brief) -> Action:
        turn = _Desk(view, brief, read_chat(view, brief), self._memory)
        if view.turn.kind == "summary":
            return Say(summary_text(turn.picture, brief))
        if view.turn.kind == "final":
            return _close(turn)
        calls = _missing_calls(turn)
        return CallTools(tuple(calls)) if calls else _speak(turn)


def _plan(turn: _Desk) -> Action:
    view = turn.view
    users = tuple(traveller.name for traveller in view.travellers)
    return next_move(
        turn.brief,
        planning_tables(turn.picture, turn.brief),
        users,
        view.tool_log,
        view.turn.tools_allowed,
        view.seed,
        pledges(turn.picture),
        turn.memory,
        tuple(turn.picture.unknown_names),
    )


def _missing_calls(turn: _Desk) -> list[ToolCall]:
    """Calls for open questions of fact and for names of unknown city that the log does not hold yet."""
    view = turn.view
    if not _may_call(view):
        return []
    wanted = _calls_for_questions(turn)
    queries = pending_queries(view, turn.picture, turn.brief)
    all_asked = next_question(turn.picture, turn.brief.cities) is None or _requests_are_due(turn)
    wanted += _lookups(turn, all_asked)
    if all_asked:
        wanted += round_trip_calls(turn.brief)
        if not _fresh(wanted, view) and not queries and utterances_left(view) > _LAST_UTTERANCES:
            wanted += calls_to_weigh(turn.picture, turn.brief, view, turn.memory)
    return _fresh(wanted, view)


def _may_call(view: GroupView) -> bool:
    return view.turn.tools_allowed and view.turn.step < _MOST_STEPS


def _calls_for_questions(turn: _Desk) -> list[ToolCall]:
    desk = Desk(turn.brief, turn.view.tool_log)
    queries = pending_queries(turn.view, turn.picture, turn.brief)
    return [call for query in queries for call in calls_for(query, desk)]


def _answers(turn: _Desk) -> str:
    """The answers to all that was asked since the agent last spoke, "" where nothing was."""
    view, words = turn.view, phrases(turn.view.language)
    desk = Desk(turn.brief, view.tool_log)
    told = [answer(query, desk) for query in pending_queries(view, turn.picture, turn.brief)]
    put_off = put_off_askers(view, turn.picture, turn.brief)
    told += [desk.say("put_off", users=words.join_names(put_off))] if put_off else []
    return words.join(dict.fromkeys(_sentence(text, words) for text in told))


def _close(turn: _Desk) -> Action:
    """The last message: what was asked right before it is looked up first."""
    asked = _fresh(_calls_for_questions(turn), turn.view) if _may_call(turn.view) else []
    return CallTools(tuple(asked)) if asked else _plan_after(_answers(turn), turn)


def _plan_after(told: str, turn: _Desk) -> Action:
    """The plan, after the answers to what was asked last."""
    move = _plan(turn)
    if not isinstance(move, Say) or not told:
        return move
    plain = told.replace(_FENCE, "")
    return replace(move, content=phrases(turn.view.language).join([plain, move.content]))


def _fresh(wanted: list[ToolCall], view: GroupView) -> list[ToolCall]:
    """Those calls, each once, that the log does not hold."""
    made = [(entry.name, entry.arguments) for entry in view.tool_log]
    fresh: list[ToolCall] = []
    for call in wanted:
        if (call.name, call.arguments) not in made and call not in fresh:
            fresh.append(call)
    return fresh


def _lookups(turn: _Desk, all_names: bool) -> list[ToolCall]:
    """Searches that tell whether there is a place of a name, and in which of several cities.

    all_names: also of what sounds like a name, which counts as one until the plan is made.
    """
    cities = turn.brief.cities
    unplaced = [
        (finding.item, city) for belief in turn.picture.beliefs.values() for finding in belief.unplaced_findings
        if finding.subject == "sights" and len(cities) > 1 for city in cities
    ]  # fmt: skip
    unsure = [
        (text, city) for finding, named in turn.picture.unsure.items() if all_names or not named
        for city in ([finding.city] if finding.city else cities) for text in spellings(finding.item, city)
    ]  # fmt: skip
    names = sorted({*unsure, *unplaced})
    return [ToolCall("search_poi", {"keywords": item, "city": city}) for item, city in names]


def _speak(turn: _Desk) -> Action:
    queries = pending_queries(turn.view, turn.picture, turn.brief)
    words, told = phrases(turn.view.language), _answers(turn)
    asker = queries[0].asker if queries else None
    if utterances_left(turn.view) <= _LAST_UTTERANCES:
        return _plan_after(told, turn)
    question = _question(turn, asker)
    if told and not question:
        return Say(told)
    if question and not _requests_are_due(turn):
        return Say(words.join([_lead(turn, told), question]))
    return _plan_or_question(turn, told, question)


def _plan_or_question(turn: _Desk, told: str, question: str) -> Action:
    """Whoever has set a limit that the plan would break is asked about it first; then what else there is to ask."""
    move = _plan(turn)
    if isinstance(move, CallTools):
        return move
    plan = plan_in_message(move.content) if isinstance(move, Say) else None
    broken = next_broken(turn.picture, turn.brief, plan) if plan else None
    question = _request(broken, turn) if broken else question
    if not question:
        return _plan_after(told, turn)
    return Say(phrases(turn.view.language).join([_lead(turn, told), question]))


def _sentence(text: str, words: Phrases) -> str:
    return f"{text[:1].upper()}{text[1:]}{words.stop}"


def _requests_are_due(turn: _Desk) -> bool:
    """The last utterances before the plan are for what clashes, not for what is still unknown."""
    return 0 < utterances_left(turn.view) - _LAST_UTTERANCES <= _FOR_REQUESTS


def _is_short_of_rounds(turn: _Desk) -> bool:
    return utterances_left(turn.view) <= questions_needed(turn.picture, turn.brief.cities) + 2


def _question(turn: _Desk, asker: str | None) -> str:
    """The next question or request to yield, "" when none is left.

    Beside an answer only whoever asked is addressed, unless rounds are short (paper, D.3).
    """
    cities, view = turn.brief.cities, turn.view
    left = utterances_left(view) - _LAST_UTTERANCES - _FOR_REQUESTS
    bundle = next_question(turn.picture, cities, asker, left=left)
    if asker and bundle is None and not _is_short_of_rounds(turn):
        return ""
    bundle = bundle or next_question(turn.picture, cities, left=left)
    due = not asker and (bundle is None or _requests_are_due(turn))
    proposal = next_proposal(turn.picture, turn.brief, view, turn.memory) if due else None
    if bundle and not proposal:
        known = rest_of(turn.picture.beliefs[bundle[0]], bundle[1])
        return ask(*bundle, _how(turn), known)
    return _request(proposal, turn) if proposal else ""


def _wording(turn: _Desk) -> int:
    return turn.view.seed + sum(message.role == AGENT for message in turn.view.messages)


def _agent_text(turn: _Desk) -> str:
    return "\n".join(message.content for message in turn.view.messages if message.role == AGENT)


def _how(turn: _Desk) -> Asking:
    return Asking(_wording(turn), turn.view.language, _agent_text(turn))


def _request(proposal: Proposal, turn: _Desk) -> str:
    if proposal.request.subject in CAPS:
        return put_raise(proposal.request, proposal.cap, _how(turn), proposal.floor)
    return put(proposal.request, proposal.others, _how(turn), _lead(turn, ""))


def _lead(turn: _Desk, told: str) -> str:
    """What precedes the question: an answer of fact, the state of things at a convergence, or who was heard."""
    words = phrases(turn.view.language)
    if told:
        return told
    messages = turn.view.messages
    if not any(message.role == AGENT for message in messages):
        return words.openings[turn.view.seed % len(words.openings)]
    if turn.view.turn.kind == "convergence":
        return progress_text(turn.picture, _agent_text(turn), _wording(turn), turn.view.language)
    speaker = messages[-1].role
    if speaker not in turn.picture.beliefs:
        return ""
    if turn.picture.reply:
        return least_said(words.yield_thanks[turn.picture.reply], _agent_text(turn), _wording(turn))
    short = _is_short_of_rounds(turn)
    if clashes := backlog_text(
        turn.picture, _agent_text(turn), _wording(turn), turn.view.language, last_chance=short
    ):
        return clashes
    if _wording(turn) % _SILENCES == 0:
        return ""
    echo = echo_text(speaker, turn.picture.latest, _wording(turn), turn.view.language)
    if echo and _wording(turn) % _ECHOES == 1:
        return echo
    return least_said(words.thanks, _agent_text(turn), _wording(turn))


__all__ = ["ReferenceAgent"]
