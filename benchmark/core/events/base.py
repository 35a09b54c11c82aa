"""What every event body has in common."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict

ALL = "all"
AGENT_ONLY = "agent"
RESEARCH = "research"


def only(user: str) -> str:
    """The audience of one traveller (and, as always, the researcher)."""
    return f"user:{user}"


class EventBody(BaseModel):
    """The payload of one kind of event.

    `type` names the kind in the log. `version` is the payload's version (`v` in the log). A newer class reads older
    payloads through `upcast`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    version: ClassVar[int] = 1
    type: str

    def audience(self) -> str:
        """Who may see it: `all`, `agent`, `user:NAME` or `research`. It follows from the body alone."""
        return ALL

    @classmethod
    def upcast(cls, payload: dict[str, Any], v: int) -> dict[str, Any]:
        """The payload of an older version `v` in today's shape."""
        return payload

    @classmethod
    def load(cls, payload: dict[str, Any], v: int) -> Self:
        """Read a stored payload of any released version.

        Raises:
            pydantic.ValidationError: the payload is no such event.
        """
        return cls.model_validate(cls.upcast(payload, v) if v < cls.version else payload)
