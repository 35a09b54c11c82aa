"""Files of labels on the page and the command line: out, in again, and refused."""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from benchmark.labelling.tables import BadTable
from tests.labelling import (
    add_item,
    annotator_of,
    answer,
    finished_session,
    label,
    make_study,
    pairs_study,
    vote,
)
from webapp.catalogue.models import Task, World
from webapp.judging.models import Rater
from webapp.labelling import queue
from webapp.labelling.adjudication import decide
from webapp.labelling.annotator_quality import care_of
from webapp.labelling.answer_history import answers_of
from webapp.labelling.files import FORMATS, Options, WriteCounts, items_of, parts
from webapp.labelling.incoming import import_labels
from webapp.labelling.items import set_known
from webapp.labelling.models import Decision, Kind, Label, LabelStudy

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(starter_tasks: list[Task], starter_world: World) -> LabelStudy:
    return pairs_study(starter_tasks, starter_world, 4, allow_tie=True, name="Pairs & more")


def copy_of(study: LabelStudy) -> LabelStudy:
    """The same items without a label."""
    made = make_study(study.kind, allow_tie=study.allow_tie, dimensions=study.dimensions)
    for item in study.items.all():
        given = {"left_agent": item.left_agent, "right_agent": item.right_agent, "stratum": item.stratum}
        add_item(made, item.task, item.left, item.right, purpose=item.purpose, **given)
    return made


def text(study: LabelStudy, format_: str, **options: bool) -> str:
    return b"".join(parts(study, format_, Options(**options))).decode()


def rows(study: LabelStudy, format_: str, **options: bool) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text(study, format_, **options).splitlines()]


def bring(study: LabelStudy, folder: Path, content: str, name: str = "x.jsonl") -> Any:
    path = folder / name
    path.write_text(content, newline="")
    return import_labels(study=study, path=path)


def exported_items(study: LabelStudy) -> list[Any]:
    """The items without what an import changes by itself: where labels are from, and the ids of the study."""
    found = [json.loads(line) for line in text(study, "jsonl").splitlines()]
    for row in found:
        row.pop("study")
        for one in row["labels"]:
            one.pop("source")
    return found


def label_study(study: LabelStudy) -> LabelStudy:
    """Answers of two annotators with a history and a repeat, one of a model, and a decision."""
    LabelStudy.objects.filter(pk=study.pk).update(repeat_every=4)
    for choices in (["left", "right", "neither", "tie"], ["left", "left", "left", "tie"]):
        annotator = annotator_of(study)
        given = iter([*choices, "right"])
        while (assignment := queue.next_for(annotator)) is not None:
            answer(assignment, next(given), rationale='=1+1, "so"\nend')
        answer(queue.undo(annotator), "neither")
    model = Rater.objects.create(kind=Rater.Kind.PAIRWISE, name="m", key="m@1")
    item = study.items.get(number=2)
    label(item, model, "right", answer={"choice": "right", "confidence": 0.5}, source="model")
    first = item.labels.first()
    assert first is not None
    Decision.objects.create(
        item=item, choice="right", answer={"choice": "right"}, note="why", seen=[first.pk]
    )
    return study


def test_json_lines_into_a_copy_come_out_equal(study: LabelStudy, tmp_path: Path) -> None:
    label_study(study)
    other = copy_of(study)
    brought = bring(other, tmp_path, text(study, "jsonl"))
    assert exported_items(other) == exported_items(study)
    assert (brought.labels, brought.decisions) == (Label.objects.filter(item__study=study).count(), 1)
    assert brought.raters == brought.skipped == 0
    assert {row.repeat for one in items_of(other) for row in one.labels} == {0, 1}
    mine = Label.objects.filter(item__study=other)
    assert set(mine.values_list("source", "assignment")) == {("import", None)}
    assert not mine.filter(current=True, counts=True, answer__contains="told").exists()


def test_the_same_file_again_is_skipped_and_counted(study: LabelStudy, tmp_path: Path) -> None:
    label_study(study)
    whole = text(study, "jsonl")
    before = exported_items(study)
    brought = bring(study, tmp_path, whole)
    assert (brought.labels, brought.decisions, brought.raters) == (0, 0, 0)
    assert brought.skipped == Label.objects.filter(item__study=study).count() + 1
    assert exported_items(study) == before


