"""What annotators are given and what they answer: slots, leases, sides, repeats, known answers, links."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connections
from django.test import Client, RequestFactory
from django.utils import timezone

from tests.labelling import add_item, annotator_of, answer, answer_all, label, make_study, pairs_study, rate
from webapp.catalogue.models import Task, World
from webapp.labelling import queue
from webapp.labelling.annotators import (
    NotAdmitted,
    admit,
    annotator_by,
    annotator_in,
    enter,
    leave,
    renew_link,
    revoke,
)
from webapp.labelling.choices import shown_choice
from webapp.labelling.items import set_known, withdraw_items
from webapp.labelling.models import Annotator, Assignment, Kind, Label, LabelItem, LabelStudy
from webapp.labelling.studies import change_study

pytestmark = [pytest.mark.either_engine, pytest.mark.django_db]
# Slots and leases are claimed by the database: both engines. What follows from a claim is the same on either.
MINUTE = timedelta(minutes=1)


@pytest.fixture
def make(starter_tasks: list[Task], starter_world: World) -> Callable[..., LabelStudy]:
    """Makes a study of pairs of two agents."""

    def make_study(items: int = 3, **fields: Any) -> LabelStudy:
        return pairs_study(starter_tasks[:3], starter_world, items=items, **fields)

    return make_study


def next_assignment(annotator: Annotator, now: datetime | None = None) -> Assignment:
    """What an annotator is given, which there must be."""
    found = queue.next_for(annotator, now=now)
    assert found is not None
    return found


def later(minutes: float) -> datetime:
    return timezone.now() + minutes * MINUTE


# --- slots


def test_every_item_gets_as_many_annotators_as_it_wants_and_nobody_sees_one_twice(
    make: Callable[..., LabelStudy],
) -> None:
    study = make(4, per_item=2)
    for _ in range(3):
        answer_all(annotator_of(study))
    labels = Counter(Label.objects.values_list("item__number", flat=True))
    assert labels == {1: 2, 2: 2, 3: 2, 4: 2}
    pairs = list(Assignment.objects.values_list("item", "annotator"))
    assert len(pairs) == len(set(pairs))


@pytest.mark.both_engines
def test_an_item_that_others_look_at_is_not_given_beyond_its_slots(make: Callable[..., LabelStudy]) -> None:
    study = make(1, per_item=1)
    first, second = annotator_of(study), annotator_of(study)
    taken = next_assignment(first)
    assert queue.next_for(second) is None
    assert queue.standing(second).waiting
    answer(taken)
    assert queue.next_for(second) is None and not queue.standing(second).waiting


def test_who_comes_back_has_the_item_that_they_were_given(make: Callable[..., LabelStudy]) -> None:
    annotator = annotator_of(make(5))
    assert next_assignment(annotator) == next_assignment(annotator)
    assert Assignment.objects.count() == 1


@pytest.mark.both_engines
def test_items_that_were_begun_come_first_so_that_some_are_complete_early(
    make: Callable[..., LabelStudy],
) -> None:
    study = make(6, per_item=2)
    begun = answer(next_assignment(annotator_of(study))).item
    assert next_assignment(annotator_of(study)).item == begun


@pytest.mark.django_db(transaction=True)
@pytest.mark.both_engines
def test_no_slot_is_given_twice_to_annotators_who_ask_at_once(make: Callable[..., LabelStudy]) -> None:
    study = make(4, per_item=2)
    annotators = [annotator_of(study) for _ in range(6)]

    def work(annotator: Annotator) -> int:
        done = 0
        try:
            while (assignment := queue.next_for(annotator)) is not None:
                answer(assignment)
                done += 1
            return done
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(annotators)) as pool:
        done = list(pool.map(work, annotators))
    assert sum(done) == 8
    held = Assignment.objects.exclude(slot=None).values_list("item__number", "slot")
    assert Counter(held) == Counter({(number, slot): 1 for number in range(1, 5) for slot in range(2)})
    assert Label.objects.filter(current=True).count() == 8


@pytest.mark.django_db(transaction=True)
@pytest.mark.both_engines
def test_two_browsers_of_one_annotator_are_given_one_item(make: Callable[..., LabelStudy]) -> None:
    annotator = annotator_of(make(5))

    def ask(_: int) -> int:
        try:
            return next_assignment(annotator).pk
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(ask, range(4)))) == 1
    assert Assignment.objects.count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.both_engines
def test_an_answer_that_is_sent_by_several_clicks_at_once_counts_once(
    make: Callable[..., LabelStudy],
) -> None:
    annotator = annotator_of(make(2))
    assignment = next_assignment(annotator)

    def send(_: int) -> int:
        try:
            sent = queue.Answer(choice="left", client_id="click")
            return queue.answer(
                Assignment.objects.select_related("item").get(pk=assignment.pk), given=sent
            ).pk
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(send, range(4)))) == 1
    assert Label.objects.count() == 1


def test_a_second_answer_under_another_name_is_refused(make: Callable[..., LabelStudy]) -> None:
    assignment = next_assignment(annotator_of(make(2)))
    answer(assignment, "left", client_id="one")
    with pytest.raises(queue.AnswerRefused, match="answered this item already") as refused:
        answer(assignment, "right", client_id="two")
    assert refused.value.is_gone
    assert Label.objects.get().choice == "left"


# --- leases


@pytest.mark.both_engines
def test_a_lease_that_ran_out_gives_the_slot_to_the_next_who_asks(make: Callable[..., LabelStudy]) -> None:
    study = make(1, per_item=1, lease_min=30)
    first, second = annotator_of(study), annotator_of(study)
    taken = next_assignment(first)
    assert queue.next_for(second, now=later(29)) is None
    again = next_assignment(second, now=later(31))
    assert again.item == taken.item
    taken.refresh_from_db()
    assert taken.status == "expired"


def test_a_page_that_stays_open_keeps_its_item(make: Callable[..., LabelStudy]) -> None:
    study = make(1, per_item=1, lease_min=30)
    taken = next_assignment(annotator_of(study))
    queue.renew(taken, now=later(20))
    assert queue.next_for(annotator_of(study), now=later(45)) is None


def test_a_page_that_stays_open_keeps_nothing_once_its_link_has_expired(
    make: Callable[..., LabelStudy],
) -> None:
    study = make(1, per_item=1, lease_min=30)
    first, second = annotator_of(study), annotator_of(study)
    taken = next_assignment(first)
    until = taken.leased_until
    Annotator.objects.filter(pk=first.pk).update(expires_at=later(-1))
    taken = Assignment.objects.select_related("annotator", "item__study").get(pk=taken.pk)
    queue.keep_draft(taken, draft={"choice": "left", "rationale": "so far"})
    taken.refresh_from_db()
    assert (taken.leased_until, taken.draft["rationale"]) == (until, "so far")
    with pytest.raises(queue.AnswerRefused):
        queue.skip(taken, reason="too long")
    assert next_assignment(second, now=later(31)).item == taken.item


@pytest.mark.both_engines
def test_a_late_answer_is_taken_while_nobody_else_has_the_slot(make: Callable[..., LabelStudy]) -> None:
    study = make(1, per_item=1)
    first = annotator_of(study)
    taken = next_assignment(first)
    Assignment.objects.update(status="expired")
    label = answer(taken)
    assert label.counts
    taken.refresh_from_db()
    assert (taken.status, taken.slot) == ("answered", 0)
    assert queue.next_for(annotator_of(study)) is None


def test_a_late_answer_is_refused_once_somebody_else_has_the_item_and_the_draft_stays(
    make: Callable[..., LabelStudy],
) -> None:
    study = make(1, per_item=1)
    first, second = annotator_of(study), annotator_of(study)
    taken = next_assignment(first)
    queue.keep_draft(taken, draft={"choice": "left", "rationale": "shorter ways"})
    next_assignment(second, now=later(31))
    with pytest.raises(queue.AnswerRefused, match="somebody else has it now") as refused:
        answer(taken)
    assert refused.value.is_gone
    taken.refresh_from_db()
    assert taken.draft["rationale"] == "shorter ways"
    assert not Label.objects.exists()


@pytest.mark.both_engines
def test_a_late_answer_takes_another_slot_that_is_free(make: Callable[..., LabelStudy]) -> None:
    study = make(1, per_item=2)
    first, second = annotator_of(study), annotator_of(study)
    taken = next_assignment(first)
    assert next_assignment(second, now=later(31)).slot == 0
    answer(taken)
    taken.refresh_from_db()
    assert taken.slot == 1
    assert queue.next_for(annotator_of(study)) is None


def test_who_is_given_an_item_again_after_the_lease_answers_it_there(make: Callable[..., LabelStudy]) -> None:
    annotator = annotator_of(make(1, per_item=1))
    old = next_assignment(annotator)
    new = next_assignment(annotator, now=later(31))
    assert new != old and new.item == old.item
    with pytest.raises(queue.AnswerRefused, match="given this item again"):
        answer(old)
    answer(new)
    assert Label.objects.count() == 1


# --- sides


def test_sides_are_balanced_by_item_and_by_annotator(make: Callable[..., LabelStudy]) -> None:
    study = make(12, per_item=4)
    annotators = [annotator_of(study) for _ in range(4)]
    for _ in range(12):
        for annotator in annotators:
            answer(next_assignment(annotator))
    for item in study.items.all():
        sides = Counter(item.assignments.values_list("swapped", flat=True))
        assert abs(sides[True] - sides[False]) <= 1
    for annotator in annotators:
        sides = Counter(annotator.assignments.values_list("swapped", flat=True))
        assert abs(sides[True] - sides[False]) <= 4, sides


def test_one_annotator_alone_sees_either_side_as_often(make: Callable[..., LabelStudy]) -> None:
    study = make(11, per_item=1)
    answer_all(annotator_of(study))
    sides = Counter(Assignment.objects.values_list("swapped", flat=True))
    assert abs(sides[True] - sides[False]) <= 1


def test_the_first_side_depends_on_the_study_and_is_not_always_the_same(
    make: Callable[..., LabelStudy],
) -> None:
    study = make(1, per_item=1)
    seen = set()
    for _ in range(12):
        annotator = annotator_of(study)
        seen.add(next_assignment(annotator).swapped)
        Assignment.objects.all().delete()
    assert seen == {True, False}


def test_a_choice_is_stored_by_the_sides_of_the_item(make: Callable[..., LabelStudy]) -> None:
    study = make(6, per_item=1)
    annotator = annotator_of(study)
    while (assignment := queue.next_for(annotator)) is not None:
        label = queue.answer(assignment, given=queue.Answer(choice="left"))
        assert label.choice == ("right" if assignment.swapped else "left")
        assert label.swapped == assignment.swapped
    sent = shown_choice
    assert [sent(c, True) for c in ("left", "right", "neither", "tie")] == ["right", "left", "neither", "tie"]


# --- known answers and repeats


def with_gold(study: LabelStudy, count: int, purpose: str = "gold") -> None:
    first = study.items.order_by("number").first()
    assert first is not None
    for _ in range(count):
        add_item(study, first.task, first.left, first.right, purpose=purpose, answer={"choice": "left"})


def order_of(annotator: Annotator) -> list[tuple[str, int]]:
    rows = annotator.assignments.order_by("taken_at", "pk")
    return list(rows.values_list("item__purpose", "repeat"))


def test_an_item_with_a_known_answer_comes_after_every_so_many(make: Callable[..., LabelStudy]) -> None:
    study = make(6, gold_every=2)
    with_gold(study, 5)
    annotator = annotator_of(study)
    answer_all(annotator)
    purposes = [purpose for purpose, _ in order_of(annotator)]
    assert purposes == ["normal", "normal", "gold"] * 3
    assert not Label.objects.filter(item__purpose="gold", counts=True).exists()
    assert not Assignment.objects.filter(item__purpose="gold").exclude(slot=None).exists()


def test_everybody_gets_one_known_answer_however_few_items_they_answer(
    make: Callable[..., LabelStudy],
) -> None:
    study = make(2, gold_every=10)
    with_gold(study, 1)
    annotator = annotator_of(study)
    answer_all(annotator)
    assert [purpose for purpose, _ in order_of(annotator)] == ["normal", "normal", "gold"]


def test_progress_tells_neither_known_answers_nor_repeats(make: Callable[..., LabelStudy]) -> None:
    study = make(9, per_item=1, gold_every=3, repeat_every=3)
    with_gold(study, 5)
    annotator = annotator_of(study)
    told = []
    while (assignment := queue.next_for(annotator)) is not None:
        answer(assignment)
        standing = queue.standing(annotator)
        told.append((standing.answered, standing.left))
    assert told == [(done, 15 - done) for done in range(1, 16)]
    assert {("gold", 0), ("normal", 1)} <= set(order_of(annotator))


def test_an_imported_label_takes_a_place_of_its_item(make: Callable[..., LabelStudy]) -> None:
    study = make(1, per_item=2)
    label(study.items.get(), annotator_of(study).rater)
    answer(next_assignment(annotator_of(study)))
    assert queue.next_for(annotator_of(study)) is None


def test_two_clicks_take_one_answer_back(make: Callable[..., LabelStudy]) -> None:
    annotator = annotator_of(make(3))
    for _ in range(2):
        answer(next_assignment(annotator))
    offered = queue.last_done(annotator)
    assert offered is not None
    queue.undo(annotator, last=str(offered.pk))
    with pytest.raises(queue.AnswerRefused):
        queue.undo(annotator, last=str(offered.pk))
    assert annotator.assignments.filter(status="answered").count() == 1


def test_repeats_come_with_the_sides_swapped_and_do_not_count(make: Callable[..., LabelStudy]) -> None:
    study = make(9, per_item=1, repeat_every=3)
    annotator = annotator_of(study)
    answer_all(annotator)
    repeats = list(Assignment.objects.filter(repeat=1).select_related("item"))
    assert len(repeats) == 3
    for repeat in repeats:
        first = Assignment.objects.get(item=repeat.item, repeat=0)
        assert repeat.swapped is not first.swapped
        assert repeat.slot is None
        between = annotator.assignments.filter(taken_at__gt=first.taken_at, taken_at__lt=repeat.taken_at)
        assert between.count() >= queue.REPEAT_DISTANCE
    assert not Label.objects.filter(assignment__repeat=1, counts=True).exists()
    assert Label.objects.filter(counts=True).count() == 9


def test_nothing_known_and_nothing_again_where_the_study_wants_none(make: Callable[..., LabelStudy]) -> None:
    study = make(6)
    with_gold(study, 2)
    annotator = annotator_of(study)
    answer_all(annotator)
    assert order_of(annotator) == [("normal", 0)] * 6


# --- qualification


@pytest.mark.parametrize(("choices", "passed"), [("LLLL", True), ("LLLR", True), ("LLRR", False)])
def test_who_answers_enough_qualification_items_rightly_goes_on_and_nobody_else(
    make: Callable[..., LabelStudy], choices: str, passed: bool
) -> None:
    study = make(2, qualification=0.75)
    with_gold(study, 4, "qualification")
    annotator = annotator_of(study)
    for letter in choices:
        assignment = next_assignment(annotator)
        assert assignment.item.purpose == "qualification"
        answer(assignment, {"L": "left", "R": "right"}[letter])
    annotator.refresh_from_db()
    assert (annotator.qualified_at is not None, annotator.failed_at is not None) == (passed, not passed)
    following = queue.next_for(annotator)
    assert (following is not None) == passed
    assert not Label.objects.filter(counts=True).exists()


def test_ratings_within_a_point_qualify(starter_tasks: list[Task], starter_world: World) -> None:
    study = make_study(Kind.RUBRIC)
    names = study.dimension_names
    known = {"scores": dict.fromkeys(names, 3)}
    for _ in range(2):
        add_item(study, starter_tasks[0], purpose="qualification", answer=known)
    add_item(study, starter_tasks[0])  # nobody qualifies for nothing
    near, far = annotator_of(study, "near"), annotator_of(study, "far")
    for annotator, score in ((near, 4), (far, 5)):
        rate(next_assignment(annotator), **dict.fromkeys(names, score))
        rate(next_assignment(annotator), **dict.fromkeys(names, score))
        annotator.refresh_from_db()
    assert near.qualified_at and far.failed_at


def test_an_answer_to_a_qualification_item_can_not_be_taken_back(make: Callable[..., LabelStudy]) -> None:
    study = make(1)
    with_gold(study, 1, "qualification")
    annotator = annotator_of(study)
    answer(next_assignment(annotator), "right")
    with pytest.raises(queue.AnswerRefused):
        queue.undo(annotator)


@pytest.mark.parametrize(("skipped", "passed"), [(1, True), (2, False)])
def test_skipping_qualification_items_lets_nobody_past_them(
    make: Callable[..., LabelStudy], skipped: int, passed: bool
) -> None:
    study = make(1, qualification=0.75)
    with_gold(study, 4, "qualification")
    annotator = annotator_of(study)
    for _item in range(4 - skipped):
        answer(next_assignment(annotator), "left")
    for _item in range(skipped):
        queue.skip(next_assignment(annotator), reason="too long")
    annotator.refresh_from_db()
    assert (annotator.qualified_at is not None, annotator.failed_at is not None) == (passed, not passed)
    assert (queue.next_for(annotator) is not None) == passed


# --- taking back, skipping, drafts


def test_a_draft_comes_back_with_its_item_after_the_lease_ran_out(make: Callable[..., LabelStudy]) -> None:
    annotator = annotator_of(make(1))
    first = next_assignment(annotator)
    queue.keep_draft(first, draft={"choice": "left", "rationale": "half a thought"}, seconds=40)
    again = next_assignment(annotator, later(120))
    assert again != first and again.item == first.item
    assert (again.draft["rationale"], again.draft["choice"], again.seconds) == ("half a thought", "left", 40)
    assert again.swapped == first.swapped


def test_who_has_seen_everything_does_not_wait_for_others(make: Callable[..., LabelStudy]) -> None:
    study = make(1)
    first, second = annotator_of(study), annotator_of(study)
    answer(next_assignment(first))
    next_assignment(second)
    assert not queue.standing(first).waiting


def test_who_failed_meanwhile_gets_nothing(make: Callable[..., LabelStudy]) -> None:
    annotator = annotator_of(make(1))
    Annotator.objects.filter(pk=annotator.pk).update(failed_at=timezone.now())
    assert queue.next_for(annotator) is None


def test_a_person_has_one_answer_to_an_item_also_where_one_was_brought_in(
    make: Callable[..., LabelStudy],
) -> None:
    study = make(2)
    annotator = annotator_of(study)
    at_work = next_assignment(annotator)
    for item in study.items.all():
        Label.objects.create(item=item, rater=annotator.rater, choice="tie", source=Label.Source.IMPORT)
    answer(at_work, "left")
    assert queue.next_for(annotator) is None
    present = Label.objects.filter(rater=annotator.rater, item=at_work.item, current=True)
    assert [label.choice for label in present] == ["left"]


def test_an_id_with_an_odd_character_is_stored_once(make: Callable[..., LabelStudy]) -> None:
    assignment = next_assignment(annotator_of(make(1)))
    sent = queue.Answer(choice="left", client_id="a\x00b")
    assert queue.answer(assignment, given=sent) == queue.answer(assignment, given=sent)


def test_taking_back_opens_the_answer_again_and_keeps_the_old_one(make: Callable[..., LabelStudy]) -> None:
    annotator = annotator_of(make(3))
    first = next_assignment(annotator)
    answer(first, "left", rationale="more time")
    following = next_assignment(annotator)
    back = queue.undo(annotator)
    assert back == first
    assert shown_choice(back.draft["choice"], back.swapped) == "left"
    assert back.draft["rationale"] == "more time"
    assert next_assignment(annotator) == back
    answer(back, "right")
    rows = Label.objects.filter(assignment=first).order_by("pk").values_list("choice", "current")
    assert list(rows) == [("left", False), ("right", True)]
    assert next_assignment(annotator) == following


def test_a_skipped_item_can_be_taken_back_while_its_slot_is_free(make: Callable[..., LabelStudy]) -> None:
    study = make(1, per_item=1)
    annotator, other = annotator_of(study), annotator_of(study)
    queue.skip(next_assignment(annotator), reason="no map")
    back = queue.undo(annotator)
    assert back.status == "open"
    assert queue.next_for(other) is None
    queue.skip(back, reason="no map")
    next_assignment(other)
    with pytest.raises(queue.AnswerRefused):
        queue.undo(annotator)


def test_there_is_nothing_to_take_back_before_the_first_answer(make: Callable[..., LabelStudy]) -> None:
    with pytest.raises(queue.AnswerRefused, match="no answer to take back"):
        queue.undo(annotator_of(make(1)))


def test_skipping_needs_a_reason_opens_the_slot_and_never_brings_the_item_back(
    make: Callable[..., LabelStudy],
) -> None:
    study = make(1, per_item=1)
    annotator, other = annotator_of(study), annotator_of(study)
    taken = next_assignment(annotator)
    with pytest.raises(queue.AnswerRefused, match="why you skip"):
        queue.skip(taken, reason="  \x00 ")
    queue.skip(taken, reason="I know this agent's style")
    assert queue.next_for(annotator) is None
    assert next_assignment(other).item == taken.item
    with pytest.raises(queue.AnswerRefused, match="no longer yours"):
        queue.skip(taken, reason="again")


def test_a_draft_keeps_what_was_chosen_and_nothing_that_the_study_does_not_ask(
    starter_tasks: list[Task],
) -> None:
    study = make_study(Kind.RUBRIC)
    add_item(study, starter_tasks[0])
    assignment = next_assignment(annotator_of(study))
    name = study.dimension_names[0]
    queue.keep_draft(assignment, draft={"scores": {name: 4, "beauty": 5}, "rationale": "a\x00b"}, seconds=12)
    assignment.refresh_from_db()
    assert assignment.draft == {"choice": "", "rationale": "ab", "scores": {name: 4}}
    assert assignment.seconds == 12


# --- what is no answer


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"choice": ""}, "Choose an answer first."),
        ({"choice": "tie"}, "no longer has this answer"),
        ({"choice": "<b>"}, "no longer has this answer"),
        ({"choice": "yes"}, "no longer has this answer"),
    ],
)
def test_what_is_none_of_the_answers_is_refused(
    make: Callable[..., LabelStudy], sent: dict[str, str], said: str
) -> None:
    with pytest.raises(queue.AnswerRefused, match=said):
        queue.answer(next_assignment(annotator_of(make(1))), given=queue.Answer(**sent))  # type: ignore[arg-type]
    assert not Label.objects.exists()


def test_a_reason_that_is_required_is_asked_for(make: Callable[..., LabelStudy]) -> None:
    assignment = next_assignment(annotator_of(make(1, rationale_required=True)))
    with pytest.raises(queue.AnswerRefused, match="asks for a reason"):
        answer(assignment, rationale=" ")
    assert answer(assignment, rationale="shorter \x00ways").rationale == "shorter ways"


@pytest.mark.parametrize("scores", [{}, {"first": 3}, {"first": 0, "second": 3}, {"first": 6, "second": 1}])
def test_ratings_that_are_missing_or_off_the_scale_are_refused(
    starter_tasks: list[Task], scores: dict[str, int]
) -> None:
    words = {name: {"zh": name, "en": name} for name in ("first", "second")}
    study = make_study(Kind.RUBRIC, dimensions=words)
    add_item(study, starter_tasks[0])
    with pytest.raises(queue.AnswerRefused):
        queue.answer(next_assignment(annotator_of(study)), given=queue.Answer(scores=scores))
    assert not Label.objects.exists()


@pytest.mark.parametrize("seconds", [-5.0, float("nan"), 1e12])
def test_times_that_can_not_be_are_held_to_a_day(make: Callable[..., LabelStudy], seconds: float) -> None:
    label = answer(next_assignment(annotator_of(make(1))), seconds=seconds)
    assert label.seconds is not None and 0 <= label.seconds <= 86_400


def test_an_answer_before_the_least_time_is_taken_and_flagged(make: Callable[..., LabelStudy]) -> None:
    study = make(2, min_view_s=10, per_item=1)
    annotator = annotator_of(study)
    assert answer(next_assignment(annotator), seconds=9).hurried
    assert not answer(next_assignment(annotator), seconds=10).hurried


def test_labels_of_a_pilot_never_count(make: Callable[..., LabelStudy]) -> None:
    answer_all(annotator_of(make(3, pilot=True)))
    assert Label.objects.count() == 3
    assert not Label.objects.filter(counts=True).exists()


# --- the study changes midway


def test_an_answer_that_was_taken_out_of_the_study_midway_is_asked_for_again(
    make: Callable[..., LabelStudy],
) -> None:
    study = make(1, allow_tie=True)
    assignment = next_assignment(annotator_of(study))
    change_study(study=study, allow_tie=False)
    with pytest.raises(queue.AnswerRefused, match="The study was changed"):
        answer(assignment, "tie")
    assert answer(assignment, "left").study_version == 2


def test_an_item_that_was_withdrawn_midway_is_not_answered_and_the_next_one_comes(
    make: Callable[..., LabelStudy],
) -> None:
    annotator = annotator_of(make(2))
    taken = next_assignment(annotator)
    withdraw_items(items=LabelItem.objects.filter(pk=taken.item_id))
    with pytest.raises(queue.AnswerRefused, match="taken out") as refused:
        answer(taken)
    assert refused.value.is_gone
    assert next_assignment(annotator).item != taken.item


def test_a_wrong_known_answer_can_be_corrected_midway(make: Callable[..., LabelStudy]) -> None:
    study = make(1, gold_every=1)
    with_gold(study, 1)
    annotator = annotator_of(study)
    answer_all(annotator)
    item = study.items.get(purpose="gold")
    set_known(item=item, purpose="gold", answer={"choice": "right"})
    assert item.answer == {"choice": "right"}


def test_more_annotators_per_item_open_complete_items_again(make: Callable[..., LabelStudy]) -> None:
    study = make(1, per_item=1)
    answer_all(annotator_of(study))
    other = annotator_of(study)
    assert queue.next_for(other) is None
    change_study(study=study, per_item=2)
    assert next_assignment(other).slot == 1


# --- destinations


@pytest.mark.both_engines
def test_experts_get_the_destinations_that_they_know_and_others_get_all(
    starter_tasks: list[Task], starter_world: World
) -> None:
    study = pairs_study(starter_tasks, starter_world, items=len(starter_tasks), by_city=True, per_item=1)
    cities = starter_tasks[0].cities
    expert, anybody = annotator_of(study, cities=cities), annotator_of(study)
    answer_all(expert)
    seen = [item.cities for item in LabelItem.objects.filter(assignments__annotator=expert)]
    assert seen and all(set(known) <= set(cities) for known in seen)
    answer_all(anybody)
    assert Label.objects.count() == len(starter_tasks)
    stranger = annotator_of(study, cities=["火星市"])
    assert queue.next_for(stranger) is None
    assert queue.standing(stranger).left == 0


def test_cities_do_not_matter_where_the_study_does_not_ask(make: Callable[..., LabelStudy]) -> None:
    assert queue.next_for(annotator_of(make(1), cities=["火星市"])) is not None


# --- links


class Browser(dict[str, Any]):
    """A browser's session."""

    def cycle_key(self) -> None:
        """A new key, of which a dictionary has none."""


