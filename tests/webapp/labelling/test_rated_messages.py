"""Studies in which people rate what TRIP-Bench's user says, message by message."""

from __future__ import annotations

import csv
import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from tests.labelling import annotator_of, make_study, rate
from tests.rated_messages import trip_run
from webapp.catalogue.models import World
from webapp.judging.models import Rater
from webapp.labelling import queue
from webapp.labelling.answer_history import answer_words
from webapp.labelling.figures import Figures
from webapp.labelling.files import Options, WriteCounts, filled_parts
from webapp.labelling.items import ItemRequest, add_from_runs
from webapp.labelling.models import Assignment, Decision, Kind, Label, LabelItem, LabelStudy
from webapp.labelling.qualifying import is_right
from webapp.labelling.rows import item_rows
from webapp.labelling.rubrics import people_ratings
from webapp.sessions.models import Run

CHECKS = ("kept", "agrees", "specific")


@pytest.fixture
def run(starter_world: World) -> Run:
    return trip_run(starter_world)


@pytest.fixture
def study(run: Run) -> LabelStudy:
    """All four messages of two sessions."""
    return _study(run, "issued", per_item=2)


def _study(run: Run, rubric: str, **fields: Any) -> LabelStudy:
    study = make_study(Kind.RUBRIC, suite="tripbench", rubric=rubric, **fields)
    add_from_runs(study=study, wanted=ItemRequest([run]))
    return study


def test_a_study_of_messages_is_made_on_the_pages(as_researcher: Client, run: Run) -> None:
    form = as_researcher.get(reverse("new_label_study")).context["form"]
    sent = {name: value for name, value in form.initial.items() if value not in (None, False)}
    sent |= {"name": "Is it said?", "kind": "rubric", "suite": "tripbench", "rubric": "issued"}
    response = as_researcher.post(reverse("new_label_study"), sent)
    assert response.status_code == 302, response.context["form"].errors
    study = LabelStudy.objects.get()
    assert [*study.scales.items()] == [(name, range(2)) for name in CHECKS]
    sent = {"runs-runs": [run.pk], "runs-stratum": "subset", "runs-seed": "1", "runs-only": ["subset=ais"]}
    at = reverse("add_label_runs", args=[study.pk])
    assert (
        "2 items would be added, of 1 sessions"
        in as_researcher.post(at, {**sent, "look": "1"}).content.decode()
    )
    assert as_researcher.post(at, sent).status_code == 302
    again = as_researcher.post(at, {**sent, "runs-only": ["subset=fit"]}).content.decode()
    assert "Require less" in again
    assert as_researcher.post(at, {**sent, "runs-only": []}).status_code == 302  # the other session comes too
    items = study.items.order_by("number")
    assert [(one.stratum, one.at, one.left_agent, one.facets["style"]) for one in items] == [
        *(("ais", at, "scripted", "terse") for at in (5, 13)),
        *(("easy", at, "scripted", "") for at in (5, 13)),
    ]
    page = as_researcher.get(reverse("label_items", args=[study.pk])).content.decode()
    assert "Number of conversations" in page and '<td class="n">13</td>' in page
    wrong = {**form.initial, "name": "no", "kind": "rubric", "suite": "travelbench", "rubric": "issued"}
    response = as_researcher.post(reverse("new_label_study"), {k: v for k, v in wrong.items() if v})
    assert response.context["form"].errors["rubric"]


def test_an_annotator_reads_the_message_what_it_issues_and_nothing_of_the_agent(study: LabelStudy) -> None:
    item = study.items.get(left__task__task_id="ais", at=13)
    study.items.exclude(pk=item.pk).delete()
    annotator = annotator_of(study)
    client = Client()
    client.post(reverse("annotator_link", args=[annotator.token]))
    guidelines = client.get(reverse("annotate_guidelines", args=[annotator.pk])).content.decode()
    assert "All that is issued is in the message" in guidelines
    page = client.get(reverse("annotate", args=[annotator.pk])).content.decode()
    shown = page[page.index('class="rated-message"') : page.index('id="answering"')]
    message, issued, held, trip, before = shown.split("<h1>")[1].replace("<details", "<h2>").split("<h2>")
    assert "Every hotel has to take pets." in message
    assert "<code>pet</code>" in issued and "<code>&lt;s&gt;</code>" in held and "Lakeside" in trip
    assert "Please plan a trip" in before
    for hidden in ("quick-planner", "trip_plan", item.left_id, "scripted", "Agent"):
        assert str(hidden) not in page
    assert page.count(">Yes<") == page.count(">No<") == 3 and "<kbd>Y</kbd>" in page
    study.show_chat = True
    study.save()
    with_chat = client.get(reverse("annotate", args=[annotator.pk])).content.decode()
    assert '<span class="who">Agent</span>' in with_chat and "quick-planner" not in with_chat
    sent = {
        "assignment": Assignment.objects.get().pk,
        "seconds": "20",
        "score_kept": "1",
        "score_agrees": "1",
    }
    at = reverse("annotate_answer", args=[annotator.pk])
    assert client.post(at, {**sent, "score_specific": "2"}).status_code == 422
    assert client.post(at, {**sent, "score_specific": "0"}).status_code == 302
    label = Label.objects.get()
    assert label.answer == {"scores": {"kept": 1, "agrees": 1, "specific": 0}}
    assert answer_words(study, label.answer).endswith("nothing is narrower or looser than issued No")
    chinese = Client(HTTP_ACCEPT_LANGUAGE="zh-hans")
    chinese.post(reverse("annotator_link", args=[annotator_of(study).token]))
    page = chinese.get(reverse("annotate", args=[study.annotators.latest("created_at").pk])).content.decode()
    assert ">是<" in page and "这条消息提出的要求" in page


