"""Metrics, judges and models against people: what the pages say, and of which items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from benchmark.labelling.ceiling import ceiling
from benchmark.metrics import of_rules
from benchmark.suites import suite_named
from tests.labelling import (
    add_item,
    annotator_of,
    answer_all,
    finished_session,
    label,
    make_study,
    pairs_study,
    vote,
)
from tests.scores import store_score
from webapp.catalogue.models import Task, World
from webapp.endpoints.services import create_endpoint
from webapp.judging.models import JudgeBatch, Judgement, Rater
from webapp.judging.models import Status as Judged
from webapp.judging.values import store_scores
from webapp.labelling.models import Decision, Kind, Label, LabelStudy
from webapp.labelling.rater_accuracy import Pairs, judges_of
from webapp.labelling.wording import problem_words
from webapp.sessions.models import MetricValue, Session

pytestmark = [pytest.mark.django_db, pytest.mark.either_engine]
PROFILE = "published"


def item_with_values(
    task: Task, world: World, study: LabelStudy, left: dict[str, Any], right: dict[str, Any]
) -> tuple[Session, Session]:
    """An item whose sides have these values."""
    sides = finished_session(task, world, agent="alpha"), finished_session(task, world, agent="beta")
    for session, values in zip(sides, (left, right), strict=True):
        store_score(session, profile=PROFILE, figures=None, **values)
    add_item(study, task, *sides)
    return sides


@pytest.fixture
def study(starter_tasks: list[Task], starter_world: World) -> LabelStudy:
    """Four pairs: left, right, neither, and one without a majority. `reward` is right on two, and high is better."""
    study = make_study()
    task = starter_tasks[0]
    for left, right in ((3.0, 1.0), (1.0, 2.0), (2.0, 1.0), (5.0, 1.0)):
        item_with_values(
            task, starter_world, study, {"high": left, "low": left}, {"high": right, "low": right}
        )
    vote(study, {1: "LLR", 2: "RRR", 3: "NNL", 4: "LRN"})
    return study


def keys(study: LabelStudy) -> tuple[str, str]:
    """The key of a metric of which more is better, and of one of which less is."""
    metrics = of_rules(suite_named(study.suite).scoring.metrics)
    high = next(one.key for one in metrics if one.better == "high")
    low = next(one.key for one in metrics if one.better == "low")
    return high, low


def rename(study: LabelStudy) -> tuple[str, str]:
    high, low = keys(study)
    MetricValue.objects.filter(key="high").update(key=high)
    MetricValue.objects.filter(key="low").update(key=low)
    return high, low


def lines_by(pairs: Pairs) -> dict[str, tuple[int, float | None, float | None]]:
    return {
        line.source.key: (line.accuracy.n, line.accuracy.ties_in.value, line.accuracy.ties_out.value)
        for line in pairs.lines()
    }


def test_a_metric_is_right_where_the_plan_that_people_prefer_has_the_better_value(study: LabelStudy) -> None:
    high, low = rename(study)
    pairs = Pairs(study, PROFILE)
    found = lines_by(pairs)
    assert pairs.decided == 3
    assert found[f"metric-{high}"] == (3, 2 / 3, 2 / 3)
    assert found[f"metric-{low}"] == (3, 0.0, 0.0)


def test_a_side_without_a_value_gives_no_opinion(study: LabelStudy) -> None:
    high, _low = rename(study)
    item = study.items.get(number=1)
    MetricValue.objects.filter(session=item.left_id).delete()
    pairs = Pairs(study, PROFILE)
    source = pairs.source(f"metric-{high}")
    assert source is not None
    found = pairs.comparison_with(source)
    assert (found.accuracy.n, found.no_opinion, found.no_majority) == (2, 1, 1)


def test_a_decision_goes_before_the_majority(study: LabelStudy) -> None:
    high, _low = rename(study)
    item = study.items.get(number=4)
    Decision.objects.create(item=item, choice="left", answer={"choice": "left"})
    assert lines_by(Pairs(study, PROFILE))[f"metric-{high}"][:2] == (4, 3 / 4)


def test_models_are_raters_by_their_labels(study: LabelStudy) -> None:
    points = Rater.objects.create(kind="pointwise", name="wise (m)", key="p")
    pairwise = Rater.objects.create(kind="pairwise", name="wise (m)", key="q")
    items = {item.number: item for item in study.items.all()}
    given = {1: (80.0, 40.0), 2: (50.0, 50.0), 3: (60.0, 60.0)}
    for number, (left, right) in given.items():
        choice = "left" if left > right else "neither"
        told = {"choice": choice, "left": left, "right": right}
        label(items[number], points, choice, answer=told, source=Label.Source.MODEL)
    said = {"choice": "right", "orders": ["right", "right"], "confidence": 0.9}
    label(items[2], pairwise, "right", answer=said, source=Label.Source.MODEL)
    found = lines_by(Pairs(study, PROFILE))
    assert found[f"rater-{points.pk}"] == (3, 2 / 3, 1.0)
    assert found[f"rater-{pairwise.pk}"] == (1, 1.0, 1.0)
    pairs = Pairs(study, PROFILE)
    source = pairs.source(f"rater-{pairwise.pk}")
    assert source is not None and pairs.comparison_with(source).by_confidence[0].mean == 0.9


def judge_session(session: Session, score: float, ratings: dict[str, int] | None = None) -> None:
    """A verdict of a judge, as one is stored."""
    batch = JudgeBatch.objects.first()
    if batch is None:
        endpoint = create_endpoint(name="wise", base_url="http://127.0.0.1:9/v1", model="m")
        setup = endpoint.setup().model_dump()
        batch = JudgeBatch.objects.create(
            judge=endpoint, meta_judge=endpoint, judge_setup=setup, meta_setup=setup, calibrated=False
        )
    Judgement.objects.create(
        batch=batch,
        session=session,
        status=Judged.JUDGED,
        rated=True,
        score=score,
        scores=ratings or {},
        prompts="1-abc",
    )
    store_scores(session.pk)


def test_a_judge_is_right_where_its_score_is_higher(study: LabelStudy) -> None:
    item = study.items.get(number=1)
    for session, score in ((item.left, 80.0), (item.right, 30.0)):
        assert session is not None
        judge_session(session, score)
    rater = Rater.objects.get(kind="judge")
    found = lines_by(Pairs(study, PROFILE))
    assert found[f"rater-{rater.pk}"] == (1, 1.0, 1.0)


def test_the_page_leads_from_each_rater_to_the_items_it_gets_wrong(
    as_researcher: Client, study: LabelStudy
) -> None:
    high, _low = rename(study)
    page = as_researcher.get(reverse("label_raters", args=[study.pk])).content.decode()
    at = reverse("label_rater", args=[study.pk, f"metric-{high}"])
    assert f"{at}?profile={PROFILE}" in page and "66.7 %" in page
    detail = as_researcher.get(at).content.decode()
    pairs = Pairs(study, PROFILE)
    [line] = [line for line in pairs.lines() if line.source.key == f"metric-{high}"]
    own = ceiling(len(study.choices), pairs.people.value or 0.0, line.accuracy.ties_in.value)
    assert line.ceiling == own and own.ratio.value is not None
    for figure in (own.r_model, own.ratio):
        shown = f"{100 * (figure.value or 0.0):.1f} %"
        assert shown in page and shown in detail
    assert f"{100 * (own.r.value or 0.0):.1f} %" in page and "such people all agree" in page
    assert reverse("label_item", args=[study.pk, 3]) in detail
    assert reverse("label_item", args=[study.pk, 1]) not in detail


def test_a_pilot_is_compared_with_its_own_labels(study: LabelStudy) -> None:
    high, _low = rename(study)
    Label.objects.update(counts=False)
    assert lines_by(Pairs(study, PROFILE))[f"metric-{high}"][0] == 0
    study.pilot = True
    assert lines_by(Pairs(study, PROFILE))[f"metric-{high}"][0] == 3


def test_nobody_but_researchers_sees_raters(client: Client, study: LabelStudy) -> None:
    for name, *given in (("label_raters",), ("label_rater", "metric-x"), ("label_raters_live",)):
        response = client.get(reverse(name, args=[study.pk, *given]))
        assert response.status_code in (302, 403)


def test_unknown_raters_are_not_found(as_researcher: Client, study: LabelStudy) -> None:
    for source in ("metric-none", "rater-zzz", "judge-0", "x"):
        assert as_researcher.get(reverse("label_rater", args=[study.pk, source])).status_code == 404


def rubric_study(
    task: Task, world: World, people: Sequence[Sequence[int]], judge: Sequence[int]
) -> LabelStudy:
    """Sessions that people rate alike in every dimension, and one judge does."""
    study = make_study(Kind.RUBRIC)
    raters = [Rater.objects.create(name=f"P{number}") for number in range(len(people[0]))]
    for scores, judged in zip(people, judge, strict=True):
        session = finished_session(task, world)
        item = add_item(study, task, session)
        for rater, score in zip(raters, scores, strict=True):
            given = dict.fromkeys(study.dimension_names, score)
            label(item, rater, "", answer={"scores": given})
        judge_session(session, 50.0, dict.fromkeys(study.dimension_names, judged))
    return study


def test_a_judge_and_people_are_compared_by_dimension(
    as_researcher: Client, starter_tasks: list[Task], starter_world: World
) -> None:
    study = rubric_study(starter_tasks[0], starter_world, [(3, 4, 5), (2, 2, 2)], [5, 2])
    (judge,) = judges_of(study)
    first = judge.lines[0]
    assert len(judge.lines) == 5 and first.n == 2
    assert first.judge.value == pytest.approx((2 + 1 + 0) / 3 / 2)
    assert first.people.value == pytest.approx((1 + 0 + 1) / 3 / 2)
    assert (first.to_median.value, first.bias.value) == (0.5, 0.5)
    assert judge.mean_judge.value == pytest.approx(0.5) and judge.mean_people.value == pytest.approx(1 / 3)
    assert (judge.mean_judge.low, judge.mean_judge.high) == (first.judge.low, first.judge.high) == (0.0, 1.0)
    assert [one.item.number for one in judge.widest] == [1]
    page = as_researcher.get(reverse("label_raters", args=[study.pk])).content.decode()
    assert "wise (m)" in page and "0.50" in page
    detail = as_researcher.get(reverse("label_rater", args=[study.pk, judge.key])).content.decode()
    assert reverse("label_item", args=[study.pk, 1]) in detail


def test_without_a_judge_the_page_says_what_to_do(as_researcher: Client) -> None:
    study = make_study(Kind.RUBRIC)
    page = as_researcher.get(reverse("label_raters", args=[study.pk])).content.decode()
    assert reverse("new_judging") in page


def test_a_study_of_questions_has_no_raters(as_researcher: Client) -> None:
    study = make_study(Kind.BINARY)
    assert as_researcher.get(reverse("label_raters", args=[study.pk])).status_code == 200


@pytest.mark.parametrize("method", ["pairwise", "pointwise"])
def test_a_comparison_is_started_stopped_and_asked_for_again_from_the_page(
    as_researcher: Client, starter_tasks: list[Task], starter_world: World, method: str
) -> None:
    study = pairs_study(starter_tasks, starter_world, items=2)
    create_endpoint(name="wise", base_url="http://127.0.0.1:9/v1", model="m")
    sent = {"endpoint": "wise", "method": method}
    assert as_researcher.post(reverse("label_compare", args=[study.pk]), sent).status_code == 302
    comparison = study.comparisons.get()
    page = as_researcher.get(reverse("label_raters_live", args=[study.pk])).content.decode()
    assert "0 of 2 compared" in page
    again = as_researcher.post(reverse("label_compare", args=[study.pk]), sent)
    assert again.status_code == 409 and "about to" in again.content.decode()
    as_researcher.post(reverse("label_comparison", args=[study.pk, comparison.pk, "stop"]))
    assert comparison.compared.filter(status="stopped").count() == 2
    as_researcher.post(reverse("label_comparison", args=[study.pk, comparison.pk, "again"]))
    assert comparison.compared.filter(status="queued").count() == 2
    other = reverse("label_comparison", args=["zzz", comparison.pk, "stop"])
    assert as_researcher.post(other).status_code == 404
    assert as_researcher.post(reverse("label_compare", args=[study.pk]), {}).status_code == 409


def test_a_model_is_asked_in_one_order_and_several_runs_from_the_page(
    as_researcher: Client, starter_tasks: list[Task], starter_world: World
) -> None:
    study = pairs_study(starter_tasks, starter_world, items=1)
    create_endpoint(name="wise", base_url="http://127.0.0.1:9/v1", model="m")
    path, sent = reverse("label_compare", args=[study.pk]), {"endpoint": "wise", "method": "pairwise"}
    for wrong in ({"runs": "0"}, {"runs": "many"}, {"orders": "three"}):
        assert as_researcher.post(path, sent | wrong).status_code == 409
    assert not study.comparisons.exists()
    assert as_researcher.post(path, sent | {"orders": "one", "runs": "2"}).status_code == 302
    started = study.comparisons.order_by("created_at")
    assert [(each.orders, each.rater.name) for each in started] == [
        ("one", "wise (m), one order"),
        ("one", "wise (m), one order, run 2"),
    ]


@pytest.mark.parametrize(
    ("stored", "words"),
    [
        ("no_json", "the answer contains no JSON object"),
        ("cut_off; missing (score)", "the answer reached its length limit; a key is missing: score"),
        ('wrong_type (choice: "C; D")', 'a value can\'t be read: choice: "C; D"'),
        (
            "Wise: the server answered with status 401; twice",
            "Wise: the server answered with status 401; twice",
        ),
    ],
)
def test_an_unusable_answer_is_told_in_words(stored: str, words: str) -> None:
    assert problem_words(stored) == words


def test_the_page_says_in_words_why_there_is_no_answer(
    as_researcher: Client, starter_tasks: list[Task], starter_world: World
) -> None:
    study = pairs_study(starter_tasks, starter_world, items=2)
    create_endpoint(name="wise", base_url="http://127.0.0.1:9/v1", model="m")
    sent = {"endpoint": "wise", "method": "pairwise"}
    as_researcher.post(reverse("label_compare", args=[study.pk]), sent)
    study.comparisons.get().compared.update(status="broken", problem="no_json")
    page = as_researcher.get(reverse("label_raters_live", args=[study.pk])).content.decode()
    assert "the answer contains no JSON object" in page and "no_json" not in page


def test_answers_given_beside_the_scorers_findings_are_told(study: LabelStudy, as_researcher: Client) -> None:
    path = reverse("label_raters", args=[study.pk])
    assert 'id="ticks-shown"' not in as_researcher.get(path).content.decode()
    study.show_ticks, study.per_item = True, 4
    study.save()
    answer_all(annotator_of(study))
    page = " ".join(as_researcher.get(path).content.decode().split())
    assert "4 of 16 answers were given with the scorer's findings on the page" in page
