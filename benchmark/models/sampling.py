"""How answers are drawn in a run or a session, where it is chosen beside what the endpoint has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field

from benchmark.models.dialects import takes_temperature
from benchmark.models.setup import ModelSetup, Thinking
from benchmark.remarks import Remark
from benchmark.remarks import gettext_noop as _

MOST_SEED: Final = 2**31 - 1


class Sampling(BaseModel):
    """What is chosen; None for what the endpoint has, and after it the role.

    temperature, top_p, max_tokens, thinking: as in `ModelSetup`. seed: of the server's own chance, of the first
    trial; further trials count up from it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    temperature: float | None = Field(default=None, ge=0, le=2, allow_inf_nan=False)
    top_p: float | None = Field(default=None, gt=0, le=1, allow_inf_nan=False)
    max_tokens: int | None = Field(default=None, ge=1, le=10_000_000)
    seed: int | None = Field(default=None, ge=0, le=MOST_SEED)
    thinking: Thinking | None = None

    def __bool__(self) -> bool:
        return bool(self.chosen_parameters)

    @property
    def chosen_parameters(self) -> Mapping[str, Any]:
        """What differs from the endpoint's own, by name."""
        return self.model_dump(exclude_none=True)

    def of(self, setup: ModelSetup) -> ModelSetup:
        """A model asked in this way."""
        return setup.model_copy(update=dict(self.chosen_parameters))

    def later(self, trials: int) -> Sampling:
        """The same of a trial so many after the first."""
        return self if self.seed is None else self.model_copy(update={"seed": self.seed + trials})

    def refusal(self, setup: ModelSetup) -> tuple[str, Remark] | None:
        """The field that would not do what it says with this model, and why; None where all would.

        What a server itself refuses is told by its answer, as for the settings of an endpoint.
        """
        asked = self.of(setup)
        for field in ("temperature", "top_p"):
            if field in self.chosen_parameters and not takes_temperature(asked):
                said = _(
                    "Model “%(name)s” is sent no %(field)s while it thinks. Choose that it does not think, or leave "
                    "this empty."
                )
                return field, Remark(said, {"name": setup.name, "field": field})
        if setup.context_limit is not None and asked.max_tokens >= setup.context_limit:
            said = _(
                "Model “%(name)s” has a context of %(limit)s tokens; an answer must be shorter than that."
            )
            return ("max_tokens", Remark(said, {"name": setup.name, "limit": setup.context_limit}))
        return None


NO_SAMPLING: Final = Sampling()
