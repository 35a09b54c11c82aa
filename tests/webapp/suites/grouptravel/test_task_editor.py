"""Making and changing a task in a form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client

from benchmark.suites import DEFAULT_SUITE
from benchmark.suites.grouptravel.tasks import STARTER, TASK_FILES
from tests.markup import text, tight
from tests.webapp.conftest import HOSTILE
from webapp.catalogue.models import Task, TaskCollection, World
from webapp.suites.grouptravel.editing import TaskForm

pytestmark = pytest.mark.django_db


def form_data(form: TaskForm, **other: Any) -> QueryDict:
    """What a browser sends of a form, with other values in it."""
    data = QueryDict(mutable=True)
    for user in form.users:
        data.appendlist("user", user)
    for bound in form:
        value = bound.value()
        if value is True:
            data[bound.html_name] = "on"
        elif value not in (None, False):
            data[bound.html_name] = str(value)
    for name, value in other.items():
        data[name.replace("__", "-").replace("_of_", ".")] = value
    return data


def of(task: Task, **other: Any) -> QueryDict:
    return form_data(TaskForm(task.definition), **other)


NEW = {
    "task_id": "own_1",
    "departure_city": "上海市",
    "time": "2026-03-01",
    "days": "2",
    "group_id": "2-1",
    "city0": "杭州市",
    "u0-avg_budget": "1500",
    "u0-c0-food.must_eat": "杭帮菜\n火锅",
    "u0-compromisable": "on",
    "u1-c0-food.avoid_eat": "火锅",
    "u1-opening": "我想去西湖",
    "place-collection": "own",
}


def new(**other: Any) -> QueryDict:
    data = form_data(TaskForm(None, new=True))
    for name, value in (NEW | other).items():
        data[name] = value
    return data


# a form and a definition say the same


def every() -> list[Any]:
    return [item.raw for path in STARTER for item in TASK_FILES.whole(path)]


@pytest.mark.parametrize("definition", every(), ids=lambda one: one["task_id"])
def test_a_task_that_is_sent_as_it_is_stays_to_the_letter(definition: Any) -> None:
    form = TaskForm(definition, form_data(TaskForm(definition)))
    assert form.is_valid(), form.errors
    assert json.dumps(form.definition()) == json.dumps(definition)


@pytest.mark.reference
def test_so_do_the_published_ones(reference: Path) -> None:
    for item in TASK_FILES.whole(reference / "grouptravelbench" / "tasks_sample.jsonl"):
        form = TaskForm(item.raw, form_data(TaskForm(item.raw)))
        assert form.is_valid(), form.errors
        assert json.dumps(form.definition()) == json.dumps(item.raw)


def test_keys_that_the_form_does_not_know_stay(task: Task) -> None:
    definition = json.loads(json.dumps(task.definition)) | {"trace_id": "x"}
    user = next(iter(definition["user_preferences"]))
    definition["user_preferences"][user]["preference"]["global_constraints"]["transport"]["why"] = "y"
    made = TaskForm(definition, form_data(TaskForm(definition), u0__avg_budget="999")).definition()
    assert made["trace_id"] == "x"
    constraints = made["user_preferences"][user]["preference"]["global_constraints"]
    assert (constraints["transport"]["why"], constraints["avg_budget"]) == ("y", 999)


def test_a_task_larger_than_the_page_makes_stays_whole(task: Task) -> None:
    definition = json.loads(json.dumps(task.definition))
    first = next(iter(definition["user_preferences"].values()))
    definition["user_preferences"] |= {f"User{n}": first for n in range(5, 18)}
    many = len(definition["user_preferences"])
    form = TaskForm(definition, form_data(TaskForm(definition)))
    assert len(form.users) == many > 12
    assert list(form.definition()["user_preferences"]) == list(definition["user_preferences"])


def test_a_new_task_with_too_many_is_refused_not_cut() -> None:
    data = new()
    data.setlist("user", [f"User{n}" for n in range(1, 15)])
    form = TaskForm(None, data, new=True)
    assert not form.is_valid()
    assert "at most 12 travellers" in str(form.non_field_errors())


def test_a_new_task_in_the_published_form() -> None:
    form = TaskForm(None, new(), new=True)
    assert form.is_valid(), form.errors
    made = form.definition()
    assert (made["query"], made["metadata"]["date"]) == ("杭州市，两天一夜，2人的旅行计划", "两天一夜")
    assert made["context"] == "出发城市：上海市；出行日期：2026-03-01；团队类型：情侣（共2人）"
    assert (made["difficulty_score"], made["difficulty_type"]) == (1.0, "easy")
    assert made["metadata"]["compromise_pattern"] == ["User1"]
    assert made["initial_messages"] == [{"role": "User2", "content": "我想去西湖"}]
    assert made["user_preferences"]["User1"]["preference"]["city_specific_preferences"]["杭州市"]["food"] == {
        "must_eat": ["杭帮菜", "火锅"],
        "prefer_eat": [],
        "avoid_eat": [],
        "reject_eat": [],
    }
    TASK_FILES.task(made)


def test_sentences_follow_the_fields_unless_they_are_ones_own(task: Task) -> None:
    made = TaskForm(task.definition, of(task, days="3")).definition()
    assert "三天两夜" in made["query"] and made["difficulty_score"] != task.definition["difficulty_score"]
    assert TaskForm(task.definition, of(task, days="3", query="my own")).definition()["query"] == "my own"


@pytest.mark.parametrize(
    ("given", "field", "words"),
    [
        ({"time": "soon"}, "time", "Enter a valid date"),
        ({"days": "0"}, "days", "greater than or equal to 1"),
        ({"days": "9"}, "difficulty", "The formula does not cover"),
        ({"city0": ""}, "city0", "required"),
        ({"u0-avg_budget": "much"}, "u0-avg_budget", "Enter a number"),
        ({"children": "User1: a toddler"}, "children", "User1 has a preference table"),
        ({"task_id": ""}, "task_id", "required"),
    ],
)
def test_what_is_wrong_is_told_at_its_field(given: dict[str, str], field: str, words: str) -> None:
    form = TaskForm(None, new(**given), new=True)
    assert not form.is_valid()
    assert words in str(form.errors[field])


def test_a_difficulty_of_ones_own_where_the_formula_has_none() -> None:
    form = TaskForm(None, new(days="9", difficulty="hard"), new=True)
    assert form.is_valid()
    assert (form.definition()["difficulty_type"], form.definition()["metadata"]["date"]) == (
        "hard",
        "九天八夜",
    )


# more and fewer travellers and cities


def test_travellers_and_cities_come_and_go() -> None:
    form = TaskForm(None, new(**{"u0-avg_budget": "much"}), new=True)
    form = form.reshape("add-user").reshape("add-city")
    assert (form.users, form.city_count, form.new) == (["User1", "User2", "User3"], 2, True)
    assert form["u0-avg_budget"].value() == "much"
    assert form["u0-c0-food.must_eat"].value() == "杭帮菜\n火锅"
    form = form.reshape("up-user-1")
    assert form.users == ["User2", "User1", "User3"]
    assert form["u0-opening"].value() == "我想去西湖"
    form = form.reshape("drop-user-1").reshape("drop-city-1")
    assert (form.users, form.city_count) == (["User2", "User3"], 1)
    for nonsense in ("", "drop-user-9", "drop-city-x", "up-user-0", "add", "a-b-c-d"):
        assert form.reshape(nonsense).definition() == form.definition()


def test_what_follows_from_other_fields_follows_the_new_shape() -> None:
    form = TaskForm(None, new(days="3"), new=True).reshape("add-city").reshape("add-user")
    again = TaskForm(None, form_data(form, city1="苏州市"), new=True)
    assert again.is_valid(), again.errors
    made = again.definition()
    assert (made["query"], made["difficulty_score"], made["difficulty_type"]) == (
        *("杭州市、苏州市，三天两夜，3人的旅行计划", 2.2, "easy"),
    )
    hard = TaskForm(None, new(difficulty="hard", query="mine"), new=True).reshape("add-user")
    assert (hard["difficulty"].value(), hard["query"].value()) == ("hard", "mine")


# pages


def test_only_researchers_make_and_change_tasks(client: Client, as_annotator: Client, task: Task) -> None:
    for address in ("/tasks/new", f"/tasks/{task.task_id}/edit"):
        assert client.get(address).status_code == 302
        assert as_annotator.get(address).status_code == 403
        assert as_annotator.post(address, {}).status_code == 403
    assert as_annotator.post("/tasks/check", {}).status_code == 403
    assert Task.staged_too.filter(first=task).count() == 0


def test_a_new_task_is_stored_and_shown(as_researcher: Client, starter_world: World) -> None:
    answer = as_researcher.post("/tasks/new", dict(new(**{"place-world": "starter", "save": "1"}).lists()))
    assert answer.status_code == 302, text(answer)
    made = Task.objects.get(task_id="own_1")
    assert answer["Location"] == made.get_absolute_url()
    assert (made.suite, made.conflicts, made.difficulty, made.size) == (DEFAULT_SUITE, 1, "easy", 2)
    assert TaskCollection.objects.get(name="own").world == starter_world


def test_an_id_that_is_taken_is_told_at_the_id(as_researcher: Client, task: Task) -> None:
    page = as_researcher.post("/tasks/new", dict(new(task_id=task.task_id).lists()))
    assert page.status_code == 200
    assert "is the id of another task" in text(page)


def test_a_change_is_a_new_version(as_researcher: Client, task: Task) -> None:
    address = f"/tasks/{task.task_id}/edit"
    assert "Saving makes a new version" in text(as_researcher.get(address))
    answer = as_researcher.post(address, dict(of(task, query="another trip", save="1").lists()))
    assert answer["Location"] == "/tasks/starter_02.v2/"
    page = tight(as_researcher.get("/tasks/starter_02.v2/").content.decode())
    assert "This is version 2." in page and 'href="/tasks/starter_02/"' in page
    old = text(as_researcher.get("/tasks/starter_02/"))
    assert "The newest is version 2" in old
    assert as_researcher.get(address)["Location"] == "/tasks/starter_02.v2/"
    assert Task.staged_too.get(pk=task.pk).definition == task.definition


def test_conflicts_and_problems_are_told_as_they_arise(as_researcher: Client, starter_world: World) -> None:
    def check_answer(**given: str) -> str:
        answer = as_researcher.post("/tasks/check", dict(new(**{"place-world": "starter", **given}).lists()))
        assert answer.status_code == 200
        return text(answer)

    whole = check_answer()
    assert "The task can be saved." in whole and "Conflicts <small>1" in whole and "easy (1.0)" in whole
    assert "Conflicts <small>0" in check_answer(**{"u1-c0-food.avoid_eat": ""})
    broken = check_answer(time="soon")
    assert "Departure date" in broken and "Enter a valid date" in broken and "Conflicts <small>1" in broken
    assert "World starter lacks 没有的景点" in check_answer(**{"u0-c0-attractions.must_visit": "没有的景点"})
    assert "World starter lacks 火星市" in check_answer(city0="火星市")
    assert "the same item is in two lists" in check_answer(**{"u0-c0-food.avoid_eat": "火锅"})
    assert not Task.objects.exists()


def test_what_does_not_go_in_the_world_is_told(as_researcher: Client, starter_world: World) -> None:
    def check_answer(**given: str) -> str:
        whole = {
            f"u{at}-intensity.{cap}": "3" for at in (0, 1) for cap in ("max_poi_per_day", "max_active_hours")
        }
        whole |= {"place-world": "starter", "u1-avg_budget": "3000", **given}
        return text(as_researcher.post("/tasks/check", dict(new(**whole).lists())))

    assert "avoids and rejects nothing" in check_answer()
    assert "User1: budget: 100 CNY are less than the cheapest fares" in check_answer(
        **{"u0-avg_budget": "100"}
    )
    assert "飞机 does not run (上海市–杭州市, 杭州市–上海市); let User2 give way" in check_answer(
        **{"u1-transport.must": "飞机"}
    )
    assert "does not run" not in check_answer(**{"u0-transport.must": "飞机"})  # who may compromise
    assert "没有的菜 is " in check_answer(**{"u0-c0-food.must_eat": "没有的菜"})
    assert "does not fit this world" not in check_answer(city0="火星市")


def test_findings_are_told_in_the_language_of_the_page(
    as_researcher: Client, starter_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a catalogue of our own, so that it is no matter of the words of the real one."""
    words = {
        "avoids and rejects nothing; name at least one thing": "什么都不回避",
        "%(budget)s CNY are less than the cheapest fares (%(fares)s) with food and nights (%(food)s)": (
            "%(budget)s元不够：车票%(fares)s，食宿%(food)s"
        ),
        "the name %(user)s means everybody; rename the user": "%(user)s指所有人",
    }
    monkeypatch.setattr("webapp.wording.remarks._", lambda text: words.get(text, text))
    caps = {f"u{at}-intensity.{cap}": "3" for at in (0, 1) for cap in ("max_poi_per_day", "max_active_hours")}
    poor = new(**{**caps, "place-world": "starter", "u1-avg_budget": "3000", "u0-avg_budget": "100"})
    found = text(as_researcher.post("/tasks/check", dict(poor.lists())))
    assert "User1: budget: 100元不够：车票" in found and "User1: 什么都不回避" in found
    poor.setlist("user", ["All", "User2"])
    assert "All指所有人" in text(as_researcher.post("/tasks/check", dict(poor.lists())))