def come(token: str, browser: Browser | None = None) -> tuple[Annotator, Browser]:
    request = RequestFactory().get("/")
    browser = Browser() if browser is None else browser
    request.session = browser  # type: ignore[assignment]
    return enter(request=request, token=token), browser


def test_a_link_lets_a_browser_in_and_is_known_there_again(make: Callable[..., LabelStudy]) -> None:
    annotator = annotator_of(make(1))
    found, browser = come(annotator.token)
    assert found == annotator
    assert annotator_in(browser, annotator.pk) == annotator
    assert annotator_in(Browser(), annotator.pk) is None
    annotator.refresh_from_db()
    assert annotator.opened_at and annotator.seen_at


@pytest.mark.parametrize(
    "forge", ["{id}", "{id}-", "{id}-{other}", "{other_id}-{own}", "x-y", "\x00-a", "-", ""]
)
def test_a_forged_link_is_known_to_nobody(make: Callable[..., LabelStudy], forge: str) -> None:
    study = make(1)
    one, other = annotator_of(study), annotator_of(study)
    own, others = one.token.partition("-")[2], other.token.partition("-")[2]
    token = forge.format(id=one.pk, other=others, other_id=other.pk, own=own)
    assert annotator_by(token) is None
    with pytest.raises(NotAdmitted, match="not valid"):
        come(token)


