"""Pairs compared by a model over real HTTP: labels of good answers, and what comes of bad ones and of none."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from benchmark.suites import DEFAULT_SUITE
from tests.chat_server import ChatServer, chat_server, refuses, says, silent
from tests.labelling import add_item, finished_session, pairs_study, plan_of
from tests.seating import endpoint_at
from tests.threads import start_in_thread
from webapp.catalogue.models import Task, World
from webapp.endpoints.models import ModelEndpoint
from webapp.forms import ChoiceRefused
from webapp.jobs.kinds import retry_of
from webapp.jobs.models import Job, State
from webapp.jobs.services import LeaseLost, due_in
from webapp.judging.models import Rater
from webapp.labelling import comparing
from webapp.labelling.comparisons import being_compared, comparisons, personal_data_tables, used_models
from webapp.labelling.jobs import COMPARISON_KIND
from webapp.labelling.models import Compared, Comparison, Label, LabelStudy
from worker.steppers.comparisons import advance_comparison

pytestmark = pytest.mark.either_engine
Status = Compared.Status


@pytest.fixture
def chat() -> Iterator[ChatServer]:
    with chat_server() as running:
        yield running


@pytest.fixture
def study(starter_tasks: list[Task], starter_world: World) -> LabelStudy:
    """Two pairs."""
    return pairs_study(starter_tasks, starter_world, items=2)


def start(chat: ChatServer, study: LabelStudy, method: str = "pairwise", **given: object) -> Comparison:
    endpoint = endpoint_at(
        chat.url, "rater", **{"input_price": 1.0, "output_price": 2.0, "concurrency": 1, **given}
    )
    return comparing.start_comparison(study=study, endpoint=endpoint, method=method)  # type: ignore[arg-type]


def compare_all(comparison: Comparison) -> list[Compared]:
    """All pairs of a comparison, asked for without the pauses between attempts."""
    for _ in range(100):
        Job.objects.update(due_at=None)
        ModelEndpoint.objects.update(not_before=None)
        due = due_in(kind=COMPARISON_KIND, group=comparison.pk)
        if not due:
            break
        for subject in due:
            advance_comparison(int(subject))
    return list(comparison.compared.order_by("pk"))


def choosing(choice: str, confidence: int = 80) -> str:
    return json.dumps({"reasons": f"{choice} it is", "choice": choice, "confidence": confidence})


def points(score: float) -> str:
    return json.dumps({"reasons": f"{score:g} points", "score": score})


def test_a_pair_is_asked_for_in_both_orders_and_the_plan_that_wins_both_is_the_label(
    chat: ChatServer, study: LabelStudy
) -> None:
    chat.replies.extend([says(choosing("B", 90)), says(choosing("A", 70))] * 2)
    rows = compare_all(start(chat, study))
    assert [row.status for row in rows] == [Status.ANSWERED] * 2 and len(chat.requests) == 4
    label = Label.objects.get(item=rows[0].item)
    assert (label.choice, label.source, label.assignment, label.counts) == ("right", "model", None, True)
    assert label.answer == {"choice": "right", "orders": ["right", "right"], "confidence": 0.8}
    assert label.rationale == "B it is\nA it is" and label.rater.kind == Rater.Kind.PAIRWISE
    assert [call["seat"] for call in rows[0].calls] == ["rater", "rater"]
    assert all(call["cost"] == pytest.approx(120e-6) for call in rows[0].calls)


def test_the_second_request_holds_the_plans_the_other_way_round_and_no_name_of_an_agent(
    chat: ChatServer, starter_tasks: list[Task], starter_world: World
) -> None:
    study, task = pairs_study(starter_tasks, starter_world, items=0), starter_tasks[0]
    left = finished_session(
        task, starter_world, agent="alpha-7b", plan=plan_of(task, place="一号园"), said="I am alpha-7b."
    )
    right = finished_session(
        task, starter_world, agent="beta", plan=plan_of(task, place="二号园 by alpha-7b and GPT-4o")
    )
    add_item(study, task, left, right)
    chat.replies.append(says(choosing("A")))
    compare_all(start(chat, study))
    first, second = (request["messages"][1]["content"] for request in chat.requests)
    assert first.index("一号园") < first.index("二号园") and second.index("二号园") < second.index("一号园")
    assert all("alpha" not in text and "GPT" not in text for text in (first, second))
    assert all(request["temperature"] == 0 for request in chat.requests)


def test_orders_that_disagree_mean_neither(chat: ChatServer, study: LabelStudy) -> None:
    chat.replies.append(says(choosing("A")))
    rows = compare_all(start(chat, study))
    assert {label.choice for label in Label.objects.filter(item__in=[row.item_id for row in rows])} == {
        "neither"
    }


def test_point_by_point_each_plan_is_asked_for_alone(chat: ChatServer, study: LabelStudy) -> None:
    chat.replies.extend(map(says, [points(40), points(72.5), points(60), points(60)]))
    comparison = start(chat, study, "pointwise")
    first, second = compare_all(comparison)
    labels = {label.item_id: label for label in Label.objects.filter(rater=comparison.rater)}
    told = [labels[row.item_id].answer for row in (first, second)]
    assert {"choice": "right", "left": 40.0, "right": 72.5} in told
    assert {"choice": "neither", "left": 60.0, "right": 60.0} in told


def test_an_unusable_answer_is_asked_for_again_and_what_could_be_read_is_kept(
    chat: ChatServer, study: LabelStudy
) -> None:
    study.items.filter(number=2).delete()
    chat.replies.extend([says(points(40)), says("Nice!"), says('{"score": 140}'), says(points(30))])
    (row,) = compare_all(start(chat, study, "pointwise"))
    assert (row.status, row.problem, len(row.calls)) == (Status.ANSWERED, "", 4)
    assert Label.objects.get(item=row.item).answer == {"choice": "left", "left": 40.0, "right": 30.0}


def test_after_three_unusable_answers_the_pair_ends_without_a_label_and_can_be_asked_for_again(
    chat: ChatServer, study: LabelStudy
) -> None:
    study.items.filter(number=2).delete()
    chat.replies.extend([says(choosing("A")), says("Both are nice.")])
    comparison = start(chat, study)
    (row,) = compare_all(comparison)
    assert (row.status, row.tries, len(row.calls), row.problem) == (Status.BROKEN, 3, 4, "no_json")
    assert row.raw == [choosing("A"), "Both are nice."] and not Label.objects.exists()
    job = Job.objects.get(subject=str(row.pk))
    assert job.state == State.FAILED
    chat.replies.clear()
    chat.replies.append(says(choosing("B")))
    asked = len(chat.requests)
    retry = retry_of(job)
    assert retry
    retry(job)
    (row,) = compare_all(comparison)
    assert row.status == Status.ANSWERED and len(chat.requests) == asked + 1
    assert Label.objects.get(item=row.item).choice == "left"


def test_a_server_that_fails_is_asked_again_and_then_given_up(chat: ChatServer, study: LabelStudy) -> None:
    chat.replies.append(refuses(503))
    comparison = start(chat, study, patience_s=3.0)
    rows = compare_all(comparison)
    assert {row.status for row in rows} == {Status.FAILED} and "503" in rows[0].problem
    attempts = [call["attempt"] for call in rows[0].calls]
    assert len(attempts) > 1 and attempts == list(range(1, len(attempts) + 1))
    assert rows[0].calls[-1]["retry_in_s"] is None
    chat.replies.clear()
    chat.replies.append(says(choosing("A")))
    assert comparing.retry_comparison(comparison=comparison) == 2
    assert {row.status for row in compare_all(comparison)} == {Status.ANSWERED}


@pytest.mark.django_db(transaction=True)
def test_stopping_breaks_off_what_is_on_its_way_and_keeps_labels(chat: ChatServer, study: LabelStudy) -> None:
    chat.replies.extend([says(choosing("A")), says(choosing("B")), silent(20)])
    comparison = start(chat, study)
    (first,) = due_in(kind=COMPARISON_KIND, group=comparison.pk)
    advance_comparison(int(first))
    advance_comparison(int(first))
    (second,) = due_in(kind=COMPARISON_KIND, group=comparison.pk)
    stopping = start_in_thread(lambda: comparing.stop_comparison(comparison=comparison), after_s=0.5)
    advance_comparison(int(second))
    stopping.join()
    rows = list(comparison.compared.order_by("pk"))
    assert [row.status for row in rows] == [Status.ANSWERED, Status.STOPPED]
    assert (
        Label.objects.count() == 1
        and not Job.objects.filter(kind=COMPARISON_KIND.name, ended_at=None).exists()
    )
    assert rows[1].calls[-1]["outcome"] == "cancelled"


def test_whoever_lost_the_lease_stores_nothing(chat: ChatServer, study: LabelStudy) -> None:
    chat.replies.append(says(choosing("A")))
    comparison = start(chat, study)
    subject = due_in(kind=COMPARISON_KIND, group=comparison.pk)[0]
    dead = comparing.claim(compared_id=int(subject))
    assert dead is not None and comparing.claim(compared_id=int(subject)) is None
    Job.objects.filter(pk=dead.job_id).update(expires_at="2020-01-01T00:00:00Z")  # the worker was killed
    rows = compare_all(comparison)
    assert {row.status for row in rows} == {Status.ANSWERED}
    with pytest.raises(LeaseLost):
        comparing.store_answer(claimed=dead, raw=["late"], calls=())
    assert Label.objects.count() == 2 and "late" not in comparison.compared.get(pk=int(subject)).raw


def test_a_model_that_compared_everything_is_not_asked_again(chat: ChatServer, study: LabelStudy) -> None:
    chat.replies.append(says(choosing("A")))
    comparison = start(chat, study)
    endpoint = comparison.rater.endpoint
    assert endpoint is not None
    with pytest.raises(ChoiceRefused, match="or is about to"):
        comparing.start_comparison(study=study, endpoint=endpoint, method="pairwise")
    compare_all(comparison)
    with pytest.raises(ChoiceRefused, match="every pair"):
        comparing.start_comparison(study=study, endpoint=endpoint, method="pairwise")
    other = comparing.start_comparison(study=study, endpoint=endpoint, method="pointwise")
    assert other.compared.count() == 2 and other.rater != comparison.rater
    item = study.items.get(number=1)
    add_item(study, item.task, item.left, item.right)
    more = comparing.start_comparison(study=study, endpoint=endpoint, method="pairwise")
    assert more.rater == comparison.rater and more.compared.count() == 1


def test_other_settings_are_another_rater(chat: ChatServer, study: LabelStudy) -> None:
    endpoint = endpoint_at(chat.url, "rater")
    setup = endpoint.setup()
    one = comparing.rater_for(endpoint=endpoint, setup=setup, method="pairwise", suite=DEFAULT_SUITE)
    dear = setup.model_copy(update={"output_price": 9.0})
    warm = setup.model_copy(update={"temperature": 1.0})
    assert comparing.rater_for(endpoint=endpoint, setup=dear, method="pairwise", suite=DEFAULT_SUITE) == one
    assert comparing.rater_for(endpoint=endpoint, setup=warm, method="pairwise", suite=DEFAULT_SUITE) != one


def test_labels_of_a_pilot_do_not_count_and_withdrawn_items_are_not_asked_for(
    chat: ChatServer, study: LabelStudy
) -> None:
    LabelStudy.objects.filter(pk=study.pk).update(pilot=True)
    chat.replies.append(says(choosing("A")))
    study.refresh_from_db()
    comparison = start(chat, study)
    study.items.filter(number=2).update(withdrawn_at="2026-01-01T00:00:00Z")
    assert sorted(row.status for row in compare_all(comparison)) == [Status.ANSWERED, Status.STOPPED]
    assert not Label.objects.get().counts


def test_a_study_without_pairs_is_refused(chat: ChatServer, db: None) -> None:
    study = LabelStudy.objects.create(name="rubric", kind="rubric")
    with pytest.raises(ChoiceRefused, match="pairs"):
        start(chat, study)
    assert not Comparison.objects.exists() and not Rater.objects.exists()


def test_an_endpoint_tells_how_comparisons_used_it(chat: ChatServer, study: LabelStudy) -> None:
    chat.replies.append(says(choosing("A")))
    comparison = start(chat, study)
    compare_all(comparison)
    endpoint = comparison.rater.endpoint
    assert endpoint is not None
    used = used_models(endpoint)["rater"]
    assert (used.judgements, used.whole.calls, used.whole.answered) == (2, 4, 4)
    (shown,) = comparisons(study)
    assert (shown.progress.answered, shown.progress.all, shown.progress.going) == (2, 2, False)
    assert shown.use.costs["USD"] == pytest.approx(4 * 120e-6)


def test_no_words_are_removed_while_a_model_reads_them_and_afterwards_from_what_it_wrote(
    chat: ChatServer, study: LabelStudy
) -> None:
    chat.replies.append(says(choosing("A")))
    comparison = start(chat, study)
    session = str(study.items.get(number=1).left_id)
    assert being_compared([session]) and not being_compared(["none"])
    compare_all(comparison)
    assert not being_compared([session])
    for one in personal_data_tables():
        rows = one.model._default_manager.filter(**{one.session: session}, **one.only)
        assert one.session != "item__left" or rows.exists()
        assert all(hasattr(row, field) for row in rows for field in one.fields)


def test_in_one_order_one_answer_is_the_label(chat: ChatServer, study: LabelStudy) -> None:
    endpoint = endpoint_at(chat.url, "rater", concurrency=1)
    chat.replies.extend([says(choosing("B", 90)), says(choosing("A", 70))])
    rows = compare_all(
        comparing.start_comparison(study=study, endpoint=endpoint, method="pairwise", orders="one")
    )
    assert [row.status for row in rows] == [Status.ANSWERED, Status.ANSWERED] and len(chat.requests) == 2
    labels = [(label.choice, label.answer["orders"]) for label in Label.objects.order_by("item__number")]
    assert labels == [("right", ["right"]), ("left", ["left"])]


def test_each_run_is_a_rater_of_its_own(chat: ChatServer, study: LabelStudy) -> None:
    endpoint = endpoint_at(chat.url, "rater", concurrency=1)

    def start_again(runs: int, **more: str) -> list[str]:
        asked = {"study": study, "endpoint": endpoint, "method": "pairwise", **more}
        return [each.rater.name for each in comparing.start_runs(runs=runs, **asked)]

    one = start_again(1)[0]
    assert start_again(3) == [f"{one}, run 2", f"{one}, run 3"], "the first run has no pair left"
    assert start_again(2, orders="one") == [f"{one}, one order", f"{one}, one order, run 2"]
    with pytest.raises(ChoiceRefused):
        start_again(3)
