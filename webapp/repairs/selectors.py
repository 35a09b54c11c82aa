"""Reading repairs: how far they are, what became of sessions and replies, and what it took."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, IntegerField, Q, QuerySet, When

from benchmark.core.events import ModelCalled
from benchmark.core.model_use import ModelUse
from benchmark.repairing import DROPPED, REPAIRED, ROUNDS, SOUND
from benchmark.repairing.loop import NO_ANSWER
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.selectors import EndpointUse
from webapp.people.personal import PersonalDataTable
from webapp.repairs.models import Repair, RepairedSession
from webapp.repairs.services import REPAIRER
from webapp.sessions.models import Run

_SPENDING_KEYS = ("prompt_tokens", "completion_tokens", "cost")


@dataclass(frozen=True, slots=True)
class RepairCounts:
    """Of a repair. sessions: by outcome, "" for open ones. reasons: of dropped sessions, the most frequent first.
    replies: by outcome. rounds: repaired replies by how many rounds of feedback they took.
    """

    sessions: Counter[str]
    reasons: list[tuple[str, int]]
    replies: Counter[str]
    rounds: list[tuple[int, int]]

    @property
    def all(self) -> int:
        """Sessions."""
        return self.sessions.total()

    @property
    def ended(self) -> int:
        """Sessions that are not open."""
        return self.all - self.sessions[""]

    @property
    def taught(self) -> int:
        """Sessions to learn from."""
        return self.sessions[SOUND] + self.sessions[REPAIRED]

    @property
    def unanswered(self) -> int:
        """Sessions to which the model gave no answer."""
        return dict(self.reasons).get(NO_ANSWER, 0)

    def as_json(self) -> dict[str, Any]:
        """For commands."""
        return {
            "sessions": {key or "open": count for key, count in sorted(self.sessions.items())},
            "dropped": dict(self.reasons),
            "replies": dict(sorted(self.replies.items())),
            "rounds": {str(rounds): count for rounds, count in self.rounds},
        }


def counts_of(repair: Repair) -> RepairCounts:
    """What became of its sessions and their replies."""
    sessions, reasons, replies, rounds = Counter[str](), Counter[str](), Counter[str](), Counter[int]()
    for outcome, reason, turns in (
        repair.sessions.order_by().values_list("outcome", "reason", "turns").iterator()
    ):
        sessions[outcome] += 1
        reasons.update([reason] if reason else [])
        replies.update(turn["outcome"] for turn in turns)
        rounds.update(turn["rounds"] for turn in turns if turn["outcome"] == REPAIRED)
    by_rounds = [(number, rounds[number]) for number in range(1, ROUNDS + 1)] if rounds else []
    return RepairCounts(sessions, reasons.most_common(), replies, by_rounds)


def repairs_of(run: Run) -> list[tuple[Repair, RepairCounts]]:
    """Those of a run, newest first."""
    return [(repair, counts_of(repair)) for repair in run.repairs.select_related("endpoint")]


def rows_of(repair: Repair) -> QuerySet[RepairedSession]:
    """Its sessions; those that were dropped or repaired come first, open ones last."""
    order = {DROPPED: 0, REPAIRED: 1, SOUND: 2, "": 3}
    rows = repair.sessions.select_related("session__task").defer("words", "answers", "calls")
    return rows.order_by(_rank_of(order), "pk")


def _rank_of(order: dict[str, int]) -> Case:
    whens = [When(outcome=outcome, then=rank) for outcome, rank in order.items()]
    return Case(*whens, default=len(order), output_field=IntegerField())


def turns_written_anew(repair: Repair, row: RepairedSession) -> list[dict[str, Any]]:
    """Of each reply that was written anew the model and what all its rounds took; None where nobody knows."""
    return [
        {
            "turn": turn["turn"],
            "rounds": turn["rounds"],
            "model": repair.model,
            **_spending([answer for answer in row.answers if answer["turn"] == turn["turn"]]),
        }
        for turn in row.turns
        if turn["outcome"] == REPAIRED
    ]


def _spending(answers: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        **{key: _total(answer[key] for answer in answers) for key in _SPENDING_KEYS},
        "currency": next((answer["currency"] for answer in answers if answer["currency"]), ""),
    }


def _total(figures: Iterable[float | None]) -> float | None:
    """None where nobody knows one of them."""
    whole = list(figures)
    return None if not whole or None in whole else sum(figure or 0 for figure in whole)


def use_of(repair: Repair) -> ModelUse:
    """How the model was used, failed requests and all."""
    use = ModelUse(repair.model, REPAIRER)
    for call in _calls(repair.sessions.order_by().values_list("calls", flat=True).iterator()):
        use.add_call(call)
    return use


def used_models(endpoint: ModelEndpoint | None = None) -> dict[str, EndpointUse]:
    """How repairs used every endpoint, or one, by its name."""
    wanted = Repair.objects.exclude(endpoint=None)
    if endpoint is not None:
        wanted = wanted.filter(endpoint=endpoint)
    models: dict[str, EndpointUse] = {}
    for repair in wanted:
        if (use := use_of(repair)).calls:
            models.setdefault(repair.model, EndpointUse()).uses.append(use)
    return models


def _calls(stored: Iterable[list[dict[str, Any]]]) -> Iterator[ModelCalled]:
    return (ModelCalled.load(call, ModelCalled.version) for calls in stored for call in calls)


def personal_data_table() -> PersonalDataTable:
    """What models wrote in place of replies, and what they were told, which may quote what people said."""
    return PersonalDataTable(RepairedSession, ("turns", "words", "answers", "calls", "problem"))


def being_repaired(session_ids: Collection[str]) -> bool:
    """Whether a model is asked about one of these sessions now, or is about to be."""
    going = Q(repair__status__in=[Repair.Status.QUEUED, Repair.Status.RUNNING])
    return RepairedSession.objects.filter(going, session__in=session_ids, outcome="").exists()
