"""How a session used its models: a fold over its log, by endpoint and role."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from benchmark.core.events import DraftWithdrawn, Event, ModelCalled
from benchmark.core.use import Use
from benchmark.core.view import AGENT, SIMULATOR
from benchmark.models import Usage

Role = Literal[
    "agent", "travellers", "simulator", "judge", "meta_judge", "writer", "repairer", "namer", "experiment"
]

_ROLES: dict[str, Role] = {AGENT: "agent", SIMULATOR: "simulator"}


@dataclass
class ModelUse(Use):
    """Requests of one role to one endpoint, or of all.

    answered: requests with an answer; retries: requests after the first for the same answer. failures: by kind.
    prompt, completion, cached, reasoning: tokens, as far as they are known. counted: requests whose tokens are
    known; unknown: requests that may have cost tokens, nobody knows how many. costs: by currency; uncosted:
    requests that may have cost something, nobody knows how much. latencies: of answers, milliseconds. drafts:
    words that did not count, by why. with_logprobs: answers that are kept with the log-probabilities of their
    tokens.
    """

    endpoint: str = ""
    role: Role | Literal[""] = ""
    calls: int = 0
    answered: int = 0
    retries: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    prompt: int = 0
    completion: int = 0
    cached: int = 0
    reasoning: int = 0
    counted: int = 0
    unknown: int = 0
    costs: dict[str, float] = field(default_factory=dict)
    uncosted: int = 0
    latencies: list[float] = field(default_factory=list)
    drafts: Counter[str] = field(default_factory=Counter)
    with_logprobs: int = 0

    def add_call(self, call: ModelCalled) -> None:
        """Fold one request in."""
        self.calls += 1
        self.retries += call.attempt > 1
        self.unknown += call.unknown
        if call.answered:
            self.answered += 1
            self.with_logprobs += call.logprobs > 0
            self.latencies.append(round(call.latency_ms, 1))
        else:
            self.failures[call.outcome] += 1
        if call.tokens is not None:
            self._count(call.tokens)
        if call.cost is not None:
            self._pay(call.currency, call.cost)
        elif call.tokens is not None or call.unknown:
            self.uncosted += 1

    def _count(self, tokens: Usage) -> None:
        self.counted += 1
        self.prompt += tokens.prompt
        self.completion += tokens.completion
        self.cached += tokens.cached
        self.reasoning += tokens.reasoning

    def _pay(self, currency: str, cost: float) -> None:
        self.costs[currency] = self.costs.get(currency, 0.0) + cost

    @property
    def tokens_known(self) -> bool:
        """Whether the token figures say anything: they do not where nobody knows the tokens of any request."""
        return self.counted > 0 or self.unknown == 0

    @property
    def cost_known(self) -> bool:
        """The same of costs."""
        return bool(self.costs) or self.uncosted == 0

    @property
    def unpriced(self) -> int:
        """Requests whose tokens are known and whose cost is not, since nobody has set a price."""
        return max(0, self.uncosted - self.unknown)

    @property
    def failure_count(self) -> int:
        """Failures of all kinds."""
        return self.failures.total()

    @property
    def failures_by_kind(self) -> list[tuple[str, int]]:
        """Kinds of failures, the most frequent first; templates can't call a Counter's methods."""
        return self.failures.most_common()

    @property
    def drafts_by_why(self) -> list[tuple[str, int]]:
        """The same of words that did not count."""
        return self.drafts.most_common()

    @property
    def draft_count(self) -> int:
        """Words that did not count, whatever the reason."""
        return self.drafts.total()


def model_use(events: Iterable[Event]) -> list[ModelUse]:
    """The use of each endpoint by each role, in the order of first calls.

    Words that did not count belong to the endpoint that their speaker asked last; those of a speaker who asked none
    are left out.
    """
    uses: dict[tuple[str, Role], ModelUse] = {}
    asked: dict[str, ModelUse] = {}
    for event in events:
        match event.body:
            case ModelCalled() as call:
                key = call.endpoint, role_of(call.seat)
                asked[call.seat] = uses.setdefault(key, ModelUse(*key))
                asked[call.seat].add_call(call)
            case DraftWithdrawn(speaker=speaker, why=why) if speaker in asked:
                asked[speaker].drafts[why] += 1
    return list(uses.values())


def role_of(seat: str) -> Role:
    """On which side of the table a seat is."""
    return _ROLES.get(seat, "travellers")


def merge_uses(uses: Iterable[ModelUse]) -> list[ModelUse]:
    """One a role and endpoint, agents first; within a role by name."""
    merged_uses: dict[tuple[str, str], ModelUse] = {}
    for use in uses:
        merged_uses.setdefault((use.role, use.endpoint), ModelUse(use.endpoint, use.role)).add(use)
    return [merged_uses[key] for key in sorted(merged_uses)]


total = ModelUse.total
