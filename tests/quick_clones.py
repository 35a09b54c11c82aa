"""Fields copied between states of migrations, whose way through a constructor took two fifths of each migration."""

from __future__ import annotations

import copy
import functools
from typing import Any

from django.db.models.fields import Field
from django.utils.functional import cached_property

_clone = Field.clone


def make_quick() -> None:
    """Have fields that belong to no model be copied: only states of migrations hold such fields."""
    Field.clone = _copy_unbound  # type: ignore[method-assign]


def _copy_unbound(field: Field[Any, Any]) -> Field[Any, Any]:
    """In place of Django's, which takes a field apart and makes it anew from what it would be called with."""
    if hasattr(field, "model"):
        return _clone(field)
    copied = copy.deepcopy(field)
    for part in filter(None, (copied, copied.remote_field)):
        for name in _cached_names(type(part)):
            vars(part).pop(name, None)
    copied.creation_counter = Field.creation_counter
    Field.creation_counter += 1
    return copied


@functools.cache
def _cached_names(kind: type) -> list[str]:
    """The properties whose first answer stays with the object: an unbound field's is another than a model's."""
    cached = (cached_property, functools.cached_property)
    return [name for each in kind.__mro__ for name, value in vars(each).items() if isinstance(value, cached)]
