"""How carefully annotators work, and whether what they are shown tells whose it is."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.labelling import (
    add_item,
    annotator_of,
    answer,
    answer_all,
    finished_session,
    label,
    make_study,
    pairs_study,
    plan_of,
    rate,
    vote,
)
from webapp.catalogue.models import Task, World
from webapp.judging.models import Rater
from webapp.labelling import queue
from webapp.labelling.annotator_quality import Care, care_of, check_leaks
from webapp.labelling.models import Annotator, Kind, Label, LabelItem, LabelStudy

pytestmark = pytest.mark.django_db


def care_by(study: LabelStudy) -> dict[str, Care]:
    return {care.rater.name: care for care in care_of(study)}


def flags(study: LabelStudy, name: str) -> set[str]:
    return {flag.key for flag in care_by(study)[name].flags}


def person(name: str) -> Rater:
    return Rater.objects.create(name=name)


def gold(study: LabelStudy, count: int, known: str = "left") -> list[LabelItem]:
    first = study.items.get(number=1)
    return [
        add_item(study, first.task, first.left, first.right, purpose="gold", answer={"choice": known})
        for _ in range(count)
    ]


@pytest.fixture
def study(starter_tasks: list[Task], starter_world: World) -> LabelStudy:
    return pairs_study(starter_tasks, starter_world, items=6, min_view_s=10)


def test_right_and_missed_known_answers_are_counted_and_lead_to_the_items(study: LabelStudy) -> None:
    careful, careless = person("careful"), person("careless")
    for number, item in enumerate(gold(study, 6)):
        label(item, careful, "left")
        label(item, careless, "left" if number < 2 else "right")
    found = care_by(study)
    assert found["careful"].quality.gold.value == 1.0
    assert found["careless"].quality.gold.value == pytest.approx(2 / 6)
    assert found["careless"].wrong == [9, 10, 11, 12]
    assert flags(study, "careless") == {"gold"} and flags(study, "careful") == set()


def test_repeats_with_swapped_sides_measure_consistency(
    starter_tasks: list[Task], starter_world: World
) -> None:
    study = pairs_study(starter_tasks, starter_world, items=8, repeat_every=1)
    annotator = annotator_of(study, "Ann")
    while (given := queue.next_for(annotator)) is not None:
        by_side = given.repeat == 1 and given.item.number % 2 == 0
        answer(given, "right" if by_side else "left")
    care = care_by(study)["Ann"]
    repeats = Label.objects.filter(assignment__repeat=1)
    unlike = sorted(repeats.filter(choice="right").values_list("item__number", flat=True))
    assert care.unlike == unlike
    assert care.quality.consistency.size.items == repeats.count() >= 4
    assert care.quality.consistency.value == pytest.approx(1 - len(unlike) / repeats.count())


def test_a_preference_for_one_side_is_told_by_the_sides_as_they_were_shown(
    starter_tasks: list[Task], starter_world: World
) -> None:
    study = pairs_study(starter_tasks, starter_world, items=16)
    lefty, fair = annotator_of(study, "lefty"), annotator_of(study, "fair")
    while (given := queue.next_for(lefty)) is not None:
        queue.answer(given, given=queue.Answer(choice="left", seconds=30))
    answer_all(fair, otherwise="left")
    found = care_by(study)
    assert found["lefty"].quality.side_bias.value == 1.0
    assert found["lefty"].quality.side_bias.p == pytest.approx(2 * 0.5**16)
    assert found["fair"].quality.side_bias.value == pytest.approx(0.5, abs=0.07)
    assert "side" in flags(study, "lefty") and "side" not in flags(study, "fair")
    [flag] = [flag for flag in found["lefty"].flags if flag.key == "side"]
    assert flag.words == "always chooses the first side"


def test_hurried_answers_are_counted_by_the_least_time_of_the_study(study: LabelStudy) -> None:
    quick = person("quick")
    for number, item in enumerate(study.items.all()):
        seconds = 2.0 if number < 3 else 40.0
        label(item, quick, seconds=seconds, hurried=seconds < study.min_view_s)
    care = care_by(study)["quick"]
    assert care.quality.hurry.value == 0.5
    assert care.quality.speed.value == 21.0
    assert care.quick == [1, 2, 3]
    assert "hurried" in flags(study, "quick")


def test_who_differs_from_the_majority_of_the_others_is_told(study: LabelStudy) -> None:
    people = vote(study, dict.fromkeys(range(1, 7), "LLR"))
    found = care_by(study)
    assert found[people[2].name].quality.disagreement.value == 1.0
    assert found[people[2].name].differing == [1, 2, 3, 4, 5, 6]
    assert found[people[0].name].quality.disagreement.value is None  # the two others are not of one mind
    assert flags(study, people[2].name) == {"disagreement"}


def test_few_answers_are_not_flagged(study: LabelStudy) -> None:
    item = gold(study, 1)[0]
    label(item, person("new"), "right")
    assert care_by(study)["new"].quality.gold.value == 0.0
    assert flags(study, "new") == set()


def test_skips_are_listed_with_their_reasons(study: LabelStudy) -> None:
    annotator = annotator_of(study, "Ann")
    given = queue.next_for(annotator)
    assert given is not None
    queue.skip(given, reason="the map is empty")
    assert care_by(study)["Ann"].skips == [(given.item.number, "the map is empty")]


def test_ratings_within_a_point_are_right_and_consistent(
    starter_tasks: list[Task], starter_world: World
) -> None:
    study = make_study(Kind.RUBRIC, gold_every=1)
    session = finished_session(starter_tasks[0], starter_world)
    names = study.dimension_names
    add_item(study, starter_tasks[0], session)
    known = {"scores": dict.fromkeys(names, 4)}
    add_item(study, starter_tasks[0], session, purpose="gold", answer=known)
    for name, score in (("near", 3), ("far", 1)):
        annotator = annotator_of(study, name)
        while (given := queue.next_for(annotator)) is not None:
            rate(given, **dict.fromkeys(names, score))
    found = care_by(study)
    assert (found["near"].quality.gold.value, found["far"].quality.gold.value) == (1.0, 0.0)


def test_models_are_not_among_the_annotators(study: LabelStudy) -> None:
    model = Rater.objects.create(kind=Rater.Kind.PAIRWISE, name="judge", key="j")
    label(study.items.get(number=1), model, "left", source=Label.Source.MODEL)
    assert care_of(study) == []


# --- names in what is shown


def named_plan(task: Task, name: str) -> dict[str, Any]:
    return plan_of(task, place=f"Suggested by {name}")


def test_names_of_agents_are_found_where_nothing_masks_them(
    starter_tasks: list[Task], starter_world: World
) -> None:
    task = starter_tasks[0]
    clean = finished_session(task, starter_world, agent="zephyr", plan=plan_of(task))
    telling = finished_session(task, starter_world, agent="borealis-7", plan=named_plan(task, "Borealis-7"))
    study = make_study(blind=False)
    add_item(study, task, clean, telling)
    add_item(
        study, task, clean, finished_session(task, starter_world, agent="other9", plan=plan_of(task, cost=1))
    )
    check = check_leaks(study)
    assert [(leaked.number, "borealis-7" in leaked.names) for leaked in check.leaks] == [(1, True)]
    assert (check.checked, check.following) == (2, None)


def test_a_blind_study_masks_them(starter_tasks: list[Task], starter_world: World) -> None:
    task = starter_tasks[0]
    left = finished_session(task, starter_world, agent="zephyr", plan=plan_of(task))
    right = finished_session(task, starter_world, agent="borealis-7", plan=named_plan(task, "borealis-7"))
    study = make_study()
    add_item(study, task, left, right)
    assert check_leaks(study).leaks == []


def test_many_items_are_checked_part_by_part(study: LabelStudy) -> None:
    check = check_leaks(study, first=2, limit=3)
    assert (check.first, check.last, check.checked, check.following) == (2, 4, 3, 5)


# --- the page


def test_the_page_shows_figures_flags_and_links(as_researcher: Client, study: LabelStudy) -> None:
    careless = person("care<less>")
    for item in gold(study, 6, known="right"):
        label(item, careless, "left", seconds=1.0, hurried=True)
    page = as_researcher.get(f"/labelling/{study.pk}/quality/").content.decode()
    assert "care&lt;less&gt;" in page
    assert "misses known answers" in page
    assert "often answers before the item could be read" in page
    assert f"/labelling/{study.pk}/items/7/" in page


def test_the_page_checks_for_names_when_it_is_asked_to(as_researcher: Client, study: LabelStudy) -> None:
    path = f"/labelling/{study.pk}/quality/"
    assert "Check the items" in as_researcher.get(path).content.decode()
    page = as_researcher.get(f"{path}?leaks=1").content.decode()
    assert "6 items were checked, number 1 to 6." in page
    assert as_researcher.get(f"{path}?leaks=x").status_code == 200


def test_a_study_without_answers_has_a_page(as_researcher: Client) -> None:
    page = as_researcher.get(f"/labelling/{make_study().pk}/quality/").content.decode()
    assert "Nobody has answered anything yet." in page
    assert not Annotator.objects.exists()


def test_one_who_always_says_the_first_side_is_told_from_five_answers_on(
    starter_tasks: list[Task], starter_world: World
) -> None:
    study = pairs_study(starter_tasks, starter_world, items=5)
    annotator = annotator_of(study, "lefty")
    while (given := queue.next_for(annotator)) is not None:
        queue.answer(given, given=queue.Answer(choice="left", seconds=30.0))
    [flag] = care_by(study)["lefty"].flags
    assert (flag.key, flag.words) == ("side", "always chooses the first side")