def test_a_button_changes_the_shape_and_stores_nothing(as_researcher: Client, db: None) -> None:
    page = as_researcher.post("/tasks/new", dict(new(do="add-user").lists())).content.decode()
    assert 'value="User3"' in page and "杭帮菜" in page
    assert not Task.objects.exists()


def test_a_copy_begins_with_what_another_task_holds(as_researcher: Client, task: Task) -> None:
    page = as_researcher.get("/tasks/new", {"from": task.task_id}).context["form"]
    assert page.users == list(task.definition["user_preferences"])
    assert (page.new, page["task_id"].value()) == (True, "")


def test_what_is_written_is_text(as_researcher: Client, db: None) -> None:
    given = {
        "u0-role": HOSTILE,
        "u0-c0-food.must_eat": HOSTILE,
        "u1-c0-food.reject_eat": HOSTILE,
        "city0": HOSTILE,
    }
    for address in ("/tasks/check", "/tasks/new"):
        page = as_researcher.post(address, dict(new(**given, do="add-user").lists())).content.decode()
        assert "<script>alert(1)" not in page and "<img src=x" not in page


@pytest.mark.parametrize("data", [{}, {"user": ["x"] * 99}, {"user": "User1", "city0": "a", "city9": "b"}])
def test_what_no_browser_sends_is_a_form_with_errors(as_researcher: Client, data: Any) -> None:
    assert as_researcher.post("/tasks/check", data).status_code == 200
    assert as_researcher.post("/tasks/new", data).status_code == 200


