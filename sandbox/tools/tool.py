"""What every tool is made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, field_validator
from pydantic_core import PydanticCustomError

from sandbox.tools.language import Language, Says
from sandbox.tools.partial import Partial
from sandbox.worlds import World


class Arguments(BaseModel):
    """Arguments of a call: nothing is converted, nothing unknown is let through.

    An argument that may be null has the default None; `Says` in its annotation describes it.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)

    @field_validator("*")
    @classmethod
    def _is_text(cls, value: object) -> object:
        """JSON may escape half of a surrogate pair, which is no text that could be stored or sent."""
        if isinstance(value, str) and any("\ud800" <= character <= "\udfff" for character in value):
            raise PydanticCustomError("not_text", "text in Unicode")
        return value


class Result(BaseModel):
    """What a tool returns; its JSON Schema is committed under schemas/."""

    model_config = ConfigDict(extra="forbid", frozen=True)


A = TypeVar("A", bound=Arguments)
R = TypeVar("R", bound=Result)


@dataclass(frozen=True, slots=True)
class Tool(Generic[A, R]):
    """A tool: `run` is a function of its arguments, the world and the language of notes, and of nothing else.

    partial: the class that reads its result where somebody else made it (see `read_partial`).

    `run` raises `BadArgument` for a value that this world does not allow.
    """

    name: str
    description: Says
    arguments: type[A]
    result: type[R]
    run: Callable[[A, World, Language], R]
    partial: type[Partial] = Partial


AnyTool = Tool[Any, Any]
