"""Folds over events, one function a type of body."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, singledispatchmethod
from typing import Any


class by_body(singledispatchmethod):  # type: ignore[type-arg]  # Python 3.11 can't subscript it
    """`singledispatchmethod`, without the copied name and signature that Python makes anew at every call of one.

    A log has thousands of events, and that copy took longer than most folds. All functions are registered before the
    first fold.
    """

    def __init__(self, func: Callable[..., Any]) -> None:
        super().__init__(func)
        self._found = cache(self.dispatcher.dispatch)

    def __get__(self, obj: Any, cls: type[Any] | None = None) -> Callable[..., Any]:
        found = self._found
        return lambda body, *rest: found(body.__class__)(obj, body, *rest)
