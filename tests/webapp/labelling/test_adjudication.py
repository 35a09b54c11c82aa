"""Items whose answers come to nothing: the queue, decisions, and what they change."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.labelling import (
    add_item,
    annotator_of,
    answer_all,
    finished_session,
    label,
    make_study,
    pairs_study,
    rate,
    vote,
)
from webapp.accounts.models import User
from webapp.catalogue.models import Task, World
from webapp.judging.models import Rater
from webapp.labelling import queue
from webapp.labelling.adjudication import decide, swapped_for_reader, undecide
from webapp.labelling.items import ItemRefused
from webapp.labelling.models import Decision, Kind, Label, LabelStudy
from webapp.labelling.rows import item_rows, queue_of
from webapp.labelling.table import final_choices

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(starter_tasks: list[Task], starter_world: World) -> LabelStudy:
    """Item 1 is agreed, 2 has a majority, 3 and 5 are split, 4 waits for answers."""
    found = pairs_study(starter_tasks, starter_world, items=5)
    vote(found, {1: "LLL", 2: "LLR", 3: "LRN", 4: "LR.", 5: "RNL"})
    return found


def to_decide(study: LabelStudy) -> list[int]:
    return [row.number for row in queue_of(item_rows(study))]


def test_the_queue_holds_complete_items_without_a_strict_majority(study: LabelStudy) -> None:
    assert to_decide(study) == [3, 5]


def test_differing_answers_of_which_one_was_hurried_come_after_those(study: LabelStudy) -> None:
    Label.objects.filter(item__number=2, choice="right").update(hurried=True)
    Label.objects.filter(item__number=1).update(hurried=True)
    assert to_decide(study) == [3, 5, 2]


def test_withdrawn_items_and_known_answers_are_not_to_be_decided(study: LabelStudy) -> None:
    study.items.filter(number=3).update(withdrawn_at="2026-01-01T00:00:00Z")
    study.items.filter(number=5).update(purpose="gold", answer={"choice": "left"})
    assert to_decide(study) == []
    with pytest.raises(ItemRefused, match="taken out"):
        decide(item=study.items.get(number=3), answer={"choice": "left"}, decided_by=None)
    with pytest.raises(ItemRefused, match="known"):
        decide(item=study.items.get(number=5), answer={"choice": "left"}, decided_by=None)


def test_a_decision_takes_the_place_of_the_majority_and_keeps_what_it_was_made_from(
    study: LabelStudy, researcher: User
) -> None:
    item = study.items.get(number=2)
    decision = decide(
        item=item, answer={"choice": "tie" if study.allow_tie else "right"}, decided_by=researcher
    )
    assert final_choices(study)[2].choice == "right"
    assert final_choices(study)[2].decided
    assert set(decision.seen) == set(item.labels.values_list("pk", flat=True))


def test_a_later_decision_keeps_the_old_one(study: LabelStudy, researcher: User) -> None:
    item = study.items.get(number=3)
    decide(item=item, answer={"choice": "left"}, decided_by=researcher, note="B has no beds")
    decide(item=item, answer={"choice": "neither"}, decided_by=researcher, note="nor has A")
    rows = Decision.objects.filter(item=item).order_by("pk").values_list("choice", "note", "current")
    assert list(rows) == [("left", "B has no beds", False), ("neither", "nor has A", True)]
    undecide(item=item)
    assert 3 not in final_choices(study)
    assert to_decide(study) == [3, 5]


def test_an_answer_that_the_study_does_not_have_is_no_decision(study: LabelStudy) -> None:
    with pytest.raises(ItemRefused, match="Choose one"):
        decide(item=study.items.get(number=3), answer={"choice": "tie"}, decided_by=None)


def test_a_decided_item_can_not_be_taken_back_by_an_annotator(
    starter_tasks: list[Task], starter_world: World
) -> None:
    study = pairs_study(starter_tasks, starter_world, items=1)
    annotator = annotator_of(study)
    answer_all(annotator)
    decide(item=study.items.get(), answer={"choice": "left"}, decided_by=None)
    with pytest.raises(queue.AnswerRefused, match="has been decided"):
        queue.undo(annotator)


def test_ratings_far_apart_are_to_be_decided_by_dimension(
    starter_tasks: list[Task], starter_world: World
) -> None:
    study = make_study(Kind.RUBRIC, per_item=2)
    item = add_item(study, starter_tasks[0], finished_session(starter_tasks[0], starter_world))
    name = study.dimension_names[0]
    for score in (1, 5):
        given = queue.next_for(annotator_of(study))
        assert given is not None
        rate(given, **{name: score})
    assert to_decide(study) == [1]
    scores = dict.fromkeys(study.dimension_names, 3)
    with pytest.raises(ItemRefused, match="every dimension"):
        decide(item=item, answer={"scores": {name: 3}}, decided_by=None)
    decide(item=item, answer={"scores": {**scores, name: 2}}, decided_by=None)
    assert final_choices(study)[1].scores[name] == 2
    assert to_decide(study) == []


# --- pages


def adjudication_page(study: LabelStudy, client: Client, number: int = 3) -> str:
    """The page on which an item is decided."""
    return client.get(f"/labelling/{study.pk}/adjudication/{number}/").content.decode()


def choose_side_order(study: LabelStudy, swapped: bool, number: int = 3) -> None:
    """Give the study a seed by which the adjudicator sees an item as it is, or the other way round."""
    item, reader = study.items.get(number=number), User.objects.get(username="researcher")
    study.seed = next(
        n for n in range(50) if swapped_for_reader(LabelStudy(seed=n), item.pk, reader) == swapped
    )
    study.save()


def test_an_adjudicator_reads_every_answer_and_no_name(as_researcher: Client, study: LabelStudy) -> None:
    study.items.update(left_agent="Gamma-7B", right_agent="Delta-9B", stratum="Gamma-7B first")
    item = study.items.get(number=3)
    model = Rater.objects.create(name="Gamma-7B", kind="pairwise")
    label(item, model, "left", rationale="it is Gamma-7B", source=Label.Source.MODEL)
    told = Label.objects.filter(item=item, choice="neither")
    told.update(rationale="no <i>train</i>, says Gamma-7B", seconds=73)
    page = adjudication_page(study, as_researcher)
    assert "no &lt;i&gt;train&lt;/i&gt;, says" in page and "73" in page and "1 more item waits" in page
    for name in (*item.labels.values_list("rater__name", flat=True), item.left_id, item.right_id):
        assert name not in page
    assert "Gamma" not in page and "Delta" not in page
    assert "rater 1" in page and "rater 4" in page


def test_names_come_with_the_decision(as_researcher: Client, study: LabelStudy) -> None:
    Label.objects.filter(item__number=3, choice="neither").update(rationale="no <i>train</i>", seconds=73)
    as_researcher.post(f"/labelling/{study.pk}/adjudication/3/", {"choice": "left"})
    page, item = adjudication_page(study, as_researcher), study.items.get(number=3)
    for name in (*item.labels.values_list("rater__name", flat=True), item.left_id, "alpha", "beta"):
        assert name in page


@pytest.mark.parametrize("swapped", [False, True])
def test_sides_are_shuffled_for_the_adjudicator_and_a_decision_is_by_the_items_own(
    as_researcher: Client, study: LabelStudy, swapped: bool
) -> None:
    choose_side_order(study, swapped)
    vote(study, {3: "L"})
    page = adjudication_page(study, as_researcher)
    assert (page.index("alpha 公园") > page.index("beta 公园")) == swapped
    assert ("A 1 · B 2 · N 1" if swapped else "A 2 · B 1 · N 1") in page
    as_researcher.post(f"/labelling/{study.pk}/adjudication/3/", {"choice": "left", "note": "A has trains"})
    decision = Decision.objects.get(item__number=3)
    assert (decision.choice, decision.swapped) == (("right", True) if swapped else ("left", False))
    after = adjudication_page(study, as_researcher)
    shown = re.search(r'name="choice" value="(\w+)"[^>]*checked', after)
    assert shown is not None and shown[1] == "left" and "result: A" in after


def test_lists_of_items_name_nobody_of_what_waits_for_a_decision(
    as_researcher: Client, study: LabelStudy
) -> None:
    study.items.filter(number=3).update(left_agent="gamma")
    pages = [
        as_researcher.get(f"/labelling/{study.pk}/{at}").content.decode() for at in ("items/", "items/3/")
    ]
    assert all("gamma" not in page for page in pages)
    assert "gamma" in as_researcher.get(f"/labelling/{study.pk}/items/3/?open=1").content.decode()


def test_a_decision_on_the_page_leads_to_the_next_item_and_at_last_to_the_queue(
    as_researcher: Client, study: LabelStudy
) -> None:
    path = f"/labelling/{study.pk}/adjudication/"
    assert as_researcher.get(path + "next/").headers["Location"] == path + "3/"
    response = as_researcher.post(path + "3/", {"choice": "left", "note": "shorter ways"})
    assert response.headers["Location"] == path + "5/"
    assert as_researcher.post(path + "5/", {"choice": "right"}).headers["Location"] == path
    assert as_researcher.get(path + "next/").status_code == 404
    page = as_researcher.get(path).content.decode()
    assert "No item needs a decision." in page
    decision = Decision.objects.get(item__number=3)
    assert (decision.note, decision.decided_by.username) == ("shorter ways", "researcher")  # type: ignore[union-attr]
    assert "shorter ways" in as_researcher.get(path + "3/").content.decode()


def test_a_decision_without_an_answer_is_asked_for_again(as_researcher: Client, study: LabelStudy) -> None:
    page = as_researcher.post(f"/labelling/{study.pk}/adjudication/3/", {"note": "x"}).content.decode()
    assert "Choose one of the study&#x27;s answers." in page
    assert not Decision.objects.exists()


def test_a_decision_is_taken_back_on_the_page(as_researcher: Client, study: LabelStudy) -> None:
    path = f"/labelling/{study.pk}/adjudication/3/"
    as_researcher.post(path, {"choice": "left"})
    as_researcher.post(path, {"undecide": "1"})
    assert not Decision.objects.filter(current=True).exists()
    assert Decision.objects.count() == 1


@pytest.mark.parametrize("swapped", [False, True])
def test_a_decision_can_be_for_a_slightly_better_side(
    as_researcher: Client, study: LabelStudy, swapped: bool
) -> None:
    study.allow_slight = True
    choose_side_order(study, swapped)
    assert 'value="slight_left"' in adjudication_page(study, as_researcher)
    as_researcher.post(f"/labelling/{study.pk}/adjudication/3/", {"choice": "slight_left"})
    decision = Decision.objects.get(item__number=3)
    side = "right" if swapped else "left"
    assert (decision.choice, decision.answer) == (side, {"choice": side, "strength": "slight"})
    assert final_choices(study)[3].choice == side
    page = adjudication_page(study, as_researcher)
    assert re.search(r'value="slight_left"[^>]*checked', page) and "result: slightly A" in page
