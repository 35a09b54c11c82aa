"""One request to a model with what came of it, as it is kept and given again."""

from __future__ import annotations

from dataclasses import dataclass, fields

from benchmark.models.chat import ChatRequest, Reply, Usage
from benchmark.models.failures import FailureKind, ModelFailure


@dataclass(frozen=True, slots=True)
class Failure:
    """A `ModelFailure` that can be stored; the fields mean what they mean there."""

    kind: FailureKind
    message: str
    status: int | None = None
    retry_after_s: float | None = None
    answering: bool = False
    usage: Usage | None = None
    latency_ms: float = 0.0

    @classmethod
    def of(cls, failure: ModelFailure) -> Failure:
        """What there is to keep of a failure."""
        return cls(message=str(failure), **{name: getattr(failure, name) for name in _KEPT_FIELDS})

    def as_exception(self) -> ModelFailure:
        """The same failure, to be raised."""
        return ModelFailure(message=self.message, **{name: getattr(self, name) for name in _KEPT_FIELDS})


_KEPT_FIELDS = tuple(each.name for each in fields(Failure) if each.name != "message")


@dataclass(frozen=True, slots=True)
class Exchange:
    """The `number`-th request of a session, from 1 as its `model_called` events are counted; `seat` asked it.

    Either `reply` or `failure` is there.
    """

    number: int
    seat: str
    request: ChatRequest
    reply: Reply | None = None
    failure: Failure | None = None

    def __post_init__(self) -> None:
        if (self.reply is None) == (self.failure is None):
            raise ValueError(f"exchange {self.number} needs a reply or a failure, and not both")
