"""The loop: reply by reply, what fails is told and written again, three rounds at most."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from benchmark.core.events import Event
from benchmark.core.rules import Rules
from benchmark.exports.messages import conversation_messages
from benchmark.models import ChatRequest, ModelFailure, Reply
from benchmark.models.chat import Message
from benchmark.models.failures import FailureKind
from benchmark.repairing.rewriting import Unsayable, is_reply, rewrite_replies
from benchmark.repairing.verdict import JudgedReply
from benchmark.text.prompts import Prompts

PROMPTS: Final = Prompts(Path(__file__).parent / "prompts")
ROUNDS: Final = 3
"""Of feedback to a reply."""
Outcome = Literal["sound", "repaired", "reported", "dropped"]
SOUND: Final = "sound"
REPAIRED: Final = "repaired"
REPORTED: Final = "reported"
DROPPED: Final = "dropped"
"""A reply passes as it is; another one passes in its place; it stays, since what is said next tells of its faults; it
failed to the end, and the conversation with it."""
NO_REPLY: Final = "no_reply"
NO_VERDICT: Final = "no_verdict"
FAULTS, INVENTIONS, UNFIT, UNSAYABLE = "faults", "inventions", "unfit", "unsayable"
CALLS, EMPTY, CUT_OFF, NO_ANSWER = "calls", "empty", "cut_off", "no_answer"
REASONS: Final = (
    *(NO_REPLY, NO_VERDICT, FAULTS, INVENTIONS, UNFIT, UNSAYABLE),
    *(CALLS, EMPTY, CUT_OFF, NO_ANSWER),
)
"""Why a conversation is dropped: there is no reply, or none can be judged; or what is wrong with the last answer.