@pytest.mark.parametrize("format_", ["csv", "label-studio"])
def test_other_formats_bring_the_same_choices(study: LabelStudy, tmp_path: Path, format_: str) -> None:
    label_study(study)
    other = copy_of(study)
    bring(other, tmp_path, text(study, format_), f"x{FORMATS[format_].ending}")

    def current_answers(of: LabelStudy) -> list[Any]:
        found = Label.objects.filter(item__study=of, current=True, rater__kind="person")
        found = found.exclude(assignment__repeat=1)
        return sorted(found.values_list("item__number", "rater__name", "choice", "rationale", "seconds"))

    assert current_answers(other) == current_answers(study)
    assert len(current_answers(study)) == 8


def test_blind_files_have_no_names_and_no_ids(study: LabelStudy) -> None:
    vote(study, {1: "LR", 2: "LL"})
    people = Rater.objects.filter(labels__item__study=study).distinct()
    assert people.count() == 2
    for format_ in ("csv", "jsonl", "label-studio", "preferences"):
        written = text(study, format_, blind=True)
        for person in people:
            assert person.name not in written and person.pk not in written
        if format_ != "preferences":
            assert "R1" in written and "R2" in written


def test_two_raters_of_one_name_stay_two(study: LabelStudy, tmp_path: Path) -> None:
    raters = [Rater.objects.create(name="Ann") for _ in range(2)]
    vote(study, {1: "LR"}, raters)
    found = {row["rater"] for row in csv.DictReader(StringIO(text(study, "csv")))}
    assert len(found) == 2 and all(name.startswith("Ann") for name in found)
    other = copy_of(study)
    bring(other, tmp_path, text(study, "csv"), "x.csv")
    assert Label.objects.filter(item__study=other).values("rater").distinct().count() == 2


def test_raters_unknown_here_become_people(study: LabelStudy, tmp_path: Path) -> None:
    brought = bring(study, tmp_path, "item,rater,label\n1,Nobody before,a\n2,Nobody before,Tie\n", "x.csv")
    assert (brought.labels, brought.raters) == (2, 1)
    rater = Rater.objects.get(name="Nobody before")
    assert rater.kind == Rater.Kind.PERSON
    assert sorted(rater.labels.values_list("choice", "counts", "source")) == [
        ("left", True, "import"),
        ("tie", True, "import"),
    ]


def test_repeats_that_come_back_count_as_such(study: LabelStudy, tmp_path: Path) -> None:
    """Quality tells how far raters agree with themselves, and an item shows a repeat beside the first answer."""
    label_study(study)
    other = copy_of(study)
    bring(other, tmp_path, text(study, "jsonl"))
    before, after = ({one.rater.name: one for one in care_of(of)} for of in (study, other))
    assert any(one.quality.consistency.value is not None for one in before.values())
    for name, one in before.items():
        assert after[name].quality.consistency.value == one.quality.consistency.value
        assert after[name].unlike == one.unlike
    number = Label.objects.filter(item__study=study, assignment__repeat=1).values_list(
        "item__number", flat=True
    )[0]
    said = answers_of(other.items.get(number=number))
    assert {one.label.repeat for one in said if "a repeat" in one.source} == {1}
    assert not any(one.taken_back for one in said)


@pytest.mark.parametrize("format_", ["jsonl", "label-studio", "csv"])
def test_answers_to_known_items_that_come_back_do_not_count(
    study: LabelStudy, tmp_path: Path, format_: str
) -> None:
    study.items.filter(number=1).update(purpose="gold", answer={"choice": "left"})
    vote(study, {1: "LR", 2: "LL"})
    other = copy_of(study)
    other.items.update(purpose="normal")
    whole = {"everything": True} if format_ == "csv" else {}
    bring(other, tmp_path, text(study, format_, **whole), f"x{FORMATS[format_].ending}")
    labels = Label.objects.filter(item__study=other)
    assert sorted(labels.values_list("item__number", "counts")) == [(1, False)] * 2 + [(2, True)] * 2


def test_a_rater_whose_id_is_unknown_here_is_found_by_name(study: LabelStudy, tmp_path: Path) -> None:
    annotator = annotator_of(study, "Jos\u00e9")
    lines = [
        "item,rater,label,rater_id",
        "1,Jose\u0301,A,elsewhere1",
        "2,Jos\u00e9,B,elsewhere1",
        "1,Jos\u00e9,B,elsewhere2",
    ]
    brought = bring(study, tmp_path, "\n".join(lines), "x.csv")
    assert (brought.labels, brought.raters) == (3, 1)
    mine = Label.objects.filter(item__study=study, rater=annotator.rater)
    assert sorted(mine.values_list("item__number", "choice")) == [(1, "left"), (2, "right")]
    assert brought.joined == [r"rater, written in several ways and counted as one: 'Jose\u0301', 'Jos\xe9'"]


