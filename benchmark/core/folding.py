"""Folds over events, one function a type of body."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, singledispatchmethod
from typing import Any, overload


class by_body(singledispatchmethod):  # type: ignore[type-arg]  # Python 3.11 can't subscript it
    """`singledispatchmethod`, without the copied name and signature that Python makes anew at every call of one.

    A log has thousands of events, and that copy took longer than most folds. All functions are registered before the
    first fold.
    """

    def __init__(self, func: Callable[..., Any]) -> None:
        super().__init__(func)
        self._function_of = cache(self.dispatcher.dispatch)

    @overload
    def __get__(self, obj: None, cls: type[Any] | None = None) -> by_body: ...

    @overload
    def __get__(self, obj: object, cls: type[Any] | None = None) -> Callable[..., Any]: ...

    def __get__(self, obj: Any, cls: type[Any] | None = None) -> Any:
        if obj is None:
            return self
        function = self._function_of
        return lambda body, *rest: function(body.__class__)(obj, body, *rest)

    def extend(self) -> by_body:
        """A copy of these functions, in which a subclass adds or replaces functions."""
        more = by_body(self.func)
        for kind, function in self.dispatcher.registry.items():
            more.register(kind, function)
        return more
