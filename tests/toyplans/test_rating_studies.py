"""People rate by one of a benchmark's rubrics, on the scale of each dimension."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from benchmark.judging import Judgement as Judged
from benchmark.judging import Rating as JudgeRating
from benchmark.labelling.files.label_studio import interface
from benchmark.labelling.tables import BadTable
from tests.labelling import add_item, annotator_of, make_study
from tests.markup import tight
from tests.seating import endpoint_at
from tests.webapp.judging.conftest import claim_of
from webapp.judging import services
from webapp.labelling import queue
from webapp.labelling.files import study_export
from webapp.labelling.incoming import import_labels
from webapp.labelling.items import ItemRefused, checked_answer
from webapp.labelling.models import LabelItem, LabelStudy
from webapp.labelling.rater_accuracy import judges_of
from webapp.labelling.rubrics import people_ratings
from webapp.labelling.studies import StudyRefused, change_study, duplicate
from webapp.sessions.models import Run, Session

pytestmark = pytest.mark.django_db
SETTINGS = {
    "name": "How varied",
    "kind": "rubric",
    "suite": "toyplans",
    "rubric": "variety",
    "blind": "on",
    "per_item": 3,
    "lease_min": 30,
    "min_view_s": 10,
    "gold_every": 10,
    "repeat_every": 10,
    "qualification": 80,
    "seed": 5,
}
OTHER_SCALE = "rates “variety” from 0 to 3, and own dimensions are rated from 1 to 5"


@pytest.fixture
def item(play: Callable[[], Session]) -> LabelItem:
    """The one item of a study that asks by the second rubric, of a session in a run."""
    session = play()
    session.run = Run.objects.create(name="r", suite="toyplans")
    session.save(update_fields=["run"])
    study = make_study(kind="rubric", suite="toyplans", rubric="variety", pilot=False)
    return add_item(study, session.task, session)


def page_of(client: Client, **changed: Any) -> str:
    return tight(client.post("/labelling/new/", {**SETTINGS, **changed}).content.decode())


def test_the_rubric_of_a_study_is_chosen_where_a_benchmark_has_several(client: Client) -> None:
    page = client.get("/labelling/new/").content.decode()
    assert '<option value="variety">' in page
    page_of(client)
    study = LabelStudy.objects.get()
    assert (study.rubric, study.scales) == ("variety", {"variety": range(4)})
    assert "variety, from 0 to 3" in tight(client.get(f"/labelling/{study.pk}/").content.decode())
    assert duplicate(study=study, name="again", pilot=False).rubric == "variety"
    assert make_study(kind="rubric", suite="toyplans").scales == {"calm": range(1, 6)}


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"suite": "grouptravel"}, "“grouptravel” has one rubric. Leave out the name “variety”"),
        ({"kind": "pairwise"}, "Only a study of ratings has a rubric"),
        ({"dimensions": "pacing = 节奏 | Pacing"}, "A study has a rubric or own dimensions"),
        ({"rubric": "", "dimensions": "variety = 变化 | Variety"}, OTHER_SCALE),
    ],
)
def test_a_rubric_that_can_not_be_asked_is_refused(
    client: Client, changed: Mapping[str, str], said: str
) -> None:
    assert said in page_of(client, **changed)
    assert not LabelStudy.objects.exists()


def test_annotators_rate_on_the_scale_of_the_dimension(item: LabelItem) -> None:
    annotator, browser = annotator_of(item.study), Client()
    browser.get(f"/annotate/join/{annotator.token}/")
    browser.post(f"/annotate/join/{annotator.token}/")
    page = tight(browser.get(f"/annotate/{annotator.pk}/").content.decode())
    offered = [at for at in range(-1, 7) if f'name="score_variety" value="{at}"' in page]
    assert offered == [0, 1, 2, 3] and "score_calm" not in page
    assert "<kbd>0</kbd> … <kbd>3</kbd>" in page and "How good is it, from 0 to 3?" in page
    guidelines = browser.get(f"/annotate/{annotator.pk}/guidelines/").content.decode()
    assert "Rate each dimension:" in guidelines and "from 0 to 3" in guidelines
    assignment = queue.next_for(annotator)
    assert assignment is not None
    with pytest.raises(queue.AnswerRefused, match="whole numbers: from 0 to 3"):
        queue.answer(assignment, given=queue.Answer(scores={"variety": 4}, seconds=30.0))
    queue.answer(assignment, given=queue.Answer(scores={"variety": 0}, seconds=30.0))
    (said,) = people_ratings([item.left.run], ["calm", "variety"])  # type: ignore[union-attr, list-item]
    assert (said.dimension, said.score) == ("variety", 0)
    with pytest.raises(StudyRefused, match="its rubric can't be changed"):
        change_study(study=item.study, rubric="")


def test_known_answers_and_files_keep_to_the_scale(item: LabelItem, tmp_path: Path) -> None:
    study = item.study
    assert checked_answer(study, "", {"variety": 0}) == {"scores": {"variety": 0}}
    with pytest.raises(ItemRefused, match="from 0 to 3"):
        checked_answer(study, "", {"variety": 5})
    assert '<Number name="score_variety" toName="prompt" min="0" max="3" step="1"/>' in interface(
        study_export(study)
    )
    file = tmp_path / "tasks.json"
    result = {"from_name": "score_variety", "type": "number", "value": {"number": 3}}
    task = {"data": {"item": 1}, "annotations": [{"result": [result], "completed_by": 1}]}
    file.write_text(json.dumps([task]))
    assert import_labels(study=study, path=file, name="tasks.json").labels == 1
    result["value"] = {"number": 4}
    file.write_text(json.dumps([task]))
    with pytest.raises(BadTable, match="no rating of variety; give a whole number from 0 to 3"):
        import_labels(study=study, path=file, name="tasks.json")


def test_a_study_is_compared_with_judges_of_its_rubric(client: Client, item: LabelItem) -> None:
    annotator = annotator_of(item.study)
    assignment = queue.next_for(annotator)
    assert assignment is not None
    queue.answer(assignment, given=queue.Answer(scores={"variety": 1}, seconds=30.0))
    assert item.left is not None
    for rubric, dimension, rating in (("", "calm", 5), ("variety", "variety", 3)):
        batch = services.start_batch(
            sessions=[item.left], judge=endpoint_at("http://127.0.0.1:9", f"m{rubric}"), rubric=rubric
        )
        judged = Judged("…", {dimension: JudgeRating(rating)}, complete=True)
        services.store_judged(
            claimed=claim_of(batch.judgements.get()), judged=judged, prompts="1", key="", calls=()
        )
    (judge,) = judges_of(item.study)
    assert [(line.name, line.judge.value) for line in judge.lines] == [("variety", 2.0)]
    page = tight(client.get(f"/labelling/{item.study_id}/raters/").content.decode())
    assert "Mean absolute errors of ratings: from 0 to 3." in page
