"""Migrations' states made quicker: Django's way with them took two fifths of each migration, and more of a way back.

Their fields are copied, without the way through a constructor; and models that a migration changes by several of its
operations are made anew once.
"""

from __future__ import annotations

import copy
import functools
from typing import Any

from django.db.migrations import Migration
from django.db.migrations.state import ProjectState
from django.db.models.fields import Field
from django.utils.functional import cached_property

_clone = Field.clone
_mutate_state = Migration.mutate_state
_reload = ProjectState._reload  # type: ignore[attr-defined]
_changed_models: dict[int, set[tuple[str, str]]] = {}
"""By states that a whole migration changes just now, the models that are to be made anew."""


def make_quick() -> None:
    """Have fields of no model be copied, as only states of migrations hold them, and models be made late."""
    Field.clone = _copy_unbound  # type: ignore[method-assign]
    Migration.mutate_state = _mutate_state_at_once  # type: ignore[method-assign]
    ProjectState._reload = _reload_or_note  # type: ignore[attr-defined]


def _mutate_state_at_once(migration: Migration, state: ProjectState, preserve: bool = True) -> ProjectState:
    """Nobody sees the state between two operations: the models are made anew after the last."""
    changed = state.clone() if preserve else state
    noted = _changed_models[id(changed)] = set()
    try:
        _mutate_state(migration, changed, preserve=False)
    finally:
        del _changed_models[id(changed)]
    if noted and "apps" in vars(changed):
        _reload(changed, noted)
    return changed


def _reload_or_note(state: ProjectState, related_models: set[tuple[str, str]]) -> None:
    if (noted := _changed_models.get(id(state))) is not None:
        noted |= related_models
    else:
        _reload(state, related_models)


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
