"""The statistics of a study: what they count, what they leave out, and their page and files."""

from __future__ import annotations

import csv
from io import StringIO
from itertools import product

import pytest
from django.db import connection
from django.db.models import Model
from django.test import Client

from tests.labelling import (
    add_item,
    annotator_of,
    finished_session,
    label,
    make_study,
    pairs_study,
    rate,
    vote,
)
from webapp.catalogue.models import Task, World
from webapp.judging.models import Rater
from webapp.labelling import queue
from webapp.labelling.adjudication import decide
from webapp.labelling.figures import Figures
from webapp.labelling.models import Kind, Label, LabelItem, LabelStudy
from webapp.labelling.table import final_choices, label_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(starter_tasks: list[Task], starter_world: World) -> LabelStudy:
    """Five pairs of two agents: agreed twice, two to one twice, split once."""
    found = pairs_study(starter_tasks, starter_world, items=5)
    vote(found, {1: "LLL", 2: "RRR", 3: "LLR", 4: "RRN", 5: "LRN"})
    return found


def test_agreement_is_worked_out_over_the_answers_of_people(study: LabelStudy) -> None:
    model = Rater.objects.create(kind=Rater.Kind.PAIRWISE, name="m", key="m")
    for item in study.items.all():
        label(item, model, "neither", source=Label.Source.MODEL)
    found = Figures(study).agreement
    assert found.percent.value == pytest.approx((3 + 3 + 1 + 1 + 0) / 15)
    assert (found.percent.size.items, found.percent.size.ratings) == (5, 15)
    assert found.all_agree.value == pytest.approx(2 / 5)
    assert Figures(study).votes.patterns == {"3-0": 2, "2-1": 2, "1-1-1": 1}


def test_pilots_count_nowhere_but_on_their_own_page(starter_tasks: list[Task], starter_world: World) -> None:
    study = pairs_study(starter_tasks, starter_world, items=1, pilot=True)
    given = queue.next_for(annotator_of(study))
    assert given is not None
    queue.answer(given, given=queue.Answer(choice="left"))
    assert label_table(study).items == ()
    assert Figures(study).table.items == ("1",)


def test_repeats_known_answers_old_answers_and_withdrawn_items_do_not_count(study: LabelStudy) -> None:
    rater = Rater.objects.filter(labels__item__number=1).first()
    assert rater is not None
    first = study.items.get(number=1)
    golden = add_item(study, first.task, first.left, first.right, purpose="gold", answer={"choice": "left"})
    label(golden, rater, "left")
    Label.objects.filter(item__number=2, rater=rater).update(current=False)
    study.items.filter(number=3).update(withdrawn_at="2026-01-01T00:00:00Z")
    table = Figures(study).table
    assert table.items == ("1", "2", "4", "5")
    assert len(table.by_item()["2"]) == 2


def test_the_final_choice_is_the_decision_else_the_strict_majority(study: LabelStudy) -> None:
    decide(item=study.items.get(number=5), answer={"choice": "neither"}, decided_by=None)
    found = {number: final.choice for number, final in final_choices(study).items()}
    assert found == {1: "left", 2: "right", 3: "left", 4: "right", 5: "neither"}


def test_a_majority_of_few_answers_is_none_yet(starter_tasks: list[Task], starter_world: World) -> None:
    study = pairs_study(starter_tasks, starter_world, items=3)
    vote(study, {1: "L", 2: "LL", 3: "LR"})
    assert {number: final.choice for number, final in final_choices(study).items()} == {2: "left"}


def test_wins_are_of_agents_whichever_side_they_stand_on(
    starter_tasks: list[Task], starter_world: World
) -> None:
    task = starter_tasks[0]
    one, two = (finished_session(task, starter_world, agent=agent) for agent in ("alpha", "beta"))
    study = make_study(allow_tie=True)
    add_item(study, task, one, two)
    add_item(study, task, two, one)
    vote(study, {1: "LLT", 2: "RLN"})
    wins = Figures(study).wins
    cells = {
        (row, column): cell
        for row, line in wins.lines
        for column, cell in zip(wins.agents, line, strict=True)
    }
    assert wins.agents[0] == "alpha"
    found = cells["alpha", "beta"]
    assert found is not None
    assert (found.wins, found.ties, found.neither, found.share) == (3, 1, 1, pytest.approx(3.5 / 5))
    assert cells["alpha", "alpha"] is None