def test_expired_and_withdrawn_links_let_nobody_in_nor_on(make: Callable[..., LabelStudy]) -> None:
    study = make(2)
    for end in ("expire", "revoke"):
        annotator = annotator_of(study)
        taken = next_assignment(annotator)
        if end == "expire":
            Annotator.objects.filter(pk=annotator.pk).update(expires_at=later(-1))
        else:
            revoke(annotator=annotator)
        annotator.refresh_from_db()
        with pytest.raises(NotAdmitted, match="expired or was withdrawn"):
            come(annotator.token)
        assert queue.next_for(annotator) is None
        with pytest.raises(queue.AnswerRefused, match="invitation has ended"):
            answer(taken)
    assert not Label.objects.exists()


def test_a_new_link_shuts_out_browsers_that_came_by_the_old_one(make: Callable[..., LabelStudy]) -> None:
    annotator = annotator_of(make(1))
    _, browser = come(annotator.token)
    renew_link(annotator=annotator)
    assert annotator_in(browser, annotator.pk) is None
    come(annotator.token, browser)
    assert annotator_in(browser, annotator.pk) == annotator


def test_who_gives_up_frees_their_item_keeps_their_answers_and_may_come_again(
    make: Callable[..., LabelStudy],
) -> None:
    study = make(2, per_item=1)
    annotator = annotator_of(study)
    answer(next_assignment(annotator))
    begun = next_assignment(annotator)
    leave(annotator=annotator)
    annotator.refresh_from_db()
    assert queue.next_for(annotator) is None
    assert next_assignment(annotator_of(study)).item == begun.item
    assert Label.objects.count() == 1
    come(annotator.token)
    annotator.refresh_from_db()
    assert annotator.left_at is None


