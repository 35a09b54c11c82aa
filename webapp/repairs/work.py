"""Repairing one stored session: what was answered is not asked again, and what comes of it is kept."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from benchmark.core.events import ModelCalled
from benchmark.exports.training import PERSON
from benchmark.models import ChatRequest, ModelFailure, Reply, RequestedCall
from benchmark.repairing import NoVerdict, Question, SessionRepair, repair_session
from benchmark.repairing.loop import NO_VERDICT, OF_ONE_ANSWER
from sandbox.tools.language import Language
from webapp.jobs.services import Claim
from webapp.repairs import services
from webapp.repairs.models import RepairedSession
from webapp.repairs.reading import SystemOf, is_persons, read_session
from webapp.repairs.services import UNREADABLE

UNREADABLE_ERRORS = (KeyError, ValueError, TypeError, AssertionError, IndexError, ValidationError)
log = logging.getLogger(__name__)


AskModel = Callable[[ChatRequest, Language, str, Callable[[ModelCalled], None]], Reply]
"""Asks a model, as patiently as its endpoint is to be asked: (request, language, its name, who hears of each call).

Raises ModelFailure.
"""


@dataclass(frozen=True)
class Work:
    """The sessions of a repair at work in this process; several threads may share it."""

    claim: Claim
    system: SystemOf
    ask: AskModel

    def repair(self, pk: int) -> None:
        """Bring a session to its end.

        Raises:
            ModelFailure: the endpoint fails, or nobody wants it any more.
            LeaseLost: another worker has the job.
        """
        row = RepairedSession.objects.select_related("session__task").filter(pk=pk).first()
        if row is None or row.outcome:
            return
        made, problem = self._repair(row)
        services.store_outcome(claimed=self.claim, row=row, made=made, problem=problem)

    def _repair(self, row: RepairedSession) -> tuple[SessionRepair, str]:
        try:
            session = read_session(row.session, self.system)
            if is_persons(session.events):
                return SessionRepair(reason=PERSON), ""
            asker = _Asker(self, row, "en" if session.language == "en" else "zh")
            return repair_session(session, asker), ""
        except NoVerdict as none:
            return SessionRepair(reason=NO_VERDICT), str(none)
        except UNREADABLE_ERRORS as error:
            log.exception("session %s can't be repaired", row.session_id)
            return SessionRepair(reason=UNREADABLE), f"{type(error).__name__}: {error}"


@dataclass
class _Asker:
    work: Work
    row: RepairedSession
    language: Language

    def __call__(self, question: Question) -> Reply:
        """The answer of before where there is one; else the model's, which is kept."""
        stored = next((one for one in self.row.answers if _is_of(one, question)), None)
        if stored is not None:
            return _read_answer(stored)
        calls: list[ModelCalled] = []

        def tell(call: ModelCalled) -> None:
            calls.append(call)
            services.add_call(row=self.row, call=call)

        name = f"{self.row.session_id} {question.turn} {question.number}"
        try:
            reply = self.work.ask(question.request, self.language, name, tell)
        except ModelFailure as failure:
            if failure.kind in OF_ONE_ANSWER:
                self._keep(question, calls, {"failure": failure.kind, "detail": str(failure)})
            raise
        self._keep(
            question,
            calls,
            {
                "text": reply.text,
                "calls": [call.name for call in reply.calls],
                "finish_reason": reply.finish_reason,
                "model": reply.model,
                "failure": "",
            },
        )
        return reply

    def _keep(self, question: Question, calls: Iterable[ModelCalled], answer: Mapping[str, Any]) -> None:
        """With what all requests for it took; None where nobody knows."""
        spent = list(calls)
        tokens = [call.tokens for call in spent if call.tokens is not None]
        costs = [call.cost for call in spent if call.cost is not None]
        services.add_answer(
            claimed=self.work.claim,
            row=self.row,
            answer={
                "turn": question.turn,
                "round": question.number,
                "prompt_tokens": sum(each.prompt for each in tokens) if tokens else None,
                "completion_tokens": sum(each.completion for each in tokens) if tokens else None,
                "cost": sum(costs) if costs else None,
                "currency": spent[-1].currency if costs else "",
                **answer,
            },
        )


def _is_of(answer: Mapping[str, Any], question: Question) -> bool:
    return bool(answer["turn"] == question.turn and answer["round"] == question.number)


def _read_answer(stored: Mapping[str, Any]) -> Reply:
    if stored["failure"]:
        raise ModelFailure(stored["failure"], stored["detail"])
    calls = tuple(RequestedCall("", name, "") for name in stored["calls"])
    return Reply(stored["text"], calls, finish_reason=stored["finish_reason"], model=stored["model"])