def test_benchmarks_without_an_editor_have_none(as_researcher: Client, db: None) -> None:
    assert as_researcher.get("/tasks/new", {"suite": "nobody"}).status_code == 404


@pytest.mark.parametrize("name", ["starter_02", "starter_en_01", "starter_en_03"])
def test_a_copy_of_a_shipped_task_is_saved_as_it_is(
    as_researcher: Client, starter_world: World, starter_tasks: list[Task], name: str
) -> None:
    original = next(task for task in starter_tasks if task.task_id == name)
    address = f"/tasks/new?suite={original.suite}&from={name}"
    form = as_researcher.get(address).context["form"]
    given = form_data(form, task_id=f"{name}_copy")
    given["place-collection"], given["place-world"] = "own", "starter"
    answer = as_researcher.post(address, dict(given.lists()))
    assert answer.status_code == 302, (answer.context["form"].errors, answer.context["place"].errors)
    made = Task.objects.get(task_id=f"{name}_copy")
    assert (made.language, made.cities, made.days) == (original.language, original.cities, original.days)
    assert {**made.definition, "task_id": name} == original.definition
    given["from"] = name
    checked = as_researcher.post("/tasks/check", dict(given.lists())).content.decode()
    assert "Select a valid choice" not in checked


def test_the_address_of_a_new_task_may_end_in_a_slash(as_researcher: Client, db: None) -> None:
    assert as_researcher.get("/tasks/new/").headers["Location"] == "/tasks/new"
    assert as_researcher.get("/tasks/no_such/").status_code == 404
