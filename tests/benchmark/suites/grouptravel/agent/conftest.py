"""The planner is tested apart; here it answers at once."""

from __future__ import annotations

import pytest

from benchmark.core.actions import Say

from .group import PLAN


@pytest.fixture
def quick_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "benchmark.suites.grouptravel.agent.agent.next_move",
        lambda *_, **__: Say(PLAN),
        raising=False,
    )
