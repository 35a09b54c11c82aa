"""Numbers of a file."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError


def _refuse_truth(value: Any) -> Any:
    if isinstance(value, bool):
        raise PydanticCustomError("truth", "true and false are no numbers; write a number")
    return value


Number = Annotated[float, BeforeValidator(_refuse_truth), Field(allow_inf_nan=False)]
Whole = Annotated[int, BeforeValidator(_refuse_truth)]
