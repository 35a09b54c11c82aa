"""Starting a session."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.markup import text, tight
from webapp.catalogue.models import Task, TaskCollection, World
from webapp.catalogue.services import build_world
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.services import create_endpoint
from webapp.sessions.models import Session

pytestmark = pytest.mark.django_db

FORM_FIELDS = {
    "task": "starter_02",
    "world": "starter",
    "agent": "reference",
    "users": "scripted",
    "seed": "5",
    "protocol": "published",
    "pace": "1.5",
}


def test_a_form_filled_in_starts_a_session(
    as_researcher: Client, starter_world: World, starter_tasks: list[Task]
) -> None:
    response = as_researcher.post("/sessions/new/", FORM_FIELDS)
    session = Session.objects.get()
    assert response["Location"] == f"/sessions/{session.pk}/"
    assert (session.seed, session.pace, session.agent, session.users) == (5, 1.5, "reference", "scripted")
    assert session.created_by is not None and session.created_by.username == "researcher"


def test_no_pace_is_as_fast_as_possible(
    as_researcher: Client, starter_world: World, starter_tasks: list[Task]
) -> None:
    as_researcher.post("/sessions/new/", {**FORM_FIELDS, "pace": ""})
    as_researcher.post("/sessions/new/", {**FORM_FIELDS, "pace": "0"})
    assert [session.pace for session in Session.objects.all()] == [None, None]


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("seed", "-1", "greater than or equal to 0"),
        ("seed", "99999999999", "less than or equal to 2147483647"),
        ("seed", "x", "Enter a whole number"),
        ("pace", "1000", "less than or equal to 60"),
        ("pace", "nan", "Enter a number"),
        ("agent", "nobody", "not one of the available choices"),
        ("task", "none", "not one of the available choices"),
    ],
)
def test_what_is_wrong_is_said_at_its_field(
    as_researcher: Client, starter_world: World, starter_tasks: list[Task], field: str, value: str, words: str
) -> None:
    page = tight(as_researcher.post("/sessions/new/", {**FORM_FIELDS, field: value}).content.decode())
    assert words in page
    assert Session.objects.count() == 0


@pytest.fixture
def gpt(starter_world: World, starter_tasks: list[Task]) -> ModelEndpoint:
    return create_endpoint(name="gpt", base_url="http://localhost:1/v1", model="gpt-x")


def test_each_traveller_may_be_chosen_apart(as_researcher: Client, gpt: ModelEndpoint) -> None:
    page = page_of(as_researcher, task="starter_02", users="scripted")
    assert '<details class="fine"><summary id="at-each">Choose each traveller</summary>' in page
    fields = re.findall(r'<select name="seat_(\w+)".*?</select>', page)
    assert fields == ["User2", "User1", "User3", "User4"]
    assert '<option value="" selected>like the others</option>' in page
    assert "Travellers are asked again for" not in page
    page = page_of(as_researcher, task="starter_02", users="scripted", seat_User2="llm:gpt")
    assert '<details class="fine" open><summary id="at-each">Choose each traveller</summary>' in page
    assert '<option value="llm:gpt" selected>llm · gpt</option>' in page
    assert "Travellers are asked again for" in page
    as_researcher.post("/sessions/new/", {**FORM_FIELDS, "seat_User2": "llm:gpt", "seat_User3": ""})
    (session,) = Session.objects.all()
    assert [(seat.name, seat.kind, seat.model) for seat in session.seat_overrides] == [("User2", "llm", gpt)]


@pytest.mark.parametrize(
    ("seat", "value", "words"),
    [
        (
            "User2",
            "mime",
            "there is no traveller of the kind “mime”; there are: scripted, llm, person, inbox.",
        ),
        ("User2", "llm", "“llm” needs a model; choose one."),
        ("User2", "scripted:gpt", "“scripted” needs no model; choose none."),
        ("User2", "llm:other", "there is no model “other”; there are: gpt."),
        ("User9", "llm:gpt", "The task has no seat “User9”; it has: User2, User1, User3, User4."),
        ("User2", "a\x00b", "Null characters are not allowed."),
    ],
)
def test_a_traveller_that_cannot_play_is_refused_at_its_field(
    as_researcher: Client, gpt: ModelEndpoint, seat: str, value: str, words: str
) -> None:
    answer = as_researcher.post("/sessions/new/", {**FORM_FIELDS, f"seat_{seat}": value})
    page = text(answer)
    assert words in page and not Session.objects.exists()
    (field,) = (part for part in page.split('<div class="field') if f'name="seat_{seat}"' in part)
    assert words in field


def page_of(client: Client, **given: str) -> str:
    return text(client.post("/sessions/new/", {**given, "look": "1"}))


def worlds_in(page: str) -> list[str]:
    """The worlds that are offered, the selected one with a star."""
    (select,) = re.findall(r'<select name="world".*?</select>', page, re.DOTALL)
    return [
        name + ("*" if chosen else "") for name, chosen in re.findall(r'value="([^"]+)"( selected)?', select)
    ]


@pytest.fixture
def twin_world(starter_pack: Path, db: None) -> World:
    """A world with the same cities, whose name comes first."""
    return build_world(name="a-twin", build=lambda target: shutil.copyfile(starter_pack, target))


@pytest.mark.usefixtures("starter_world", "twin_world", "small_world", "starter_tasks")
class TestWorlds:
    """Which worlds the form offers for tasks that were made for the starter world."""

    def test_the_tasks_own_world_is_picked_and_no_other_is_offered(self, as_researcher: Client) -> None:
        page = page_of(as_researcher, task="starter_02")
        assert worlds_in(page) == ["starter*"]
        assert "Made for starter." in page and "starter lacks" not in page

    def test_others_are_offered_on_demand_with_what_they_lack(self, as_researcher: Client) -> None:
        page = page_of(as_researcher, task="starter_02", other_worlds="on")
        assert worlds_in(page) == ["a-twin", "starter*"]
        assert "small can't be used: it lacks 武汉市, 苏州市." in page
        assert "a-twin has everything that the travellers name." in page

    def test_what_was_picked_stays_while_it_is_offered(self, as_researcher: Client) -> None:
        other = {"task": "starter_03", "world": "a-twin", "other_worlds": "on"}
        assert worlds_in(page_of(as_researcher, **other)) == ["a-twin*", "starter"]
        assert worlds_in(page_of(as_researcher, **{**other, "other_worlds": ""})) == ["starter*"]

    def test_a_session_without_a_named_world_takes_the_tasks_own(self, as_researcher: Client) -> None:
        as_researcher.post("/sessions/new/", {**FORM_FIELDS, "world": ""})
        assert Session.objects.get().world.name == "starter"

    def test_another_world_takes_two_steps(self, as_researcher: Client) -> None:
        asked = {**FORM_FIELDS, "world": "a-twin"}
        refused = text(as_researcher.post("/sessions/new/", asked))
        assert "These tasks were made for world “starter”" in refused and not Session.objects.exists()
        as_researcher.post("/sessions/new/", {**asked, "other_worlds": "on"})
        assert Session.objects.get().world.name == "a-twin"

    def test_without_a_named_world_the_person_chooses(self, as_researcher: Client) -> None:
        TaskCollection.objects.update(world=None)
        page = page_of(as_researcher, task="starter_02")
        assert worlds_in(page) == ["a-twin", "starter"]
        assert "The tasks of “starter” name no world: choose one." in page
        refused = tight(as_researcher.post("/sessions/new/", {**FORM_FIELDS, "world": ""}).content.decode())
        assert "Choose a world." in refused and not Session.objects.exists()


def offers(page: str) -> list[tuple[str, bool]]:
    """The tasks that are offered by id, and whether each is picked."""
    found = re.findall(r'<input type="radio" name="task" value="(.*?)"( checked)?>', page)
    return [(task_id, bool(checked)) for task_id, checked in found]


@pytest.mark.usefixtures("starter_world", "starter_tasks")
class TestPicking:
    """Choosing a task among many."""

    def test_tasks_are_shown_by_their_trips(self, as_researcher: Client) -> None:
        page = " ".join(re.sub("<.*?>", " ", page_of(as_researcher)).split())
        assert "杭州市、苏州市 · 4 days · 4 travellers · 2026-03-27 · 两对情侣 · medium" in page

    @pytest.mark.parametrize(
        ("words", "found"),
        [
            ("杭州市 苏州市", "starter_02"),
            ("2026-03-27", "starter_02"),
            ("STARTER_07", "starter_07"),
            ("情侣 hard", None),
        ],
    )
    def test_a_search_takes_every_word(self, as_researcher: Client, words: str, found: str | None) -> None:
        shown = [task_id for task_id, _ in offers(page_of(as_researcher, find=words))]
        assert found in shown if found else not shown
        assert len(shown) < 15

    def test_the_picked_task_stays_whatever_is_searched(self, as_researcher: Client) -> None:
        shown = offers(page_of(as_researcher, task="starter_09", find="starter_02"))
        assert shown == [("starter_09", True), ("starter_02", False)]

    def test_of_many_tasks_some_are_offered_and_nothing_reads_them_all(
        self, as_researcher: Client, django_assert_max_num_queries: Any
    ) -> None:
        (first,) = Task.objects.filter(task_id="starter_01")
        Task.objects.bulk_create(
            Task(**{**_columns(first), "task_id": f"many_{n}", "position": 20 + n}) for n in range(500)
        )
        with django_assert_max_num_queries(20):
            page = page_of(as_researcher, find="many")
        assert len(offers(page)) == 20 and "There are more tasks: search to see them." in page

    @pytest.mark.parametrize("wrong", [{"seed": "-1"}, {"task": ""}, {"cache": "none"}, {"pace": "x"}])
    def test_what_was_picked_comes_back_with_an_error(
        self, as_researcher: Client, wrong: dict[str, str]
    ) -> None:
        given = {
            **FORM_FIELDS,
            "find": "苏州市",
            "seed": "41",
            "mode": "isolated",
            "other_worlds": "on",
            **wrong,
        }
        page = tight(as_researcher.post("/sessions/new/", given).content.decode())
        assert 'class="bad"' in page and not Session.objects.exists()
        if given["task"]:
            assert (given["task"], True) in offers(page)
        for name in ("seed", "pace", "find"):
            assert re.search(rf'name="{name}"[^>]* value="{re.escape(given[name])}"', page), name
        assert re.search(r'value="isolated" selected', page) and worlds_in(page)[-1] == "starter*"
        assert re.search(r'name="other_worlds"(?: value="on"|[^>]* checked)', page)

    def test_a_form_sent_by_the_page_itself_is_left_by_the_browser(self, as_researcher: Client) -> None:
        """Else going back would lead to an answer of a POST, which browsers do not show again."""
        answer = as_researcher.post("/sessions/new/", FORM_FIELDS, headers={"HX-Request": "true"})
        assert answer["HX-Redirect"] == f"/sessions/{Session.objects.get().pk}/" and not answer.content


def _columns(task: Task) -> dict[str, Any]:
    return {field.attname: getattr(task, field.attname) for field in Task._meta.fields if field.name != "id"}


def test_a_task_that_no_world_holds_says_so(
    as_researcher: Client, small_world: World, starter_tasks: list[Task]
) -> None:
    page = tight(as_researcher.post("/sessions/new/", {**FORM_FIELDS, "world": ""}).content.decode())
    assert "No world has all that this task needs; import one that does." in page


def test_a_world_without_the_cities_is_refused_at_its_field(
    as_researcher: Client, starter_world: World, small_world: World, starter_tasks: list[Task]
) -> None:
    asked = {**FORM_FIELDS, "world": "small", "other_worlds": "on"}
    page = tight(as_researcher.post("/sessions/new/", asked).content.decode())
    assert "This world lacks what the task needs; choose another." in page
    assert Session.objects.count() == 0
