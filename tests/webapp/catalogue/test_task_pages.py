"""The list of tasks and the page of one."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client

from tests.markup import text, tight
from webapp.catalogue.models import Task, World

pytestmark = pytest.mark.django_db


def listed_tasks(client: Client, query: str = "") -> set[str]:
    page = tight(client.get(f"/tasks/{query}").content.decode())
    return set(re.findall(r'href="/tasks/(starter_\w+)/"', page))


def test_filters_narrow_the_list(as_researcher: Client, starter_tasks: list[Task]) -> None:
    every = {task.task_id for task in starter_tasks}
    assert listed_tasks(as_researcher) == every
    wanted: dict[str, Callable[[Task], bool]] = {
        "?size=2": lambda t: t.size == 2,
        "?difficulty=hard": lambda t: t.difficulty == "hard",
        "?find=苏州市": lambda t: "苏州市" in t.cities,
        "?find=2026-03-27 杭州市": lambda t: "杭州市" in t.cities and str(t.departure_date) == "2026-03-27",
        "?find=nowhere": lambda t: False,
        "?children=on": lambda t: t.children > 0,
        "?conflicts=no": lambda t: t.conflicts == 0,
        "?conflicts=yes&size=4": lambda t: t.conflicts > 0 and t.size == 4,
        "?collection=starter": lambda t: True,
    }
    for query, rule in wanted.items():
        assert listed_tasks(as_researcher, query) == {t.task_id for t in starter_tasks if rule(t)}, query


def test_a_filter_that_cannot_be_understood_narrows_nothing(
    as_researcher: Client, starter_tasks: list[Task]
) -> None:
    assert listed_tasks(as_researcher, "?size=many&difficulty=endless&conflicts=few") == {
        task.task_id for task in starter_tasks
    }


@pytest.mark.parametrize("words", ["x" * 60_000, "x " * 30_000, "%" * 600, "\\" * 400 + " _"])
def test_a_search_for_anything_at_all_finds_nothing(
    as_researcher: Client, starter_tasks: list[Task], words: str
) -> None:
    given = {"look": "1", "find": words}
    assert "No task matches these words." in tight(
        as_researcher.post("/sessions/new/", given).content.decode()
    )


def test_no_match_offers_the_way_back(as_researcher: Client, starter_tasks: list[Task]) -> None:
    assert "No task matches these filters." in tight(
        as_researcher.get("/tasks/?size=2&children=on&difficulty=hard").content.decode()
    )


@pytest.mark.parametrize("address", ["/tasks/?size=2", "/sessions/?status=finished"])
def test_a_filtered_list_is_a_whole_page_for_whoever_comes_back_to_it(
    as_researcher: Client, starter_tasks: list[Task], address: str
) -> None:
    page = tight(as_researcher.get(address, headers={"HX-Request": "true"}).content.decode())
    assert "<h1>" in page and 'hx-select="#results"' in page


@pytest.mark.parametrize(("address", "named"), [("/tasks/", "Tasks"), ("/sessions/", "Sessions"), ("/", "")])
def test_the_navigation_marks_where_one_is(as_researcher: Client, address: str, named: str) -> None:
    page = tight(as_researcher.get(address).content.decode())
    assert re.findall(r'aria-current="page">(\w+)', page) == ([named] if named else [])


def test_travellers_stand_side_by_side_with_their_conflicts(
    as_researcher: Client, task: Task, starter_world: World
) -> None:
    page = text(as_researcher.get("/tasks/starter_02/"))
    assert page.index("User2</span> 女友A") < page.index("User1</span> 男友A")
    row = re.search(r'<th scope="row">budget</th>(.*?)</tr>', page, re.DOTALL)
    assert row is not None
    assert re.findall(r"<span>([¥\d,]+)</span>", row[1]) == ["¥2,600", "¥2,600", "¥3,300", "¥3,300"]
    assert "灵隐寺: 杭州 must visit / 杭州 refuses to visit" in page
    assert '<span class="contested">灵隐寺</span>' in page
    assert "三月底的太子湾公园我一定要去看花" in page
    assert "/sessions/new/?task=starter_02" in page
