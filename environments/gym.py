"""An environment as Gymnasium has them, with texts: `pip install gymnasium`."""

from __future__ import annotations

import string
from typing import Any

from benchmark.jsonlines import json_line
from environments.environment import Environment
from environments.episode import Episode, EpisodeOver
from environments.observation import Observation

try:
    import gymnasium
except ImportError as error:
    raise ImportError("environments.gym needs Gymnasium: pip install gymnasium") from error


class AnyText(gymnasium.Space[str]):  # type: ignore[misc]
    """Texts of any letters and length, which `gymnasium.spaces.Text` can't name."""

    def __init__(self, seed: Any = None) -> None:
        super().__init__(dtype=str, seed=seed)

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """A few letters."""
        return "".join(self.np_random.choice([*string.ascii_letters], 12))

    def contains(self, x: Any) -> bool:
        """Whether it is a text."""
        return isinstance(x, str)

    @property
    def is_np_flattenable(self) -> bool:
        return False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AnyText)

    __hash__ = None  # type: ignore[assignment]


class TextEnv(gymnasium.Env[str, str]):  # type: ignore[misc]
    """One episode at a time: an observation is `Observation.as_json` as a text, an action is for `read_action`."""

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._episode: Episode | None = None
        self.observation_space, self.action_space = AnyText(), AnyText()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """A new episode. options: {"task": its id}; without one the seed chooses. Without a seed chance does.

        Raises NoEnvironment.
        """
        super().reset(seed=seed)
        chosen = int(self.np_random.integers(2**31)) if seed is None else seed
        episode = self._environment.reset((options or {}).get("task", ""), chosen)
        self._episode = episode
        return _text(episode.observation), {"seed": chosen, "episode": episode.id}

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Take an action. Raises EpisodeOver before a reset and after the end."""
        if self._episode is None:
            raise EpisodeOver("there is no episode yet; reset the environment")
        result = self._episode.step(action)
        return (
            _text(result.observation),
            float(result.reward),
            result.terminated,
            result.truncated,
            dict(result.info),
        )


def _text(observation: Observation) -> str:
    return json_line(observation.as_json()).decode().rstrip("\n")