def test_scores_that_do_not_exist_say_why_and_a_regularised_fit_gives_some(
    starter_tasks: list[Task], starter_world: World
) -> None:
    study = pairs_study(starter_tasks, starter_world, items=2)
    vote(study, {1: "LLL", 2: "LLL"})
    scores = Figures(study).preference.scores
    assert all(found.value is None and found.reason for found in scores.values())
    fitted = Figures(study, regularised=True).preference.scores
    assert fitted["alpha"].value == pytest.approx(-(fitted["beta"].value or 0)) != 0


def test_the_ceiling_takes_the_answers_of_the_study_and_the_agreement_of_a_model(study: LabelStudy) -> None:
    figures = Figures(study, model=0.5)
    assert figures.classes == 3
    found = figures.ceiling
    assert found is not None and found.r.value is not None
    pairwise = figures.agreement.percent.value
    assert pairwise is not None
    r = found.r.value
    assert r**2 + (1 - r) ** 2 / 2 == pytest.approx(pairwise)
    assert found.r.low is not None and found.all_agree.high is not None
    assert (found.r_model.value or 0) * r + (1 - (found.r_model.value or 0)) * (1 - r) / 2 == pytest.approx(
        0.5
    )


def test_the_agreement_of_a_model_with_people_is_over_single_answers(study: LabelStudy) -> None:
    model = Rater.objects.create(kind=Rater.Kind.PAIRWISE, name="comparer", key="m")
    for number, choice in ((1, "left"), (3, "left"), (5, "right")):
        label(study.items.get(number=number), model, choice, source=Label.Source.MODEL)
    [(name, found)] = Figures(study).model_agreements
    assert (name, found.value, found.size.pairs) == ("comparer", pytest.approx(6 / 9), 9)
    assert Figures(study).assumed_model == pytest.approx(6 / 9)


def test_models_of_one_name_are_told_apart_by_their_keys(study: LabelStudy) -> None:
    for key, choice in (("pairwise: m", "left"), ("pointwise: m", "right")):
        model = Rater.objects.create(kind=Rater.Kind.PAIRWISE, name="m", key=key)
        label(study.items.get(number=1), model, choice, source=Label.Source.MODEL)
    found = Figures(study).model_agreements
    assert {name for name, _found in found} == {"pairwise: m", "pointwise: m"}
    assert {one.size.items for _name, one in found} == {1}


def test_ratings_have_their_error_to_the_median_by_dimension(
    starter_tasks: list[Task], starter_world: World
) -> None:
    study = make_study(Kind.RUBRIC)
    add_item(study, starter_tasks[0], finished_session(starter_tasks[0], starter_world))
    name, other = study.dimension_names[:2]
    for score in (1, 3, 4):
        given = queue.next_for(annotator_of(study))
        assert given is not None
        rate(given, **{name: score})
    found = {one.label: one for one in Figures(study).dimensions}
    assert found[name].error.value == pytest.approx((2 + 0 + 1) / 3)
    assert found[name].mean == pytest.approx(8 / 3)
    assert found[other].error.value == 0.0
    assert found[other].agreement.alpha.value is None
    assert final_choices(study)[1].scores[name] == 3.0


def test_slices_are_shown_where_there_are_several(starter_tasks: list[Task], starter_world: World) -> None:
    study = pairs_study(starter_tasks, starter_world, items=6, agents=("alpha", "beta", "gamma"))
    vote(study, dict.fromkeys(range(1, 7), "LLR"))
    facets = {(part.facet, part.value) for part in Figures(study).slices}
    assert {value for facet, value in facets if facet == "agents"} == {
        "alpha – beta",
        "alpha – gamma",
        "beta – gamma",
    }


# --- the page and its files


def test_the_page_shows_every_statistic_with_its_definition_and_size(
    as_researcher: Client, study: LabelStudy
) -> None:
    page = as_researcher.get(f"/labelling/{study.pk}/statistics/").content.decode()
    for words in (
        "pairwise agreement",
        "agreement of all raters",
        "Fleiss&#x27; kappa",
        "Krippendorff&#x27;s alpha, nominal",
        "Cohen's kappa of each pair of annotators",
        "The share of equal ratings among the pairs of ratings of the same item",
        "3-0",
        "Bradley-Terry scores",
        "wins of the row over the column",
        "53.3 %",
    ):
        assert words in page, words
    assert 'id="votes-json"' in page and 'id="scores-json"' in page


