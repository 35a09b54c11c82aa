"""Whole sessions of scripted travellers sound like a chat: none of the faults of `faults` in any of them."""

from __future__ import annotations

import pytest

from sandbox.worlds import World
from tests.benchmark.suites.grouptravel.travellers.scripted.faults import Fault, faults
from tests.benchmark.suites.grouptravel.travellers.scripted.sessions import Line, play, starter_tasks

CASES = [
    ("starter_01", 3),
    ("starter_05", 1),
    ("starter_08", 0),
    ("starter_09", 2),
    ("starter_10", 1),
    ("starter_11", 1),
    ("starter_en_01", 4),
    ("starter_en_02", 2),
    ("starter_en_03", 1),
]
TASKS = {task.task_id: task for task in starter_tasks()}


@pytest.mark.parametrize(("task_id", "seed"), CASES)
def test_no_traveller_objects_to_a_report_or_repeats_themselves(
    task_id: str, seed: int, world: World
) -> None:
    task = TASKS[task_id]
    lines = play(task, world, seed)
    assert len(lines) > 3 * len(task.users)
    assert faults(lines, task.language) == []


def test_a_session_says_the_same_for_the_same_seed_and_something_else_for_another(world: World) -> None:
    one, same, other = (play(TASKS["starter_en_01"], world, seed) for seed in (0, 0, 1))
    assert one == same
    assert one != other


@pytest.mark.parametrize(
    ("lines", "kind"),
    [
        (
            [Line("Agent", "User2想去宋城，User1不去。", "agent"), Line("User1", "等等，我不去。", "polled")],
            "objection",
        ),
        (
            [Line("Agent", "记下了。@User1 好吗？", "agent"), Line("User1", "等等，我不去。", "mentioned")],
            "objection",
        ),
        ([Line("User1", "到了佛山市，去清晖园。"), Line("User1", "到了广州，去沙面。")], "opening"),
        ([Line("User1", "@Agent Is it cold?"), Line("User1", "Is it far? @Agent")], "opening"),
        ([Line("User1", "好的。谢谢。"), Line("User1", "明白了。谢谢。")], "repetition"),
    ],
)
def test_the_faults_are_found_where_they_are(lines: list[Line], kind: str) -> None:
    assert [fault.kind for fault in faults(lines, "zh")] == [kind]


def test_an_objection_to_a_proposal_is_no_fault() -> None:
    heard, said = "那就坐飞机吧。", "等等，飞机我绝对不坐。"
    lines = [Line("Agent", heard, "agent"), Line("User1", said, "polled")]
    assert faults(lines, "zh") == list[Fault]()