def test_three_annotators_of_whom_one_abandons_complete_every_item(make: Callable[..., LabelStudy]) -> None:
    study = make(10, per_item=3, lease_min=30)
    quitter, *others = [annotator_of(study) for _ in range(4)]
    for _ in range(4):
        answer(next_assignment(quitter))
    next_assignment(quitter)
    for annotator in others:
        while (assignment := queue.next_for(annotator, now=later(40))) is not None:
            answer(assignment)
    counted = Counter(Label.objects.filter(counts=True).values_list("item__number", flat=True))
    assert counted == dict.fromkeys(range(1, 11), 3)


def study_with_error(make: Callable[..., LabelStudy]) -> tuple[LabelStudy, Annotator]:
    """A study with two qualification items, of which an annotator has answered the first wrongly."""
    study = make(2, qualification=1.0)
    with_gold(study, 2, "qualification")
    annotator = annotator_of(study)
    answer(next_assignment(annotator), "right")
    return study, annotator


def test_a_qualification_item_that_is_taken_out_lets_nobody_past_who_erred(
    make: Callable[..., LabelStudy],
) -> None:
    study, annotator = study_with_error(make)
    withdraw_items(items=study.items.filter(purpose="qualification"))
    assert queue.next_for(annotator) is None
    annotator.refresh_from_db()
    assert annotator.failed_at is not None and annotator.qualified_at is None