def test_another_answer_than_the_one_that_is_there_is_refused(study: LabelStudy, tmp_path: Path) -> None:
    annotator = annotator_of(study, "Ann")
    assignment = queue.next_for(annotator)
    assert assignment is not None
    answer(assignment, "left")
    number = assignment.item.number
    other = number % 4 + 1
    before = exported_items(study)
    content = f"item,rater,label\n{other},New,A\n{number},Ann,B\n"
    with pytest.raises(BadTable, match=f"line 3, label: Ann has another label for item {number} here: A"):
        bring(study, tmp_path, content, "x.csv")
    assert exported_items(study) == before
    assert not Rater.objects.filter(name="New").exists()
    assert bring(study, tmp_path, f"item,rater,label\n{number},Ann,A\n", "x.csv").skipped == 1


def test_another_decision_than_the_one_in_force_is_refused(study: LabelStudy, tmp_path: Path) -> None:
    item = study.items.get(number=1)
    Decision.objects.create(item=item, choice="left", answer={"choice": "left"})
    row = json.dumps({"item": 1, "decisions": [{"label": "B"}]})
    with pytest.raises(BadTable, match="line 1, decisions: item 1 is decided otherwise here"):
        bring(study, tmp_path, row)
    assert item.decisions.count() == 1


def test_a_pilot_takes_labels_that_do_not_count(study: LabelStudy, tmp_path: Path) -> None:
    LabelStudy.objects.filter(pk=study.pk).update(pilot=True)
    study.refresh_from_db()
    bring(study, tmp_path, "item,rater,label\n1,Ann,A\n", "x.csv")
    assert not Label.objects.get(item__study=study).counts


def test_a_rubric_goes_out_and_comes_in(
    starter_tasks: list[Task], starter_world: World, tmp_path: Path
) -> None:
    study = make_study(Kind.RUBRIC, dimensions={"pacing": {"zh": "节奏", "en": "Pacing"}})
    add_item(study, starter_tasks[0], finished_session(starter_tasks[0], starter_world))
    person = Rater.objects.create(name="Ann")
    label(study.items.get(), person, "", answer={"scores": {"pacing": 4}})
    for format_ in ("csv", "jsonl", "label-studio"):
        other = copy_of(study)
        bring(other, tmp_path, text(study, format_), f"x{FORMATS[format_].ending}")
        assert Label.objects.get(item__study=other).answer == {"scores": {"pacing": 4}}
    with pytest.raises(ValueError, match="preference pairs come from a study of pairs"):
        text(study, "preferences")


def test_preference_pairs_are_of_decided_items_alone(study: LabelStudy) -> None:
    vote(study, {1: "LLR", 2: "RRL", 3: "NNN", 4: "LRT"})
    written = WriteCounts()
    found = [json.loads(line) for line in b"".join(parts(study, "preferences", None, written)).splitlines()]
    assert [row["item"] for row in found] == [1, 2]
    first, second = study.items.order_by("number")[:2]
    assert '"alpha 公园"' in found[0]["chosen"] and '"beta 公园"' in found[0]["rejected"]
    assert '"beta 公园"' in found[1]["chosen"]
    assert (found[0]["score_chosen"], found[0]["score_rejected"]) == (2.0, 1.0)
    assert first.task.query in found[0]["prompt"] and second.task.query in found[1]["prompt"]
    dropped = written.drops
    assert (dropped.written, dropped.even, dropped.undecided, dropped.no_plan) == (2, 1, 1, 0)


def test_conversations_hold_what_a_planner_is_told(study: LabelStudy) -> None:
    vote(study, {1: "LL"})
    [row] = rows(study, "conversations")
    assert row["prompt"][0]["role"] == "system"
    assert row["prompt"][-1]["role"] == "user"
    for side in ("chosen", "rejected"):
        [message] = row[side]
        assert message["role"] == "assistant"
        plan = message["content"].removeprefix("```json\n").removesuffix("\n```")
        assert "days" in json.loads(plan)


def test_a_decision_outweighs_the_majority(study: LabelStudy) -> None:
    vote(study, {1: "LLL"})
    Decision.objects.create(item=study.items.get(number=1), choice="right", answer={"choice": "right"})
    [row] = rows(study, "preferences")
    assert '"beta 公园"' in row["chosen"]


