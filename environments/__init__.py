"""Benchmarks as environments: a policy that is trained sits at the agent's seat, and steps through sessions."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from environments.observation import Observation, StepResult

if TYPE_CHECKING:
    from environments.environment import Environment
    from environments.episode import Episode, EpisodeOver

_PLACES = {
    "Environment": "environments.environment",
    "Episode": "environments.episode",
    "EpisodeOver": "environments.episode",
}


def __getattr__(name: str) -> object:
    # imported when asked for: a trainer that asks a server has none of the libraries that they need
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_PLACES[name]), name)
