"""Reading model endpoints: how sessions, judges and sets of tasks used them, and what becomes of their keys."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import QuerySet

from benchmark.core.model_use import ModelUse, merge_uses, total
from benchmark.models import ChatRequest
from sandbox.endpoints import key_in
from webapp.endpoints.findings import Findings
from webapp.endpoints.hosts import HostRefused, check_host
from webapp.endpoints.keys import KeyRefused, check_key
from webapp.endpoints.models import ModelEndpoint


@dataclass
class EndpointUse:
    """What became of an endpoint.

    sessions, judgements: those that name it. uses: by role, of the sessions that have ended, of every
    judgement and of sets of tasks.
    """

    sessions: int = 0
    judgements: int = 0
    uses: list[ModelUse] = field(default_factory=list)

    @property
    def whole(self) -> ModelUse:
        """All roles together."""
        return total(self.uses)


USERS: list[Callable[[ModelEndpoint | None], Mapping[str, EndpointUse]]] = []
"""Read what became of endpoints; each app that asks models adds its own when it is ready."""


@dataclass(frozen=True, slots=True)
class EndpointRow:
    """One line of the list."""

    endpoint: ModelEndpoint
    findings: Findings
    use: EndpointUse


def offered_endpoints() -> QuerySet[ModelEndpoint]:
    """The endpoints that new sessions may choose."""
    return ModelEndpoint.objects.filter(retired=False).defer("findings")


def endpoint_rows() -> Iterator[EndpointRow]:
    """All endpoints with their use, the retired last."""
    use = use_by_endpoint()
    for endpoint in ModelEndpoint.objects.order_by("retired", "name"):
        yield EndpointRow(endpoint, Findings.of(endpoint), use.get(endpoint.name, EndpointUse()))


def known_names() -> set[str]:
    """The names of all endpoints. A log may name others: of an imported session, of an endpoint since deleted."""
    return set(ModelEndpoint.objects.values_list("name", flat=True))


def use_by_endpoint(endpoint: ModelEndpoint | None = None) -> dict[str, EndpointUse]:
    """How sessions, judges and sets of tasks used every endpoint, or one and those used with it, by its name."""
    use: dict[str, EndpointUse] = {}
    for reader in USERS:
        for name, part in reader(endpoint).items():
            own = use.setdefault(name, EndpointUse())
            own.sessions += part.sessions
            own.judgements += part.judgements
            own.uses += merge_uses(part.uses)
    return use


def is_set(variable: str) -> bool:
    """Whether an environment variable holds something in this process."""
    return bool(os.environ.get(variable, "").strip())


def key_state(endpoint: ModelEndpoint) -> str:
    """Of an endpoint's key in this process: `unneeded`, `refused`, `missing`, `bad`, or `set`."""
    variable = endpoint.key_variable
    if not variable:
        return "unneeded"
    if key_refusal(endpoint):
        return "refused"
    if not is_set(variable):
        return "missing"
    try:
        key_in(variable)
    except ValueError:
        return "bad"
    return "set"


def key_refusal(endpoint: ModelEndpoint) -> str:
    """Why an endpoint, or its key, must not be asked at its address, and what helps; "" where it may."""
    try:
        check_host(endpoint.base_url)
        check_key(variable=endpoint.key_variable, address=endpoint.base_url)
    except (HostRefused, KeyRefused) as refused:
        return str(refused)
    return ""


def example(endpoint: ModelEndpoint) -> Mapping[str, Any]:
    """The body of a request as it is sent, with one short message.

    Raises:
        ValueError: the stored settings are none that this version allows.
    """
    from benchmark.models.dialects import parameters

    request = ChatRequest(({"role": "user", "content": "你好"},), temperature=0.7)
    sent = parameters(endpoint.setup(for_agent=True), request)
    return {**sent, **sent.pop("extra_body", {})}