def test_what_is_undefined_says_why(
    as_researcher: Client, starter_tasks: list[Task], starter_world: World
) -> None:
    study = pairs_study(starter_tasks, starter_world, items=2)
    page = as_researcher.get(f"/labelling/{study.pk}/statistics/").content.decode()
    assert "no item has two ratings" in page
    vote(study, {1: "LLL", 2: "LLL"})
    page = as_researcher.get(f"/labelling/{study.pk}/statistics/live/").content.decode()
    assert "all ratings are the same label" in page
    assert "<html" not in page


def test_an_agreement_that_is_no_share_is_refused_in_words(as_researcher: Client, study: LabelStudy) -> None:
    path = f"/labelling/{study.pk}/statistics/"
    assert "Write a number from 0 to 100." in as_researcher.get(f"{path}?model=lots").content.decode()
    assert "Write a number from 0 to 100." in as_researcher.get(f"{path}?model=101").content.decode()
    assert "Write a number" not in as_researcher.get(f"{path}?model=60.75").content.decode()


def test_the_files_hold_the_figures_of_the_page(as_researcher: Client, study: LabelStudy) -> None:
    given = as_researcher.get(f"/labelling/{study.pk}/statistics.json?model=60").json()
    by_key = {line["statistic"]: line for line in given["statistics"] if line["part"] == "agreement"}
    assert by_key["percent_agreement"]["value"] == pytest.approx(8 / 15)
    assert by_key["percent_agreement"]["items"] == 5
    assert {line["part"] for line in given["statistics"]} >= {"agreement", "preference", "ceiling"}
    text = as_researcher.get(f"/labelling/{study.pk}/statistics.csv?model=60").content.decode()
    lines = list(csv.DictReader(StringIO(text)))
    assert len(lines) == len(given["statistics"])
    assert float(lines[0]["value"]) == pytest.approx(8 / 15)
    assert as_researcher.get(f"/labelling/{study.pk}/statistics.xls").status_code == 404


@pytest.mark.parametrize("kind", [Kind.PAIRWISE, Kind.RUBRIC, Kind.BINARY])
def test_a_study_without_answers_has_a_page_and_files(as_researcher: Client, kind: str) -> None:
    study = make_study(kind)
    for path in ("statistics/", "statistics.csv", "statistics.json"):
        assert as_researcher.get(f"/labelling/{study.pk}/{path}").status_code == 200


def repeat_items(count: int) -> None:
    """Store the nine items over and over with their labels, up to so many: Django would take seconds for it."""

    def columns(model: type[Model], table: str, **changed: str) -> str:
        fields = [field.column for field in model._meta.concrete_fields if not field.primary_key]
        return ", ".join(changed.get(column, f'{table}"{column}"') for column in fields)

    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO labelling_labelitem ({columns(LabelItem, '')}) "
            "WITH RECURSIVE more(number) AS (SELECT 10 UNION ALL SELECT number + 1 FROM more WHERE number < %s) "
            f"SELECT {columns(LabelItem, 'item.', number='more.number')} FROM labelling_labelitem item, more "
            "WHERE item.number = 1",
            [count],
        )
        cursor.execute(
            f"INSERT INTO labelling_label ({columns(Label, '')}) "
            f"SELECT {columns(Label, 'label.', item_id='more.id')} FROM labelling_label label "
            "JOIN labelling_labelitem item ON item.id = label.item_id "
            "JOIN labelling_labelitem more ON more.number %% 9 = item.number %% 9 WHERE more.number > 9",
            [],
        )


def test_ten_thousand_items_of_three_people_are_worked_out(
    starter_tasks: list[Task], starter_world: World
) -> None:
    task = starter_tasks[0]
    one, two = (finished_session(task, starter_world, agent=agent) for agent in ("alpha", "beta"))
    study = make_study()
    agents = {"left": one, "right": two, "left_agent": "alpha", "right_agent": "beta"}
    items = [LabelItem.objects.create(study=study, number=n, task=task, **agents) for n in range(1, 10)]
    people = [Rater.objects.create(name=str(n)) for n in range(3)]
    choices = ("left", "right", "neither")
    for (at, item), (number, rater) in product(enumerate(items), enumerate(people)):
        choice = choices[(at + (at // 3) * number) % 3]
        answer = {"choice": choice}
        Label.objects.create(item=item, rater=rater, choice=choice, answer=answer, source=Label.Source.IMPORT)
    repeat_items(10_000)
    figures = Figures(study)
    assert figures.agreement.percent.size.ratings == 30_000
    assert len(list(figures.lines())) > 8
