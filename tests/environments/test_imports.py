"""What a trainer's Python may import of Caravan without Caravan's libraries."""

from __future__ import annotations

import subprocess
import sys

import pytest

import environments
from environments.episode import Episode
from tests import ROOT


def test_a_client_and_the_advantages_need_no_library() -> None:
    modules = "environments.client, environments.observation, benchmark.advantages.gtpo"
    program = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import {modules}"
    bare = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=False
    )
    assert bare.returncode == 0, bare.stderr


def test_the_front_has_what_it_names_and_nothing_else() -> None:
    assert environments.Episode is Episode
    with pytest.raises(AttributeError, match="Gym"):
        _ = environments.Gym
