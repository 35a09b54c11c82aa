"""Studies of labels: made, changed, opened, copied and deleted, and their pages."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.labelling import (
    LabelledStudy,
    add_item,
    annotator_of,
    answer_all,
    finished_session,
    make_study,
    pairs_study,
    vote,
)
from webapp.catalogue.models import Task, World
from webapp.labelling import queue
from webapp.labelling.forms import StudyForm
from webapp.labelling.models import Assignment, Kind, Label, LabelItem, LabelStudy
from webapp.labelling.studies import (
    StudyRefused,
    change_study,
    close_study,
    create_study,
    delete_study,
    duplicate,
    open_study,
    pause_study,
)
from webapp.sessions.models import Run

pytestmark = pytest.mark.django_db
WHOLE = {
    "name": "Round 1",
    "kind": "pairwise",
    "suite": "grouptravel",
    "per_item": 3,
    "lease_min": 30,
    "min_view_s": 10,
    "gold_every": 10,
    "repeat_every": 10,
    "qualification": 80,
    "seed": 5,
    "blind": "on",
}


def test_both_ways_to_begin_a_study_are_reached_from_the_list(as_researcher: Client) -> None:
    listed = as_researcher.get("/labelling/").content.decode()
    for way in ("/labelling/new/", "/labelling/from-files/"):
        assert f'href="{way}"' in listed
        assert as_researcher.get(way).status_code == 200


def test_a_new_study_is_a_draft_and_leads_to_its_items(as_researcher: Client) -> None:
    response = as_researcher.post("/labelling/new/", WHOLE)
    study = LabelStudy.objects.get(name="Round 1")
    assert response.headers["Location"] == f"/labelling/{study.pk}/items/?add=runs"
    assert (study.status, study.qualification, study.seed, study.blind) == ("draft", 0.8, 5, True)


@pytest.mark.parametrize("suite", ["grouptravel", "travelbench"])
def test_a_new_study_is_of_the_benchmark_of_its_runs(as_researcher: Client, suite: str) -> None:
    run = Run.objects.create(name="r", suite=suite)
    page = as_researcher.get(f"/labelling/new/?runs={run.pk},gone").content.decode()
    assert f'<option value="{suite}" selected>' in page


def test_a_new_study_keeps_the_runs_that_it_was_begun_from(as_researcher: Client) -> None:
    response = as_researcher.post("/labelling/new/?runs=abc,def", WHOLE)
    assert response.headers["Location"].endswith("items/?add=runs&runs=abc,def")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"name": " \u200b"}, "Give the study a name of letters or digits."),
        ({"kind": "binary"}, "A yes/no study asks a question"),
        (
            {"kind": "binary", "question_en": "Feasible?", "allow_tie": "on"},
            "“Equally good” is for pairs only",
        ),
        ({"kind": "rubric", "allow_slight": "on"}, "“Slightly better” is for pairs only"),
        ({"kind": "rubric", "see_both": "on"}, "Only pairs have two plans"),
        ({"dimensions": "pacing = 节奏 | Pacing"}, "Only a rubric has dimensions"),
        (
            {"kind": "rubric", "dimensions": "a = A\nPacing = x"},
            "Line 2: “Pacing” is not a name of a dimension.",
        ),
        ({"kind": "rubric", "dimensions": "pacing"}, "Line 1: write what people read after “=”"),
        ({"kind": "rubric", "dimensions": "a = x\na = y"}, "Line 2: there is a dimension a already"),
        ({"per_item": 0}, "greater than or equal to 1"),
        ({"qualification": 101}, "less than or equal to 100"),
    ],
)
def test_what_is_wrong_is_said_at_its_field_and_nothing_is_made(
    as_researcher: Client, changed: dict[str, Any], said: str
) -> None:
    page = as_researcher.post("/labelling/new/", {**WHOLE, **changed}).content.decode()
    assert said in page
    assert not LabelStudy.objects.exists()


def test_a_name_that_is_taken_is_refused(as_researcher: Client) -> None:
    make_study(name="Round 1")
    page = as_researcher.post("/labelling/new/", WHOLE).content.decode()
    assert "A study with this name already exists; choose another name." in page
    with pytest.raises(StudyRefused):
        create_study(name="Round 1")


def test_own_dimensions_are_read_in_order_and_shown_again(as_researcher: Client) -> None:
    given = {**WHOLE, "kind": "rubric", "dimensions": "pacing = 节奏 | Pacing\nfood = | Food"}
    as_researcher.post("/labelling/new/", given)
    study = LabelStudy.objects.get()
    assert study.dimensions == {
        "pacing": {"zh": "节奏", "en": "Pacing"},
        "food": {"zh": "Food", "en": "Food"},
    }
    assert study.dimension_names == ("pacing", "food")
    page = as_researcher.get(f"/labelling/{study.pk}/settings/").content.decode()
    assert "pacing = 节奏 | Pacing\nfood = Food | Food" in page


def test_versions_rise_with_what_annotators_see_and_with_nothing_else() -> None:
    study = make_study()
    assert change_study(study=study, name="another", per_item=5).version == 1
    assert change_study(study=study, allow_tie=True).version == 2
    study = change_study(study=study, guidelines_en="Look twice.")
    assert (study.version, study.guidelines_version) == (3, 2)
    study = change_study(study=study, guidelines_en="Look twice.", allow_tie=True)
    assert (study.version, study.guidelines_version) == (3, 2)


def test_kind_dimensions_and_pilot_stay_once_there_are_answers_but_ties_may_come(
    starter_tasks: list[Task], starter_world: World
) -> None:
    study = pairs_study(starter_tasks, starter_world, items=1)
    answer_all(annotator_of(study))
    for name, value in (
        ("kind", Kind.BINARY),
        ("pilot", True),
        ("dimensions", {"a": {"zh": "a", "en": "a"}}),
    ):
        with pytest.raises(StudyRefused) as refused:
            change_study(study=study, **{name: value})
        assert refused.value.field == name
    assert change_study(study=study, allow_tie=True).allow_tie


def test_the_form_says_why_the_kind_of_an_answered_study_stays(
    as_researcher: Client, starter_tasks: list[Task], starter_world: World
) -> None:
    study = pairs_study(starter_tasks, starter_world, items=1)
    answer_all(annotator_of(study))
    given = {**WHOLE, "kind": "binary", "question_en": "Good?"}
    page = as_researcher.post(f"/labelling/{study.pk}/settings/", given).content.decode()
    assert "This study already has answers, so its kind can" in page
    study.refresh_from_db()
    assert study.kind == Kind.PAIRWISE


def test_a_study_opens_only_with_items_and_a_question(starter_tasks: list[Task]) -> None:
    study = make_study(Kind.BINARY, status="draft")
    with pytest.raises(StudyRefused) as refused:
        open_study(study=study)
    assert len(refused.value.reasons) == 2
    change_study(study=study, question_en="Can this trip be made?")
    add_item(study, starter_tasks[0])
    study.refresh_from_db()
    open_study(study=study)
    assert LabelStudy.objects.get().status == "open"


def test_the_page_says_why_a_study_does_not_open(as_researcher: Client) -> None:
    study = make_study(status="draft")
    response = as_researcher.post(f"/labelling/{study.pk}/state/open/")
    assert response.status_code == 409
    assert "The study has no items" in response.content.decode()


def test_a_paused_study_gives_nothing_out_and_takes_what_was_begun(
    starter_tasks: list[Task], starter_world: World
) -> None:
    study = pairs_study(starter_tasks, starter_world, items=2)
    annotator = annotator_of(study)
    begun = queue.next_for(annotator)
    assert begun is not None
    pause_study(study=study)
    assert queue.next_for(annotator) is None
    assert queue.answer(begun, given=queue.Answer(choice="left")).counts
    with pytest.raises(StudyRefused):
        pause_study(study=study)


def test_a_closed_study_takes_no_answers_and_frees_what_was_begun(
    starter_tasks: list[Task], starter_world: World
) -> None:
    study = pairs_study(starter_tasks, starter_world, items=1)
    begun = queue.next_for(annotator_of(study))
    assert begun is not None
    close_study(study=study)
    assert Assignment.objects.get().status == "expired"
    with pytest.raises(queue.AnswerRefused):
        queue.answer(begun, given=queue.Answer(choice="left"))
    open_study(study=study)
    assert queue.next_for(annotator_of(study)) is not None


def test_a_copy_has_items_and_settings_and_no_answers(
    starter_tasks: list[Task], starter_world: World
) -> None:
    study = pairs_study(starter_tasks, starter_world, items=3, pilot=True, guidelines_en="Look.")
    study.items.filter(number=2).update(withdrawn_at="2026-01-01T00:00:00Z")
    annotator = annotator_of(study)
    answer_all(annotator)
    copy = duplicate(study=study, name="for real", pilot=False, annotators=True)
    assert (copy.status, copy.pilot, copy.guidelines_en) == ("draft", False, "Look.")
    assert list(copy.items.values_list("number", flat=True)) == [1, 2]
    assert copy.annotators.get().rater == annotator.rater
    assert copy.annotators.get().token != annotator.token
    assert not Label.objects.filter(item__study=copy).exists()
    assert study.items.count() == 3


def test_a_study_is_deleted_only_without_answers(starter_tasks: list[Task], starter_world: World) -> None:
    study = pairs_study(starter_tasks, starter_world, items=1)
    annotator_of(study)
    kept = pairs_study(starter_tasks, starter_world, items=1)
    answer_all(annotator_of(kept))
    delete_study(study=study)
    with pytest.raises(StudyRefused):
        delete_study(study=kept)
    assert list(LabelStudy.objects.all()) == [kept]


def test_the_overview_counts_by_pair_of_agents_and_tells_what_to_do_next(
    as_researcher: Client, starter_tasks: list[Task], starter_world: World
) -> None:
    study = pairs_study(
        starter_tasks, starter_world, items=3, agents=("alpha", "beta", "gamma"), per_item=1, gold_every=5
    )
    page = as_researcher.get(f"/labelling/{study.pk}/").content.decode()
    assert "Each item needs 1 annotators, and only 0 can work" in page
    assert "There are no guidelines" in page
    assert "No item has a known answer" in page
    LabelledStudy.by(study, ["left"])
    page = as_researcher.get(f"/labelling/{study.pk}/live/").content.decode()
    for pair in ("alpha – beta", "alpha – gamma", "beta – gamma"):
        assert pair in page
    assert "3 of 3 answers" in page
    assert "Every item has all its answers" in page


def test_destinations_that_no_annotator_knows_are_told(
    as_researcher: Client, starter_tasks: list[Task], starter_world: World
) -> None:
    study = pairs_study(starter_tasks, starter_world, items=1, by_city=True)
    annotator_of(study, cities=["火星市"])
    page = as_researcher.get(f"/labelling/{study.pk}/").content.decode()
    assert f"No annotator knows {', '.join(sorted(starter_tasks[0].cities))}" in page


def test_the_list_shows_how_far_each_study_is(
    as_researcher: Client, starter_tasks: list[Task], starter_world: World
) -> None:
    study = pairs_study(starter_tasks, starter_world, items=2, name="Pairs of spring", pilot=True)
    answer_all(annotator_of(study))
    page = as_researcher.get("/labelling/").content.decode()
    assert "Pairs of spring" in page
    assert "2 of 6" in page


def test_only_researchers_see_studies(as_annotator: Client) -> None:
    study = make_study()
    paths = ["", "new/", f"{study.pk}/", f"{study.pk}/items/", f"{study.pk}/annotators/"]
    paths += [f"{study.pk}/quality/", f"{study.pk}/statistics/", f"{study.pk}/adjudication/"]
    for path in paths:
        assert as_annotator.get(f"/labelling/{path}").status_code == 403, path


def test_labels_of_an_earlier_version_keep_it(starter_tasks: list[Task], starter_world: World) -> None:
    study = make_study()
    add_item(study, starter_tasks[0], finished_session(starter_tasks[0], starter_world))
    LabelItem.objects.update(right=finished_session(starter_tasks[0], starter_world, agent="beta"))
    first, second = annotator_of(study), annotator_of(study)
    answer_all(first)
    change_study(study=study, allow_tie=True)
    answer_all(second)
    assert list(Label.objects.order_by("pk").values_list("study_version", flat=True)) == [1, 2]


def test_a_new_study_shows_no_findings_of_the_scorer() -> None:
    assert not make_study().show_ticks and "show_ticks" in StudyForm().fields
    study = make_study()
    version = study.version
    assert change_study(study=study, show_ticks=True).version == version + 1


def test_whether_profiles_are_shown_is_a_setting_that_copies_keep() -> None:
    study = make_study()
    assert not study.show_profile and "show_profile" in StudyForm().fields
    version = study.version
    changed = change_study(study=study, show_profile=True)
    assert changed.version == version + 1
    assert duplicate(study=changed, name="again", pilot=False).show_profile


def test_a_study_closed_midway_names_the_items_with_some_answers_and_ends_leases(
    as_researcher: Client, starter_tasks: list[Task], starter_world: World
) -> None:
    study = pairs_study(starter_tasks, starter_world, items=3)
    vote(study, {1: "LLL", 2: "LL"})
    at_work = queue.next_for(annotator_of(study))
    close_study(study=study)
    assert at_work is not None
    at_work.refresh_from_db()
    assert at_work.status == Assignment.Status.EXPIRED
    page = " ".join(as_researcher.get(study.get_absolute_url()).content.decode().split())
    assert "1 item has only some of its answers" in page
    assert f'<a href="/labelling/{study.pk}/items/2/">2</a>' in page.partition("partly-answered")[2]
    assert "Times are in UTC." in page
