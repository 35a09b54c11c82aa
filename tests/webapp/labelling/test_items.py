"""Items of a study: chosen from runs and tasks, given known answers, taken out, and their pages."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest
from django.test import Client

from tests.labelling import (
    annotator_of,
    answer,
    answer_all,
    finished_run,
    finished_session,
    make_study,
    pairs_study,
    plan_of,
    vote,
)
from tests.scores import store_score
from webapp.catalogue.models import Task, World
from webapp.labelling import queue
from webapp.labelling.answers import answers_of
from webapp.labelling.items import (
    ItemRefused,
    ItemRequest,
    add_from_runs,
    add_tasks,
    candidates,
    choose,
    restore_items,
    set_known,
    withdraw_items,
)
from webapp.labelling.models import Assignment, Kind, LabelItem, LabelStudy
from webapp.labelling.qualifying import is_right
from webapp.labelling.table import final_choices
from webapp.sessions.models import Run, Session, Status

pytestmark = pytest.mark.django_db


@pytest.fixture
def runs(starter_tasks: list[Task], starter_world: World) -> list[Run]:
    """Three agents, each on the same four tasks."""
    return [
        finished_run(starter_tasks[:4], starter_world, agent=agent) for agent in ("alpha", "beta", "gamma")
    ]


def pairs_of(study: LabelStudy) -> list[tuple[str, str]]:
    return list(study.items.order_by("number").values_list("left_agent", "right_agent"))


def test_items_are_pairs_of_different_agents_on_one_task_balanced_over_agents(runs: list[Run]) -> None:
    study = make_study()
    add_from_runs(study=study, wanted=ItemRequest(runs, size=9))
    counted = Counter(frozenset(pair) for pair in pairs_of(study))
    assert set(counted.values()) == {3} and len(counted) == 3
    for item in study.items.select_related("left", "right"):
        assert item.left and item.right
        assert item.left.task_id == item.right.task_id == item.task_id
        assert item.cities == item.task.cities
    assert list(study.items.values_list("number", flat=True)) == list(range(1, 10))


def test_the_same_seed_chooses_the_same_items(runs: list[Run]) -> None:
    first, second, third = make_study(), make_study(), make_study()
    for study, seed in ((first, 1), (second, 1), (third, 2)):
        add_from_runs(study=study, wanted=ItemRequest(runs, size=6, seed=seed))
    chosen = [set(study.items.values_list("left", "right")) for study in (first, second, third)]
    assert chosen[0] == chosen[1] != chosen[2]


def test_what_the_study_has_already_is_not_added_again(runs: list[Run]) -> None:
    study = make_study()
    add_from_runs(study=study, wanted=ItemRequest(runs, size=5))
    add_from_runs(study=study, wanted=ItemRequest(runs, size=50, seed=3))
    pairs = {frozenset(pair) for pair in study.items.values_list("left", "right")}
    assert study.items.count() == len(pairs) == 12
    with pytest.raises(ItemRefused, match="already in the study"):
        add_from_runs(study=study, wanted=ItemRequest(runs))


def test_sessions_without_a_plan_or_still_running_make_no_pairs(runs: list[Run]) -> None:
    Session.objects.filter(agent="alpha").update(plan_generated=False)
    Session.objects.filter(agent="beta").update(status=Status.RUNNING)
    with pytest.raises(ItemRefused, match="No task was done by two different agents"):
        add_from_runs(study=make_study(), wanted=ItemRequest(runs))


def test_required_flags_of_the_benchmark_leave_others_out(runs: list[Run]) -> None:
    for number, session in enumerate(Session.objects.order_by("pk")):
        if number != 0:
            store_score(session, pv=number % 2)
    study = make_study()
    found = candidates(study, ItemRequest(runs, require=["pv"]))
    assert len(found) == 6
    valid = set(Session.objects.filter(values__key="pv", values__value=1).values_list("pk", flat=True))
    assert {session.pk for session in found} == valid


def test_pairs_with_the_same_plan_are_passed_over_and_counted(
    starter_tasks: list[Task], starter_world: World
) -> None:
    one, two = starter_tasks[:2]
    runs = [Run.objects.create(name=name) for name in ("one", "two")]
    spaced = plan_of(one, place=" 西湖 ", cost=50.0)
    for run, agent, plans in (
        (runs[0], "a", (plan_of(one), plan_of(two))),
        (runs[1], "b", (spaced, plan_of(two, cost=1))),
    ):
        for task, plan in zip((one, two), plans, strict=True):
            finished_session(task, starter_world, agent=agent, run=run, plan=plan)
    study = make_study()
    chosen = choose(study, ItemRequest(runs))
    assert (len(chosen), chosen.alike) == (1, 1)
    assert len(choose(study, ItemRequest(runs, differing=False))) == 2


def test_plans_are_told_apart_by_what_they_say_not_by_how_they_are_written(
    starter_tasks: list[Task], starter_world: World
) -> None:
    task = starter_tasks[0]
    plans = [plan_of(task), plan_of(task, place="  西湖"), plan_of(task, place="灵隐寺")]
    ids = [finished_session(task, starter_world, plan=plan).pk for plan in plans]
    answers = answers_of("grouptravel", ids)
    assert answers[ids[0]].plain == answers[ids[1]].plain != answers[ids[2]].plain


def test_two_runs_of_one_agent_are_told_apart_by_their_names(
    starter_tasks: list[Task], starter_world: World
) -> None:
    runs = [finished_run(starter_tasks[:2], starter_world, agent="alpha") for _ in range(2)]
    study = make_study()
    add_from_runs(study=study, wanted=ItemRequest(runs, differing=False))
    assert study.items.count() == 2
    assert all(a != b and a.startswith("alpha (run of alpha") for a, b in pairs_of(study))


def test_a_rubric_takes_so_many_sessions_of_each_agent(runs: list[Run]) -> None:
    study = make_study(Kind.RUBRIC)
    add_from_runs(study=study, wanted=ItemRequest(runs, per_agent=2))
    assert Counter(study.items.values_list("left_agent", flat=True)) == {"alpha": 2, "beta": 2, "gamma": 2}
    assert set(study.items.values_list("right", flat=True)) == {None}


def test_strata_are_kept_with_the_items(runs: list[Run]) -> None:
    study = make_study()
    add_from_runs(study=study, wanted=ItemRequest(runs, stratum="size"))
    assert {item.stratum for item in study.items.all()} == {
        str(item.task.size) for item in study.items.select_related("task")
    }


def test_tasks_alone_are_items_of_a_yes_no_study(starter_tasks: list[Task]) -> None:
    study = make_study(Kind.BINARY)
    assert add_tasks(study=study, tasks=Task.objects.all(), size=5, stratum="difficulty") == 5
    assert add_tasks(study=study, tasks=Task.objects.all()) == len(starter_tasks) - 5
    assert study.items.values("task").distinct().count() == len(starter_tasks)
    with pytest.raises(ItemRefused):
        add_tasks(study=study, tasks=Task.objects.all())
    with pytest.raises(ItemRefused, match="Only a yes/no question"):
        add_tasks(study=make_study(), tasks=Task.objects.all())


def test_a_known_answer_makes_gold_and_an_answered_item_keeps_its_purpose(
    starter_tasks: list[Task], starter_world: World
) -> None:
    study = pairs_study(starter_tasks, starter_world, items=2)
    first, second = study.items.order_by("number")
    with pytest.raises(ItemRefused, match="right answer"):
        set_known(item=first, purpose="gold")
    set_known(item=first, purpose="gold", answer={"choice": "left"}, explanation="B lacks a hotel.")
    assert (first.purpose, first.answer) == ("gold", {"choice": "left"})
    answer_all(annotator_of(study))
    with pytest.raises(ItemRefused, match="already been given this item"):
        set_known(item=second, purpose="gold", answer={"choice": "left"})
    set_known(item=first, purpose="normal")
    assert first.answer is None


def test_a_withdrawn_item_is_given_to_nobody_keeps_its_labels_and_no_longer_counts(
    starter_tasks: list[Task], starter_world: World
) -> None:
    study = pairs_study(starter_tasks, starter_world, items=2)
    begun = queue.next_for(annotator_of(study))
    assert begun is not None
    vote(study, {1: "LLL", 2: "RRR"})
    assert withdraw_items(items=LabelItem.objects.filter(study=study, number__in=[1, 2])) == 2
    assert Assignment.objects.get().status == "expired"
    assert final_choices(study) == {}
    assert study.items.get(number=1).labels.count() == 3
    with pytest.raises(queue.AnswerRefused, match="taken out"):
        answer(begun)
    assert restore_items(items=LabelItem.objects.filter(number=1)) == 1
    assert set(final_choices(study)) == {1}


# --- pages


def test_looking_first_tells_what_would_come_and_adds_nothing(as_researcher: Client, runs: list[Run]) -> None:
    study = make_study()
    given = {"runs-runs": [run.pk for run in runs], "runs-size": 6, "runs-differing": "on"}
    page = as_researcher.post(f"/labelling/{study.pk}/items/runs/", {**given, "look": "1"}).content.decode()
    assert "6 items would be added, of 12 sessions that fit." in page
    assert "<b>2</b> alpha – beta" in page
    assert re.findall(r'<a href="([^"]*)" aria-current="page">', page.split("<main")[0]) == ["/labelling/"]
    assert not study.items.exists()
    as_researcher.post(f"/labelling/{study.pk}/items/runs/", given)
    assert study.items.count() == 6


def test_looking_first_says_why_nothing_would_come(as_researcher: Client, runs: list[Run]) -> None:
    study = make_study()
    given = {"runs-runs": [runs[0].pk], "look": "1"}
    page = as_researcher.post(f"/labelling/{study.pk}/items/runs/", given).content.decode()
    assert "0 items would be added" in page and "Choose runs of several agents." in page


def test_the_form_says_what_is_missing(as_researcher: Client, runs: list[Run]) -> None:
    study = make_study()
    page = as_researcher.post(f"/labelling/{study.pk}/items/runs/", {}).content.decode()
    assert "Choose at least one run." in page
    given = {"runs-runs": [runs[0].pk]}
    page = as_researcher.post(f"/labelling/{study.pk}/items/runs/", given).content.decode()
    assert "Choose runs of several agents." in page


def test_runs_of_the_address_are_chosen(as_researcher: Client, runs: list[Run]) -> None:
    page = as_researcher.get(
        f"/labelling/{make_study().pk}/items/?add=runs&runs={runs[0].pk}"
    ).content.decode()
    assert f'<option value="{runs[0].pk}" selected>' in page
    assert f'<option value="{runs[1].pk}">' in page


@pytest.mark.parametrize(
    ("asked", "numbers"),
    [
        ("", {1, 2, 3, 4}),
        ("state=agreed", {1}),
        ("state=differ", {2, 3}),
        ("state=split", {3}),
        ("state=waiting", {4}),
        ("state=complete", {1, 2, 3}),
        ("state=nonsense", {1, 2, 3, 4}),
        ("q=starter_02", {2}),
        ("purpose=gold", set()),
    ],
)
def test_the_table_is_narrowed_by_state_purpose_and_words(
    as_researcher: Client, starter_tasks: list[Task], starter_world: World, asked: str, numbers: set[int]
) -> None:
    tasks = sorted(starter_tasks, key=lambda task: task.task_id)
    study = pairs_study(tasks, starter_world, items=4)
    vote(study, {1: "LLL", 2: "LLR", 3: "LRN", 4: "L"})
    page = as_researcher.get(f"/labelling/{study.pk}/items/?{asked}").content.decode()
    assert {n for n in range(1, 5) if f'/items/{n}/"' in page} == numbers


def test_ticked_items_are_taken_out_and_put_back(
    as_researcher: Client, starter_tasks: list[Task], starter_world: World
) -> None:
    study = pairs_study(starter_tasks, starter_world, items=3)
    path = f"/labelling/{study.pk}/items/withdraw/"
    as_researcher.post(path, {"items": ["1", "3", "x"]})
    assert list(study.items.filter(withdrawn_at=None).values_list("number", flat=True)) == [2]
    as_researcher.post(path, {"items": ["1"], "restore": "1"})
    assert study.items.filter(withdrawn_at=None).count() == 2


def test_odd_numbers_and_queries_of_ticked_items_are_passed_over(
    as_researcher: Client, starter_tasks: list[Task], starter_world: World
) -> None:
    study = pairs_study(starter_tasks, starter_world, items=2)
    odd = {"items": ["1", "9" * 30, "9" * 5000], "query": "state=split\r\nX-Odd: 1"}
    answered = as_researcher.post(f"/labelling/{study.pk}/items/withdraw/", odd)
    assert answered.status_code == 302 and "X-Odd" not in answered.headers
    assert list(study.items.filter(withdrawn_at=None).values_list("number", flat=True)) == [2]


def test_the_page_of_an_item_shows_both_plans_and_every_answer_with_what_it_was_before(
    as_researcher: Client, starter_tasks: list[Task], starter_world: World
) -> None:
    study = pairs_study(starter_tasks, starter_world, items=1)
    annotator = annotator_of(study, "Li <Wei>")
    given = queue.next_for(annotator)
    assert given is not None
    answer(given, "left", rationale="A has <b>time</b> for lunch")
    queue.undo(annotator)
    again = queue.next_for(annotator)
    assert again is not None
    answer(again, "right", rationale="B is cheaper")
    page = as_researcher.get(f"/labelling/{study.pk}/items/1/").content.decode()
    assert "Li &lt;Wei&gt;" in page
    assert "A has &lt;b&gt;time&lt;/b&gt; for lunch" in page and "before: A" in page
    assert "B is cheaper" in page
    assert page.count("公园") >= 2


def test_an_item_gets_its_known_answer_on_its_page(
    as_researcher: Client, starter_tasks: list[Task], starter_world: World
) -> None:
    study = pairs_study(starter_tasks, starter_world, items=1)
    path = f"/labelling/{study.pk}/items/1/"
    page = as_researcher.post(path + "known/", {"purpose": "gold"}).content.decode()
    assert "Choose one of the study&#x27;s answers." in page
    as_researcher.post(
        path + "known/", {"purpose": "gold", "choice": "neither", "explanation": "Both lack beds."}
    )
    item = study.items.get()
    assert (item.purpose, item.answer, item.explanation) == ("gold", {"choice": "neither"}, "Both lack beds.")
    assert "Both lack beds." in as_researcher.get(path).content.decode()


def test_a_run_whose_sessions_are_items_can_not_be_deleted(as_researcher: Client, runs: list[Run]) -> None:
    study = make_study(name="Pairs of spring")
    add_from_runs(study=study, wanted=ItemRequest(runs[:2], size=1))
    sessions = Session.objects.count()
    page = as_researcher.post(f"/runs/{runs[0].pk}/delete/").content.decode()
    assert "Items of the labelling study “Pairs of spring” come from sessions of this run" in page
    assert Session.objects.count() == sessions
    as_researcher.post(f"/runs/{runs[2].pk}/delete/")
    assert not Run.objects.filter(pk=runs[2].pk).exists()


def test_an_unknown_item_is_not_found(as_researcher: Client) -> None:
    assert as_researcher.get(f"/labelling/{make_study().pk}/items/7/").status_code == 404


def test_a_large_table_is_read_in_a_few_queries(
    starter_tasks: list[Task], starter_world: World, django_assert_max_num_queries: Any
) -> None:
    from webapp.labelling.rows import item_rows

    study = pairs_study(starter_tasks, starter_world, items=30)
    vote(study, dict.fromkeys(range(1, 31), "LLR"))
    with django_assert_max_num_queries(5):
        assert len(item_rows(study)) == 30


def test_a_known_answer_can_be_a_slightly_better_side(
    as_researcher: Client, starter_tasks: list[Task], starter_world: World
) -> None:
    study = pairs_study(starter_tasks, starter_world, 1)
    path = f"/labelling/{study.pk}/items/1/"
    sent = {"purpose": "gold", "choice": "slight_left"}
    assert as_researcher.post(path + "known/", sent).status_code == 422
    study.allow_slight = True
    study.save()
    as_researcher.post(path + "known/", sent)
    item = study.items.get(number=1)
    assert item.answer == {"choice": "left", "strength": "slight"}
    assert is_right(item, {"choice": "left"}) and is_right(item, item.answer)
    assert not is_right(item, {"choice": "right", "strength": "slight"})
    assert re.search(r'value="slight_left"[^>]*checked', as_researcher.get(path).content.decode())
    assert "slightly A" in as_researcher.get(f"/labelling/{study.pk}/items/").content.decode()
