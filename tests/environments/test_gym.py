"""Gymnasium's face of an environment, where it is installed; what is said where it is not."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec

import pytest

from environments import Environment


def test_texts_go_in_and_out(environment_of: Callable[[str], Environment]) -> None:
    if find_spec("gymnasium") is None:
        with pytest.raises(ImportError, match="pip install gymnasium"):
            import_module("environments.gym")
        return
    from environments.gym import TextEnv

    env = TextEnv(environment_of("tripbench"))
    text, info = env.reset(seed=3)
    assert env.observation_space.contains(text) and info["seed"] == 3
    text, reward, terminated, truncated, _ = env.step("Hello.")
    assert json.loads(text)["messages"] and (reward, terminated, truncated) == (0.0, False, False)
    assert env.reset(seed=3)[0] == env.reset(seed=3)[0] != env.reset(seed=4)[0]
