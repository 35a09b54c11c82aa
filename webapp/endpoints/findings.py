"""What a test of an endpoint found, as it is stored beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal

from django.utils import timezone

from benchmark.models import ModelSetup
from benchmark.models.dialects import limit_parameter
from benchmark.models.failures import RETRYABLE
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.wording import capability_words

if TYPE_CHECKING:
    from benchmark.models.probe import Probe

State = Literal["none", "asked", "unreachable", "begun", "done", "failed"]
_DECIDES = {"tools": "tools", "streaming": "streams", "structured_output": "json_mode"}
"""The setting that a capability decides; a failure that may pass decides nothing."""
PATIENCE = timedelta(seconds=20)
"""After this, no worker seems to listen."""
LONGEST = timedelta(minutes=20)
"""After this, the worker that began has died."""


@dataclass(frozen=True, slots=True)
class Row:
    """One capability. detail: what was seen, or why it does not work. latency_ms: 0 where there was no request."""

    capability: str
    works: bool
    detail: str
    latency_ms: float


@dataclass(frozen=True, slots=True)
class Findings:
    """state: none, asked (of the workers), unreachable (they could not be asked), begun, done, failed.

    at: since when it is so. problem: why it failed. model: as the server names itself. suggests: settings that suit
    what was found.
    """

    state: State = "none"
    at: datetime | None = None
    problem: str = ""
    model: str = ""
    rows: tuple[Row, ...] = ()
    suggests: Mapping[str, Any] | None = None

    @classmethod
    def of_probe(cls, probe: Probe, setup: ModelSetup, at: datetime) -> Findings:
        """What a finished test of a setup found."""
        rows = tuple(Row(f.capability, f.works, f.detail, f.latency_ms) for f in probe.findings)
        unsure = {f.capability for f in probe.findings if f.failure in RETRYABLE}
        suggests = {name: getattr(probe, name) for what, name in _DECIDES.items() if what not in unsure}
        if probe.limit_parameter != limit_parameter(setup):
            suggests["limit_parameter"] = probe.limit_parameter
        return cls("done", at, model=probe.model, rows=rows, suggests=suggests)

    @classmethod
    def of(cls, endpoint: ModelEndpoint) -> Findings:
        """What is stored beside an endpoint."""
        kept = endpoint.findings
        if not kept:
            return cls()
        rows = tuple(Row(**row) for row in kept["rows"])
        return cls(**{**kept, "at": datetime.fromisoformat(kept["at"]), "rows": rows})

    def stored(self) -> dict[str, Any]:
        """As JSON."""
        return {**asdict(self), "at": self.at and self.at.isoformat()}

    @property
    def lacking(self) -> list[str]:
        """What was tried and does not work, in words."""
        return [capability_words(row.capability) for row in self.rows if not row.works]

    @property
    def waiting(self) -> bool:
        """Whether a result may still come."""
        return self.state in ("asked", "begun") and not self.overdue(LONGEST)

    @property
    def unheard(self) -> bool:
        """Whether the workers have let this wait too long."""
        return self.state == "asked" and self.overdue(PATIENCE)

    @property
    def died(self) -> bool:
        """Whether the worker that began must have died."""
        return self.state == "begun" and self.overdue(LONGEST)

    def overdue(self, after: timedelta) -> bool:
        """Whether this state has lasted longer."""
        return self.at is not None and timezone.now() - self.at > after

    @property
    def working(self) -> bool:
        """Whether the endpoint can be talked to at all."""
        return any(row.capability == "chat" and row.works for row in self.rows)

    def suggested(self, endpoint: ModelEndpoint) -> dict[str, Any]:
        """The settings that would change if the suggestion were taken; none where nothing answered."""
        if not self.working:
            return {}
        return {k: v for k, v in (self.suggests or {}).items() if getattr(endpoint, k) != v}
