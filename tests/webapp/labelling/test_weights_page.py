"""Pages of searches for weights: the pairs that they are made from, what is refused, and what they show."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from benchmark.labelling.weights import read_grid
from benchmark.metrics import of_rules
from benchmark.suites import suite_named
from benchmark.suites.base import WeightGrid
from benchmark.suites.tripscore.weights import paper_grid
from tests.labelling import add_item, finished_session, make_study, vote
from tests.scores import store_score
from webapp.catalogue.models import Task, World
from webapp.forms import ChoiceRefused
from webapp.jobs.models import Job
from webapp.labelling.models import Decision, Kind, LabelStudy, WeightSearch
from webapp.labelling.weights import (
    LabelledPairs,
    Result,
    grids_for,
    is_outdated,
    lacking_metrics,
    start_search,
)
from webapp.sessions.models import MetricValue, Session
from worker.steppers.weight_searches import weight_search

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.either_engine]  # leases are renewed beside
PROFILE = "published"
METRICS = of_rules(suite_named("grouptravel").scoring.metrics)
HIGH, OTHER = (one.key for one in METRICS if one.better == "high" and one.unit == "number")
LOW = next(one.key for one in METRICS if one.better == "low")
VALUES = [(1.0, 0.0), (0.0, 1.0), (0.5, 1.0), (1.0, 0.5), (0.2, 0.9), (0.9, 0.1), (0.4, 0.8), (0.7, 0.6)]


@pytest.fixture
def study(starter_tasks: list[Task], starter_world: World) -> LabelStudy:
    """Eight pairs, on which people prefer the plan with more of HIGH; OTHER says the contrary."""
    study, task = make_study(), starter_tasks[0]
    for left, right in VALUES:
        sides = finished_session(task, starter_world), finished_session(task, starter_world, agent="beta")
        for session, value in zip(sides, (left, right), strict=True):
            given: dict[str, Any] = {HIGH: value, OTHER: 1 - value, LOW: round(10 * (1 - value))}
            store_score(session, profile=PROFILE, figures=None, **given)
        add_item(study, task, *sides)
    vote(study, {n: "LLL" if left > right else "RRR" for n, (left, right) in enumerate(VALUES, 1)})
    return study


def ended_search(study: LabelStudy, **given: Any) -> WeightSearch:
    """A search that has ended."""
    grid = {HIGH: [0, 0.5, 1], OTHER: [0, 0.5, 1]}
    options = {"folds": 2, "bootstrap": 20, **given.pop("options", {})}
    begun = start_search(
        study=study, profile=PROFILE, grid=read_grid(json.dumps(grid)), options=options, **given
    )
    assert weight_search(begun.pk)
    begun.refresh_from_db()
    return begun


def test_pairs_have_final_labels_and_values_of_which_more_is_better(study: LabelStudy) -> None:
    study.items.filter(number=8).update(withdrawn_at="2026-01-01T00:00:00Z")
    Decision.objects.create(item=study.items.get(number=2), choice="neither", answer={"choice": "neither"})
    rows = LabelledPairs(study, PROFILE).rows
    assert [row["label"] for row in rows] == ["A", "neither", "B", "A", "B", "A", "B"]
    assert rows[0] == {
        "id": "1",
        "stratum": study.items.get(number=1).stratum,
        "label": "A",
        "a": {HIGH: 1.0, OTHER: 0.0, LOW: 0.0},
        "b": {HIGH: 0.0, OTHER: 1.0, LOW: -10.0},
    }


def test_a_judge_s_metric_counts_as_a_share_by_the_name_of_the_grid(
    study: LabelStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    rating = suite_named("grouptravel").rating
    judged = rating.rubrics[0].metric
    for number, session in enumerate(Session.objects.filter(suite="grouptravel")):
        MetricValue.objects.create(session=session, key=judged, rater="j", value=10 * (number % 3))
    assert set(LabelledPairs(study, PROFILE).values[judged].values()) == {0, 10, 20}
    named = {"own": WeightGrid(Path("unread"), {judged: "worth"})}
    own = replace(suite_named("grouptravel"), rating=replace(rating, weight_grids=named))
    monkeypatch.setattr("webapp.labelling.weights.suite_named", lambda name: own)
    values = LabelledPairs(study, PROFILE).values
    assert judged not in values and set(values["worth"].values()) == {0, 0.1, 0.2}


def test_metrics_are_brought_to_0_to_1_where_that_is_asked_for(study: LabelStudy) -> None:
    values = LabelledPairs(study, PROFILE, unit=True).values
    assert all((min(own.values()), max(own.values())) == (0.0, 1.0) for own in values.values())
    assert values[LOW][study.items.get(number=1).left_id or ""] == 1.0


def test_metrics_that_never_vary_are_not_offered(study: LabelStudy) -> None:
    MetricValue.objects.filter(key=OTHER).update(value=3.0)
    assert set(LabelledPairs(study, PROFILE).values) == {HIGH, LOW}


def test_a_search_finds_the_weights_that_people_follow(study: LabelStudy) -> None:
    search = ended_search(study)
    assert search.status == "done" and search.done == 1.0 and search.ended_at is not None
    weights = search.result["weights"]
    assert weights[HIGH] > weights[OTHER] and search.result["agreement"]["accuracy"] == 1.0
    assert search.result["data_version"] == search.data_version
    assert Job.objects.get(kind="weight_search").state == "done"


def test_a_search_is_outdated_once_a_label_or_a_value_changes(study: LabelStudy) -> None:
    search = ended_search(study)
    assert not is_outdated(search)
    decision = Decision.objects.create(
        item=study.items.get(number=1), choice="right", answer={"choice": "right"}
    )
    assert is_outdated(search)
    decision.delete()
    MetricValue.objects.filter(session=study.items.get(number=1).left_id, key=HIGH).update(value=0.95)
    assert is_outdated(search)


@pytest.mark.parametrize(
    ("grid", "words"),
    [
        ({"nothing": [0, 1]}, "no values that vary"),
        ({HIGH: [n / 4000 for n in range(1, 4000)], OTHER: [n / 4000 for n in range(1, 4000)]}, "15,992,001"),
    ],
)
def test_a_grid_that_can_not_be_searched_is_refused_and_nothing_is_stored(
    study: LabelStudy, grid: dict[str, list[float]], words: str
) -> None:
    with pytest.raises(ChoiceRefused, match=words):
        start_search(study=study, profile=PROFILE, grid=read_grid(json.dumps(grid)))
    assert not WeightSearch.objects.exists() and not Job.objects.filter(kind="weight_search").exists()


def test_a_study_without_final_labels_has_nothing_to_learn_from(study: LabelStudy) -> None:
    study.per_item = 9
    with pytest.raises(ChoiceRefused, match="No pair has a final label"):
        start_search(study=study, profile=PROFILE, grid=read_grid(json.dumps({HIGH: [0, 1]})))


def test_the_grid_of_tripscore_is_offered_where_its_metrics_are() -> None:
    assert set(grids_for("tripscore", ["pc", "gu"])) == {"small"} == set(grids_for("grouptravel", ["gu"]))
    every = paper_grid().metrics
    found = grids_for("tripscore", every)
    assert found["tripscore"].points == 3_720_087
    assert found["small"].points == 2 ** len(every)
    assert grids_for("tripscore", []) == {}


def test_a_grid_is_offered_without_metrics_that_nobody_rated() -> None:
    judged = ["iconic_landmarks", "attraction_diversity", "user"]
    found = grids_for("tripscore", [name for name in paper_grid().metrics if name not in judged])["tripscore"]
    assert found.points == 3**5 * 3**4 * 3 * 7
    assert lacking_metrics("tripscore", "tripscore", found) == judged


def test_the_page_tells_the_points_of_a_grid_before_it_is_searched(
    as_researcher: Client, study: LabelStudy
) -> None:
    page = as_researcher.get(reverse("label_weights", args=[study.pk])).content.decode()
    assert "8 pairs have a final label" in page and "125 points" in page
    at = reverse("label_weights_points", args=[study.pk])
    sent = {"profile": PROFILE, "grid": "own", "own": json.dumps({HIGH: [0, 1, 2], OTHER: [1, 2]})}
    assert "6 points" in as_researcher.get(at, sent).content.decode()
    own = json.dumps({f"{HIGH} ": [0, 1, 2], OTHER: [1, 2]})
    joined = as_researcher.get(at, {**sent, "own": own}).content.decode()
    assert "6 points" in joined and "counted as one" in joined
    assert 'class="bad"' in as_researcher.get(at, {**sent, "own": "{"}).content.decode()
    assert 'class="bad"' not in as_researcher.get(at, {**sent, "own": ""}).content.decode()  # not begun yet


def test_a_search_is_begun_on_the_page_and_its_result_is_shown_and_given_as_a_file(
    as_researcher: Client, study: LabelStudy
) -> None:
    sent = {"profile": PROFILE, "grid": "small", "folds": 2, "bootstrap": 10, "seed": 1, "unit": "on"}
    at = reverse("label_weights", args=[study.pk])
    begun = as_researcher.post(at, sent)
    search = study.searches.get()
    here = reverse("label_search", args=[study.pk, search.pk])
    assert begun.headers["Location"] == here and search.options["unit"] is True
    assert "stop-search" in as_researcher.get(here).content.decode()
    file = reverse("label_search_file", args=[study.pk, search.pk])
    assert as_researcher.get(file).status_code == 404
    assert weight_search(search.pk)
    page = as_researcher.get(here).content.decode()
    assert "100.0 %" in page and 'id="folds"' in page and 'id="sensitivity"' in page
    assert "outdated" not in page
    assert as_researcher.get(file).json()["data_version"] == search.data_version
    live = as_researcher.get(reverse("label_search_live", args=[study.pk, search.pk]))
    assert live.headers["HX-Refresh"] == "true"
    assert search.pk in as_researcher.get(at).content.decode()


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"own": "[]", "grid": "own"}, "own"),
        ({"own": " ", "grid": "own"}, "own"),
        ({"own": "{}", "grid": "small"}, "own"),  # would be left aside in silence
        ({"folds": 99}, "folds"),
        ({"profile": "none"}, "profile"),
    ],
)
def test_bad_input_is_told_on_its_field(
    as_researcher: Client, study: LabelStudy, changed: dict[str, Any], field: str
) -> None:
    sent = {"profile": PROFILE, "grid": "small", "folds": 2, "bootstrap": 10, "seed": 1, **changed}
    page = as_researcher.post(reverse("label_weights", args=[study.pk]), sent)
    assert page.status_code == 409 and page.context["form"].errors.keys() == {field}
    assert not WeightSearch.objects.exists()


def test_a_result_is_shown_by_group_where_its_grid_has_groups(study: LabelStudy) -> None:
    grid = {
        "groups": [
            {"name": "soft", "weights": [1], "metrics": {HIGH: [0.5, 1]}},
            {"name": "other", "weights": [0.1, 1], "metrics": {OTHER: [1]}},
        ]
    }
    options = {"folds": 0, "bootstrap": 5}
    begun = start_search(study=study, profile=PROFILE, grid=read_grid(json.dumps(grid)), options=options)
    assert weight_search(begun.pk)
    begun.refresh_from_db()
    result = Result(begun.result)
    assert [(one.group, one.metric) for one in result.weights] == [
        ("soft", ""),
        ("soft", HIGH),
        ("other", ""),
        ("other", OTHER),
    ]
    assert begun.result["cross_validation"] is None
    assert all(one.x >= 0 and one.x + one.width <= 1001 for one in result.changes) and result.changes


def test_a_study_of_questions_has_no_weights(as_researcher: Client) -> None:
    study = make_study(Kind.BINARY)
    assert (
        "this study has no pairs"
        in as_researcher.get(reverse("label_weights", args=[study.pk])).content.decode()
    )


def test_a_weight_in_whose_place_others_are_as_good_says_so(study: LabelStudy, as_researcher: Client) -> None:
    search = ended_search(study)
    by_name = {one.metric: one for one in Result(search.result).weights}
    assert by_name[HIGH].equals_alone and 0 not in by_name[HIGH].equals_alone
    page = as_researcher.get(reverse("label_search", args=[study.pk, search.pk])).content.decode()
    assert "tied; as good alone:" in page
    del search.result["tied"]  # of a search before ties were told
    search.save(update_fields=["result"])
    page = as_researcher.get(reverse("label_search", args=[study.pk, search.pk])).content.decode()
    assert "tied; as good alone:" not in page
