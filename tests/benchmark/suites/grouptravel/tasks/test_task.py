"""What a task says about itself."""

from __future__ import annotations

import pytest

from benchmark.suites.grouptravel.tasks import LIMITS, Task
from tests.benchmark.suites.grouptravel.tasks.test_reading import GOOD, changed_task


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("三天两夜", 3), ("两天一夜", 2), ("七天六夜", 7), ("十天九夜", 10), ("十二天", 12), ("二十天", 20),
        ("二十一天", 21), ("5天", 5), ("10 天 9 晚", 10), ("4 days", 4), ("3-day trip", 3), ("五日游", 5),
        ("周末", None), ("", None),
        ("5月1日出发，三天两夜", 3), ("5月1日至5月3日", None), ("1000天", None),
    ],
)  # fmt: skip
def test_the_days_of_a_trip(text: str, days: int | None) -> None:
    task = Task.model_validate(GOOD)
    metadata = task.metadata.model_copy(update={"date": text})
    assert task.model_copy(update={"metadata": metadata}).days == days


@pytest.mark.parametrize(
    ("difficulty", "limits"), [("easy", (15, 3)), ("medium", (20, 4)), ("hard", (25, 5))]
)
def test_round_limits_follow_the_difficulty(difficulty: str, limits: tuple[int, int]) -> None:
    task = Task.model_validate(changed_task("difficulty_type", difficulty))
    assert task.limits == LIMITS[difficulty] == limits


def test_people_speak_chinese_unless_the_task_says_otherwise() -> None:
    assert Task.model_validate(GOOD).language == "zh"
    assert Task.model_validate(changed_task("language", "en")).language == "en"


def test_cards_are_the_published_object_in_its_order() -> None:
    cards = Task.model_validate(GOOD).cards()
    assert cards == GOOD["user_preferences"]
    assert list(cards) == ["User2", "User1"]