That has faults, names what nothing shows, does not fit what is said next, can't be said; calls tools, is empty,
breaks off; or there was none.
"""
OF_ONE_ANSWER: Final[frozenset[FailureKind]] = frozenset(
    ["refused", "overflow", "filtered", "oversized", "malformed", "cut"]
)
"""Failures that say something of this request; others are of the endpoint, and would meet every request."""
MOST_FAULTS: Final = 40
"""That a model is told at once; the others are counted."""
_TABLE: Final = "sentences"


class Question(NamedTuple):
    """A round: what is asked. turn: the number of the reply. number: of the round, from 1."""

    turn: int
    number: int
    request: ChatRequest


Ask = Callable[[Question], Reply]
"""One answer of the model; raises ModelFailure."""


@dataclass(frozen=True)
class Repairable:
    """A session. judge: says of a reply of a log what it is worth; raises NoVerdict. system: what stands before the
    conversation.
    """

    events: Sequence[Event]
    rules: Rules[Any]
    judge: Callable[[Sequence[Event], int], JudgedReply]
    system: Sequence[Message] = ()
    language: str = "en"


@dataclass(frozen=True)
class TurnRepair:
    """What became of a reply. rounds: of feedback. reason: of REASONS, why it was dropped. faults: what is wrong with
    it in the end, in words, or the kind of the failure where there was no answer.
    """

    turn: int
    outcome: Outcome
    rounds: int = 0
    reason: str = ""
    faults: Sequence[str] = ()

    def as_json(self) -> dict[str, Any]:
        """As it is stored."""
        return {**asdict(self), "faults": list(self.faults)}


@dataclass
class SessionRepair:
    """What became of a session. words: of the replies that are written anew, by number. reason: why nobody should
    learn from it, "" where they may. reward: of its last reply.
    """

    words: dict[int, str] = field(default_factory=dict)
    turns: list[TurnRepair] = field(default_factory=list)
    reason: str = ""
    reward: float | None = None

    @property
    def outcome(self) -> Outcome:
        """That of the whole."""
        return DROPPED if self.reason else REPAIRED if self.words else SOUND


def repair_session(session: Repairable, ask: Ask) -> SessionRepair:
    """Go through the replies of a session in order; the first that can't be repaired ends it.

    A reply whose faults the other side reports next is left as it is: what follows rests on them.

    Raises:
        ModelFailure: the endpoint fails, whatever it is asked.
        NoVerdict: its replies can't be judged.
    """
    made = SessionRepair()
    for number in range(1, sum(map(is_reply, session.events)) + 1):
        log = rewrite_replies(session.rules, session.events, made.words)
        judged = session.judge(log, number)
        if not judged.faults:
            turn = TurnRepair(number, SOUND)
        elif judged.is_reported:
            turn = TurnRepair(number, REPORTED, faults=judged.faults)
        else:
            turn, judged = _Rounds(session, ask, made.words, number, log).go(judged)
        made.turns.append(turn)
        if turn.outcome == DROPPED:
            made.reason = turn.reason
            return made
        made.reward = judged.reward
    if not made.turns:
        made.reason = NO_REPLY
    return made


@dataclass
class _Rounds:
    """The rounds of one reply. words: of the replies that are written anew; that of this one is added."""

    session: Repairable
    ask: Ask
    words: dict[int, str]
    number: int
    log: Sequence[Event]

    def go(self, judged: JudgedReply) -> tuple[TurnRepair, JudgedReply]:
        """What becomes of it, and the last verdict."""
        messages = [*self.session.system, *conversation_messages(_up_to(self.log, self.number))]
        reason, lines, rounds = FAULTS, self._lines(judged), 0
        while rounds < ROUNDS:
            rounds += 1
            feedback = {"role": "user", "content": self._feedback(lines)}
            try:
                reply = self.ask(Question(self.number, rounds, ChatRequest(messages=(*messages, feedback))))
            except ModelFailure as failure:
                if failure.kind not in OF_ONE_ANSWER:
                    raise
                return TurnRepair(self.number, DROPPED, rounds, NO_ANSWER, (failure.kind,)), judged
            if problem := _problem_of(reply):
                reason, lines = problem, [self._line(problem), *self._lines(judged)]
                continue
            said = reply.text.strip()
            messages += [feedback, {"role": "assistant", "content": said}]
            try:
                judged = self.session.judge(self._rewrite_log(said), self.number)
            except Unsayable:
                reason, lines = UNSAYABLE, [self._line(UNSAYABLE), *self._lines(judged)]
                continue
            reason, lines = _reason_of(judged), self._lines(judged)
            if not reason:
                self.words[self.number] = said
                return TurnRepair(self.number, REPAIRED, rounds), judged
        return TurnRepair(self.number, DROPPED, rounds, reason, lines), judged

    def _rewrite_log(self, said: str) -> list[Event]:
        return rewrite_replies(self.session.rules, self.session.events, {**self.words, self.number: said})

    def _feedback(self, lines: Sequence[str]) -> str:
        told = [*lines[:MOST_FAULTS]]
        if len(lines) > MOST_FAULTS:
            told.append(self._line("more", number=len(lines) - MOST_FAULTS))
        listed = "\n".join(f"- {line}" for line in told)
        return PROMPTS.fill(self.session.language, "feedback", faults=listed)

    def _line(self, key: str, **fields: object) -> str:
        return PROMPTS.line(self.session.language, _TABLE, key, **fields)

    def _lines(self, judged: JudgedReply) -> list[str]:
        """What is wrong with an answer, a line each."""
        lines = list(judged.faults)
        if judged.inventions:
            lines.append(self._line(INVENTIONS, names=", ".join(judged.inventions)))
        if not judged.fits_next:
            lines.append(self._line(UNFIT))
        return lines


def _up_to(log: Sequence[Event], number: int) -> list[Event]:
    """The events up to a reply."""
    ends = [at for at, event in enumerate(log) if is_reply(event)]
    return list(log[: ends[number - 1] + 1])


def _problem_of(reply: Reply) -> str:
    """Why an answer is none, whatever its words say; "" where it is one."""
    if reply.calls:
        return CALLS
    if not reply.text.strip():
        return EMPTY
    return CUT_OFF if reply.finish_reason == "length" else ""


def _reason_of(judged: JudgedReply) -> str:
    """Why an answer does not pass; "" where it does."""
    if judged.faults:
        return FAULTS
    if judged.inventions:
        return INVENTIONS
    return "" if judged.fits_next else UNFIT


def taught_turns(turns: Sequence[Mapping[str, Any]]) -> frozenset[int]:
    """The numbers of the replies that a model may learn from, of stored `TurnRepair`s."""
    return frozenset(turn["turn"] for turn in turns if turn["outcome"] in (SOUND, REPAIRED))