def test_vague_conversations_have_their_style_beside_and_two_ratings(run: Run, as_researcher: Client) -> None:
    study = _study(run, "vagueness")
    assert set(study.items.values_list("left__task__task_id", flat=True)) == {"ais"}
    item = study.items.get(at=5)
    page = as_researcher.get(reverse("label_item", args=[study.pk, item.number])).content.decode()
    assert "half sentences, no courtesies" in page and "to be said vaguely" in page
    rater = Rater.objects.create(name="Ada")
    for one, (vague, in_style) in zip(study.items.order_by("at"), ((5, 4), (3, 4)), strict=True):
        Label.objects.create(item=one, rater=rater, answer={"scores": {"vague": vague, "in_style": in_style}})
    (mean,) = Figures(study).message_means
    assert (mean.statistic.value, mean.statistic.size.items) == (4.0, 2)
    statistics = as_researcher.get(reverse("label_statistics", args=[study.pk])).content.decode()
    assert "DeepSeek-V3.2 (user simulator) · AIS" in statistics and ">4.7<" in statistics
    assert people_ratings([run], ["vague"]) == []


def test_a_message_counts_by_its_raters_and_by_its_subset(study: LabelStudy, as_researcher: Client) -> None:
    for name in ("Ada", "Bo"):
        annotator = annotator_of(study, name)
        while (assignment := queue.next_for(annotator)) is not None:
            item = assignment.item
            is_doubted = name == "Bo" and item.at == 13 and item.task.task_id == "ais"
            rate(assignment, kept=1, agrees=1, specific=0 if is_doubted else 1)
    means = {(mean.facet, mean.value): mean.statistic for mean in Figures(study).message_means}
    assert {part: found.value for part, found in means.items()} == {
        ("", ""): 0.875,
        ("subset", "ais"): 0.75,
        ("subset", "easy"): 1.0,
        ("style", "terse"): 0.75,
        ("style", ""): 1.0,
    }
    assert means["", ""].size.ratings == 8
    specific = Figures(study).dimensions[2]
    assert specific.agreement.table.scale == "nominal" and specific.agreement.fleiss.value is not None
    doubted = study.items.get(left__task__task_id="ais", at=13)
    (split,) = [row for row in item_rows(study) if row.to_adjudicate]
    assert split.number == doubted.number
    page = as_researcher.get(reverse("label_statistics", args=[study.pk])).content.decode()
    assert "87.5 %" in page and "AIS: vague wishes" in page and ">98 %<" in page
    Decision.objects.create(item=doubted, answer={"scores": dict.fromkeys(CHECKS, 1)})
    assert Figures(study).message_means[0].statistic.value == 1.0


def test_files_name_the_message_and_label_studio_has_its_words(study: LabelStudy) -> None:
    item = study.items.get(left__task__task_id="easy", at=13)
    answer = {"scores": {"kept": 1, "agrees": 0, "specific": 1}}
    Label.objects.create(item=item, rater=Rater.objects.create(name="Ada"), answer=answer)

    def file_text(format_: str) -> str:
        return b"".join(filled_parts(study, format_, Options(), WriteCounts())).decode()

    rows = list(csv.DictReader(StringIO(file_text("csv"))))
    assert [(row["dimension"], row["label"], row["message"]) for row in rows] == [
        (name, str(score), "13") for name, score in answer["scores"].items()
    ]
    lines = [json.loads(line) for line in file_text("jsonl").splitlines()]
    told = next(line for line in lines if line["item"] == item.number)
    assert (told["message"], told["facets"]["subset"], told["session_a"]) == (13, "easy", item.left_id)
    texts = {one["data"]["item"]: one["data"]["plan"] for one in json.loads(file_text("label-studio"))}
    assert texts[item.number] == "Every hotel has to take pets."


def test_a_command_makes_a_study_or_nothing(run: Run) -> None:
    def result_of(*options: str) -> dict[str, Any]:
        out = StringIO()
        call_command("create_study", "E", "--run", run.pk, "--json", *options, stdout=out)
        return dict(json.loads(out.getvalue()))

    for options, why in (
        (("--kind", "rubric", "--rubric", "manners"), "rubric"),
        (("--kind", "rubric", "--rubric", "issued", "--only", "subset=none"), "only"),
        (("--kind", "rubric", "--rubric", "issued", "--only", "subset=fit"), "Require less"),
        (("--kind", "binary"), "question"),
    ):
        with pytest.raises(CommandError, match=why):
            result_of(*options)
    assert not LabelStudy.objects.exists()
    made = result_of("--kind", "rubric", "--rubric", "issued", "--size", "1", "--stratum", "subset", "--open")
    study = LabelStudy.objects.get(pk=made["study"])
    assert (made["items"], made["status"], study.items.count()) == (2, "open", 2)
    assert (study.qualification, study.gold_every, study.blind) == (0.8, 10, True)


def test_yes_is_never_near_no(study: LabelStudy) -> None:
    known = LabelItem(study=study, answer={"scores": dict.fromkeys(CHECKS, 1)})
    assert is_right(known, {"scores": dict.fromkeys(CHECKS, 1)})
    assert not is_right(known, {"scores": {**dict.fromkeys(CHECKS, 1), "agrees": 0}})