def test_who_failed_is_let_in_again_once_the_known_answer_is_corrected(
    make: Callable[..., LabelStudy],
) -> None:
    _study, annotator = study_with_error(make)
    answer(next_assignment(annotator), "left")
    annotator.refresh_from_db()
    assert annotator.failed_at is not None
    with pytest.raises(NotAdmitted, match="still does not pass"):
        admit(annotator=annotator)
    first = annotator.assignments.order_by("pk")[0].item
    set_known(item=first, purpose="qualification", answer={"choice": "right"})
    admit(annotator=annotator)
    assert annotator.failed_at is None and next_assignment(annotator).item.purpose == "normal"


@pytest.mark.parametrize("skips", [False, True])
def test_a_repeat_that_can_never_come_keeps_nobody_waiting(
    make: Callable[..., LabelStudy], client: Client, skips: bool
) -> None:
    study = make(queue.REPEAT_DISTANCE, repeat_every=2)  # each item is one of the last three
    annotator = annotator_of(study)
    lefts = []
    while (one := queue.next_for(annotator)) is not None:
        lefts.append(queue.standing(annotator).left)
        queue.skip(one, reason="I have never been there") if skips else answer(one, "left")
    assert lefts == [3, 2, 1] and queue.standing(annotator).left == 0
    client.post(f"/annotate/join/{annotator.token}/")
    page = client.get(annotator.get_absolute_url()).content.decode()
    assert ("You have skipped every item" if skips else "Done, thank you") in page


def test_a_repeat_whose_item_was_taken_out_keeps_nobody_waiting(make: Callable[..., LabelStudy]) -> None:
    study = make(4, repeat_every=4)
    annotator = annotator_of(study)
    for _ in range(4):
        answer(next_assignment(annotator), "left")
    first = annotator.assignments.order_by("pk")[0].item
    assert queue.standing(annotator).left == 1
    withdraw_items(items=study.items.filter(pk=first.pk))
    assert queue.next_for(annotator) is None and queue.standing(annotator).left == 0


def test_who_skipped_everything_is_told_so(make: Callable[..., LabelStudy], client: Client) -> None:
    study = make(2)
    annotator = annotator_of(study)
    while (given := queue.next_for(annotator)) is not None:
        queue.skip(given, reason="I do not know this city")
    client.post(f"/annotate/join/{annotator.token}/")
    page = client.get(annotator.get_absolute_url()).content.decode()
    assert "You have skipped every item" in page and "Done, thank you" not in page