def slightly_labelled(study: LabelStudy) -> LabelStudy:
    """A study with answers, a known answer and a decision of which some are slight."""
    study.allow_slight = True
    study.save()
    first, second, third, *_rest = study.items.order_by("number")
    rater = Rater.objects.create(name="Ann")
    label(first, rater, answer={"choice": "left", "strength": "slight"})
    label(second, rater)
    decide(item=first, answer={"choice": "right", "strength": "slight"}, decided_by=None)
    set_known(item=third, purpose="gold", answer={"choice": "left", "strength": "slight"})
    return study


def test_slightly_better_goes_out_and_comes_in(study: LabelStudy, tmp_path: Path) -> None:
    slightly_labelled(study)
    other = copy_of(study)
    other.allow_slight = True
    other.save()
    bring(other, tmp_path, text(study, "jsonl"))
    assert Decision.objects.get(item__study=other).answer == {"choice": "right", "strength": "slight"}
    assert [row["known"]["strength"] for row in exported_items(study) if row["known"]] == ["slight"]
    assert exported_items(other) == exported_items(study)
    [pair] = [row for row in rows(study, "preferences") if row["strength"]]
    assert (pair["score_chosen"], pair["score_rejected"]) == (0.0, 1.0)


def test_a_slight_answer_is_another_than_a_plain_one(study: LabelStudy, tmp_path: Path) -> None:
    slightly_labelled(study)
    plain = text(study, "csv", everything=True).replace(",slight,", ",,")
    with pytest.raises(BadTable) as refused:
        bring(study, tmp_path, plain, "x.csv")
    assert "slightly A" in str(refused.value.problems.problems[0])


# --- the page


def test_the_page_offers_what_fits_the_kind_of_study(as_researcher: Client, study: LabelStudy) -> None:
    page = as_researcher.get(reverse("label_files", args=[study.pk])).content.decode()
    for name in FORMATS:
        assert reverse("label_file", args=[study.pk, name]) in page
    yes_no = make_study(Kind.BINARY)
    page = as_researcher.get(reverse("label_files", args=[yes_no.pk])).content.decode()
    assert reverse("label_file", args=[yes_no.pk, "preferences"]) not in page
    assert as_researcher.get(reverse("label_file", args=[yes_no.pk, "preferences"])).status_code == 404
    assert as_researcher.get(reverse("label_file", args=[study.pk, "xlsx"])).status_code == 404


def test_annotators_and_strangers_get_no_file(
    as_annotator: Client, client: Client, study: LabelStudy
) -> None:
    for name, args in (("label_files", [study.pk]), ("label_file", [study.pk, "csv"])):
        assert as_annotator.get(reverse(name, args=args)).status_code == 403
        assert client.get(reverse(name, args=args)).status_code == 302


def test_a_download_has_the_studys_name(as_researcher: Client, study: LabelStudy) -> None:
    vote(study, {1: "L"})
    response = as_researcher.get(reverse("label_file", args=[study.pk, "csv"]), {"blind": "1"})
    assert response["Content-Disposition"] == 'attachment; filename="pairs-more.csv"'
    [row] = csv.DictReader(StringIO(response.getvalue().decode()))  # type: ignore[attr-defined]
    assert (row["item"], row["rater"], row["label"]) == ("1", "R1", "A")


def test_an_upload_says_what_it_came_to(as_researcher: Client, study: LabelStudy) -> None:
    address = reverse("label_files", args=[study.pk])
    file = SimpleUploadedFile("labels.csv", b"item,rater,label\n1,Ann,A\n")
    page = as_researcher.post(address, {"file": file}, follow=True).content.decode()
    assert "1 label imported. 1 rater is new." in page
    file = SimpleUploadedFile("labels.csv", b"item,rater,label\n1,Ann,A\n77,Ann,A\n")
    page = as_researcher.post(address, {"file": file}).content.decode()
    assert "Nothing was imported." in page and "the study has no item 77" in page
    assert Label.objects.filter(item__study=study).count() == 1


def test_an_upload_that_is_damaged_or_empty_is_refused(as_researcher: Client, study: LabelStudy) -> None:
    address = reverse("label_files", args=[study.pk])
    for name, content in (("labels.csv.gz", b"\x1f\x8bnot gzip"), ("labels.csv", b"")):
        page = as_researcher.post(address, {"file": SimpleUploadedFile(name, content)}).content.decode()
        assert "bad" in page and "/tmp" not in page
    assert not Label.objects.filter(item__study=study).exists()


# --- known answers

KNOWN_ANSWER = {"label": "A", "explanation": "B leaves a must out."}


