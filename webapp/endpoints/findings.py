"""What a test of an endpoint found, as it is stored beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal

from django.utils.translation import gettext as _

from benchmark.models import ModelSetup
from benchmark.models.diagnosis import without_quotes
from benchmark.models.dialects import limit_parameter
from benchmark.models.failures import RETRYABLE
from benchmark.models.setup import serves
from webapp import clock
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.wording import capability_words

if TYPE_CHECKING:
    from benchmark.models.probe import Probe

State = Literal["none", "asked", "unreachable", "begun", "done", "failed"]
_DECIDES = {
    "tools": "tools",
    "streaming": "streams",
    "structured_output": "json_mode",
    "logprobs": "logprobs",
}
"""The setting that a capability decides; what was not tested, and a failure that may pass, decide nothing."""
PATIENCE = timedelta(seconds=20)
"""After this, no worker seems to listen."""
LONGEST = timedelta(minutes=20)
"""After this, the worker that began has died."""
SHOWN_NAMES = 8
SESSION_TOKENS = 16_000
"""What a short session's last request and its answer take, with tools and Chinese names (docs/test-models.md)."""


@dataclass(frozen=True, slots=True)
class Row:
    """One capability. works: None where that was not found out. detail: what was seen, or why it does not work;
    unquoted: the same without what the server said in place of an answer, None in tests of older versions.
    latency_ms: 0 where there was no request."""

    capability: str
    works: bool | None
    detail: str
    latency_ms: float
    unquoted: str | None = None

    @property
    def for_researchers(self) -> Row:
        """The row for whoever does not administer the installation: what stands at any address that a server of ours
        can reach is not theirs to read.
        """
        if self.unquoted is None:
            return self if self.works else replace(self, detail=without_quotes(self.detail))
        return replace(self, detail=self.unquoted or self.detail)


@dataclass(frozen=True, slots=True)
class Findings:
    """state: none, asked (of the workers), unreachable (they could not be asked), begun, done, failed.

    at: since when it is so. problem: why it failed. model: as the server names itself in an answer. served: the names
    that it lists, the first few; lists: whether the endpoint's is among them, None where it lists none. context:
    tokens of its context, None where it does not tell. suggests: settings that suit what was found.
    """

    state: State = "none"
    at: datetime | None = None
    problem: str = ""
    model: str = ""
    rows: tuple[Row, ...] = ()
    suggests: Mapping[str, Any] | None = None
    served: tuple[str, ...] = ()
    lists: bool | None = None
    context: int | None = None

    @classmethod
    def of_probe(cls, probe: Probe, setup: ModelSetup, at: datetime) -> Findings:
        """What a finished test of a setup found."""
        rows = tuple(
            Row(f.capability, f.works, f.detail, f.latency_ms, f.unquoted_detail) for f in probe.findings
        )
        unsure = {f.capability for f in probe.findings if f.works is None or f.failure in RETRYABLE}
        decided = {f.capability for f in probe.findings} - unsure
        suggests = {name: getattr(probe, name) for what, name in _DECIDES.items() if what in decided}
        if probe.limit_parameter != limit_parameter(setup):
            suggests["limit_parameter"] = probe.limit_parameter
        suggests |= _fitting(setup, probe.listing.context)
        served = probe.listing.model_names
        return cls(
            "done",
            at,
            model=probe.model,
            rows=rows,
            suggests=suggests,
            served=served[:SHOWN_NAMES],
            lists=serves(served, setup.model) if served else None,
            context=probe.listing.context,
        )

    @classmethod
    def of(cls, endpoint: ModelEndpoint) -> Findings:
        """What is stored beside an endpoint."""
        kept = endpoint.findings
        if not kept:
            return cls()
        rows = tuple(Row(**row) for row in kept["rows"])
        served = tuple(kept.get("served", ()))
        return cls(**{**kept, "at": datetime.fromisoformat(kept["at"]), "rows": rows, "served": served})

    @property
    def for_researchers(self) -> Findings:
        """What researchers may see of it who do not administer the installation."""
        return replace(self, rows=tuple(row.for_researchers for row in self.rows))

    def as_json(self) -> dict[str, Any]:
        """As JSON."""
        return {**asdict(self), "at": self.at and self.at.isoformat()}

    @property
    def lacking(self) -> list[str]:
        """What was tried and does not work, in words."""
        return [capability_words(row.capability) for row in self.rows if row.works is False]

    @property
    def open(self) -> list[str]:
        """What was tried and not found out, in words."""
        return [capability_words(row.capability) for row in self.rows if row.works is None]

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
        return self.at is not None and clock.now() - self.at > after

    @property
    def working(self) -> bool:
        """Whether the endpoint can be talked to at all."""
        return any(row.capability == "chat" and row.works for row in self.rows)

    def suggested_settings(self, endpoint: ModelEndpoint) -> dict[str, Any]:
        """The settings that would change if the suggestion were taken; none where nothing answered."""
        if not self.working:
            return {}
        return {k: v for k, v in (self.suggests or {}).items() if getattr(endpoint, k) != v}

    def warnings(self, endpoint: ModelEndpoint) -> list[str]:
        """What a researcher should know before a session is begun with this endpoint."""
        texts = []
        if self.lists is False:
            words = _("The server lists %(served)s, and not %(model)s. Check the model's name.")
            texts.append(words % {"served": ", ".join(self.served), "model": endpoint.model})
        tokens = self.context or endpoint.context_limit
        if tokens is not None and tokens < SESSION_TOKENS:
            words = _(
                "The context has %(tokens)s tokens, and a session needs about %(needed)s. Give the server a longer "
                "one (llama-server -c, Ollama num_ctx, vLLM --max-model-len), or use another model."
            )
            texts.append(words % {"tokens": f"{tokens:,}", "needed": f"{SESSION_TOKENS:,}"})
        return texts


def _fitting(setup: ModelSetup, context: int | None) -> dict[str, int]:
    """The limits that suit a context: a lower one that is set stays, and an answer must fit in."""
    if context is None or (setup.context_limit is not None and setup.context_limit <= context):
        return {}
    shorter = {} if setup.max_tokens < context else {"max_tokens": max(context // 4, 1)}
    return {"context_limit": context, **shorter}
