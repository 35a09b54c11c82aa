"""How many examples of a property a run tries."""

from __future__ import annotations

import pytest

from tests.properties import SHARE_VARIABLE, examples, examples_from


@pytest.mark.parametrize(
    ("share", "count", "tried"),
    [("", 100, 25), ("", 60, 15), ("", 25, 10), ("", 8, 8), ("1", 100, 100), ("1", 8, 8), ("0.5", 100, 50)],
)
def test_a_share_of_the_examples_is_tried_and_at_least_ten(
    monkeypatch: pytest.MonkeyPatch, share: str, count: int, tried: int
) -> None:
    monkeypatch.setenv(SHARE_VARIABLE, share)
    assert examples(count) == tried


def test_of_listed_cases_each_run_tries_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SHARE_VARIABLE, "")
    runs = [list(examples_from(range(400))) for _ in range(3)]
    assert all(50 < len(run) < 150 and run == sorted(run) for run in runs)
    assert runs[0] != runs[1] or runs[1] != runs[2]
    monkeypatch.setenv(SHARE_VARIABLE, "1")
    assert list(examples_from(range(400))) == list(range(400))
