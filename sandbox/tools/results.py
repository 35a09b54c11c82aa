"""What tools return, as text: written in one way, and read in one."""

from __future__ import annotations

import json
import math
from typing import Annotated, Any, NoReturn, Self, TypeVar

from pydantic import BaseModel, ConfigDict, PrivateAttr, ValidationError, ValidationInfo, model_validator
from pydantic.functional_validators import AfterValidator, ModelWrapValidatorHandler, WrapValidator


def compact(value: object) -> str:
    """JSON as tools return it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def read_json(text: str) -> Any:
    """The value that a text stands for.

    Raises:
        ValueError: it is no JSON, or one that could not be written again: NaN, infinite, nested too deep.
    """
    try:
        return json.loads(text, parse_constant=_refuse, parse_float=_finite)
    except RecursionError as error:
        raise ValueError("nested too deep") from error


def is_error(value: object) -> bool:
    """Whether a result is an object with the one field `error`, as the tools report one."""
    return isinstance(value, dict) and list(value) == ["error"]


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")


def _finite(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ValueError(f"{text[:20]} is too large")
    return value


# Reads a tool's result, whoever made it: a world, another program's cache, a live server, a model.


class Partial(BaseModel):
    """A result, or a part of one, of which anything may be missing.

    Every field may be missing. A value that does not fit its field is left out, at any depth: the field is None then,
    as one that is missing. What has no field is left out.
    """

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)
    _unfit: frozenset[str] = PrivateAttr(default=frozenset())

    def has(self, field: str) -> bool:
        """Whether the result has a field of this name, whatever its value."""
        return field in self.model_fields_set or field in self._unfit

    def is_unfit(self, field: str) -> bool:
        """Whether the value of this field was left out, since it does not fit."""
        return field in self._unfit

    @model_validator(mode="wrap")
    @classmethod
    def _leave_out(cls, value: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        if not isinstance(value, dict):
            raise ValueError("no object")
        try:
            return handler(value)
        except ValidationError as error:
            unfit = frozenset(str(each["loc"][0]) for each in error.errors(include_url=False))
        read = handler({name: held for name, held in value.items() if name not in unfit})
        read._unfit = unfit
        return read


def _or_none(value: Any, handler: Any) -> Any:
    try:
        return handler(value)
    except ValidationError:
        return None


OrNone = WrapValidator(_or_none)
"""Of an item in a list: one that is no such object counts as None, and its neighbours are read."""

Text = str | None


def _check_range(figure: float, info: ValidationInfo) -> float:
    most = (info.context or {}).get("most")
    if most is not None and not 0 <= figure < most:
        raise ValueError("out of range")
    return figure


Figure = Annotated[int | float, AfterValidator(_check_range)] | None
T = TypeVar("T", bound=Partial)


def read_partial(model: type[T], value: object, *, most: float | None = None) -> T | None:
    """What a result's value (JSON) tells; None where it is not an object.

    most: figures from there on, and those below 0, do not fit; None where any does.
    """
    return model.model_validate(value, context={"most": most}) if isinstance(value, dict) else None