def known_line(item: int, known: Any = KNOWN_ANSWER, purpose: str = "gold") -> str:
    return json.dumps({"item": item, "purpose": purpose, "known": known}) + "\n"


def test_known_answers_come_in_and_are_skipped_the_second_time(study: LabelStudy, tmp_path: Path) -> None:
    content = known_line(1) + known_line(2, {"label": "B"}, "qualification")
    brought = bring(study, tmp_path, content)
    assert (brought.known_answers, brought.skipped) == (2, 0)
    first, second = study.items.filter(number__in=(1, 2)).order_by("number")
    assert (first.purpose, first.answer, first.explanation) == (
        "gold",
        {"choice": "left"},
        KNOWN_ANSWER["explanation"],
    )
    assert (second.purpose, second.answer) == ("qualification", {"choice": "right"})
    again = bring(study, tmp_path, content)
    assert (again.known_answers, again.skipped) == (0, 2)


def test_an_export_comes_back_with_its_known_answers(study: LabelStudy, tmp_path: Path) -> None:
    set_known(
        item=study.items.get(number=1), purpose="training", answer={"choice": "left"}, explanation="why"
    )
    vote(study, {1: "LR", 2: "LL"})
    other = copy_of(study)
    other.items.update(purpose="normal")
    bring(other, tmp_path, text(study, "jsonl"))
    assert [(row["purpose"], row["known"]) for row in exported_items(other)] == [
        (row["purpose"], row["known"]) for row in exported_items(study)
    ]


@pytest.mark.parametrize(
    ("line", "told_"),
    [
        (known_line(1, {"label": "Q"}), "line 1, known.label: 'Q' is no answer of this study"),
        (
            known_line(1, {"label": "A"}, "silver"),
            "line 1, purpose: 'silver' is none; set one of normal, gold",
        ),
        (known_line(1, "A"), "line 1, known"),
        (known_line(1) + known_line(1), "line 2, known: item 1 has a known answer on line 1; keep one"),
        (known_line(1, {"label": "A", "explanation": 3}), "line 1, known.explanation: '3' is not text"),
        (known_line(99), "line 1, item: the study has no item 99"),
        (known_line(2, {"label": "B"}), "line 1, known: item 2 has another known answer or purpose here"),
        (known_line(3), "line 1, known: item 3: Annotators have already been given this item"),
    ],
)
def test_a_bad_known_answer_is_refused_and_changes_nothing(
    study: LabelStudy, tmp_path: Path, line: str, told_: str
) -> None:
    set_known(item=study.items.get(number=2), purpose="gold", answer={"choice": "left"})
    vote(study, {3: "L"})
    before = list(study.items.values_list("purpose", "answer"))
    with pytest.raises(BadTable) as refused:
        bring(study, tmp_path, line + known_line(4))
    assert told_ in str(refused.value)
    assert list(study.items.values_list("purpose", "answer")) == before


# --- commands


def test_commands_write_and_read_a_study(study: LabelStudy, tmp_path: Path, capsys: Any) -> None:
    vote(study, {1: "LLR", 3: "NNN"})
    out = tmp_path / "labels.jsonl"
    call_command("export_labels", study.pk, "--format", "jsonl", "--out", out)
    other = copy_of(study)
    call_command("import_labels", other.name, out, "--json")  # by its name too
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["labels"] == 6
    pairs = tmp_path / "pairs.jsonl"
    call_command("export_labels", other.pk, "--format", "preferences", "--out", pairs, "--json")
    result = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (result["pairs"], result["dropped"]) == (1, {"undecided": 2, "neither_or_tie": 1, "no_plan": 0})
    assert len(pairs.read_text().splitlines()) == 1


def test_commands_say_what_is_wrong(study: LabelStudy, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="there is no study nosuch"):
        call_command("export_labels", "nosuch", "--format", "csv", "--out", tmp_path / "x")
    bad = tmp_path / "bad.csv"
    bad.write_text("item,rater,label\n1,Ann,Q\n")
    with pytest.raises(CommandError, match=r"(?s)nothing was imported.*line 2, label: 'Q'"):
        call_command("import_labels", study.pk, bad)
    with pytest.raises(CommandError, match="No such file"):
        call_command("import_labels", study.pk, tmp_path / "none.csv")
    out = tmp_path / "kept.csv"
    out.write_text("before")
    rubric = make_study(Kind.RUBRIC)
    with pytest.raises(CommandError, match="pairs"):
        call_command("export_labels", rubric.pk, "--format", "preferences", "--out", out)
    assert out.read_text() == "before"
